"""What the pacing rules share: thresholds that are crossed one after the other."""

from __future__ import annotations

from voiceprep.core.events import Event, FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Seconds


class Crossing:
    """A stretch that began at a place in the recording, and the levels it crosses while it lasts, each raised once.

    Measured on the audio clock. `confirm` seconds pass before a crossing is believed, since the detector knows of speech a
    little late; the flag's `end` is the true crossing all the same.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, *, confirm: Seconds = 0.0) -> None:
        self._rule = rule
        self._tongue: Tongue = tongue
        self._clock = clock
        self._confirm = confirm
        self._start: Media | None = None
        self._next = 0

    def begin(self, start: Media) -> None:
        self._start, self._next = start, 0

    def finish(self) -> None:
        self._start = None

    @property
    def deadline(self) -> At | None:
        if self._start is None or self._next >= len(self._rule.thresholds):
            return None
        return self._clock.at(Media(self._start + self._rule.thresholds[self._next].value + self._confirm))

    def wake(self, at: At) -> list[Event]:
        assert self._start is not None
        return [self._flag(at, self._start, Media(self._start + self._rule.thresholds[self._next].value))]

    def _flag(self, at: At, start: Media, end: Media) -> FlagRaised:
        threshold = self._rule.thresholds[self._next]
        self._next += 1
        return FlagRaised(
            at=at,
            rule=self._rule.id,
            level=threshold.level,
            start=start,
            end=end,
            advice=threshold.advice.get(self._tongue, threshold.advice["en"]),
            evidence=f"{threshold.value:g} s",
        )


class SessionCrossing(Crossing):
    """The same for a stretch of session time, which goes on while nothing is recorded."""

    _since: At | None = None

    def begin_at(self, since: At) -> None:
        self._since, self._next = since, 0

    def finish(self) -> None:
        self._since = None

    @property
    def deadline(self) -> At | None:
        if self._since is None or self._next >= len(self._rule.thresholds):
            return None
        return At(self._since + self._rule.thresholds[self._next].value)

    def wake(self, at: At) -> list[Event]:
        assert self._since is not None
        return [self._flag(at, self._clock.media(self._since), self._clock.media(at))]
