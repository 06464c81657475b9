"""How exact the pacing rules are: every rule just below, at and just above each threshold, and where nothing may fire.

On paper all times are known exactly; the same stretches as rendered speech, in quiet and in noise, go through the real voice
activity detector. Answers that were written and labelled by hand tell how well the rules that need words judge.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.pacing_scene import Line, Scene, play, spoken
from bench.pacing_truth import ASKED, PUSH, Case, Expected, Place, cases, question
from voiceprep.content import load_content
from voiceprep.core.events import Event, FlagRaised, Language, WordsHeard
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError

ROUND = "gpu-technical"
DATA = Path(__file__).parent / "data" / "pacing.toml"
FRESH = DATA.with_name("pacing_fresh.toml")
"""More answers for one rule, which was tuned on them since."""
JUMPS = DATA.with_name("pacing_jumps.toml")
"""And many beginnings of answers for it, in batches;"""
UNSEEN = ("sixth", "seventh", "eighth", "ninth")
"""... on these it was not trained."""
Batch = dict[str, dict[Language, list[str]]]
"""Beginnings that jump, and such as are `bounded`, by language."""
WITHIN: Seconds = 0.25
LANGUAGES: tuple[Language, ...] = ("en", "zh", "mixed")
WORD_RULES = ("late_headline", "bluffing", "solution_jump", "over_clarifying", "instant_defence", "instant_concession")


def run(part: str = "held", **_: Any) -> dict[str, Any]:
    """Measure the rules. `part`: labelled answers to use, held to report, dev to tune by.

    Returns ``{"rules": [{"rule", "cases", "must", "fired", "false", "late_s", "edge_s"}], "labelled": [{"rule", "precision",
    "recall", ...}], "fresh": {...}, "audio": {...}, "quiet": {"hours", "false_per_hour"}, "targets": {name: bool}}``. `late_s`
    is the longest time from when a crossing was known to its flag, `edge_s` the largest error of a flag's span.
    """
    from bench.pacing_audio import audio, calm

    content = load_content(ROUND)
    tallies = on_paper(content)
    judged = labelled(content, part)
    fresh = next(row for row in labelled(content, "jumps") if row["rule"] == "solution_jump")
    heard = asyncio.run(audio(content))
    quiet = asyncio.run(calm(content))
    rows = [{"rule": rule, **tally.row()} for rule, tally in sorted(tallies.items())]
    return {
        "rules": rows,
        "labelled": judged,
        "fresh": fresh,
        "audio": heard,
        "quiet": quiet,
        "targets": {
            "every crossing found, none false": all(row["fired"] == row["must"] and not row["false"] for row in rows),
            "within 0.25 s": all(row["late_s"] <= WITHIN for row in rows) and heard["late_s"] <= WITHIN,
            "on audio: every crossing found, none false": heard["fired"] == heard["must"] and not heard["false"],
            "pause edges within 0.1 s": heard["pause_edge_s"] <= 0.1,
            "word rules P and R at least .85": all(min(row["precision"], row["recall"]) >= 0.85 for row in (*judged, fresh)),
            "nothing fires where nothing may": not quiet["false"],
        },
    }


@dataclass(slots=True)
class Tally:
    """What came of the cases of one rule."""

    cases: int = 0
    must: int = 0
    fired: int = 0
    false: int = 0
    late: Seconds = 0.0
    edge: Seconds = 0.0
    places: Counter[Place] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        numbers = {"cases": self.cases, "must": self.must, "fired": self.fired, "false": self.false}
        return numbers | {"late_s": round(self.late, 3), "edge_s": round(self.edge, 3)}


def on_paper(content: Content, languages: Sequence[Language] = LANGUAGES) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for language in languages:
        for case in cases(content, language):
            log, flags = play(case.scene, content)
            judge(case, log, flags, tallies)
    return tallies


def judge(case: Case, log: Sequence[Event], flags: Sequence[FlagRaised], tallies: dict[str, Tally]) -> None:
    """Hold a case's flags against its truth. Flags of other rules are judged by their own cases."""
    tally = tallies[case.rule]
    tally.cases += 1
    tally.must += len(case.must)
    tally.places[case.place] += 1
    left = [flag for flag in flags if flag.rule == case.rule and _here(case, flag)]
    for expected, needed in [*((each, True) for each in case.must), *((each, False) for each in case.may)]:
        found = next((flag for flag in left if flag.level == expected.level), None)
        if found is None:
            if needed:
                tally.wrong.append(f"{case.scene.language} {case.place} {expected.level}: missed")
            continue
        left.remove(found)
        tally.fired += needed
        tally.late = max(tally.late, late(found, log))
        tally.edge = max(tally.edge, _edge(found, expected))
    tally.false += len(left)
    tally.wrong += [f"{case.scene.language} {case.place} {flag.level}: false, {flag.evidence}" for flag in left]


