"""What the pacing rules share: flags, and thresholds that are crossed one after the other."""

from __future__ import annotations

from voiceprep.core.events import AudioGap, Event, FlagRaised
from voiceprep.core.listening.lost import Lost
from voiceprep.core.pack import PacingRule, Threshold, Tongue
from voiceprep.core.units import At, Media, MediaClock, Seconds

CONFIRM: Seconds = 0.2
"""By how much the detector may be late with the news that speech began (its shortest word, plus a block)."""
BACK = 0.05
"""A figure that has crossed a limit is back once it is better than the limit by this share: one that hovers nags nobody."""


def flag(
    rule: PacingRule, threshold: Threshold, tongue: Tongue, at: At, span: tuple[Media, Media], evidence: str
) -> FlagRaised:
    """The flag of a threshold that was crossed at the end of `span`, with one line of advice in the session's language."""
    start, end = span
    return FlagRaised(
        at=at,
        rule=rule.name,
        level=threshold.level,
        start=start,
        end=Media(max(start, end)),
        advice=threshold.advice.get(tongue, threshold.advice["en"]),
        evidence=evidence,
    )


class Levels:
    """The levels that a figure has crossed, each told once until the figure is back. `above`: it crosses upwards."""

    def __init__(self, limits: tuple[float, ...], *, above: bool) -> None:
        self._limits = limits
        self._sign = 1.0 if above else -1.0
        self._crossed = 0

    def take(self, figure: float) -> range:
        """The numbers of the levels that this figure has newly crossed, the mildest first."""
        before = self._crossed
        while self._crossed and self._sign * (figure - self._limits[self._crossed - 1] * (1 - self._sign * BACK)) < 0:
            self._crossed -= 1
        before = min(before, self._crossed)
        while self._crossed < len(self._limits) and self._sign * (figure - self._limits[self._crossed]) > 0:
            self._crossed += 1
        return range(before, self._crossed)


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
        self._lost = Lost()
        self._next = 0

    def begin(self, start: Media) -> None:
        self._start, self._next = start, 0

    def lose(self, gap: AudioGap) -> None:
        """Nobody knows what was said there: it is no part of the stretch, whose levels come so much later."""
        self._lost.take(gap)

    def finish(self) -> None:
        self._start = None

    @property
    def deadline(self) -> At | None:
        if self._start is None or self._next >= len(self._rule.thresholds):
            return None
        return self._clock.at(Media(self._crossed(self._start) + self._confirm))

    def wake(self, at: At) -> list[Event]:
        assert self._start is not None
        return [self._flag(at, self._start, self._crossed(self._start))]

    def _crossed(self, start: Media) -> Media:
        """Where the next level is crossed."""
        value = self._rule.thresholds[self._next].value
        return Media(start + value + self._lost.inside(start, value))

    def _flag(self, at: At, start: Media, end: Media) -> FlagRaised:
        threshold = self._rule.thresholds[self._next]
        self._next += 1
        return flag(self._rule, threshold, self._tongue, at, (start, end), f"{threshold.value:g} s")


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
