"""Tiers for Praat: words, speech and pauses of the candidate, the interviewer's lines; flags, questions and notes as points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voiceprep.core.timeline import Timeline
from voiceprep.core.units import Seconds
from voiceprep.exporters.cues import cues
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain

NAME = "textgrid"
SUFFIX = ".TextGrid"

Labelled = tuple[Seconds, Seconds, str]
Point = tuple[Seconds, str]
LEAST: Seconds = 0.001
"""Praat knows no interval without a length."""


def render(subject: Subject) -> str:
    """The whole file, in Praat's long text format. A session without a moment of audio is given a millisecond."""
    timeline = subject.timeline
    lines = [(cue.start, cue.end, cue.text) for cue in cues(timeline) if cue.speaker == "interviewer"]
    intervals: dict[str, Iterable[Labelled]] = {
        "words": [(word.start, word.end, word.text) for word in timeline.words],
        "speech": [(span.start, span.end, "speech") for span in timeline.speech],
        "pauses": [(pause.start, pause.end, pause.kind) for pause in timeline.pauses],
        "interviewer": lines,
    }
    end = max([LEAST, timeline.duration, *(end for tier in intervals.values() for _, end, _ in tier)])
    end = max(filled(tier, end)[-1][1] for tier in intervals.values())  # what was made a millisecond long may pass the end
    tiers = [_intervals(name, filled(tier, end), end) for name, tier in intervals.items()]
    tiers += [_marks(name, apart(tier), end) for name, tier in _points(timeline, end).items()]
    head = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = {end:.6f}\ntiers? <exists>\n'
    body = "".join(f"    item [{number}]:\n{tier}" for number, tier in enumerate(tiers, start=1))
    return f"{head}size = {len(tiers)}\nitem []:\n{body}"


def _points(timeline: Timeline, end: Seconds) -> dict[str, list[Point]]:
    """A flag stands where it was raised: flags overlap, which intervals of one tier cannot."""
    found: dict[str, list[Point]] = {
        "flags": [(flag.end, f"{flag.rule.replace('_', ' ')} {flag.level}") for flag in timeline.flags],
        "questions": [(asked.media, asked.question) for asked in timeline.questions if asked.media is not None],
        "notes": [(note.media, note.text or "marked") for note in timeline.notes],
    }
    return {name: [(min(at, end), label) for at, label in points] for name, points in found.items()}


def filled(labels: Iterable[Labelled], end: Seconds) -> list[Labelled]:
    """Intervals that follow on each other from 0 to `end`, unlabelled between the labels.

    What overlaps the one before begins where that ends; what is then left without a length joins its label.
    """
    tier: list[Labelled] = []
    at: Seconds = 0.0
    for start, until, label in sorted(labels):
        begin = max(start, at)
        if until - begin < LEAST and tier and begin == at:
            before = tier.pop()
            tier.append((before[0], before[1], " ".join(filter(None, (before[2], label)))))
            continue
        stop = max(until, begin + LEAST)
        if begin > at:
            tier.append((at, begin, ""))
        tier.append((begin, stop, label))
        at = stop
    return [*tier, (at, end, "")] if at < end else tier


def apart(points: Sequence[Point]) -> list[Point]:
    """In order of time; those of one moment become one, since Praat has no two points at one place."""
    together: dict[float, list[str]] = {}
    for at, label in sorted(points, key=lambda point: point[0]):
        together.setdefault(round(at, 6), []).append(label)
    return [(at, ", ".join(labels)) for at, labels in together.items()]


def _intervals(name: str, tier: Sequence[Labelled], end: Seconds) -> str:
    rows = "".join(
        f"        intervals [{number}]:\n            xmin = {start:.6f}\n            xmax = {until:.6f}\n"
        f"            text = {quoted(label)}\n"
        for number, (start, until, label) in enumerate(tier, start=1)
    )
    return _tier("IntervalTier", name, end, f"        intervals: size = {len(tier)}\n{rows}")


def _marks(name: str, tier: Sequence[Point], end: Seconds) -> str:
    rows = "".join(
        f"        points [{number}]:\n            number = {at:.6f}\n            mark = {quoted(label)}\n"
        for number, (at, label) in enumerate(tier, start=1)
    )
    return _tier("TextTier", name, end, f"        points: size = {len(tier)}\n{rows}")


def _tier(kind: str, name: str, end: Seconds, rows: str) -> str:
    return f'        class = "{kind}"\n        name = "{name}"\n        xmin = 0\n        xmax = {end:.6f}\n{rows}'


def quoted(text: str) -> str:
    """A text in Praat's quotes, in which a quote is written twice."""
    escaped = plain(text).replace('"', '""')
    return f'"{escaped}"'
