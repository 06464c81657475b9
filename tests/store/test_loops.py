"""Which sessions make up a passage through a loop."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.samples import HEADER
from voiceprep.core.interviewer.loop import Seat
from voiceprep.errors import UsageError
from voiceprep.store import header, log, loops
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder

REPO = Path(__file__).parents[2]


def session(place: Path, day: int, number: int, run: str = "gpu-1", loop: str = "gpu") -> str:
    head = replace(HEADER, started=f"2026-12-{day:02}T10:00:00Z", loop=loop, loop_run=run, loop_round=number)
    folder = SessionFolder.create(place, head)
    folder.close("completed")
    return folder.header.id


def test_the_header_says_where_a_session_belongs(tmp_path: Path) -> None:
    name = session(tmp_path, 1, 2)
    assert loops.seat_in(tmp_path / name) == Seat("gpu", "gpu-1", 2)


def test_sessions_outside_of_loops_and_old_ones_belong_nowhere(tmp_path: Path) -> None:
    shutil.copytree(REPO / "tests" / "data" / "session-schema-1", tmp_path / "2026-11-30T09-05-12-gpu-hm-screen")
    alone = SessionFolder.create(tmp_path, HEADER)
    alone.close("completed")
    assert loops.runs(tmp_path) == ()
    assert loops.seat_in(tmp_path / alone.header.id) is None


def test_an_old_header_reads_as_one_outside_of_any_loop() -> None:
    old = (REPO / "tests" / "data" / "session-schema-1" / log.NAME).read_text(encoding="utf-8").splitlines()[0]
    assert "loop" not in old
    read = header.decode(old)
    assert (read.loop, read.loop_round, read.severity, read.lens) == ("", 0, 0, "")


def test_passages_are_kept_apart_and_the_latest_comes_first(tmp_path: Path) -> None:
    first, second = session(tmp_path, 1, 1), session(tmp_path, 3, 2)
    other = session(tmp_path, 2, 1, "anyscale-1", "anyscale")
    again = session(tmp_path, 4, 2)
    latest, earlier = loops.runs(tmp_path)
    assert [name for name, _ in latest.sessions] == [first, second, again]
    assert [name for name, _ in latest.at(2)] == [second, again]
    assert [name for name, _ in earlier.sessions] == [other]
    assert (latest.started, latest.latest) == ("2026-12-01T10:00:00Z", "2026-12-04T10:00:00Z")
    assert loops.find(tmp_path).id == "gpu-1"
    assert loops.find(tmp_path, "anyscale").id == "anyscale-1"
    assert loops.find(tmp_path, "gpu-1") == latest


def test_a_deleted_session_leaves_no_trace_and_the_last_one_takes_the_passage_along(tmp_path: Path) -> None:
    first, second = session(tmp_path, 1, 1), session(tmp_path, 2, 2)
    Archive(tmp_path).delete(first)
    (run,) = loops.runs(tmp_path)
    assert [name for name, _ in run.sessions] == [second]
    Archive(tmp_path).delete(second)
    assert loops.runs(tmp_path) == ()


def test_a_spoiled_log_is_left_out(tmp_path: Path) -> None:
    kept, spoiled = session(tmp_path, 1, 1), session(tmp_path, 2, 2)
    (tmp_path / spoiled / log.NAME).write_bytes(b"\xff\xfe not a log\n")
    (run,) = loops.runs(tmp_path)
    assert [name for name, _ in run.sessions] == [kept]


@pytest.mark.parametrize(
    ("loop", "run"), [("gpu", "[bold]\x1b[31m\n"), ("gpu", ""), ("g\x1b[2Jpu", "gpu-1"), ("../gpu", "gpu-1")]
)
def test_a_name_that_no_loop_has_is_none(tmp_path: Path, loop: str, run: str) -> None:
    name = session(tmp_path, 1, 1, run, loop)
    assert loops.runs(tmp_path) == ()
    assert loops.seat_in(tmp_path / name) is None


def test_what_was_never_begun_cannot_be_found(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no loop was begun") as none:
        loops.find(tmp_path / "nowhere")
    assert none.value.code == "unknown-run"
    session(tmp_path, 1, 1)
    with pytest.raises(UsageError, match="'anyscale'") as other:
        loops.find(tmp_path, "anyscale")
    assert "gpu-1" in other.value.hint


def test_a_passage_is_named_after_its_moment() -> None:
    moment = datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
    first, second = (loops.new_run("gpu", moment) for _ in range(2))
    assert re.fullmatch("gpu-20261130-091500-[a-z]{4}", first)
    assert first != second  # one chance in half a million that this fails
