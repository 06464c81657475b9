"""A label track for Audacity, to import beside the audio: turns, silences, flags, questions and notes."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.timeline import Timeline
from voiceprep.core.units import Seconds
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain

NAME = "audacity"
SUFFIX = ".txt"

SHOWN_PAUSE: Seconds = 2.0


def render(subject: Subject) -> str:
    """The whole file, a label a line, by their beginning; "" where there is none. A place without a length is a point."""
    labels = sorted(_labels(subject, subject.timeline), key=lambda label: label[:2])
    return "".join(f"{start:.6f}\t{max(start, end):.6f}\t{plain(text)}\n" for start, end, text in labels)


def _labels(subject: Subject, timeline: Timeline) -> Iterator[tuple[Seconds, Seconds, str]]:
    for turn in timeline.turns:
        yield turn.start, turn.end, f"{subject.name(turn.speaker)}: {turn.text}"
    for pause in timeline.pauses:
        if pause.duration >= SHOWN_PAUSE:
            yield pause.start, pause.end, f"silence {pause.duration:.1f} s ({pause.kind.replace('_', ' ')})"
    for flag in timeline.flags:
        yield flag.start, flag.end, f"{flag.level}: {flag.rule.replace('_', ' ')}. {flag.advice}"
    for question in timeline.questions:
        if question.media is not None:
            yield question.media, question.media, f"question {question.question}"
    for note in timeline.notes:
        yield note.media, note.media, f"note: {note.text}" if note.text.strip() else "marked"
