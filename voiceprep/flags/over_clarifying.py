"""over_clarifying: question after question and no call, by their count and by the clock. Needs words."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Span
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.scope import bounding, seen
from voiceprep.flags.words import WordCrossing, WordRule

ID = "over_clarifying"
TIME_ID = "over_clarifying_time"

SEVERAL = 2
"""Questions that make it clarifying: after a single one somebody may well be thinking aloud."""


def questions(rule: PacingRule, record: Record, answer: Answer) -> list[Span]:
    """The sentences of all that was said to this question that ask something."""
    return [place for one in (*answer.earlier, answer) for place in record.cues(one, rule.heard)]


class OverClarifying(WordRule):
    """Counted over all turns in which the question was bounded; raised once a question."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._done: set[Media] = set()

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        if not bounding(self.rule, self.record, answer) or answer.opening in self._done:
            return
        asked = questions(self.rule, self.record, answer)
        most = int(self.rule.thresholds[0].value)
        if len(asked) < most:
            return
        end = asked[most - 1].end
        if any(item.start < end for item in seen(self.record, answer, self.rule.unless)):
            return
        self._done.add(answer.opening)
        yield self.raised(0, at, answer.opening, end, f"{most} questions, no call")


class OverClarifyingTime(WordCrossing):
    """From the first speech to the question until a position is taken, once several things were asked."""

    def stretch(self, answer: Answer) -> tuple[Media, float] | None:
        if not bounding(self.rule, self.record, answer) or len(questions(self.rule, self.record, answer)) < SEVERAL:
            return None
        calls = [item.start for item in seen(self.record, answer, self.rule.ended_by)]
        return answer.opening, min(calls, default=inf)
