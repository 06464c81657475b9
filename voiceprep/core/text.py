"""Words as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from voiceprep.core.events import Word
from voiceprep.core.units import Seconds

HANZI = r"\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, to stand between the brackets of a regular expression: the unified and the compatible ideographs with
their extensions, and the round zero."""

ONE_HANZI = re.compile(f"[{HANZI}]")

_WIDE = re.compile(rf"[\u3000-\u303f{HANZI}\uff00-\uffef]")
"""Chinese characters and full-width punctuation."""

_MARKS = frozenset("，。？！；：、…")
"""Punctuation that needs no blank on either side, whatever its neighbour."""

_ENDS = (".", "!", "?", "。", "！", "？", "…")


def is_hanzi(character: str) -> bool:
    """Whether this is, or begins with, a Chinese character."""
    return ONE_HANZI.match(character) is not None


def says_something(text: str) -> bool:
    """Whether a reader sees anything of it: a letter, a figure, a mark. Blanks, controls and marks on nothing are invisible."""
    return any(unicodedata.category(letter)[0] not in "CZM" for letter in text)


def has_hanzi(text: str) -> bool:
    """Whether there is a Chinese character in it."""
    return ONE_HANZI.search(text) is not None


def is_wide(text: str) -> bool:
    """Whether there is a Chinese character or a full-width mark in it: it is written without blanks."""
    return _WIDE.search(text) is not None


def text_of(words: Iterable[Word]) -> str:
    """The words as they are written: blanks between Latin words, and between Latin and Chinese, none within Chinese."""
    return joined(word.text for word in words)


def placed(words: Iterable[Word]) -> tuple[str, list[int]]:
    """The text as `text_of` writes it, and where in it each word begins."""
    text = ""
    offsets: list[int] = []
    for word in words:
        piece = word.text.strip()
        if text and piece and not glued(text[-1], piece[0]):
            text += " "
        offsets.append(len(text))
        text += piece
    return text, offsets


def joined(parts: Iterable[str]) -> str:
    """Pieces of text as one, by the same rule."""
    pieces = [piece for part in parts if (piece := part.strip())]
    rest = (right if glued(left[-1], right[0]) else f" {right}" for left, right in pairwise(pieces))
    return "".join([*pieces[:1], *rest])


def paragraphs(words: Iterable[Word], silence: Seconds = 2.0) -> Iterator[tuple[Word, ...]]:
    """The words in pieces, parted where the speaker paused for at least `silence` seconds."""
    part: list[Word] = []
    for word in words:
        if part and word.start - part[-1].end >= silence:
            yield tuple(part)
            part = []
        part.append(word)
    if part:
        yield tuple(part)


def shortened(text: str, most: int) -> str:
    """At most `most` characters of it, cut between words and with "…" where it goes on."""
    if len(text) <= most:
        return text
    at = next((end for end in range(most - 1, most // 2, -1) if _parts(text[end - 1], text[end])), most - 1)
    return f"{text[:at].rstrip()}…"


def _parts(left: str, right: str) -> bool:
    """Whether a text may be cut between these: at a blank, or where a Chinese character stands."""
    return left.isspace() or right.isspace() or is_wide(left) or is_wide(right)


def beginning(words: Sequence[Word], most: int) -> Sequence[Word]:
    """The words at the beginning that are worth a quote: whole sentences of up to `most` words, where there is one so short."""
    if len(words) <= most:
        return words
    ends = [number for number, word in enumerate(words[:most], 1) if word.text.rstrip().endswith(_ENDS)]
    return words[: ends[-1] if ends else most]


@lru_cache(maxsize=8192)  # asked at every joint of every text, and there are few pairs of letters
def glued(left: str, right: str) -> bool:
    """Whether two characters are written without a blank between them."""
    return bool(_WIDE.match(left) and _WIDE.match(right)) or left in _MARKS or right in _MARKS


def mmss(seconds: Seconds) -> str:
    """A length or a place in a recording for people: ``4:07``, ``1:02:03``. Never below zero."""
    hours, rest = divmod(int(max(0.0, seconds)), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
