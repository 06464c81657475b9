"""solution_jump: a solution before anything was asked or assumed that would bound the problem. Needs words."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.answers.cues import OPENING
from voiceprep.core.events import Event, FlagRaised, TurnEnded
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Span
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.scope import bounding
from voiceprep.flags.words import WordRule

ID = "solution_jump"


class SolutionJump(WordRule):
    """Raised once a question, where its answer first proposes something, and only if nothing bounded it before."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._done: set[Media] = set()

    def handle(self, event: Event) -> list[Event]:
        out = super().handle(event)
        return [*out, *self._judged(event.at)] if isinstance(event, TurnEnded) else out  # an opening that stayed short is whole

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        if answer.earlier or answer.opening in self._done or not bounding(self.rule, self.record, answer):
            return
        ends, judge = self.record.sentence_ends(answer, OPENING), self.rule.judge
        for end in ends:  # what is asked later cannot make it undone
            evidence = self.record.evidence(answer, end)
            if any(item.signal in self.rule.unless for item in evidence) or self._bounded(answer, end):
                return
            heard = next((Span(item.start, item.end) for item in evidence if item.signal in self.rule.heard), None)
            # What nothing but its form shows is a judgement, and a plan, until the whole opening goes without a bound.
            whole = len(ends) >= OPENING or answer.end is not None
            formed = whole and not self._bounded(answer, ends[-1])
            jump = heard or (self.record.said(answer, judge.proposes, end) if formed and judge is not None else None)
            if jump is not None:
                self._done.add(answer.opening)
                told = f"{jump.start - answer.opening:.1f} s into the answer, 0 questions before"
                yield self.raised(0, at, answer.opening, jump.end, told)
                return

    def _bounded(self, answer: Answer, end: Media) -> bool:
        """Whether a sentence up to here has a cue of what bounds: the classifier may have thought it too slight."""
        if any(place.start < end for place in self.record.cues(answer, self.rule.unless)):
            return True
        return self.rule.judge is not None and self.record.said(answer, self.rule.judge.bounds, end) is not None
