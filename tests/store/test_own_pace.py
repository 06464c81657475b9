"""The sound check's minute: kept before the first session, outweighed by sessions, gone when the user says so."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.test_baseline import session
from voiceprep.config import Places
from voiceprep.core.events import Language
from voiceprep.core.listening.baseline import ENOUGH, Sample
from voiceprep.errors import MissingError
from voiceprep.store import retention
from voiceprep.store.archive import OWN_PACE as NAME
from voiceprep.store.archive import Archive
from voiceprep.store.baseline import baseline_of
from voiceprep.store.own_pace import LATEST, Minute, forget, keep, minutes

FIRST = "2026-12-01T09:00:00+00:00"


def minute(rate: float, language: Language = "en", at: str = FIRST, seconds: float = 52.0) -> Minute:
    return Minute(at, Sample(language, seconds, rate, 0.5, 2.0))


def test_it_stands_alone_before_the_first_session_and_in_its_own_language(tmp_path: Path) -> None:
    keep(tmp_path / "recordings", minute(128.0))
    own = baseline_of(tmp_path / "recordings", "en")
    assert own is not None
    assert (own.rate, own.seconds) == (128.0, 52.0)
    assert baseline_of(tmp_path / "recordings", "zh") is None


def test_sessions_outweigh_it(tmp_path: Path) -> None:
    keep(tmp_path, minute(200.0, seconds=45.0))
    session(tmp_path, 2, 140.0)
    session(tmp_path, 3, 140.0)
    own = baseline_of(tmp_path, "en")
    assert own is not None
    assert 140.0 < own.rate < (140.0 + 200.0) / 2 - 15.0


def test_it_is_private_and_only_grows(tmp_path: Path) -> None:
    keep(tmp_path, minute(120.0))
    before = (tmp_path / NAME).read_bytes()
    keep(tmp_path, minute(130.0))
    assert (tmp_path / NAME).read_bytes().startswith(before)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_the_latest_ones_count(tmp_path: Path) -> None:
    for rate in range(100, 160, 10):
        keep(tmp_path, minute(float(rate)))
        keep(tmp_path, minute(250.0, "zh"))
    assert [one.sample.rate for one in minutes(tmp_path, "en")] == [150.0, 140.0, 130.0][:LATEST]
    assert {one.sample.language for one in minutes(tmp_path, "zh")} == {"zh"}


@pytest.mark.parametrize(
    "torn", [b'{"at": "2026', b"\xff\x00\n", b"[]\n", b'{"at": 1, "language": "fr", "seconds": 1}\n', b"null\n"]
)
def test_a_spoiled_line_costs_no_other(tmp_path: Path, torn: bytes) -> None:
    keep(tmp_path, minute(120.0))
    with (tmp_path / NAME).open("ab") as file:
        file.write(torn)
    keep(tmp_path, minute(130.0))
    assert [one.sample.rate for one in minutes(tmp_path, "en")] == [130.0, 120.0]


def test_forgotten(tmp_path: Path) -> None:
    assert not forget(tmp_path)
    keep(tmp_path, minute(120.0))
    assert forget(tmp_path)
    assert baseline_of(tmp_path, "en") is None
    assert list(tmp_path.iterdir()) == [] or not (tmp_path / NAME).exists()


def test_it_goes_with_the_last_session(tmp_path: Path) -> None:
    first, second = session(tmp_path, 2, 140.0), session(tmp_path, 3, 140.0)
    keep(tmp_path, minute(120.0))
    Archive(tmp_path).delete(first)
    assert (tmp_path / NAME).exists()
    Archive(tmp_path).delete(second)
    assert not (tmp_path / NAME).exists()


def test_it_expires_as_sessions_do(tmp_path: Path) -> None:
    places = Places(home=tmp_path, recordings=tmp_path)
    keep(tmp_path, minute(120.0, at="2026-10-01T09:00:00+00:00"))
    keep(tmp_path, minute(130.0))
    now = datetime(2026, 12, 2, tzinfo=UTC)
    assert list(retention.expire(places, 0, now)) == []
    assert len(minutes(tmp_path, "en")) == 2
    list(retention.expire(places, 30, now))
    assert [one.sample.rate for one in minutes(tmp_path, "en")] == [130.0]
    list(retention.expire(places, 30, datetime(2027, 3, 1, tzinfo=UTC)))
    assert not (tmp_path / NAME).exists()


def test_a_disk_that_refuses_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("voiceprep.store.disk.append_line", refuse)
    with pytest.raises(MissingError) as told:
        keep(tmp_path, minute(120.0))
    assert told.value.code == "disk-full"


def test_less_than_most_of_a_minute_is_not_enough(tmp_path: Path) -> None:
    keep(tmp_path, minute(120.0, seconds=ENOUGH - 1))
    assert baseline_of(tmp_path, "en") is None


@pytest.mark.parametrize("name", ["seconds", "rate", "pause", "fillers"])
@pytest.mark.parametrize(
    "figure", ["1" + "0" * 400, "1e400", '"nan"', '"inf"', '"60"', "NaN", "-Infinity", "-5", "1e9", "true", "null", "[]"]
)
def test_a_figure_that_is_nobody_s_costs_no_other(tmp_path: Path, name: str, figure: str) -> None:
    """No session would start, or the whole pace would be no number."""
    keep(tmp_path, minute(120.0))
    whole = json.loads((tmp_path / NAME).read_text())
    with (tmp_path / NAME).open("a") as file:
        file.write(json.dumps(whole | {name: "HERE"}).replace('"HERE"', figure) + "\n")
    own = baseline_of(tmp_path, "en")
    assert own is not None
    assert (own.rate, own.seconds, own.pause, own.fillers) == (120.0, 52.0, 0.5, 2.0)


@pytest.mark.parametrize("at", ["", "yesterday", 5, None])
def test_a_minute_of_no_moment_is_none(tmp_path: Path, at: object) -> None:
    """It would never expire."""
    keep(tmp_path, minute(120.0))
    whole = json.loads((tmp_path / NAME).read_text())
    (tmp_path / NAME).write_text(json.dumps(whole | {"at": at}) + "\n")
    assert minutes(tmp_path, "en") == ()
