"""How far the text is behind the voice, in steps that are worth telling."""

from __future__ import annotations

from voiceprep.core.policy import Policy
from voiceprep.core.units import Media, Seconds

STEP: Seconds = 3.0
"""Smaller changes are not told, and less than this is not behind."""
ROUNDING: Seconds = 0.001


class Backlog:
    """Media seconds between what is being said and what can be read, and since when a transcript of record is owed."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._reached = Media(0.0)
        """Speech up to here can be read."""
        self._owed: dict[str, Media] = {}
        """Ends of the stretches whose record is asked for, by id, oldest first."""
        self._told: Seconds = 0.0

    def speech(self, media: Media, *, after: Media) -> None:
        """Speech begins at `media`. The silence since `after` owes nobody words, if all before it can be read."""
        if self._reached >= after - STEP / 2:
            self._reached = Media(max(self._reached, media))

    def ordered(self, of: str, end: Media) -> None:
        """The record of speech up to `end` is asked for as `of`; from here on the record is what is owed of it."""
        self._owed[of] = end
        self._reached = Media(max(self._reached, end))

    def recorded(self, of: str) -> None:
        """The record `of` is here, or will never be."""
        self._owed.pop(of, None)

    def due(self, *, sounding: bool) -> float:
        """The media time at which there is more to tell, unless something is read before; infinity when there is nothing."""
        moments = [end + max(self._policy.record_patience, self._told + STEP) for end in self._owed.values()]
        if sounding:
            moments.append(self._reached + self._told + STEP)
        return min(moments, default=float("inf"))

    def told(self, now: Media, reached: Media | None, *, sounding: bool) -> Seconds | None:
        """How far behind the text is at `now`, where it is another step than was told last; else None.

        `reached`: speech up to there has become readable just now. What counts is how long the reader waited for it.
        """
        lag = max(0.0, now - self._reached) if sounding or reached is not None else 0.0
        if reached is not None:
            self._reached = Media(max(self._reached, reached))
            lag = lag if sounding else 0.0
        owed = max((now - end for end in self._owed.values()), default=0.0)
        if owed + ROUNDING >= self._policy.record_patience:
            lag = max(lag, owed)
        seconds = (lag + ROUNDING) // STEP * STEP
        if seconds == self._told:
            return None
        self._told = seconds
        return seconds
