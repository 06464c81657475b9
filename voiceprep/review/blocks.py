"""The picture of a session in block characters, for a terminal: the same lanes, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from voiceprep.core.events import Level
from voiceprep.core.units import Seconds, Span
from voiceprep.review.document import Review
from voiceprep.review.picture import SHOWN_PAUSE

Lane = Literal["candidate", "interviewer", "silence", "sections", "flags", "depth", "notes"]

SHADES = " ▁▂▃▄▅▆▇█"
FLAGS: dict[Level, str] = {"notice": "·", "warning": "!", "fail": "✗"}
GRAVITY = " ·!✗"
PARTS = "▒░"
OVER = "╳"
NOTE = "★"
DEEPEST = 9


def lanes(review: Review, columns: int) -> tuple[tuple[Lane, str], ...]:
    """Each lane with its row, exactly `columns` characters wide; each stands for an equal share of the recording."""
    theirs = [Span(turn.start, turn.end) for turn in review.turns if turn.speaker == "interviewer"]
    silences = [Span(pause.start, pause.end) for pause in review.pauses if pause.duration >= SHOWN_PAUSE]
    grid = _Grid(review.facts.duration, columns)
    rows: list[tuple[Lane, str]] = [
        ("candidate", grid.shaded(review.speech)),
        ("interviewer", grid.shaded(theirs)),
        ("silence", grid.shaded(silences)),
        ("sections", _parts(review, grid)),
        ("flags", _flags(review, grid)),
        ("depth", _depth(review, grid)),
    ]
    mine = [each.anchor.start for each in review.annotations if each.layer == "user"]
    if mine:
        rows.append(("notes", grid.marked((start, NOTE) for start in mine)))
    return tuple(rows)


class _Grid:
    """Columns over a recording."""

    def __init__(self, duration: Seconds, columns: int) -> None:
        self.columns = max(1, columns)
        self.cell = max(duration, 1e-6) / self.columns

    def column(self, media: Seconds) -> int:
        return min(self.columns - 1, max(0, int(media / self.cell)))

    def shaded(self, spans: Sequence[Span]) -> str:
        """How much of each column the spans cover, as blocks of that height. What is there is seen, however short."""
        covered = [0.0] * self.columns
        for span in spans:
            for number in range(self.column(span.start), self.column(span.end) + 1):
                begin = number * self.cell
                covered[number] += max(0.0, min(span.end, begin + self.cell) - max(span.start, begin))
        top = len(SHADES) - 1
        return "".join(SHADES[min(top, max(round(top * part / self.cell), 1 if part > 0.0 else 0))] for part in covered)

    def marked(self, marks: Iterable[tuple[Seconds, str]], order: str = "") -> str:
        """A character where something is; of two in one column that which stands later in `order`, else the later one."""
        row = [" "] * self.columns
        for media, mark in marks:
            number = self.column(media)
            if order.find(mark) >= order.find(row[number]) or row[number] == " ":
                row[number] = mark
        return "".join(row)


def _parts(review: Review, grid: _Grid) -> str:
    """Parts in two shades by turns; what is past a budget is crossed."""
    row = [" "] * grid.columns
    for index, section in enumerate(review.sections):
        until = section.start + section.budget if section.budget else section.end
        for number in range(grid.column(section.start), grid.column(section.end) + 1):
            row[number] = OVER if number * grid.cell >= until else PARTS[index % len(PARTS)]
    return "".join(row)


def _flags(review: Review, grid: _Grid) -> str:
    return grid.marked(((flag.end, FLAGS[flag.level]) for flag in review.flags), GRAVITY)


def _depth(review: Review, grid: _Grid) -> str:
    """The number of follow-ups so far, under each answer to one."""
    row = [" "] * grid.columns
    for turn in review.turns:
        if turn.speaker == "candidate" and turn.depth:
            for number in range(grid.column(turn.start), grid.column(turn.end) + 1):
                row[number] = str(min(turn.depth, DEEPEST))
    return "".join(row)