def _here(case: Case, flag: FlagRaised) -> bool:
    """Long pauses around the stretch in question are not in question themselves."""
    starts = {each.start for each in (*case.must, *case.may)}
    return case.rule != "long_pause" or not starts or any(abs(flag.start - (start or 0)) < 1 for start in starts)


def _edge(flag: FlagRaised, expected: Expected) -> Seconds:
    errors = [abs(flag.start - expected.start)] if expected.start is not None else []
    errors += [abs(flag.end - expected.end)] if expected.end is not None else []
    return max(errors, default=0.0)


def late(flag: FlagRaised, log: Sequence[Event]) -> Seconds:
    """How long after the crossing, or after the words that it needed were known, the flag was raised."""
    if "words of record" not in flag.evidence:
        return max(0.0, flag.at - flag.end)
    known = [event.at for event in log if isinstance(event, WordsHeard) and event.at <= flag.at]
    return max(0.0, flag.at - max([flag.end, *known[-1:]]))


# --- labelled answers -----------------------------------------------------------------------------------------------------

ASKS = {"how": "ab-test", "boundary": "gang-needed", "design": "design-scheduler", "pushback": "design-scheduler"}
HOW: dict[Language, str] = {"en": "How would you test a new scheduling policy?", "zh": "新的调度策略你会怎么测？"}


def labelled(content: Content, part: str) -> list[dict[str, Any]]:
    """Precision and recall of each rule that needs words; answers written for another rule must not fire it either."""
    counts: dict[str, Counter[str]] = {rule: Counter() for rule in WORD_RULES}
    for text in texts(part):
        _, flags = play(_scene(text, content), content)
        got = {flag.rule for flag in flags}
        for rule, count in counts.items():
            wanted = rule in text["flags"]
            count["hit" if wanted and rule in got else "missed" if wanted else "false" if rule in got else "quiet"] += 1
    return [
        {
            "rule": rule,
            "precision": round(count["hit"] / max(1, count["hit"] + count["false"]), 3),
            "recall": round(count["hit"] / max(1, count["hit"] + count["missed"]), 3),
            "positive": count["hit"] + count["missed"],
            "answers": sum(count.values()),
        }
        for rule, count in counts.items()
    ]


def texts(part: str) -> list[dict[str, Any]]:
    """The labelled answers of a part: dev, held, fresh, or jumps. Raises BadInputError (`bad-answers`)."""
    if part == "jumps":
        batches = read_batches(JUMPS)
        return [one for name in UNSEEN for one in _beginnings(batches[name])]
    path = FRESH if part == "fresh" else DATA
    try:
        rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["texts"]
    except (OSError, KeyError, ValueError) as error:
        raise BadInputError(f"{path} is not a file of labelled answers: {error!r}", code="bad-answers") from error
    return rows if part == "fresh" else rows[part == "held" :: 2]


def read_batches(path: Path) -> dict[str, Batch]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _beginnings(batch: Batch) -> Iterator[dict[str, Any]]:
    for kind, flags in (("jumps", ["solution_jump"]), ("bounded", [])):
        for language, said in batch[kind].items():
            yield from ({"language": language, "asked": "design", "flags": flags, "say": one} for one in said)


def _scene(text: dict[str, Any], content: Content) -> Scene:
    language: Language = text["language"]
    asked, id_ = text["asked"], ASKS[text["asked"]]
    tongue = tongue_of(language)
    pushed = asked == "pushback"
    said = HOW[language] if asked == "how" else PUSH[language] if pushed else question(content, id_).line.phrasings[tongue][0]
    line = Line(0.0, ASKED, "pushback" if pushed else "question", id_, said)
    voiced, words = spoken(text["say"], ASKED + text.get("wait", 1.5), language)
    return Scene((line,), voiced, words, voiced[-1][1] + 8, language)


def misses(tallies: dict[str, Tally]) -> Iterator[str]:
    """What went wrong, a line each, for whoever works on the rules."""
    for rule, tally in sorted(tallies.items()):
        yield from (f"{rule}: {each}" for each in tally.wrong)
