"""Write docs/web-protocol.md from the wire types, so that they cannot differ.

    python -m tools.write_web_docs

tests/web/test_protocol.py compares them.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from voiceprep.web import protocol
from voiceprep.web.events import EVENTS, HIDDEN_IN_EXAM, PRIVATE, WITHHELD, Wire, WireWord

PAGE = Path(__file__).resolve().parent.parent / "docs" / "web-protocol.md"
BEFORE = Path(__file__).resolve().parent / "web_protocol_head.md"


def text() -> str:
    """The whole page."""
    said = [each for each in Wire.__subclasses__() if each.__module__ == protocol.__name__ and each not in protocol.CONTROL]
    parts = [
        BEFORE.read_text(encoding="utf-8"),
        "### The page says\n\n",
        *(_message(each) for each in said),
        "\n### The server says, besides events\n\n",
        *(_message(each) for each in protocol.CONTROL),
        "\n### The server says: events of the session\n\n",
        "Each has `at`, seconds on the session clock; `media`, `start` and `end`",
        " are seconds of the recording. What they mean stands in [protocol.md](protocol.md) under the same names.\n\n",
        *(_message(each, skip=("at",)) for each in EVENTS),
        f"\nA word (`{WireWord.__name__}`) is {_fields(WireWord)}. In an exam these are not sent: ",
        ", ".join(f"`{each.model_fields['kind'].default}`" for each in EVENTS if each in HIDDEN_IN_EXAM),
        ".\n\n### What a page does not get\n\n",
        *(f"- {name}: {why}\n" for name, why in PRIVATE.items()),
        *(f"- {name}.{field}: {why}\n" for name, fields in WITHHELD.items() for field, why in fields.items()),
    ]
    return "".join(parts)


def _message(kind: type[BaseModel], skip: tuple[str, ...] = ()) -> str:
    name = kind.model_fields["kind"].default
    told = " ".join((kind.__doc__ or "").split())
    fields = _fields(kind, skip)
    return f"- **{name}**{' — ' + told if told else ''}{'  ' + chr(10) + '  ' + fields if fields else ''}\n"


def _fields(kind: type[BaseModel], skip: tuple[str, ...] = ()) -> str:
    schema = kind.model_json_schema()
    rows = schema.get("properties", {})
    return ", ".join(f"`{name}`: {_shape(row)}" for name, row in rows.items() if name not in {"kind", *skip})


def _shape(row: dict[str, Any]) -> str:
    told = _type(row)
    return f"{told} = `{json.dumps(row['default'])}`" if "default" in row else told


def _type(row: dict[str, Any]) -> str:
    if "anyOf" in row:
        return " or ".join(_type(each) for each in row["anyOf"])
    if "enum" in row:
        return " \\| ".join(row["enum"])
    if row.get("type") == "array":
        return f"list of {_type(row['items'])}"
    return str(row.get("$ref", row.get("type", "?"))).rpartition("/")[2]


if __name__ == "__main__":
    assert inspect.getdoc(text)
    PAGE.write_text(text(), encoding="utf-8")
