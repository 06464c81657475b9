"""`voiceprep latency`, `sessions --expire` and `export --redact`, as users call them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tests.browser.archive import session
from voiceprep.cli.export import export
from voiceprep.cli.latency import latency
from voiceprep.cli.sessions import sessions
from voiceprep.errors import UsageError
from voiceprep.store import log


def call(command: Any, *arguments: str) -> Any:
    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.delenv("VOICEPREP_RECORDINGS", raising=False)
    return tmp_path / "recordings"


def test_a_session_of_the_data_has_its_waits(recordings: Path) -> None:
    folder = recordings / "2026-11-30T09-05-12-test-round"
    folder.mkdir(parents=True)
    data = Path(__file__).parents[1] / "data" / "session-schema-3" / log.NAME
    (folder / log.NAME).write_bytes(data.read_bytes())
    told = json.loads(call(latency, "latest", "--json").stdout)
    assert told["clock"] == "wall"
    assert set(told["breakdown"]) == {"endpoint", "stt", "interviewer", "tts", "leading_silence", "device"}
    assert told["response_gap"]["n"] == len(told["replies"]) > 3
    shown = call(latency, "latest").stdout
    assert "endpoint" in shown
    assert "█" in shown
    assert f"of {told['response_gap']['n']} replies" in shown
    assert "move" not in call(latency, "latest", "--no-each").stdout


def test_a_session_without_replies_says_so(recordings: Path) -> None:
    session(recordings)
    assert "answered nothing" in call(latency, "latest").stderr


def test_what_would_expire_is_shown_and_stays(recordings: Path) -> None:
    name = session(recordings, started="2020-01-01T09:00:00Z")
    os.utime(recordings / name / log.NAME, (0, 0))
    assert "keep_days is 0" in call(sessions, "--expire").stderr
    assert call(sessions, "--expire", "--days", "30").stdout.split("\t")[0] == name
    told = json.loads(call(sessions, "--expire", "--days", "30", "--json").stdout)
    assert [one["id"] for one in told["sessions"]] == [name]
    assert (recordings / name).is_dir()


def test_redacting_says_that_it_is_an_estimate(recordings: Path) -> None:
    session(recordings, said="I joined Umbrellacorp and the cluster was Zork")
    done = call(export, "latest", "--to", "markdown", "--redact", "--redact-also", "Zork")
    assert "Read it before you pass it on" in done.stderr
    assert "Umbrellacorp" not in done.stdout
    assert "Zork" not in done.stdout
    with pytest.raises(UsageError):
        call(export, "latest", "--redact-numbers")
