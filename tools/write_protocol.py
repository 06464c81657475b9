"""Write docs/protocol.md from the event types, so that it cannot differ from the code. `--check` only compares."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from pathlib import Path

from voiceprep.core import events
from voiceprep.store.header import Header

TARGET = Path(__file__).resolve().parent.parent / "docs" / "protocol.md"

INTRODUCTION = """# Protocol: every event

Written by `python tools/write_protocol.py` from `voiceprep/core/events.py`; a test keeps it so.

A session's log (`events.jsonl`) has one event a line, as JSON with `kind` and `at` first. `at` is the session clock in
seconds and never decreases; `media`, `start` and `end` are seconds from the first sample of the candidate's recording. The
first line is the header.

Facts come up from the world, the conductor turns them into decisions and commands, and every command is answered by exactly
one fact whose `of` is the command's `id` (its own answer, or `EdgeFailed`). `StopSpeaking` alone has no answer of its own: it
makes the answer of the `Speak` it names come early. Feeding the facts of a log through a fresh conductor, made from its
header, gives the same log.
"""


def document() -> str:
    parts = [INTRODUCTION, _section("The header", [("Header", Header)])]
    for title, kind in (("Facts", events.Fact), ("Decisions", events.Decision), ("Commands", events.Command)):
        parts.append(_section(title, [(name, each) for name, each in events.KINDS.items() if issubclass(each, kind)]))
    parts.append(_section("Values inside events", [("Word", events.Word), ("Evidence", events.Evidence)]))
    return "\n".join(parts)


def _section(title: str, kinds: list[tuple[str, type]]) -> str:
    lines = [f"## {title}\n"]
    for name, kind in kinds:
        text = " ".join((inspect.getdoc(kind) or "").split("\n\nAttributes:")[0].split())
        fields = ", ".join(f"`{f.name}`: {f.type}" for f in dataclasses.fields(kind) if f.name != "at")
        lines.append(f"**{name}** — {text}  \n{fields}\n")
    return "\n".join(lines)


def main() -> int:
    text = document()
    if "--check" in sys.argv:
        return 0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    print(f"wrote {TARGET}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
