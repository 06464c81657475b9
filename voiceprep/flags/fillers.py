"""fillers: filled pauses a minute, over the last minute of an answer. Needs words, and is an estimate.

Recognisers drop most fillers, so those that only the sound shows are counted as well: it is listened to while the stretch is
being written down, live as in `analyze`, so that both raise the same flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voiceprep.core.events import FlagRaised
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.listening.pauses import time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Span
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.rule import Levels, flag
from voiceprep.flags.window import last
from voiceprep.flags.words import WordRule

ID = "fillers"


def of_recording(rule: PacingRule, tongue: Tongue, found: Sequence[Filler], speech: Sequence[Span]) -> tuple[FlagRaised, ...]:
    """The flags of a whole recording that nobody wrote down, from the fillers that its sound shows."""
    levels, flags = Levels(tuple(threshold.value for threshold in rule.thresholds), above=True), []
    for place, filler in enumerate(found):
        start = max(filler.end - rule.window, speech[0].start if speech else 0.0)
        count = sum(one.end >= start for one in found[: place + 1])
        heard = (one for one in speech if one.end > start and one.start < filler.end)
        regions = [Span(Media(max(one.start, start)), min(one.end, filler.end)) for one in heard]
        seconds = time_without_pauses(regions, LONG_PAUSE)
        if seconds < rule.least:
            continue
        for number in levels.take(count * 60.0 / rule.window):
            told = f"{count} in {seconds:.0f} s (an estimate), by ear"
            span = (Media(start), filler.end)
            flags.append(flag(rule, rule.thresholds[number], tongue, At(filler.end), span, told))
    return tuple(flags)


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
        # Counted, not extrapolated: six in half a minute are six, three are not.
        found = window.fillers(self.record.language)
        by_ear = sum(filler.source == "audio" for filler in found)
        for number in self._levels.take(len(found) * 60.0 / self.rule.window):
            heard = f", {by_ear} by ear" if by_ear else ""
            evidence = f"{len(found)} in {window.seconds:.0f} s (an estimate{heard})"
            yield self.raised(number, at, window.start, window.end, evidence)
