"""The two clocks, kept apart by type.

`At` is a moment on the session clock. `Media` is a place in the candidate's recording: samples / rate. Between them lies
whatever time the machine lost before capture began, or while a laptop slept; `AudioProgress` facts map one onto the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

At = NewType("At", float)
"""Seconds on the session clock. Never decreases."""

Media = NewType("Media", float)
"""Seconds from the first sample of the candidate's recording."""

Seconds = float
"""A length of time, on either clock."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the candidate's recording, in media seconds, start <= end."""

    start: Media
    end: Media

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError(f"a span cannot end before it starts: {self.start} > {self.end}")

    @property
    def duration(self) -> Seconds:
        return self.end - self.start

    def overlap(self, other: Span) -> Seconds:
        """Seconds that both spans cover; 0 when they do not touch."""
        return max(0.0, min(self.end, other.end) - max(self.start, other.start))


class MediaClock:
    """Where the session clock stands against the recording, from the latest `AudioProgress`.

    Before the first one nothing is recorded: it is media time 0, and no other place in the recording is ever reached.
    """

    def __init__(self) -> None:
        self._offset: Seconds | None = None

    def update(self, at: At, media: Media) -> None:
        self._offset = at - media

    def at(self, media: Media) -> At:
        """When the session clock reaches this place in the recording; infinity while nothing is recorded."""
        return At(float("inf") if self._offset is None else round(media + self._offset, 6))

    def media(self, at: At) -> Media:
        """The place in the recording at this moment."""
        return Media(0.0 if self._offset is None else max(0.0, at - self._offset))
