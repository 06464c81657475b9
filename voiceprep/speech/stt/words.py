"""From the recogniser's timed pieces of text to words: one Chinese character, or one Latin word, each with its own times."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from voiceprep.core.events import Word
from voiceprep.core.text import is_hanzi
from voiceprep.core.units import Media

_OPENING = set("“‘「『《〈（(【[{¿¡$€£#@")
"""Marks that belong to the word after them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text between two moments, in seconds; a word, a part of one, or several Chinese characters."""

    text: str
    start: float
    end: float
    confidence: float


@dataclass(slots=True)
class _Open:
    """A word that is being put together."""

    text: str
    start: float
    end: float
    confidences: list[float]
    hanzi: bool = False

    def word(self) -> Word:
        confidence = sum(self.confidences) / len(self.confidences)
        return Word(self.text, Media(self.start), Media(self.end), min(max(confidence, 0.0), 1.0))


def split_words(pieces: Iterable[Piece]) -> list[Word]:
    """Words in the order of `pieces`. Punctuation stays with the word before it; pieces of punctuation alone give none.

    The characters of one piece share its time evenly.
    """
    words: list[Word] = []
    current: _Open | None = None
    prefix = ""
    for character in _characters(pieces):
        text = character.text
        if text.isspace() or text in _OPENING or _begins_word(text, current):
            if current is not None:
                words.append(current.word())
                current = None
            if text.isspace():
                continue
        if _is_spoken(text):
            if current is None:
                current = _Open(prefix + text, character.start, character.end, [character.confidence], is_hanzi(text))
                prefix = ""
            else:
                current.text += text
                current.end = character.end
                current.confidences.append(character.confidence)
        elif current is not None:
            current.text += text  # but not its time: a full stop is aligned to the silence after the word
        elif text in _OPENING:
            prefix += text
        elif words:
            words[-1] = _followed_by(words[-1], text)
    if current is not None:
        words.append(current.word())
    return words


def tidy_times(words: Sequence[Word], duration: float) -> tuple[Word, ...]:
    """The same words with 0 <= start <= end <= duration, in order and without overlap; missing (NaN) times interpolated."""
    starts = _filled([word.start for word in words], 0.0, duration)
    tidied: list[Word] = []
    for index, word in enumerate(words):
        following = starts[index + 1] if index + 1 < len(words) else duration
        end = following if math.isnan(word.end) else min(max(word.end, starts[index]), following)
        # rounding keeps the order, and the log free of 5.180000000000001
        tidied.append(replace(word, start=Media(round(starts[index], 3)), end=Media(round(end, 3))))
    return tuple(tidied)


def _characters(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        # only what is spoken takes time: the space or the mark in a piece does not
        spoken = max(sum(map(_is_spoken, piece.text)), 1)
        step = (piece.end - piece.start) / spoken
        place = piece.start
        for text in piece.text:
            end = place + step if _is_spoken(text) else place
            yield Piece(text, place, end, piece.confidence)
            place = end


def _is_spoken(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"


def _begins_word(character: str, current: _Open | None) -> bool:
    """Whether a spoken character opens a new word although no space came before it."""
    if current is None or not _is_spoken(character):
        return False
    return current.hanzi or is_hanzi(character) or _is_glued(current.text, character)


def _is_glued(text: str, character: str) -> bool:
    """In a Chinese session the recogniser writes English sentences without a space between them: `his life.It was`."""
    if text[-1] == ".":  # but Node.js and 3.5 are one word
        return character.isupper() and text[-2:-1].islower()
    return text[-1] in ",;:!?，。！？" and character.isalpha()


def _followed_by(word: Word, mark: str) -> Word:
    return replace(word, text=word.text + mark)


def _filled(times: Sequence[float], low: float, high: float) -> list[float]:
    """Never decreasing, within low..high; a run of NaN is spread evenly between its neighbours."""
    known = [(index, min(max(time, low), high)) for index, time in enumerate(times) if not math.isnan(time)]
    known = [(-1, low), *known, (len(times), high)]
    filled: list[float] = []
    place = low
    for (left, before), (right, after) in pairwise(known):
        for index in range(left + 1, right + 1):
            if index < len(times):
                place = max(place, before + (after - before) * (index - left) / (right - left))
                filled.append(place)
    return filled
