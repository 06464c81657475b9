"""The file for a bug report: how it went, and nothing that tells whose it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.archive import session
from voiceprep import config
from voiceprep.audio import devices
from voiceprep.audio.portaudio import Device
from voiceprep.cli import doctor as command
from voiceprep.config import Places
from voiceprep.errors import BadInputError, UsageError
from voiceprep.live import report
from voiceprep.live.doctor import Check
from voiceprep.store.archive import Archive

SAID = "We froze the Zanzibar cluster because my manager Quentin said so and the queue was long. " * 3


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The report of a home with a session, a log, a secret key, a headset of somebody's and a server elsewhere."""
    home = tmp_path / "dana"
    where = Places(home=home, recordings=home / "recordings")
    session(where.recordings, said=SAID)
    (home / "logs").mkdir()
    line = {"time": "t", "level": "warning", "logger": "voiceprep.x", "message": f"no such file: {home}/x, key sk-12345678"}
    (home / "logs" / "2026-01-01.log").write_text(f"an old line about Zanzibar\n{json.dumps(line)}\n{{torn")
    monkeypatch.setenv("VOICEPREP_LLM_KEY", "sk-12345678")
    monkeypatch.setenv("HOME", "/home/dana-smith")
    mine = Device(index=0, name="Dana’s AirPods", rate=48_000, channels=1, default=True)
    monkeypatch.setattr(devices, "inputs", lambda: [mine])
    monkeypatch.setattr(devices, "outputs", list)
    settings = config.load({"VOICEPREP_HOME": str(home)}).with_arguments(
        cv="/home/dana-smith/cv.pdf", llm_url="https://llm.secret-corp.example/v1", llm_model="m"
    )
    checks = [Check("model", ok=True, detail=f"verified ({home}/models/base), sent to llm.secret-corp.example")]
    return report.report(settings, where, checks)


def test_nothing_in_it_tells_whose_it_is_or_what_was_said(told: dict[str, Any], tmp_path: Path) -> None:
    whole = json.dumps(told, ensure_ascii=False)
    for secret in ("Zanzibar", "Quentin", "queue", "dana", "Dana", "sk-12345678", "secret-corp", str(tmp_path), "cv.pdf"):
        assert secret not in whole, secret


def test_it_tells_how_it_went(told: dict[str, Any]) -> None:
    assert told["settings"]["cv"] == {"value": "(a file)", "origin": "command line"}
    assert told["settings"]["llm_url"]["value"] == "(elsewhere)"
    assert told["devices"]["inputs"][0]["name"] == "(somebody's) AirPods"
    assert told["checks"][0]["detail"] == "verified ((home)/models/base), sent to (server)"
    last = told["last_session"]
    assert (last["round"], last["ended"]) == ("gpu-hm-screen", "completed")
    assert last["events"]["WordsCommitted"] == 2
    assert last["flags"] == {"long_pause notice": 2}
    assert [line["message"] for line in told["log"]] == ["no such file: (home)/x, key (secret)"]
    assert told["packages"]["pydantic"]


def test_what_is_broken_is_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise BadInputError("no", code="bad-log")

    where = Places(home=tmp_path, recordings=tmp_path)
    assert report.report(config.load({}), where, [])["last_session"] == {"error": "unknown-session"}
    session(tmp_path)
    monkeypatch.setattr(Archive, "read", broken)
    assert report.report(config.load({}), where, [])["last_session"] == {"error": "bad-log"}


def test_the_command_writes_it_once_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.setattr(command, "run_checks", lambda *_, **__: [Check("model", ok=False, detail="none", needed=True)])
    file = tmp_path / "report.json"
    command.doctor(report=True, file=file)
    assert "Look at it before you send it" in capsys.readouterr().err
    assert json.loads(file.read_text())["checks"][0]["name"] == "model"
    with pytest.raises(UsageError):
        command.doctor(report=True, file=file)
    with pytest.raises(UsageError):
        command.doctor(file=file)
    command.doctor(report=True, file=Path("-"))
    assert json.loads(capsys.readouterr().out)["schema"] == report.SCHEMA
