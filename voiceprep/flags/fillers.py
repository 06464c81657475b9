"""fillers: filled pauses a minute, over the last minute of an answer. Needs words, and is an estimate.

Recognisers drop most fillers, so the live count is a lower bound; `analyze` counts those that only the sound shows as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.rule import Levels
from voiceprep.flags.window import last
from voiceprep.flags.words import WordRule

ID = "fillers"


class Fillers(WordRule):
    """Told once a level, and again only after they had become fewer."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._levels = Levels(tuple(threshold.value for threshold in rule.thresholds), above=True)
        self._judged_words = (0, 0)

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        words = (answer.number, len(answer.words))
        if words <= self._judged_words:
            return
        self._judged_words = words
        window = last(self.record, answer, self.rule.window, self.rule.least)
        if window is None:
            return
        rate = window.fillers * 60.0 / window.seconds
        for number in self._levels.take(rate):
            evidence = f"{window.fillers} in {window.seconds:.0f} s, {rate:.0f} a minute (an estimate); from words of record"
            yield self.raised(number, at, window.start, window.end, evidence)
