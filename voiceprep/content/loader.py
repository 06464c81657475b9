"""The files under prompts/ and rubrics/, read, checked and turned into values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.aiming import read_aiming
from voiceprep.content.checks import check_general, check_round, check_signals, ids
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.proposals import read_judge
from voiceprep.content.reading import Shape, read
from voiceprep.content.rubric_schema import EndingsFile, PacingFile, SignalsFile, VerbsFile
from voiceprep.content.schema import GeneralFile, PersonaFile, RoundFile
from voiceprep.content.trained import LexiconFile, classifier, lexicon, read_weights
from voiceprep.core.answers.aiming import Aiming
from voiceprep.core.answers.proposing import ProposalJudge
from voiceprep.core.pack import Content, Detector, Endings, Framework, PacingRule, Persona, RoundPack, Verb
from voiceprep.errors import UsageError, one_of

PACING_RULES = (
    *("monologue", "long_pause", "late_headline", "section_overrun", "round_overrun", "own_questions", "bluffing"),
    *("solution_jump", "over_clarifying", "over_clarifying_time", "instant_defence", "instant_concession"),
    *(f"speaking_rate_{way}_{language}" for way in ("slow", "fast") for language in ("en", "zh", "mixed")),
    *("pace_jump", "fillers", "talk_share_low", "talk_share_high"),
)
"""The rules that sessions run."""
JUDGED = "solution_jump"
"""The one that has a judge of proposals."""
RUBRIC_FILES = (
    *("signals.toml", "endings.toml", "pacing.toml", "lexicon.toml", "verbs.toml"),
    *("coverage.tsv", "proposals.tsv", "aim.tsv"),
)
"""What is read of rubrics/, in the order in which `_rubrics_cached` takes it."""


@dataclass(frozen=True, slots=True)
class Rubrics:
    """Everything of rubrics/ that does not depend on a round."""

    detectors: tuple[Detector, ...]
    endings: Endings
    pacing: Mapping[str, PacingRule]
    verbs: tuple[Verb, ...] = ()
    framework: Framework = field(default_factory=Framework)
    aiming: Aiming | None = None


@dataclass(slots=True)
class _Reading:
    """Files read in one go, and the problems met on the way."""

    prompts: Path
    rubrics: Path
    problems: list[Problem] = field(default_factory=list)

    def value(self, path: Path, shape: type[Shape], **how: Any) -> Shape | None:
        value, problems = read(path, shape, **how)
        self.problems += problems
        return value if not problems else None

    @property
    def general(self) -> Path:
        return self.prompts / "general.toml"

    def round(self, id: str) -> Path:  # noqa: A002  (the field's own name)
        return self.prompts / "rounds" / f"{id}.toml"

    def persona(self, id: str) -> Path:  # noqa: A002
        return self.prompts / "personas" / f"{id}.md"

    def personas(self) -> set[str]:
        return {path.stem for path in (self.prompts / "personas").glob("*.md")}


def load_content(round_id: str, prompts: Path | None = None, rubrics: Path | None = None) -> Content:
    """The round of this id with all that its session needs.

    Raises UsageError for an id that has no file, BadInputError (`bad-pack`) with all problems of the files involved.
    """
    here = _reading(prompts, rubrics)
    _known_round(here, round_id)
    common = _rubrics(here)
    pack, own_pacing = _round(here, round_id, common)
    refuse(here.problems)
    assert common is not None
    assert pack is not None
    return Content(pack, common.detectors, common.endings, {**common.pacing, **own_pacing}, common.verbs)


def load_rounds(prompts: Path | None = None, rubrics: Path | None = None) -> dict[str, RoundPack]:
    """Every round by its id. Raises BadInputError (`bad-pack`) with all problems of all files."""
    here = _reading(prompts, rubrics)
    packs = _all(here)
    refuse(here.problems)
    return packs


def finished_rounds(
    prompts: Path | None = None, rubrics: Path | None = None
) -> tuple[dict[str, RoundPack], dict[str, list[Problem]]]:
    """The rounds that can be held, and the problems of those that cannot, both by id: one that is being written harms no other.

    Raises BadInputError (`bad-pack`) where none can be held.
    """
    here = _reading(prompts, rubrics)
    common = _rubrics(here)
    packs: dict[str, RoundPack] = {}
    unfinished: dict[str, list[Problem]] = {}
    for round_id in round_ids(here.prompts):
        alone = _reading(prompts, rubrics)
        pack, _ = _round(alone, round_id, common)
        if pack is None or alone.problems:
            unfinished[round_id] = alone.problems
        else:
            packs[round_id] = pack
    if here.problems or not packs:
        refuse(check_all(prompts, rubrics))
    return packs, unfinished


def round_alone(round_id: str, prompts: Path | None = None) -> RoundPack | None:
    """A round without what the rubrics give it, a tenth of the work: for what it is called. None where it cannot be read."""
    here = _reading(prompts, None)
    return _round(here, round_id, None)[0] if round_id in round_ids(here.prompts) else None


def load_rubrics(rubrics: Path | None = None) -> Rubrics:
    """What does not depend on a round. Raises BadInputError (`bad-pack`)."""
    here = _reading(None, rubrics)
    common = _rubrics(here)
    refuse(here.problems)
    assert common is not None
    return common


def check_all(prompts: Path | None = None, rubrics: Path | None = None) -> list[Problem]:
    """Every problem of every file; an empty list means all is well."""
    here = _reading(prompts, rubrics)
    _all(here)
    for path in sorted((here.prompts / "personas").glob("*.md")):
        here.value(path, PersonaFile)
    return list(dict.fromkeys(here.problems))


def interviewer(persona_id: str, prompts: Path | None = None) -> Persona | None:
    """The interviewer of this id; None where no file has it, or none that can be read."""
    here = _reading(prompts, None)
    return _persona(here, persona_id) if persona_id in here.personas() else None


def round_ids(prompts: Path | None = None) -> list[str]:
    """The ids of the rounds that have a file."""
    return sorted(path.stem for path in ((prompts or data_folder("prompts")) / "rounds").glob("*.toml"))


def _reading(prompts: Path | None, rubrics: Path | None) -> _Reading:
    return _Reading(prompts or data_folder("prompts"), rubrics or data_folder("rubrics"))


def _known_round(here: _Reading, round_id: str) -> None:
    known = round_ids(here.prompts)
    if round_id not in known:
        hint = one_of(round_id, known) if known else f"there are no rounds in {here.prompts / 'rounds'}"
        raise UsageError(f"there is no round {round_id!r}", code="unknown-round", hint=hint)


def _all(here: _Reading) -> dict[str, RoundPack]:
    common = _rubrics(here)
    known = round_ids(here.prompts)
    if not known:
        here.problems.append(Problem(shown(here.prompts / "rounds"), "", None, "has no round"))
    packs = ((round_id, _round(here, round_id, common)[0]) for round_id in known)
    return {round_id: pack for round_id, pack in packs if pack is not None}


def files_of(pack: RoundPack, prompts: Path | None = None, rubrics: Path | None = None) -> list[Path]:
    """The files that `load_content` reads for this round; those of them that need not be there, only where they are."""
    here = _reading(prompts, rubrics)
    own = [here.round(pack.id), here.persona(pack.persona.id), here.general]
    return [path for path in (*own, *_rubric_files(here)) if path.exists()]


def _rubric_files(here: _Reading) -> list[Path]:
    return [here.rubrics / name for name in RUBRIC_FILES]


def _rubrics(here: _Reading) -> Rubrics | None:
    common, problems = _rubrics_cached(tuple((path, _stamp(path)) for path in _rubric_files(here)))
    here.problems += problems
    return common


def _stamp(path: Path) -> tuple[int, int]:
    """Changes when the file does."""
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=3)  # forty megabytes each: the shipped ones, and what somebody works on
def _rubrics_cached(stamped: tuple[tuple[Path, tuple[int, int]], ...]) -> tuple[Rubrics | None, tuple[Problem, ...]]:
    """Building hundreds of patterns takes longer than all the rest; the same files are built once in a process."""
    signals_path, endings_path, pacing_path, lexicon_path, verbs_path, weights_path, judge_path, aim_path = (
        path for path, _ in stamped
    )
    signals, problems = read(
        signals_path,
        SignalsFile,
        context=lambda raw: {"targets": set(raw["detectors"]) if isinstance(raw.get("detectors"), dict) else set()},
        checks=check_signals,
    )
    endings, more = read(endings_path, EndingsFile)
    known = {"targets": set(signals.detectors) if signals is not None else None}
    pacing, still_more = read(pacing_path, PacingFile, context=lambda _: known)
    asked, asked_problems = read(verbs_path, VerbsFile, context=lambda _: known)
    problems += more + still_more + asked_problems
    words, words_problems = read(lexicon_path, LexiconFile)
    detectors, yet_more = _detectors(None if problems else signals, words, weights_path)
    judge, judge_problems = _judge(words, judge_path)
    aiming, aim_problems = read_aiming(aim_path) if aim_path.exists() else (None, [])
    problems += words_problems + yet_more + judge_problems + aim_problems
    if pacing is not None:
        absent = [name for name in PACING_RULES if name not in pacing.root]
        problems += [Problem(shown(pacing_path), name, None, "is missing") for name in absent]
    if problems or signals is None or endings is None or pacing is None or asked is None:
        return None, tuple(problems)
    rules = {name: building.pacing_rule(name, rule) for name, rule in pacing.root.items()}
    rules[JUDGED] = replace(rules[JUDGED], judge=judge)
    return Rubrics(detectors, building.endings(endings), rules, building.verbs(asked), building.framework(asked), aiming), ()


def _detectors(
    signals: SignalsFile | None, words: LexiconFile | None, weights_path: Path
) -> tuple[tuple[Detector, ...], list[Problem]]:
    """The detectors with the trained part that they share; none where the cues have problems.

    Without a file of weights the cues decide alone.
    """
    if signals is None:
        return (), []
    detectors = building.detectors(signals)
    if words is None or not weights_path.exists():
        return detectors, []
    weights, problems = read_weights(weights_path, signals.detectors, words)
    if weights is None:
        return detectors, problems
    trained = classifier(words, weights)
    return tuple(replace(one, trained=trained if one.id in trained.labels else None) for one in detectors), problems


def _judge(words: LexiconFile | None, path: Path) -> tuple[ProposalJudge | None, list[Problem]]:
    """What tells proposals; without its file, cues and detectors do so alone."""
    return read_judge(path, lexicon(words)) if words is not None and path.exists() else (None, [])


def _round(here: _Reading, round_id: str, common: Rubrics | None) -> tuple[RoundPack | None, dict[str, PacingRule]]:
    detectors = common.detectors if common is not None else ()

    def known(raw: Mapping[str, Any]) -> dict[str, Any]:
        return {
            # Without a readable vocabulary every target would look unknown: its own problems are told instead.
            "targets": {detector.id for detector in detectors} or None,
            "sections": set(ids(raw.get("sections"))),
            "questions": set(ids(raw.get("questions"))),
            "verbs": {building.NO_VERB, *(verb.id for verb in common.verbs)} if common is not None else None,
            "personas": here.personas(),
        }

    file = here.value(here.round(round_id), RoundFile, context=known, checks=check_round)
    if file is None:
        return None, {}
    persona = _persona(here, file.persona)
    if persona is None:
        return None, {}
    traps = {detector.id for detector in detectors if detector.kind == "trap"}
    own_pacing = {name: building.pacing_rule(name, rule) for name, rule in file.pacing.items()}
    if JUDGED in own_pacing and common is not None:
        own_pacing[JUDGED] = replace(own_pacing[JUDGED], judge=common.pacing[JUDGED].judge)
    verbs, framework = (common.verbs, common.framework) if common is not None else ((), Framework())
    pack = building.RoundBuilder(round_id, traps, verbs, framework).build(file, persona)
    pack = replace(pack, aiming=common.aiming if common is not None else None)
    if here.general.exists():
        fitting_any = here.value(here.general, GeneralFile, context=known, checks=check_general)
        if fitting_any is not None:
            assume = building.line("assume", fitting_any.assume)
            pack = replace(pack, general=building.general(fitting_any, traps), assume=assume)
        if fitting_any is not None:
            pack = replace(pack, repeated=building.line("repeated", fitting_any.repeated))
            pack = replace(pack, resuming=building.line("resuming", fitting_any.resuming))
    return pack, own_pacing


def _persona(here: _Reading, persona_id: str) -> Persona | None:
    file = here.value(here.persona(persona_id), PersonaFile)
    return building.persona(persona_id, file) if file is not None else None
