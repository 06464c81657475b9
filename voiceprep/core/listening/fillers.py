"""Filled pauses as the words of record have them. Recognisers drop most: what the sound shows is counted in filled_pauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voiceprep.core.events import Word
from voiceprep.core.units import Media, Seconds

_ENGLISH = re.compile(r"(?:u+[hm]+|e+r+m?|e+h?m+|h+m+|m{2,})", re.IGNORECASE)
_ALWAYS = frozenset("嗯呃")
ALONE = ("那个", "就是", "额")
"""Words with a meaning of their own (那个项目, 就是说, 金额): fillers only where they stand alone, or are said twice."""
_MARKS = ",.;:!?…，。；：！？、— "
HESITATION: Seconds = 0.25
"""Silence around a word that makes it stand alone."""


Source = Literal["words", "audio", "both"]


@dataclass(frozen=True, slots=True)
class Filler:
    """One filled pause, in media seconds; `text` is a label where only its sound was heard (`source` is ``audio``)."""

    text: str
    start: Media
    end: Media
    source: Source = "words"


def find_written(words: Sequence[Word]) -> tuple[Filler, ...]:
    """The filled pauses among the words of record, in order."""
    found: list[Filler] = []
    position = 0
    while position < len(words):
        length = _filler_at(words, position)
        if length:
            said = words[position : position + length]
            text = "".join(_bare(word) for word in said)
            found.append(Filler(text, said[0].start, said[-1].end))
        position += max(1, length)
    return tuple(found)


def _bare(word: Word) -> str:
    return word.text.strip(_MARKS)


def _filler_at(words: Sequence[Word], position: int) -> int:
    """How many words the filler takes that begins here; 0 when none does."""
    bare = _bare(words[position])
    if _ENGLISH.fullmatch(bare) or (bare and set(bare) <= _ALWAYS):
        return 1
    for text in ALONE:
        length = _matches(words, position, text)
        if length and (_said_twice(words, position, text, length) or _alone(words, position, length)):
            return length
    return 0


def _matches(words: Sequence[Word], position: int, text: str) -> int:
    """How many words (a character each, or the whole) spell `text` from here on without a mark between; 0 for none."""
    spelled = ""
    for length, word in enumerate(words[position : position + len(text)], start=1):
        if spelled + _bare(word) == text:
            return length
        spelled += word.text
        if not text.startswith(spelled):
            break
    return 0


def _said_twice(words: Sequence[Word], position: int, text: str, length: int) -> bool:
    after = position + length
    again = after < len(words) and _matches(words, after, text) > 0
    before = position - length
    return again or (before >= 0 and _matches(words, before, text) == length)


def _alone(words: Sequence[Word], position: int, length: int) -> bool:
    last = position + length - 1
    ends = words[last].text[-1:] in _MARKS or last + 1 == len(words) or words[last + 1].start - words[last].end >= HESITATION
    begins = (
        position == 0
        or words[position - 1].text[-1:] in _MARKS
        or words[position].start - words[position - 1].end >= HESITATION
    )
    return begins and ends
