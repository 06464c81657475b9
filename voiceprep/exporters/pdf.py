"""The review as a PDF to print or to send: the chapters of the page, and the transcript."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import Flowable, ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer, TableStyle
from reportlab.platypus import Table as PdfTable

from voiceprep.core.pack import tongue_of
from voiceprep.core.text import HANZI, is_wide
from voiceprep.core.text import mmss as clock
from voiceprep.core.timeline import Timeline
from voiceprep.exporters import paragraphs
from voiceprep.exporters.blocks import Block, Cell, Chapter, Item, Items, Place, Quote, Table, Text
from voiceprep.exporters.chapters import chapters, closing, facts
from voiceprep.exporters.lanes import HEIGHT, SCALE, lanes
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain

NAME = "pdf"
SUFFIX = ".pdf"

LEFT_OUT = frozenset({"turns"})
CHINESE = "STSong-Light"
"""Every PDF reader brings this font for Chinese, so that none of its 20,000 characters has to be in the file."""
MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN - 12
"""Of the text: the library keeps 6 points free on either side of it."""
INK, SOFT, LINE = HexColor("#1f2328"), HexColor("#5b636d"), HexColor("#dfdcd6")
COLOURS: dict[str, Color] = {
    "candidate": HexColor("#1c5fb0"),
    "interviewer": HexColor("#a2551b"),
    "pause": HexColor("#b9b4aa"),
    "notice": HexColor("#8a5a00"),
    "warning": HexColor("#8a5a00"),
    "fail": HexColor("#b3261e"),
}
_WIDE = re.compile(rf"[\u2e80-\u303f{HANZI}\uff00-\uffef]+")
_UNKNOWN = re.compile(r"[^\x20-\x7e\xa0-\xff\u0152\u0153\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]")


def render(subject: Subject) -> bytes:
    """The whole file. The same session gives the same bytes."""
    title = plain(subject.header.title)
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        title=title, author="voiceprep", subject=f"Session {subject.header.id}", invariant=1,
    )  # fmt: skip

    def foot(canvas: Any, _: object) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.setFillColor(SOFT)
        canvas.drawRightString(A4[0] - MARGIN, MARGIN / 2, str(canvas.getPageNumber()))

    document.build(list(_story(subject, title)), onFirstPage=foot, onLaterPages=foot)
    return file.getvalue()


def _story(subject: Subject, title: str) -> Iterator[Flowable]:
    yield paragraph(title, "title")
    yield from (
        _rich(f"<font color='#5b636d'>{escape(name)}</font> {marked(value)}", value, "fact") for name, value in facts(subject)
    )
    yield Spacer(1, 3 * mm)
    yield from _picture(subject)
    for chapter in chapters(subject):
        if chapter.id not in LEFT_OUT:
            yield from _chapter(chapter)
    yield from _transcript(subject)
    for chapter in closing(subject):
        yield from _chapter(chapter)


def _picture(subject: Subject) -> Iterator[Flowable]:
    bars = lanes(subject.timeline, tongue_of(subject.header.language))
    if not bars:
        return
    scale = WIDTH / SCALE
    drawing = Drawing(WIDTH, HEIGHT)
    for y, height in ((6, 24), (36, 12)):
        drawing.add(_bar(0, HEIGHT - y - height, WIDTH, height, HexColor("#f0eeea")))
    for bar in bars:
        place = (bar.x * scale, HEIGHT - bar.y - bar.height, bar.width * scale, bar.height)
        drawing.add(_bar(*place, COLOURS[bar.kind]))
    drawing.hAlign = "LEFT"
    yield drawing
    you, them = (subject.name(speaker) for speaker in ("candidate", "interviewer"))
    keys = (("candidate", you), ("interviewer", them), ("pause", "silence of 2 s or more"), ("fail", "flag"))
    key = "  ".join(f"<font color='#{COLOURS[kind].hexval()[2:]}'>■</font>" + f" {marked(name)}" for kind, name in keys)
    yield _rich(f"{key}  ({clock(subject.timeline.duration)})".replace("■", "<font name='ZapfDingbats'>n</font>"), "", "fact")


def _bar(x: float, y: float, width: float, height: float, colour: Color) -> Rect:
    bar = Rect(x, y, width, height)
    bar.fillColor, bar.strokeColor = colour, None
    return bar


def _chapter(chapter: Chapter) -> Iterator[Flowable]:
    yield paragraph(chapter.title, "heading")
    for block in chapter.blocks:
        yield _block(block)


def _block(block: Block) -> Flowable:
    match block:
        case Text(text):
            return paragraph(text)
        case Items(items):
            points: list[Any] = [ListItem(list(_item(item)), spaceAfter=3) for item in items]
            return ListFlowable(points, bulletType="bullet", start="•", leftIndent=12, bulletColor=SOFT)
        case Table():
            return _table(block)


def _item(item: Item) -> Iterator[Flowable]:
    yield paragraph(f"{item.place} {item.text}" if item.place is not None else item.text)
    yield from (paragraph(_text(quote), "quote") for quote in item.quotes)


def _text(cell: Cell) -> str:
    match cell:
        case Place():
            return str(cell)
        case Quote(place, text):
            return f"{place} “{text}”"
        case _:
            return cell


def _table(table: Table) -> Flowable:
    """Columns as wide as what stands in them asks for, and none so narrow that a word would be broken."""
    texts = [[_text(cell) for cell in row] for row in table.rows]
    asked = [max(len(head), *(min(len(row[n]), 60) for row in texts)) ** 0.75 for n, head in enumerate(table.head)]
    least = [
        max(_longest(head, *_HEAD_FONT), *(_longest(row[n], *_CELL_FONT) for row in texts)) for n, head in enumerate(table.head)
    ]
    widths = _shared(least, asked)
    rows = [[paragraph(head, "head") for head in table.head], *([paragraph(text, "cell") for text in row] for row in texts)]
    lines = TableStyle()
    lines.add("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE)
    lines.add("VALIGN", (0, 0), (-1, -1), "TOP")
    lines.add("LEFTPADDING", (0, 0), (-1, -1), 0)
    return PdfTable(rows, colWidths=widths, repeatRows=1, style=lines, spaceAfter=6, hAlign="LEFT")


_HEAD_FONT, _CELL_FONT = ("Helvetica-Bold", 8.5), ("Helvetica", 9.0)
_GAP = 8.0
"""Points between a column and the next."""


def _longest(text: str, font: str, size: float) -> float:
    """Points that the longest piece takes which is not to be broken. Chinese is broken anywhere."""
    pieces = _WIDE.sub(" ", plain(text)).split()
    longest = max((pdfmetrics.stringWidth(piece, font, size) for piece in pieces), default=2 * size)
    return _GAP + min(WIDTH / 3, max(2 * size, float(longest)))


def _shared(least: Sequence[float], asked: Sequence[float]) -> list[float]:
    """The page's width, to each column what it needs at `least` and of the rest what it `asked` for."""
    rest = WIDTH - sum(least)
    if rest <= 0:  # words as long as a line: then some must be broken
        return [WIDTH * each / sum(least) for each in least]
    return [each + rest * share / sum(asked) for each, share in zip(least, asked, strict=True)]


