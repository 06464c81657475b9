"""The session as one JSON document: all that the timeline holds, times in seconds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from voiceprep.core.timeline import Timeline
from voiceprep.exporters.chapters import REDACTED
from voiceprep.exporters.subject import Subject
from voiceprep.intake.backing import Backing
from voiceprep.store.codec import rounded
from voiceprep.store.header import Header

NAME = "json"
SUFFIX = ".json"

SCHEMA = 1
"""Of this document; it has nothing to do with the log's."""


def render(subject: Subject) -> str:
    """The document as text, indented, Chinese as it is; with the review, as review.json has it, where there is one."""
    told = document(subject.header, subject.timeline, subject.claims)
    if subject.review is not None:
        told["review"] = subject.review.to_json()
    if subject.redacted:
        told["redacted"] = REDACTED
    return json.dumps(told, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def document(header: Header, timeline: Timeline, claims: Sequence[Backing] = ()) -> dict[str, Any]:
    """The document: `session` is the log's header; spans are media seconds, `at` and `elapsed` session time."""
    folded = asdict(replace(timeline, differences=()))
    for pause, shown in zip(timeline.pauses, folded["pauses"], strict=True):
        shown["duration"] = pause.duration
    folded.pop("differences")
    if timeline.differences:
        folded["differences"] = [difference.document() for difference in timeline.differences]
    result: dict[str, Any] = rounded(
        {"schema": SCHEMA, "session": {"title": header.title} | asdict(header), "text": timeline.text} | folded
    )
    if claims:
        result["claims"] = rounded({"": [asdict(backing) for backing in claims]})[""]
    return result
