"""Lines of a document as statements: bullets and sentences, joined where a line was wrapped, under their headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from voiceprep.core.text import ONE_HANZI, is_hanzi

BULLET = re.compile(
    r"^\s*(?:(?:\(cid:\d+\)|[•●▪■◦‣∙·○◆◇►▶➢➤✓✔※★\uf0a7\uf0b7\uf06c]|[-*–—+](?=\s)|\d{1,2}[.)、](?!\d)|[（(]\d{1,2}[)）])\s*)+"
)
_MARKUP = re.compile(r"^\s*#{1,6}\s+")
_STOP = re.compile(r"[.!?;:。！？；：]['\")”’）]?\s*$")
_SENTENCE = re.compile(r"(?<=[a-z0-9%)][.!?;])\s+(?=[A-Z(\"“])|(?<=[。！？；;])\s*")
_LONGEST_HEADING = 48
_FULL = 0.72
"""A line that is this much of the longest one was wrapped, rather than ended."""
_HARDLY_WRAPPED = 50
"""Columns (a Chinese character takes two): a Chinese line that is shorter ended by itself."""

HeadingOf = Callable[[str], str | None]
Begins = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or a bullet.

    Attributes:
        line: where it begins, counted from 1.
        section: what `heading_of` calls the section it is in, or "" before the first heading.
        bullet: it stands behind a list mark, and is its first sentence.
    """

    text: str
    line: int
    section: str
    bullet: bool


def statements(lines: Sequence[str], heading_of: HeadingOf, begins: Begins = lambda _: False) -> Iterator[Statement]:
    """All statements, in order. Headings are none. `begins` says of a line without a mark that it is none's rest."""
    section = ""
    for item in _items(lines, heading_of, begins):
        if item.heading is not None:
            section = item.heading
            continue
        for index, sentence in enumerate(_SENTENCE.split(item.text)):
            if sentence and sentence.strip():
                yield Statement(sentence.strip(), item.line, section, item.bullet and index == 0)


@dataclass(slots=True)
class _Item:
    text: str
    line: int
    bullet: bool
    heading: str | None = None


def _items(lines: Sequence[str], heading_of: HeadingOf, begins: Begins) -> Iterator[_Item]:
    longest = max(map(_width, lines), default=0)
    open_item: _Item | None = None
    last = ""
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        marked = BULLET.match(line)
        text = (line[marked.end() :] if marked else _MARKUP.sub("", line)).strip()
        kind = heading_of(text) if text and len(text) <= _LONGEST_HEADING else None
        if not line or kind is not None:
            if open_item is not None:
                yield open_item
            open_item = _Item(text, number, bullet=False, heading=kind) if kind is not None else None
            if open_item is not None:
                yield open_item
            open_item, last = None, ""
            continue
        if not text:
            continue
        if open_item is not None and not marked and _goes_on(open_item, last, raw, longest, begins):
            open_item.text += text if _glued(open_item.text, text) else f" {text}"
        else:
            if open_item is not None:
                yield open_item
            open_item = _Item(text, number, bullet=marked is not None)
        last = line
    if open_item is not None:
        yield open_item


def _goes_on(item: _Item, last: str, raw: str, longest: int, begins: Begins) -> bool:
    """Whether the line `raw` is the rest of the item before it, whose last line was `last`."""
    text = raw.strip()
    if text[0].islower() or last.endswith((",", "，", "、", "-", "&", "和", "与", "的", "从")):
        return True
    if _STOP.search(last):
        return False
    if item.bullet and (raw.startswith("  ") or not (text[0].isupper() or is_hanzi(text))):
        return True  # set in under the bullet, or it begins with a figure
    if not item.bullet and begins(text) and not (is_hanzi(text[0]) and _width(last) >= _HARDLY_WRAPPED):
        return False
    return _width(last) >= _FULL * longest


def _width(line: str) -> int:
    return len(line.strip()) + len(ONE_HANZI.findall(line))


def _glued(left: str, right: str) -> bool:
    return (is_hanzi(right[0]) or right[0] in "，。、；" or right[0].isdigit()) and (
        is_hanzi(left[-1]) or left[-1] in "，。、；"
    )
