"""`voiceprep redecode`: the command, on a session that was really analyzed, with a recogniser of the test's making."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.review.test_analysis import Echo, Loudness, recording
from voiceprep.cli.main import app
from voiceprep.errors import UsageError
from voiceprep.store.archive import Archive


@pytest.fixture
def recordings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    speaking(monkeypatch, "word")
    assert run("analyze", str(recording(tmp_path, 1.0, 5.0, 3.0, 5.0, 1.0)), "--save").exit_code == 0
    return tmp_path / "home" / "recordings"


def speaking(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    async def open_recogniser(*_: object, live: bool) -> Echo:
        return Echo(text=text)

    monkeypatch.setattr("voiceprep.speech.stt.opening.open_recogniser", open_recogniser)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def said() -> str:
    text: str = json.loads(run("replay", "latest", "--json").stdout)["text"]
    return text


def test_the_newest_words_are_read_everywhere_and_undone_without_loss(
    recordings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said()
    (session,) = Archive(recordings).list()
    log = (recordings / session.id / "events.jsonl").read_bytes()
    speaking(monkeypatch, "better")
    done = run("redecode", "latest", "--json")
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    assert told["before"]["words"] == told["after"]["words"] == len(before.split())
    assert told["changed"] == 1.0
    assert set(said().split()) == {"better"}
    assert "better better" in run("export", "latest").stdout
    assert (recordings / session.id / "events.jsonl").read_bytes() == log
    assert not list((recordings.parent / "cache").rglob("*.jsonl"))
    assert run("redecode", "latest", "--undo").exit_code == 0
    assert said() == before
    again = run("redecode", "latest", "--undo")
    assert isinstance(again.exception, UsageError)
    assert again.exception.code == "nothing-to-undo"


def test_undo_takes_no_model(recordings: Path) -> None:
    assert isinstance(run("redecode", "latest", "--undo", "--model", "small").exception, UsageError)
