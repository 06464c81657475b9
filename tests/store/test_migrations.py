from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from voiceprep.core.events import KINDS, SessionEnded, TurnStarted
from voiceprep.core.timeline import fold
from voiceprep.errors import BadInputError
from voiceprep.store import codec, header, log
from voiceprep.store.header import SCHEMA
from voiceprep.store.migrations import MIGRATIONS, migrate

DATA = Path(__file__).parents[1] / "data"
HEADER_LINE = '{"kind": "Header", "at": 0.0, "schema": 1}'


def test_the_chain_has_no_gap() -> None:
    assert sorted(MIGRATIONS) == list(range(1, SCHEMA))


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_a_session_of_every_schema_still_opens(schema: int) -> None:
    path = DATA / f"session-schema-{schema}" / log.NAME
    found = log.read(path)
    assert json.loads(path.read_text().splitlines()[0])["schema"] == schema
    assert found.header.schema == SCHEMA
    assert any(isinstance(event, TurnStarted) for event in found.events)
    assert isinstance(found.events[-1], SessionEnded)
    assert fold(found.events).turns


def test_this_version_writes_what_the_data_hold() -> None:
    """Fails when the format changes while the schema does not: a new field, too, is a new schema (see tests/store/scene.py)."""
    path = DATA / f"session-schema-{SCHEMA}" / log.NAME
    found = log.read(path)
    lines = [header.encode(found.header), *map(codec.encode, found.events)]
    assert path.read_text(encoding="utf-8").splitlines() == lines


def test_the_newest_data_hold_most_kinds_of_events() -> None:
    found = log.read(DATA / f"session-schema-{SCHEMA}" / log.NAME)
    missing = set(KINDS) - {type(event).__name__ for event in found.events}
    rare = {"ClockStarted", "CueGiven", "EchoDropped", "MoveWithdrawn", "PauseSpeaking", "ResumeSpeaking", "SignalGiven"}
    assert missing <= rare | {"SessionPaused", "SessionResumed"}


@pytest.mark.parametrize("schema", range(1, SCHEMA))
def test_so_far_only_the_number_changes(schema: int) -> None:
    lines = (DATA / f"session-schema-{schema}" / log.NAME).read_text(encoding="utf-8").splitlines()
    raised = [json.loads(line) for line in migrate(lines, target=schema + 1)]
    before = [json.loads(line) for line in lines]
    assert raised == [before[0] | {"schema": schema + 1}, *before[1:]]


def test_steps_follow_one_another() -> None:
    def one(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        yield next(lines) | {"mood": "calm"}
        for line in lines:
            yield line | {"kind": line["kind"].replace("Old", "New")}

    def two(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        yield next(lines)
        yield from (line for line in lines if line["kind"] != "Dropped")

    lines = [HEADER_LINE, '{"kind": "OldThing", "at": 1}', '{"kind": "Dropped", "at": 2}']
    raised = [json.loads(line) for line in migrate(lines, {1: one, 2: two}, target=3)]
    assert raised == [
        {"kind": "Header", "at": 0.0, "schema": 3, "mood": "calm"},
        {"kind": "NewThing", "at": 1},
    ]


def test_today_s_log_passes_untouched() -> None:
    lines = [json.dumps({"kind": "Header", "at": 0.0, "schema": SCHEMA}), "anything"]
    assert migrate(lines) is lines


def test_a_newer_log_says_so() -> None:
    with pytest.raises(BadInputError, match="made by a newer voiceprep") as raised:
        migrate([HEADER_LINE.replace("1}", f"{SCHEMA + 1}}}")])
    assert raised.value.code == "newer-log"
    assert "Update" in raised.value.hint


@pytest.mark.parametrize(
    "first", [None, "", '{"kind": "AudioProgress"}', '{"kind": "Header"}', HEADER_LINE.replace("1}", "0}")]
)
def test_a_log_without_a_usable_header(first: str | None) -> None:
    with pytest.raises(BadInputError) as raised:
        migrate([] if first is None else [first])
    assert raised.value.code == "bad-log"
