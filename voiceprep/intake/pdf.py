"""The text of a PDF in reading order."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from itertools import zip_longest

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTContainer, LTPage, LTTextBox, LTTextLine
from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect, PDFTextExtractionNotAllowed
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser

from voiceprep.intake.limits import MOST_CHARACTERS, MOST_PAGES, TooMuchError, UnreadableError

# What lies within two letters' width belongs to one line: a gutter between columns is wider, a gap between words narrower.
_LAYOUT = LAParams(char_margin=2.0, line_margin=0.7, boxes_flow=0.5)
_FEW = 12
"""Letters on a page of pictures: a page number, a header."""
_HAIR = 2.0
"""Points."""


def text(data: bytes) -> str:
    """All pages. Raises UnreadableError, and whatever the library raises for a damaged file."""
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    try:
        document = PDFDocument(PDFParser(io.BytesIO(data)))
    except (PDFPasswordIncorrect, PDFTextExtractionNotAllowed) as error:
        raise UnreadableError("encrypted") from error
    resources = PDFResourceManager(caching=True)
    device = PDFPageAggregator(resources, laparams=_LAYOUT)
    interpreter = PDFPageInterpreter(resources, device)
    parts: list[str] = []
    pages = size = 0
    for page in PDFPage.create_pages(document):
        pages += 1
        if pages > MOST_PAGES:
            raise TooMuchError(f"it has more than {MOST_PAGES} pages")
        interpreter.process_page(page)
        parts.append("\n\n".join(_blocks(device.get_result())))
        size += len(parts[-1])
        if size > MOST_CHARACTERS:
            raise TooMuchError(f"it has more than {MOST_CHARACTERS:,} characters")
    if not pages:
        raise UnreadableError("damaged")
    if sum(map(_letters, parts)) < _FEW * pages:
        raise UnreadableError("scanned")
    return "\n\n".join(parts)


def _letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


def _blocks(page: LTPage) -> Iterator[str]:
    """Blocks of text, in reading order.

    One with nothing beside it parts what is above from what is below; between two of those the left column comes first.
    """
    boxes = [box for box in page if isinstance(box, LTTextBox) and box.get_text().strip()]
    alone = sorted((box for box in boxes if not any(_beside(box, other) for other in boxes)), key=lambda box: -_middle(box))
    bands: list[list[LTTextBox]] = [[] for _ in range(len(alone) + 1)]
    for box in boxes:
        if box not in alone:
            bands[sum(_middle(other) > _middle(box) for other in alone)].append(box)
    for band, below in zip_longest(bands, alone):
        yield from map(_text, _columns(band))
        if below is not None:
            yield _text(below)


def _middle(box: LTTextBox) -> float:
    return float(box.y0 + box.y1) / 2


def _beside(box: LTTextBox, other: LTTextBox) -> bool:
    """Whether they share more than a hair of height."""
    return box is not other and bool(min(box.y1, other.y1) - max(box.y0, other.y0) > _HAIR)


def _columns(boxes: list[LTTextBox]) -> list[LTTextBox]:
    """Left column from top to bottom, then the next: a column begins where a block begins right of all before it."""
    ordered: list[LTTextBox] = []
    column: list[LTTextBox] = []
    edge = 0.0
    for box in sorted(boxes, key=lambda box: box.x0):
        if column and box.x0 >= edge:
            ordered += sorted(column, key=lambda each: -each.y1)
            column = []
        column.append(box)
        edge = max(edge, box.x1)
    return ordered + sorted(column, key=lambda each: -each.y1)


def _text(box: LTContainer[LTTextLine]) -> str:
    return "\n".join(line.get_text().rstrip() for line in box if isinstance(line, LTTextLine))
