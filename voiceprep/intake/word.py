"""The text of a Word file (.docx), paragraphs and tables in their order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import docx
from docx.document import Document
from docx.table import Table
from docx.text.paragraph import Paragraph

from voiceprep.intake.limits import MOST_CHARACTERS, MOST_UNPACKED_BYTES, TooMuchError, UnreadableError

_MOST_FILES = 2_000


def text(data: bytes) -> str:
    """All paragraphs. Raises UnreadableError, and whatever the library raises for a damaged file."""
    _check(data)
    size = 0
    parts: list[str] = []
    for part in _parts(docx.Document(io.BytesIO(data))):
        parts.append(part)
        size += len(part)
        if size > MOST_CHARACTERS:
            raise TooMuchError(f"it has more than {MOST_CHARACTERS:,} characters")
    return "\n".join(parts)


def _check(data: bytes) -> None:
    """Nothing is unpacked before its size is known."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        entries = packed.infolist()
    if not any(entry.filename == "word/document.xml" for entry in entries):
        raise UnreadableError("format", "it is an archive, not a Word file")
    if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > MOST_UNPACKED_BYTES:
        raise TooMuchError(f"it unpacks to more than {MOST_UNPACKED_BYTES // 1_000_000} MB")


def _parts(document: Document) -> Iterator[str]:
    for item in document.iter_inner_content():
        yield from _paragraph(item) if isinstance(item, Paragraph) else _table(item)


def _table(table: Table, depth: int = 0) -> Iterator[str]:
    """Column by column, as CVs use tables to set columns; a merged cell is read once."""
    seen: set[int] = set()
    for column in range(len(table.columns)):
        for row in table.rows:
            cells = row.cells
            if column >= len(cells) or id(cells[column]._tc) in seen:  # noqa: SLF001  (the only name a merged cell has)
                continue
            seen.add(id(cells[column]._tc))  # noqa: SLF001
            for item in cells[column].iter_inner_content():
                if isinstance(item, Paragraph):
                    yield from _paragraph(item)
                elif depth == 0:
                    yield from _table(item, depth + 1)
        yield ""


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    text = paragraph.text
    if style.startswith(("Heading", "Title", "标题")):
        yield from ("", text, "")
    elif text.strip() and (style.startswith("List") or paragraph._p.xpath("./w:pPr/w:numPr")):  # noqa: SLF001  (no public name)
        yield f"- {text}"
    else:
        yield text
