"""A line that the candidate spoke over before it was whole, and did not answer: its rest is said once more. Pure."""

from __future__ import annotations

import re

from voiceprep.core.units import Seconds

AGAIN_AFTER: Seconds = 2.0
"""Silence after which it is said."""
ASIDE: Seconds = 4.0
"""Whoever speaks no longer than this, and shows nothing, said something aside: a greeting, a yes."""
_SENTENCE = re.compile(r"[^.!?。！？]*(?:[.!?。！？]+[\"”’]?\s*|$)")


def rest_of(line: str, heard: str) -> str:
    """The sentences of `line` that were not heard to their end; all of it where `heard` is no beginning of it."""
    if not line.startswith(heard):
        return line
    end = 0
    for sentence in _SENTENCE.finditer(line):
        if len(heard) < sentence.start() + len(sentence[0].rstrip()):
            break
        end = sentence.end()
    return line[end:].strip()
