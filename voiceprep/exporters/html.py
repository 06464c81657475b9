"""The session as one page that needs nothing else: its sound is inside, and a click on a word plays it.

The page may do nothing but that: its policy lets in no script, style, picture or address that is not its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from jinja2 import Environment, PackageLoader, StrictUndefined

from voiceprep.core.events import Word
from voiceprep.core.pack import tongue_of
from voiceprep.core.text import glued
from voiceprep.core.text import mmss as clock
from voiceprep.core.units import Seconds
from voiceprep.exporters import sound
from voiceprep.exporters.blocks import Items, Place, Quote, Table
from voiceprep.exporters.chapters import chapters, closing, facts
from voiceprep.exporters.lanes import lanes
from voiceprep.exporters.paragraphs import Paragraph, spoken
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain

NAME = "html"
SUFFIX = ".html"

LEFT_OUT = frozenset({"turns"})
"""Chapters that the transcript shows better."""
LANGUAGES = {"en": "en", "zh": "zh-Hans", "mixed": "zh-Hans"}
LEVELS = frozenset({"notice", "warning", "fail"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A paragraph of the transcript, its words with the blank before each."""

    speaker: str
    name: str
    start: Seconds
    end: Seconds
    place: Place
    words: tuple[tuple[str, Word], ...]
    text: str
    cut: bool
    trusted: bool


def render(subject: Subject) -> str:
    """The whole page. Raises BadInputError (`bad-track`) for audio that cannot be read."""
    timeline = subject.timeline
    heard = sound.mixed(subject.folder, subject.events) if subject.folder is not None else None
    style, script = _part("page.css"), _part("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            policy=policy(style, script),
            style=style,
            script=script,
            title=plain(subject.header.title),
            lang=LANGUAGES[subject.header.language],
            facts=facts(subject),
            before=[chapter for chapter in chapters(subject) if chapter.id not in LEFT_OUT],
            after=closing(subject),
            spoken=[_shown(said, subject) for said in spoken(timeline)],
            lanes=lanes(timeline, tongue_of(subject.header.language)),
            candidate=subject.name("candidate"),
            interviewer=subject.name("interviewer"),
            length=clock(timeline.duration),
            duration=timeline.duration,
            levels=LEVELS,
            mime=sound.MIME,
            audio=base64.b64encode(heard.data).decode("ascii") if heard is not None else "",
            lead=heard.lead if heard is not None else 0.0,
        )
    )


def policy(style: str, script: str) -> str:
    """What the page's reader may run and load: this style, this script, and the sound in the page."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_sum(style)}'",
            f"script-src '{_sum(script)}'",
            "media-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _sum(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("voiceprep.exporters"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name, kind in (("place_of", Place), ("quote_of", Quote), ("table_of", Table), ("items_of", Items)):
        environment.tests[name] = lambda value, kind=kind: isinstance(value, kind)
    environment.finalize = lambda value: plain_edges(value) if type(value) is str else value
    return environment


def plain_edges(text: str) -> str:
    """Text without characters that HTML cannot hold; its blanks stay, since some stand between two words."""
    return "".join(character for character in text if character in "\t\n" or character.isprintable() or character == " ")


def _part(name: str) -> str:
    return files("voiceprep.exporters").joinpath("templates", name).read_text(encoding="utf-8")


def _shown(said: Paragraph, subject: Subject) -> Shown:
    return Shown(
        speaker=said.speaker,
        name=subject.name(said.speaker),
        start=said.start,
        end=said.end,
        place=Place(said.start),
        words=tuple(_spaced(said.words)),
        text=plain(said.text),
        cut=said.cut,
        trusted=said.trusted,
    )


def _spaced(words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    if not words:
        return
    texts = [plain(word.text) for word in words]
    gaps = ["", *("" if not a or not b or glued(a[-1], b[0]) else " " for a, b in pairwise(texts))]
    for gap, text, word in zip(gaps, texts, words, strict=True):
        yield gap, Word(text, word.start, word.end, word.confidence)
