"""Subtitles as SubRip (`.srt`): what every player and editor reads."""

from __future__ import annotations

from voiceprep.exporters.cues import cues, lines_of
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import stamp

NAME = "srt"
SUFFIX = ".srt"

_JOINER = "\u2060"
_TAGS = str.maketrans({"<": f"<{_JOINER}", "{": f"{{{_JOINER}"})
"""The format has no escape. An invisible word joiner after it keeps a bracket from opening a tag."""


def render(subject: Subject) -> str:
    """The whole file; "" for a session in which nothing was said. Who speaks is named where that changes."""
    blocks = []
    before = ""
    for number, cue in enumerate(cues(subject.timeline), start=1):
        name = subject.name(cue.speaker)
        text = f"{name}: {cue.text}" if name != before else cue.text
        before = name
        lines = "\n".join(lines_of(text)).translate(_TAGS)
        blocks.append(f"{number}\n{stamp(cue.start, ',')} --> {stamp(cue.end, ',')}\n{lines}\n")
    return "\n".join(blocks)
