"""bluffing: confident talk around something that the speaker plainly does not know, with nothing new in it. Needs words."""

from __future__ import annotations

from math import inf

from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import Media, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.words import WordCrossing

ID = "bluffing"


class Bluffing(WordCrossing):
    """From the first sentence of an answer that bluffs: the clock by which the interviewer breaks in, too (see core/round).

    Anything new, or an admission, ends it; who has admitted the boundary to this question does not bluff.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._since: dict[int, Media] = {}

    def stretch(self, answer: Answer) -> tuple[Media, float] | None:
        evidence = self.record.evidence(answer)
        heard = {item.signal for item in evidence}
        heard |= {item.signal for one in answer.earlier for item in self.record.evidence(one)}
        begun = [item.start for item in evidence if item.signal in self.rule.heard]
        if not begun or heard.intersection(self.rule.unless):
            return None
        since = self._since[answer.number] = min(
            [*begun, *([self._since[answer.number]] if answer.number in self._since else [])]
        )
        new = [item.start for item in evidence if item.signal in self.rule.ended_by and item.start > since]
        return since, min(new, default=inf)
