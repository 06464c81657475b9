"""instant_defence, instant_concession: a push-back is met within a second by the same plan, or by no plan. Needs words."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock, Seconds
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.words import WordRule

DEFENCE_ID = "instant_defence"
CONCESSION_ID = "instant_concession"

BEGINNING: Seconds = 20.0
"""What is said later is no instant reply any more."""


class InstantReply(WordRule):
    """How fast the reply began is known from the voice, what it does from its first words of record."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._done: set[int] = set()

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        if answer.awaited.move != "pushback" or answer.number in self._done:
            return
        evidence = self.record.evidence(answer)
        waited = max(0.0, answer.start - answer.asked_until)
        if waited > self.rule.thresholds[0].value or any(item.signal in self.rule.unless for item in evidence):
            return
        for item in evidence:
            if item.signal in self.rule.heard and item.start - answer.start <= BEGINNING:
                self._done.add(answer.number)
                start = min(answer.asked_until, answer.start)
                yield self.raised(0, at, start, item.end, f"reply after {waited:.1f} s")
                return
