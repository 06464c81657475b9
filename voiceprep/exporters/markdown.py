"""The session as a page to read: what happened, the flags with their advice, the turns, the transcript.

Whatever was said, noted or configured stays text: it can make no heading, no table cell, no link and no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from voiceprep.core.text import mmss as clock
from voiceprep.core.timeline import Timeline
from voiceprep.exporters.blocks import Block, Cell, Chapter, Item, Items, Place, Quote, Table, Text
from voiceprep.exporters.chapters import chapters, closing, facts
from voiceprep.exporters.paragraphs import Paragraph, spoken
from voiceprep.exporters.subject import NAMES, Subject
from voiceprep.exporters.writing import plain

__all__ = ["NAME", "SUFFIX", "clock", "escape", "render"]

NAME = "markdown"
SUFFIX = ".md"

_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~$&@]")
_LINK = re.compile(r"(://)|\b(www)\.", re.IGNORECASE)


def render(subject: Subject) -> str:
    """The whole page."""
    parts = [
        [f"# {escape(subject.header.title)}"],
        ["\n".join(f"- {name}: {escape(value)}" for name, value in facts(subject))],
        *(_chapter(chapter) for chapter in chapters(subject)),
        _transcript(subject.timeline),
        *(_chapter(chapter) for chapter in closing(subject)),
    ]
    return "\n\n".join(block for part in parts for block in part if block) + "\n"


def escape(text: str) -> str:
    """The text on one line, so that Markdown shows exactly its characters."""
    marked = _SPECIAL.sub(lambda found: f"\\{found[0]}", plain(text))
    return _LINK.sub(lambda found: r":\//" if found[1] else rf"{found[2]}\.", marked)


def _chapter(chapter: Chapter) -> list[str]:
    return [f"## {chapter.title}", *(_block(block) for block in chapter.blocks)]


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return escape(text)
        case Items(items):
            return "\n".join(line for item in items for line in _item(item))
        case Table(head, rows):
            return _table(head, [[_cell(cell) for cell in row] for row in rows])


def _item(item: Item) -> Iterator[str]:
    place = f"{item.place} " if item.place is not None else ""
    yield f"- {place}{escape(item.text)}"
    yield from (f"  - {quote.place} {escape(quote.text)}" for quote in item.quotes)


def _cell(cell: Cell) -> str:
    match cell:
        case Place():
            return str(cell)
        case Quote(place, text):
            return f"{place} {escape(text)}"
        case _:
            return escape(cell)


def _transcript(timeline: Timeline) -> list[str]:
    """Everything that was said, in order of time, each paragraph with the moment at which it begins."""
    blocks = [f"**{clock(said.start)} {NAMES[said.speaker]}:** {_said(said)}" for said in spoken(timeline)]
    return ["## Transcript", *blocks] if blocks else []


def _said(said: Paragraph) -> str:
    if said.speaker == "interviewer":
        return f"{escape(said.text) or '*(nothing was heard)*'}{' — *(cut off)*' if said.cut else ''}"
    if not said.words:
        return "*(no transcript)*"
    return f"{escape(said.text)}{'' if said.trusted else ' *(the recogniser was not sure of this turn)*'}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
