"""Stretches of a recording that hold no sound because it was lost: no part of anybody's floor, silence or share. Pure."""

from __future__ import annotations

from voiceprep.core.events import AudioGap
from voiceprep.core.units import Media, Seconds, Span


class Lost:
    """What was lost so far. A loss that goes on is told piece by piece, and is one stretch."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def take(self, gap: AudioGap) -> None:
        last = self._spans[-1] if self._spans else None
        if last is not None and last.start <= gap.start <= last.end:
            self._spans[-1] = Span(last.start, Media(max(last.end, gap.end)))
        elif gap.end > gap.start:
            self._spans.append(Span(gap.start, gap.end))

    def since(self, start: Media) -> Seconds:
        """How much was lost from this place on."""
        return sum(span.end - max(span.start, start) for span in self._spans if span.end > start)

    def inside(self, start: Media, seconds: Seconds) -> Seconds:
        """By how much a stretch of `seconds` that begins at `start` ends later, since what was lost does not count."""
        lost = 0.0
        for span in self._spans:
            if span.end > start and span.start < start + seconds + lost:
                lost += span.end - max(span.start, start)
        return lost
