"""Drills, files under prompts/drills/, read strictly into the values of core/drills/pack."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voiceprep.config import data_folder
from voiceprep.content import building, drill_schema
from voiceprep.content.drill_checks import Known, check_drill
from voiceprep.content.loader import Rubrics, load_rubrics, round_ids
from voiceprep.content.patterns import compiled
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.core.drills.pack import Criterion, Drill, Mark, Part, Prompt, Shown, Step
from voiceprep.core.pack import Answer, Cue, Detector, Line, Tongue
from voiceprep.errors import BadInputError, UsageError, one_of


def drill_ids(prompts: Path | None = None) -> list[str]:
    """The ids of the drills that have a file."""
    return sorted(path.stem for path in _folder(prompts).glob("*.toml"))


def load_drill(drill_id: str, prompts: Path | None = None, rubrics: Path | None = None) -> Drill:
    """The drill of this id. Raises UsageError (`unknown-drill`), or BadInputError (`bad-pack`) with all that is wrong."""
    there = drill_ids(prompts)
    if drill_id not in there:
        raise UsageError(f"there is no drill {drill_id!r}", code="unknown-drill", hint=one_of(drill_id, there))
    return _loaded([drill_id], prompts, rubrics)[0]


def load_drills(prompts: Path | None = None, rubrics: Path | None = None) -> dict[str, Drill]:
    """Every drill by its id. Raises BadInputError (`bad-pack`) with all problems of all files."""
    return {drill.id: drill for drill in _loaded(drill_ids(prompts), prompts, rubrics)}


def drills_of(round_id: str, prompts: Path | None = None, rubrics: Path | None = None) -> list[Drill]:
    """The drills that a round has, in the order of their ids."""
    return [drill for drill in load_drills(prompts, rubrics).values() if round_id in drill.rounds]


def drill_map(drill: Drill) -> dict[str, Any]:
    """What a list of drills says of one, ready for JSON: texts in both languages, times in seconds."""
    return {
        "id": drill.id,
        "title": dict(drill.title),
        "goal": dict(drill.goal),
        "rounds": list(drill.rounds),
        "requirements": list(drill.requirements),
        "budget": drill.budget,
        "limit": drill.limit,
        "prompts": [prompt.id for prompt in drill.prompts],
        "criteria": [{"id": one.id, "asked": dict(one.asked), "required": one.required} for one in drill.criteria],
    }


def check_drills(prompts: Path | None = None, rubrics: Path | None = None) -> list[Problem]:
    """Every problem of every drill and of their cues."""
    context, problems = _context(prompts, rubrics)
    return [*problems, *(one for name in drill_ids(prompts) for one in _read(name, context)[1])]


def drill_file(drill_id: str, prompts: Path | None = None) -> Path:
    return _folder(prompts) / f"{drill_id}.toml"


def _folder(prompts: Path | None) -> Path:
    return (prompts or data_folder("prompts")) / "drills"


@dataclass(frozen=True, slots=True)
class _Context:
    """What drills may name, and where they are."""

    folder: Path
    common: Rubrics
    cues: tuple[Detector, ...]
    rounds: Collection[str]
    personas: Collection[str]
    demands: Collection[str]


def _context(prompts: Path | None, rubrics: Path | None) -> tuple[_Context, list[Problem]]:
    here = rubrics or data_folder("rubrics")
    cues, problems = read(here / "drills.toml", drill_schema.DrillCuesFile)
    context = _Context(
        folder=_folder(prompts),
        common=load_rubrics(rubrics),
        cues=_cues(cues.cues if cues is not None else {}),
        rounds=set(round_ids(prompts)),
        personas={path.stem for path in ((prompts or data_folder("prompts")) / "personas").glob("*.md")},
        demands=demands(rubrics),
    )
    return context, problems


def demands(rubrics: Path | None = None) -> dict[str, str]:
    """The kind of each demand that the two accounts of interviews make, by its id. Raises BadInputError (`bad-pack`)."""
    path = (rubrics or data_folder("rubrics")) / "demands.tsv"
    try:
        rows = (line.split("\t") for line in path.read_text("utf-8").splitlines()[1:])
        return {row[0]: row[1] for row in rows}
    except (OSError, ValueError, IndexError) as error:
        raise BadInputError(
            f"{shown(path)} cannot be read: {error}", code="bad-pack", hint="its columns are id and kind"
        ) from None


def _loaded(names: Sequence[str], prompts: Path | None, rubrics: Path | None) -> list[Drill]:
    context, problems = _context(prompts, rubrics)
    drills = []
    for name in names:
        drill, more = _read(name, context)
        problems += more
        drills += [drill] if drill is not None else []
    refuse(problems)
    return drills


def _read(drill_id: str, context: _Context) -> tuple[Drill | None, list[Problem]]:
    shared = {one.id for one in (*context.common.detectors, *context.cues)}

    def listened(raw: Mapping[str, Any]) -> set[str]:
        own = raw.get("cues")
        return shared | (set(own) if isinstance(own, dict) else set())

    file, problems = read(
        context.folder / f"{drill_id}.toml",
        drill_schema.DrillFile,
        context=lambda raw: {
            "listened": listened(raw),
            "rounds": context.rounds,
            "personas": context.personas,
            "demands": context.demands,
        },
        checks=lambda raw: check_drill(raw, Known(listened(raw), set(context.common.pacing))),
    )
    if file is None or problems:
        return None, problems
    detectors = (*context.common.detectors, *context.cues, *_cues(file.cues))
    return _built(drill_id, file, detectors), []


# --- building -----------------------------------------------------------------------------------------------------------


def _cues(cues: Mapping[str, drill_schema.CuesFile]) -> tuple[Detector, ...]:
    def patterns(given: Sequence[str], veto: str | None) -> tuple[Cue, ...]:
        return tuple(Cue(compiled(pattern), compiled(veto) if veto else None) for pattern in given)

    return tuple(
        Detector(id=name, kind="signal", cues={"en": patterns(one.en, one.unless_en), "zh": patterns(one.zh, one.unless_zh)})
        for name, one in cues.items()
    )


def _texts(phrase: drill_schema.Phrase) -> dict[Tongue, str]:
    return {"en": phrase.en, "zh": phrase.zh}


def _line(id: str, phrase: drill_schema.Phrase) -> Line:  # noqa: A002  (the field's own name)
    return Line(id, {tongue: (text,) for tongue, text in _texts(phrase).items()})


def _step(file: drill_schema.StepFile) -> Step:
    return Step(
        id=file.id,
        line=_line(file.id, file),
        move=file.move,
        at=file.at_seconds,
        budget=file.budget_seconds,
        limit=file.limit_seconds,
        target=file.target or "",
    )


def _fact(file: drill_schema.FactFile) -> Answer:
    return Answer(id=file.id, topics=building.topics(file.topics), line=_line(file.id, file))


def _prompt(file: drill_schema.PromptFile, drill: drill_schema.DrillFile) -> Prompt:
    return Prompt(
        id=file.id,
        line=_line(file.id, file),
        steps=tuple(map(_step, file.steps or drill.steps)),
        facts=tuple(map(_fact, file.facts or drill.facts)),
        assume=_line("assume", drill.assume) if drill.assume is not None else None,
        shows=tuple(Shown(at=shown.at_seconds, sign=shown.sign) for shown in file.shows),
        meant=file.meant,
    )


def _built(drill_id: str, file: drill_schema.DrillFile, detectors: tuple[Detector, ...]) -> Drill:
    return Drill(
        id=drill_id,
        title=building.both(file.title),
        goal=building.both(file.goal),
        rounds=tuple(file.rounds),
        requirements=tuple(file.requirements),
        source=file.source,
        persona=file.persona,
        budget=file.budget_seconds,
        limit=file.limit_seconds,
        prompts=tuple(_prompt(prompt, file) for prompt in file.prompts),
        criteria=tuple(map(_criterion, file.criteria)),
        marks=tuple(
            Mark(id=mark.id, at=mark.at_seconds, spoken=mark.spoken, text=_texts(mark), step=mark.step) for mark in file.marks
        ),
        parts=tuple(
            Part(
                id=part.id,
                title=building.both(part.title),
                budget=part.budget_seconds,
                opens=tuple(part.opens),
                step=part.step or "",
            )
            for part in file.parts
        ),
        dialogue=file.dialogue,
        patience=file.patience_seconds,
        opening=_line("opening", file.opening) if file.opening is not None else None,
        closing=_line("closing", file.closing) if file.closing is not None else None,
        detectors=detectors,
    )


def _criterion(file: drill_schema.CriterionFile) -> Criterion:
    return Criterion(
        id=file.id,
        asked=building.both(file.asked),
        measure=drill_schema.measure_of(file.measure),
        passed=_texts(file.passed),
        failed=_texts(file.failed),
        required=file.required,
    )
