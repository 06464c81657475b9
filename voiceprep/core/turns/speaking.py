"""What was really heard of something the interviewer said."""

from __future__ import annotations

import re

from voiceprep.core.text import HANZI

_PIECE = re.compile(rf"[{HANZI}]|[^\s{HANZI}]+")
"""A unit that can be cut after: one Chinese character, or a run without spaces."""


def heard_text(text: str, share: float) -> str:
    """The leading part of `text` that sounds in the first `share` (0..1) of its utterance.

    Speech runs at an even pace to a good approximation, so the place is found by letters; a word that was cut is not heard.
    """
    if share >= 1.0:
        return text
    letters = sum(len(m.group()) for m in _PIECE.finditer(text))
    budget = max(0.0, share) * letters
    end = spent = 0
    for piece in _PIECE.finditer(text):
        spent += len(piece.group())
        if spent > budget:
            break
        end = piece.end()
    return text[:end]
