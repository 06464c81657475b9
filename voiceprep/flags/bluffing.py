"""bluffing: confident talk around something that the speaker plainly does not know, with nothing new in it. Needs words."""

from __future__ import annotations

from math import inf

from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import Media, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.words import WordCrossing

ID = "bluffing"


class Bluffing(WordCrossing):
    """From the first sentence of an answer that bluffs: the clock by which the interviewer breaks in, too.

    Anything new, or an admission, ends it; who has admitted the boundary to this question does not bluff.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._since: dict[int, Media] = {}

    def stretch(self, answer: Answer) -> tuple[Media, float] | None:
        begun = [item.start for item in self.record.evidence(answer) if item.signal in self.rule.heard]
        if begun:
            self._since[answer.number] = min(*begun, self._since.get(answer.number, begun[0]))
        since = self._since.get(answer.number)
        return (since, inf) if since is not None else None

    def holds(self, answer: Answer, crossing: Media) -> bool:
        """Whether it still was bluffing at this place, whatever came later."""
        evidence = self.record.evidence(answer, crossing)
        earlier = {item.signal for one in answer.earlier for item in self.record.evidence(one)}
        heard = earlier | {item.signal for item in evidence}
        since = self._since[answer.number]
        new = any(item.signal in self.rule.ended_by and item.start > since for item in evidence)
        return bool(heard.intersection(self.rule.heard)) and not heard.intersection(self.rule.unless) and not new
