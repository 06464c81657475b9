"""How fast, and with how many fillers, somebody has spoken of late: the last words of an answer and the time they took."""

from __future__ import annotations

from dataclasses import dataclass

from voiceprep.core.events import HeldSound, Language, Word
from voiceprep.core.listening.filled_pauses import find_fillers
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.listening.pauses import time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, measure_rates
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.flags.record import Answer, Record


@dataclass(frozen=True, slots=True)
class Window:
    """The words from `start` to `end`, and `seconds` of speaking in that time, pauses of 2 s and more left out."""

    words: tuple[Word, ...]
    speech: tuple[Span, ...]
    start: Media
    end: Media
    seconds: Seconds
    held: tuple[HeldSound, ...] = ()
    """The sounds in it that may be fillers."""

    def rate(self, language: Language) -> float | None:
        """Narration rate: words, characters or syllables a minute, by language."""
        return measure_rates(self.words, self.speech, self.seconds, language).narration

    def fillers(self, language: Language) -> tuple[Filler, ...]:
        """By the words and by the sound: an estimate."""
        return find_fillers(self.words, self.held, self.speech, language=language)


def last(record: Record, answer: Answer, length: Seconds, least: Seconds) -> Window | None:
    """What of the answer's last `length` seconds is on record; None where that is less than `least` seconds of speaking."""
    if not answer.words:
        return None
    end = answer.words[-1].end
    return _between(record, answer, Media(end - length), end, least)


def first(record: Record, answer: Answer, length: Seconds, least: Seconds) -> Window | None:
    """The same of its first `length` seconds."""
    return _between(record, answer, answer.start, Media(answer.start + length), least)


def _between(record: Record, answer: Answer, start: Media, end: Media, least: Seconds) -> Window | None:
    words = tuple(word for word in answer.words if start <= word.start and word.end <= end)
    if not words:
        return None
    begin, stop = words[0].start, max(word.end for word in words)
    touched = (region for region in record.speech(answer) if region.start < stop and region.end > begin)
    speech = tuple(Span(max(region.start, begin), min(region.end, stop)) for region in touched)
    seconds = time_without_pauses(speech, LONG_PAUSE)
    held = tuple(one for one in answer.held if begin <= one.start and one.end <= stop)
    return Window(words, speech, begin, stop, seconds, held) if seconds >= least else None
