"""When a silence means that the answer is over.

Before the silence, the odds that it is come from what was said and how it was said. During it they grow, since somebody who
means to go on is ever less likely to be silent for so long. With S(s) the share of *this* speaker's pauses, at such a place in
a sentence, that last longer than s seconds,

    odds(s) = odds(0) / S(s)

and the interviewer speaks at the first s at which that exceeds the persona's reluctance. Nothing here is a threshold on
silence: every cue moves the odds, and the odds move the wait.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from voiceprep.core.units import Seconds


@dataclass(slots=True)
class PauseLengths:
    """A lognormal of pause lengths: a prior worth `weight` pauses, and what was heard of this speaker since."""

    median: Seconds
    spread: float
    """Standard deviation of the logarithm."""
    weight: float = 5.0
    _heard: float = 0.0
    _mean: float = 0.0
    _scatter: float = 0.0

    def learn(self, length: Seconds, share: float) -> None:
        """One more pause, which is of this kind with probability `share`."""
        if share <= 0.0:
            return
        value = math.log(length)
        self._heard += share
        step = value - self._mean
        self._mean += step * share / self._heard
        self._scatter += share * step * (value - self._mean)

    def density(self, length: Seconds) -> float:
        """Probability density of the logarithm of a length."""
        centre, spread = self._now()
        return math.exp(-(((math.log(length) - centre) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))

    def longer(self, length: Seconds) -> float:
        """The share of such pauses that last longer."""
        if length <= 0.0:
            return 1.0
        centre, spread = self._now()
        return math.erfc((math.log(length) - centre) / (spread * math.sqrt(2))) / 2

    def _now(self) -> tuple[float, float]:
        """Mean and deviation of the logarithm: the prior's, drawn to what was heard (a normal-gamma update)."""
        prior, total = math.log(self.median), self.weight + self._heard
        centre = (self.weight * prior + self._heard * self._mean) / total
        apart = self.weight * self._heard / total * (self._mean - prior) ** 2
        return centre, math.sqrt((self.weight * self.spread**2 + self._scatter + apart) / total)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in an answer a silence falls."""

    roundness: float = 1.0
    """0: in the middle of a clause, or held ("and then we, um"); 1: after a complete sentence."""
    thinking: bool = False
    """The candidate asked for time: "let me think"."""


ASKED_FOR_TIME = 0.98
"""Share of pauses after "let me think" that are for thinking."""
HELD = 0.7
"""... of those in the middle of a clause."""
IN_DOUBT = 0.5
"""A clause as round as this may be whole or broken off,"""
SHARPNESS = 15.0
"""... and one that is a tenth rounder, or less round, is four times likelier to be the one or the other."""
PRECISION = 0.005
"""Seconds."""
PATIENT_ENDS = 3.0
"""Ends that were expected and did not come until the expectation is halved: some answers are long."""


@dataclass(slots=True)
class Endpoint:
    """This speaker's pauses, and how far the odds can be trusted for this answer. Lives as long as the session."""

    _breath: PauseLengths = field(default_factory=lambda: PauseLengths(0.7, 0.6, weight=4.0))
    _hesitation: PauseLengths = field(default_factory=lambda: PauseLengths(1.3, 0.8))
    _thinking: PauseLengths = field(default_factory=lambda: PauseLengths(7.0, 1.1, weight=10.0))
    _thought: float = 1.0
    _rounded: float = 25.0
    """Of so many pauses after whole sentences, so many were for thinking; begins with the prior's."""
    _unmet: float = 0.0
    """Ends that were expected in this answer and did not come."""
    _asked: tuple[float, Place, float, Seconds, Seconds] | None = None
    """What `wait` was last asked: it is asked the same with every block of a silence, and nothing has been learned since."""
    _told: Seconds = 0.0

    def wait(self, log_odds: float, place: Place, reluctance: float, least: Seconds, most: Seconds) -> Seconds:
        """The silence, between `least` and `most` seconds, after which the answer counts as over. Cheap to ask again.

        Args:
            log_odds: natural logarithm of the odds that it is over, the silence left aside.
            place: where the silence falls.
            reluctance: the odds that this interviewer wants before speaking.
            least: seconds; the reply never comes sooner.
            most: seconds; nor later.
        """
        asked = (log_odds, place, reluctance, least, most)
        if asked != self._asked:
            self._asked, self._told = asked, self._find(*asked)
        return self._told

    def _find(self, log_odds: float, place: Place, reluctance: float, least: Seconds, most: Seconds) -> Seconds:
        wanted = math.exp(min(log_odds, 50.0)) * self._trust() / reluctance
        if wanted >= self.longer(least, place):
            return least
        if wanted <= self.longer(most, place):
            return most
        low, high = least, most
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (low, middle) if wanted >= self.longer(middle, place) else (middle, high)
        return high

    def longer(self, silence: Seconds, place: Place) -> float:
        """The share of this speaker's pauses at such a place that last longer."""
        return sum(share * kind.longer(silence) for share, kind in self._mixture(place))

    def resumed(self, silence: Seconds, place: Place, log_odds: float) -> None:
        """The candidate went on after a silence: one more pause to learn from, and an end that did not come."""
        if silence <= 0.0:
            return
        self._asked = None
        mixture = self._mixture(place)
        likely = [share * kind.density(silence) for share, kind in mixture]
        total = sum(likely)
        if total > 0.0:
            for (_, kind), part in zip(mixture, likely, strict=True):
                kind.learn(silence, part / total)
            self._thought += place.roundness * likely[-1] / total
            self._rounded += place.roundness
        self._unmet += 1 / (1 + math.exp(-max(-50.0, min(50.0, log_odds))))

    def answered(self) -> None:
        """The answer was over. How long answers are is a habit, so half of what was learned of it stays."""
        self._asked = None
        self._unmet /= 2

    def _trust(self) -> float:
        return PATIENT_ENDS / (PATIENT_ENDS + self._unmet)

    def _mixture(self, place: Place) -> tuple[tuple[float, PauseLengths], ...]:
        """How probable each kind of pause is here."""
        broken = 1 / (1 + math.exp(SHARPNESS * (place.roundness - IN_DOUBT)))
        whole = 1 - broken
        thinking = ASKED_FOR_TIME if place.thinking else whole * self._thought / self._rounded + broken * HELD
        rest = 1 - thinking
        return (rest * whole, self._breath), (rest * broken, self._hesitation), (thinking, self._thinking)
