"""What pages are made of, as values: Markdown, HTML and PDF each write them in their own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voiceprep.core.text import mmss as clock
from voiceprep.core.units import Seconds


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the recording, or a moment of it, that a reader may want to hear."""

    start: Seconds
    end: Seconds | None = None

    def __str__(self) -> str:
        return clock(self.start) if self.end is None else f"{clock(self.start)}-{clock(self.end)}"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that were said, and where."""

    place: Place
    text: str


Cell = str | Place | Quote


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, with the words that it rests on."""

    text: str
    place: Place | None = None
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block = Text | Items | Table


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with its title; `id` names it for style sheets and links."""

    id: str
    title: str
    blocks: tuple[Block, ...]


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table | None:
    """A table, or None where it has no row."""
    return Table(tuple(head), tuple(tuple(row) for row in rows)) if rows else None


def number_of(count: int, thing: str) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
