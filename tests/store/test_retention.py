"""Old sessions go where the user wants it so, and what goes leaves nothing behind."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.store.samples import HEADER, tone
from voiceprep.config import Places
from voiceprep.core.annotation import Anchor
from voiceprep.core.events import SessionEnded
from voiceprep.core.units import At, Media
from voiceprep.store import log, retention
from voiceprep.store.annotations import NAME, Annotations
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder

NOW = datetime(2026, 12, 31, tzinfo=UTC)


def recorded(recordings: Path, age: int, **header: str) -> Path:
    """A session of so many days ago, not touched since."""
    began = NOW - timedelta(days=age, hours=1)
    live = SessionFolder.create(recordings, replace(HEADER, started=began.isoformat(), **header))  # type: ignore[arg-type]
    live.candidate.write(tone(1_600))
    live.log.append(SessionEnded(at=At(0.1), reason="completed"))
    live.close("completed")
    os.utime(live.path / log.NAME, (began.timestamp(),) * 2)
    return live.path


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(home=tmp_path, recordings=tmp_path / "recordings")


def old(places: Places, days: int) -> list[str]:
    return [one.id for one in retention.expired(places.recordings, days, NOW)]


def test_nothing_expires_unless_the_user_says_when(places: Places) -> None:
    recorded(places.recordings, 10_000)
    assert old(places, 0) == old(places, -1) == []
    assert list(retention.expire(places, 0, NOW)) == []


def test_what_is_older_goes_oldest_first_and_the_rest_stays(places: Places) -> None:
    paths = [recorded(places.recordings, age) for age in (31, 29, 400)]
    wanted = [paths[2].name, paths[0].name]
    assert old(places, 30) == wanted
    assert [one.id for one in retention.expire(places, 30, NOW)] == wanted
    assert [one.id for one in Archive(places.recordings).list()] == [paths[1].name]


def test_a_star_keeps_a_session_and_so_do_annotations_that_cannot_be_read(places: Places) -> None:
    starred, spoiled, noted = (recorded(places.recordings, age) for age in (100, 101, 102))
    anchor = Anchor(Media(0.0), Media(0.1))
    Annotations(starred).add("star", anchor)
    Annotations(noted).add("note", anchor, "again")
    (spoiled / NAME).mkdir()
    assert old(places, 30) == [noted.name]


def test_one_that_was_put_here_lately_or_runs_stays(places: Places) -> None:
    copied = recorded(places.recordings, 100)
    os.utime(copied / log.NAME, (NOW.timestamp(),) * 2)
    running = SessionFolder.create(places.recordings, replace(HEADER, started=(NOW - timedelta(days=99)).isoformat()))
    os.utime(running.path / log.NAME, (0, 0))
    assert old(places, 30) == []
    running.close("user")


def test_a_loop_is_as_old_as_its_last_round(places: Places) -> None:
    first = recorded(places.recordings, 60, loop="gpu", loop_run="gpu-1")
    second = recorded(places.recordings, 20, loop="gpu", loop_run="gpu-1")
    assert old(places, 30) == []
    assert old(places, 10) == [first.name, second.name]


def test_words_of_broken_off_analyses_go_with_any_session(places: Places) -> None:
    kept = places.cache / retention.ANALYSES / "abc-base.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")
    retention.delete(places, recorded(places.recordings, 1).name)
    assert not kept.exists()
