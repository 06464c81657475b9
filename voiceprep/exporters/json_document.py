"""The session as one JSON document: all that the timeline holds, times in seconds."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from voiceprep.core.timeline import Timeline
from voiceprep.store.codec import rounded
from voiceprep.store.header import Header

NAME = "json"
SUFFIX = ".json"

SCHEMA = 1
"""Of this document; it has nothing to do with the log's."""


def render(header: Header, timeline: Timeline) -> str:
    """The document as text, indented, Chinese as it is."""
    return json.dumps(document(header, timeline), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def document(header: Header, timeline: Timeline) -> dict[str, Any]:
    """The document: `session` is the log's header; spans are media seconds, `at` and `elapsed` session time."""
    folded = asdict(timeline)
    for pause, shown in zip(timeline.pauses, folded["pauses"], strict=True):
        shown["duration"] = pause.duration
    result: dict[str, Any] = rounded(
        {"schema": SCHEMA, "session": {"title": header.title} | asdict(header), "text": timeline.text} | folded
    )
    return result
