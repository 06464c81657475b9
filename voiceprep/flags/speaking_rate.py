"""speaking_rate: narration rate outside of what listeners follow, or outside of the speaker's own. Needs words."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import FlagRaised, Language
from voiceprep.core.listening.rates import UNITS
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.rule import Levels
from voiceprep.flags.window import last
from voiceprep.flags.words import WordRule

SLOW_IDS: dict[Language, str] = {language: f"speaking_rate_slow_{language}" for language in UNITS}
FAST_IDS: dict[Language, str] = {language: f"speaking_rate_fast_{language}" for language in UNITS}

OWN_ROOM = 0.1
"""Whose own pace lies outside of the common bounds is told only beyond it by this share."""


class SpeakingRate(WordRule):
    """Over the last minute of an answer, one direction a machine (`fast`); told again only after it was back in bounds.

    A speaker's own rate (0: not known) moves the mildest bound outwards, never beyond the next one.
    """

    def __init__(
        self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record, *, fast: bool, own: float = 0.0
    ) -> None:
        super().__init__(rule, tongue, clock, record)
        limits = [threshold.value for threshold in rule.thresholds]
        if own and len(limits) > 1:
            limits[0] = (
                min(max(limits[0], own * (1 + OWN_ROOM)), limits[1])
                if fast
                else max(min(limits[0], own * (1 - OWN_ROOM)), limits[1])
            )
        self._limits = tuple(limits)
        self._levels = Levels(self._limits, above=fast)
        self._own = own
        self._judged_words = (0, 0)

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        words = (answer.number, len(answer.words))
        if words <= self._judged_words:
            return
        self._judged_words = words
        window = last(self.record, answer, self.rule.window, self.rule.least)
        rate = window.rate(self.record.language) if window is not None else None
        if window is None or rate is None:
            return
        unit = UNITS[self.record.language]
        for number in self._levels.take(rate):
            own = f", your own {self._own:.0f}" if self._own else ""
            evidence = f"{rate:.0f} {unit} over {window.seconds:.0f} s (limit {self._limits[number]:.0f}{own})"
            yield self.raised(number, at, window.start, window.end, evidence)