def _transcript(subject: Subject) -> Iterator[Flowable]:
    timeline: Timeline = subject.timeline
    said = paragraphs.spoken(timeline)
    if said:
        yield paragraph("Transcript", "heading")
    for each in said:
        colour = COLOURS[each.speaker].hexval()[2:]
        doubt = "" if each.trusted else " (the recogniser was not sure of this turn)"
        text = (each.text or "(no words)") + (" — (cut off)" if each.cut else "") + doubt
        place = f"<font color='#{SOFT.hexval()[2:]}'>{clock(each.start)}</font>"
        who = f"<font color='#{colour}'><b>{marked(subject.name(each.speaker))}</b></font>"
        yield _rich(f"{place} {who} {marked(text)}", text, "body")


# --- text ---------------------------------------------------------------------------------------------------------------


def paragraph(text: str, style: str = "body") -> Paragraph:
    """A paragraph that shows exactly this text."""
    return _rich(marked(text), text, style)


def _rich(markup: str, text: str, style: str) -> Paragraph:
    """Chinese is broken between characters, everything else between words."""
    return Paragraph(markup, _styles()[f"{style}-wide" if is_wide(text) else style])


def marked(text: str) -> str:
    """The text as the library's markup: nothing in it is a tag, and each Chinese stretch has the font that has it.

    A character that neither font has is shown as a question mark: better than a box that hides that there was one.
    """
    out, at = [], 0
    line = plain(text)
    for found in _WIDE.finditer(line):
        out += [escape(_UNKNOWN.sub("?", line[at : found.start()])), f"<font name='{CHINESE}'>{escape(found[0])}</font>"]
        at = found.end()
    return "".join([*out, escape(_UNKNOWN.sub("?", line[at:]))])


@cache
def _styles() -> dict[str, ParagraphStyle]:
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    body = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14.5, textColor=INK, spaceAfter=5)
    styles = [
        body,
        ParagraphStyle("title", body, fontName="Helvetica-Bold", fontSize=18, leading=23, spaceAfter=8),
        ParagraphStyle("heading", body, fontName="Helvetica-Bold", fontSize=12.5, leading=16, spaceBefore=12, keepWithNext=1),
        ParagraphStyle("fact", body, fontSize=9, leading=12, spaceAfter=0),
        ParagraphStyle("quote", body, textColor=SOFT, leftIndent=8, spaceAfter=2),
        ParagraphStyle("head", body, fontName="Helvetica-Bold", fontSize=8.5, leading=11, textColor=SOFT, spaceAfter=0),
        ParagraphStyle("cell", body, fontSize=9, leading=12, spaceAfter=0),
    ]
    wide = [ParagraphStyle(f"{style.name}-wide", style, wordWrap="CJK") for style in styles]
    return {style.name: style for style in [*styles, *wide]}
