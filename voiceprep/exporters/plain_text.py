"""The transcript as plain text with times, for a mail or an editor."""

from __future__ import annotations

from voiceprep.core.text import mmss as clock
from voiceprep.core.text import text_of
from voiceprep.exporters.paragraphs import spoken
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain, wrapped

NAME = "text"
SUFFIX = ".txt"

COLUMNS = 88
_MORE = " " * 4


def render(subject: Subject) -> str:
    """The whole file: a title, then each paragraph with its place and its speaker."""
    header, timeline = subject.header, subject.timeline
    lines = [plain(header.title), f"{clock(timeline.duration)} recorded, {timeline.ended or 'still running'}"]
    for said in spoken(timeline):
        text = text_of(said.words) if said.words else said.text
        head = f"[{clock(said.start)}] {plain(subject.name(said.speaker))}:"
        first, *more = wrapped(f"{head} {text or '(no words)'}", COLUMNS - len(_MORE))
        lines += ["", first, *(_MORE + line for line in more)]
    return "\n".join(lines) + "\n"
