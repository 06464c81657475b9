"""Subtitles as WebVTT, with the speaker of each as a voice that players and style sheets can tell apart."""

from __future__ import annotations

from voiceprep.exporters.cues import cues, lines_of
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain, stamp

NAME = "vtt"
SUFFIX = ".vtt"

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
"""Also what keeps an arrow (``-->``) in a text from being taken for a line of times."""


def render(subject: Subject) -> str:
    """The whole file."""
    blocks = ["WEBVTT"]
    for number, cue in enumerate(cues(subject.timeline), start=1):
        lines = "\n".join(escape(line) for line in lines_of(cue.text))
        voice = escape(plain(subject.name(cue.speaker)))
        blocks.append(f"{number}\n{stamp(cue.start)} --> {stamp(cue.end)}\n<v {voice}>{lines}</v>")
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """The text so that a player shows exactly its characters."""
    return text.translate(_ENTITIES)
