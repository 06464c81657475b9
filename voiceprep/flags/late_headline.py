"""late_headline: a "how" question is being answered, and its answer has no shape yet. Needs words."""

from __future__ import annotations

from math import inf

from voiceprep.core.units import Media
from voiceprep.flags.record import Answer
from voiceprep.flags.words import WordCrossing

ID = "late_headline"


class LateHeadline(WordCrossing):
    """From the first speech of the answer to the first sentence that gives its shape, takes a position, or asks back."""

    def stretch(self, answer: Answer) -> tuple[Media, float] | None:
        asked = answer.awaited.text
        if not answer.main or answer.earlier or not any(p.search(asked) for one in self.rule.asked.values() for p in one):
            return None
        # Cues count wherever they are: a detector that listens to openings alone is not deaf to a headline that comes late.
        headlines = [place.start for place in self.record.cues(answer, self.rule.ended_by)]
        headlines += [item.start for item in self.record.evidence(answer) if item.signal in self.rule.ended_by]
        return answer.start, min(headlines, default=inf)
