"""How fast somebody spoke: four rates, since one alone misleads.

All count the same units and differ in the time they divide by:

- timeline: the whole recording, silence before and after included;
- narration: first to last speech, pauses of 2 s and more left out;
- phrase: pauses of 0.5 s and more, which end a phrase, left out too;
- articulation: voiced time alone.

English is counted in words, Chinese in characters, a mixed recording in syllables; a Chinese character is one syllable, so a
Latin word inside Chinese counts as its syllables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voiceprep.core.events import Language, Word
from voiceprep.core.listening.pauses import time_without_pauses
from voiceprep.core.listening.spoken import spoken_tokens
from voiceprep.core.text import is_hanzi, text_of
from voiceprep.core.units import Seconds, Span

Unit = Literal["wpm", "cpm", "spm"]
UNITS: dict[Language, Unit] = {"en": "wpm", "zh": "cpm", "mixed": "spm"}

LONG_PAUSE: Seconds = 2.0
PHRASE_PAUSE: Seconds = 0.5
SHORTEST: Seconds = 1.0
"""A rate over less time than this says nothing."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Units a minute; None where there is too little speech, or no trusted words, to tell.

    `words` counts spoken English words, `characters` spoken Chinese ones, `syllables` both together.
    """

    unit: Unit
    timeline: float | None
    narration: float | None
    phrase: float | None
    articulation: float | None
    words: int
    characters: int
    syllables: int


def measure_rates(words: Sequence[Word], speech: Sequence[Span], duration: Seconds, language: Language) -> Rates:
    """The rates of `words` said in the voiced regions `speech` of a recording of `duration` seconds."""
    tokens = spoken_tokens(text_of(words), language)  # as a whole: a number is read as its neighbours are
    characters = sum(len(token) for token in tokens if is_hanzi(token))
    latin = [token for token in tokens if not is_hanzi(token)]
    syllables = characters + sum(syllables_of(token) for token in latin)
    count = len(latin) + characters if language == "en" else syllables

    def rate(seconds: Seconds) -> float | None:
        return count * 60.0 / seconds if count and seconds >= SHORTEST else None

    voiced = sum(span.duration for span in speech)
    return Rates(
        unit=UNITS[language],
        timeline=rate(duration),
        narration=rate(time_without_pauses(speech, LONG_PAUSE)),
        phrase=rate(time_without_pauses(speech, PHRASE_PAUSE)),
        articulation=rate(voiced),
        words=len(latin),
        characters=characters,
        syllables=syllables,
    )


_VOWELS = re.compile(r"[aeiouy]+")
_SILENT_END = re.compile(r"(?:[^aeiouyl]e|[^aeioutd]ed|[^aeiouysxzc]es)$")


@lru_cache(maxsize=8192)  # a session has its words counted by the turn and as a whole, and they come again and again
def syllables_of(word: str) -> int:
    """Syllables of an English word, by its spelling; an acronym is spelled out. An estimate, right for about nine in ten."""
    letters = re.sub(r"[^A-Za-z]", "", word)
    if (len(letters) > 1 and letters.isupper()) or not _VOWELS.search(letters.lower()):
        return sum(3 if letter in "Ww" else 1 for letter in letters) or 1
    lower = letters.lower()
    groups = len(_VOWELS.findall(lower))
    if groups > 1 and _SILENT_END.search(lower):
        groups -= 1
    return max(1, groups)
