"""Old logs, brought up to the format of today.

Schemas 2 and 3 add kinds of events and fields to those before them, and change none. A change of the format, be it one field
more, raises `SCHEMA` to n + 1 in header.py, adds the function that turns a log of schema n into one of schema n + 1 here, and
keeps a session of schema n under tests/data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from voiceprep.errors import BadInputError
from voiceprep.store import codec
from voiceprep.store.header import KIND, SCHEMA

Migration = Callable[[Iterator[dict[str, Any]]], Iterator[dict[str, Any]]]
"""All lines of a log, the header first, one schema up. It may drop, split and add lines. The chain itself raises `schema`."""


def _only_the_number(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Nothing to do: a field that is absent means its default, which is what the older schema did."""
    return lines


MIGRATIONS: Mapping[int, Migration] = dict.fromkeys(range(1, SCHEMA), _only_the_number)
"""By the schema they start from."""


def migrate(lines: list[str], migrations: Mapping[int, Migration] = MIGRATIONS, target: int = SCHEMA) -> list[str]:
    """The log's complete lines in schema `target`; the same list where they are in it already.

    Raises BadInputError: `newer-log` for a log of a later version, `bad-log` for one without a usable header.
    """
    schema = _schema(lines)
    if schema > target:
        raise BadInputError(
            f"this session was made by a newer voiceprep (log format {schema}, this version knows {target})",
            code="newer-log",
            hint="Update voiceprep to open it",
        )
    if schema == target:
        return lines
    documents = iter([codec.parse(line, number) for number, line in enumerate(lines, start=1)])
    for step in range(schema, target):
        documents = _raised(migrations[step](documents), step + 1)
    return [json.dumps(document, ensure_ascii=False) for document in documents]


def _schema(lines: list[str]) -> int:
    header = codec.parse(lines[0], 1) if lines else {}
    schema = header.get("schema")
    if header.get("kind") != KIND or not isinstance(schema, int) or schema < 1:
        raise BadInputError("the event log does not begin with a header", code="bad-log")
    return schema


def _raised(documents: Iterator[dict[str, Any]], schema: int) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(documents):
        yield document | {"schema": schema} if number == 0 else document
