"""solution_jump: a solution before anything was asked or assumed that would bound the problem. Needs words."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.scope import bounding, seen
from voiceprep.flags.words import WordRule

ID = "solution_jump"


class SolutionJump(WordRule):
    """Raised once a question, where its answer first proposes something, and only if nothing bounded it before."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._done: set[Media] = set()

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        if answer.opening in self._done or not bounding(self.rule, self.record, answer):
            return
        jumps = [item for item in self.record.evidence(answer) if item.signal in self.rule.heard]
        if not jumps:
            return
        first = min(jumps, key=lambda item: item.start)
        if any(item.start <= first.start for item in seen(self.record, answer, self.rule.unless)):
            return
        self._done.add(answer.opening)
        evidence = f"{first.start - answer.opening:.1f} s into the answer, 0 questions before; from words of record"
        yield self.raised(0, at, answer.opening, first.end, evidence)
