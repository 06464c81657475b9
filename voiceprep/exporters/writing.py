"""Text for the eye: free of what would steer the reader's program, and broken into lines where a language allows it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from voiceprep.core.text import is_wide

_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_STEERING = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Marks that turn the direction of writing around, for the rest of the line if nobody turns it back."""

_STAYS_BEFORE = frozenset("，。？！；：、…）】》」』”’%)]}.,;:!?")
"""Never the first of a line."""
_STAYS_AFTER = frozenset("（【《「『“‘([{$")
"""Never the last of one."""

_PIECE = re.compile(r"\s+|\S")


def plain(text: str) -> str:
    """The text on one line, its blanks single, without characters that no eye can see."""
    return _BLANKS.sub(" ", _STEERING.sub("", text)).strip()


def width(text: str) -> int:
    """Columns that the text takes where a Chinese character takes two."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns; a single word may be longer. No text, no line.

    Latin text is broken between words, Chinese between characters, but never so that a line begins with a closing mark or ends
    with an opening one.
    """
    lines: list[str] = []
    line = ""
    for piece in _unbreakable(plain(text)):
        if line and width((line + piece).rstrip()) > columns:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _unbreakable(text: str) -> Iterator[str]:
    """Pieces that stay on one line; the blanks before a word belong to it."""
    piece = ""
    for found in _PIECE.finditer(text):
        part = found[0]
        if piece and _may_break(piece[-1], part[0]):
            yield piece
            piece = part
        else:
            piece += part
    if piece:
        yield piece


def _may_break(left: str, right: str) -> bool:
    if right in _STAYS_BEFORE or left in _STAYS_AFTER:
        return False
    return right.isspace() or (not left.isspace() and (is_wide(left) or is_wide(right)))


def stamp(seconds: float, point: str = ".") -> str:
    """A place to the millisecond, as subtitles have it: ``01:02:03.456``."""
    whole, milliseconds = divmod(round(max(0.0, seconds) * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}{milliseconds:03}"
