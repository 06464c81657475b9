"""The archive's commands, through the program's own entry point."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console

from tests.store.samples import HEADER, tone
from voiceprep.cli import main, sessions
from voiceprep.core.events import NoteAdded
from voiceprep.core.units import At, Media
from voiceprep.store import folder, locks
from voiceprep.store.folder import SessionFolder

REPO = Path(__file__).parents[2]
SESSION = REPO / "tests" / "data" / "session-schema-1"
OLD = "2026-11-30T09-05-12-gpu-hm-screen"
PROGRAM = [sys.executable, "-c", "from voiceprep.cli.main import run; run()"]


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str


Program = Callable[..., Ran]


def environment(recordings: Path) -> dict[str, str]:
    return {"VOICEPREP_RECORDINGS": str(recordings), "VOICEPREP_HOME": str(recordings.parent / "home"), "TERM": "dumb"}


@pytest.fixture
def voiceprep(recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Run the program here, as its entry point does; nobody sits at a terminal."""

    def run(*arguments: str) -> Ran:
        for name, value in environment(recordings).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["voiceprep", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as end:
            main.run()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """Two sessions: that of the test data, and a newer one, in Chinese, that ended by itself."""
    place = tmp_path / "录音 (1)"
    shutil.copytree(SESSION, place / OLD)
    live = SessionFolder.create(place, replace(HEADER, started="2026-12-01T10:00:00Z", language="zh"))
    live.candidate.write(tone(24_000))
    live.log.append(NoteAdded(at=At(1.0), media=Media(1.0), text="队列 [red]\x1b[31m"))
    live.close("completed")
    return place


def test_sessions_recovers_first_and_says_so_on_stderr(voiceprep: Program, recordings: Path) -> None:
    ran = voiceprep("sessions", "--json")
    assert ran.code == 0
    assert f"Recovered {OLD}" in ran.stderr
    found = json.loads(ran.stdout)["sessions"]
    assert [{key: each[key] for key in ("id", "round", "started", "duration", "ended")} for each in found] == [
        {
            "id": "2026-12-01T10-00-00-gpu-hm-screen",
            "round": "gpu-hm-screen",
            "started": "2026-12-01T10:00:00Z",
            "duration": 1.5,
            "ended": "completed",
        },
        {"id": OLD, "round": "gpu-hm-screen", "started": "2026-11-30T09:05:12Z", "duration": 48.5, "ended": "user"},
    ]
    again = voiceprep("sessions")
    assert again.stderr == ""
    assert [line.split("\t")[0] for line in again.stdout.splitlines()] == [each["id"] for each in found]


def test_a_session_that_cannot_be_read_is_told_and_the_others_are_listed(voiceprep: Program, recordings: Path) -> None:
    (recordings / OLD / "events.jsonl").write_text("{}\n")
    ran = voiceprep("sessions", "--json")
    assert ran.code == 0
    assert f"Could not recover {OLD}" in ran.stderr
    assert len(json.loads(ran.stdout)["sessions"]) == 1
    assert voiceprep("replay", OLD).code == 4


def test_no_sessions(voiceprep: Program, recordings: Path) -> None:
    shutil.rmtree(recordings)
    ran = voiceprep("sessions", "--json")
    assert (ran.code, json.loads(ran.stdout)) == (0, {"sessions": []})
    ran = voiceprep("sessions")
    assert (ran.code, ran.stdout) == (0, "")
    assert "voiceprep practice" in ran.stderr
    assert voiceprep("replay", "latest").code == 2


def test_the_table_of_a_terminal_shows_whole_ids(
    voiceprep: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sessions, "console", lambda: Console(force_terminal=True, color_system=None, width=120))
    shown = voiceprep("sessions").stdout.splitlines()
    assert shown[0].split() == ["session", "what", "started", "length", "language", "ended"]
    assert [line.split()[0] for line in shown[1:]] == ["2026-12-01T10-00-00-gpu-hm-screen", OLD]
    assert all("T" not in line.split(":")[0][-13:] for line in shown[1:])  # the moment is for people
    monkeypatch.setattr(sessions, "console", lambda: Console(force_terminal=True, color_system=None, width=80))
    assert OLD in voiceprep("sessions").stdout


def test_chinese_is_printed_whatever_the_locale_says(recordings: Path) -> None:
    ran = subprocess.run(
        [*PROGRAM, "replay", OLD],
        capture_output=True,
        check=True,
        cwd=REPO,
        env=os.environ | environment(recordings) | {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"},
    )
    assert "把延迟降到" in ran.stdout.decode("utf-8")


def test_a_live_session_is_listed_as_running(voiceprep: Program, recordings: Path) -> None:
    live = SessionFolder.create(recordings, replace(HEADER, started="2026-12-02T10:00:00Z"))
    try:
        assert voiceprep("sessions").stdout.splitlines()[0].endswith("\trunning")
        refused = voiceprep("delete", "latest", "--yes")
    finally:
        live.close("user")
    assert refused.code == 2
    assert "still running" in refused.stderr


def test_replay_tells_the_session_in_order(voiceprep: Program, recordings: Path) -> None:
    ran = voiceprep("replay", OLD)
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert lines == [
        "gpu-hm-screen, 2026-11-30 09:05 · hiring-manager · 0:48, user",
        "0:00 section opening, planned 1:00, took 0:05",
        "0:00 Interviewer Hi, I run the GPU platform team. Tell me about a scheduling decision you made.",
        "0:05 silence 2.1 s, before answer",
        "0:05 section deep-dive, planned 10:00, took 0:43",
        "0:07 You We chose <img src=x onerror=alert(1)> *gang* scheduling.",
        "0:11 silence 19.5 s, mid answer",
        "0:21 flag notice: a long silence. Say what you are weighing while you think.",
        "0:24 Interviewer Take your time.",
        "0:31 You 我们用 Ray 把延迟降到，p99 200 ms",
        "0:34 note say the number | first # not a heading",
        "0:39 lost 1.0 s were not recorded: overflow",
        "0:42 Interviewer And what did that cost you - (cut off)",
        "0:43 You About 8%.",
        "0:46 silence 2.5 s, trailing",
        "trouble The recogniser did not answer within 20 s (recogniser-timeout)",
    ]


def test_nothing_in_a_session_can_steer_the_terminal(voiceprep: Program, recordings: Path) -> None:
    ran = voiceprep("replay", "latest")
    assert "队列 [red]\ufffd[31m" in ran.stdout
    assert "\x1b" not in ran.stdout


def test_replay_json_is_the_exported_document(voiceprep: Program, recordings: Path) -> None:
    replayed = voiceprep("replay", OLD, "--json")
    exported = voiceprep("export", OLD, "--to", "json")
    document = json.loads(exported.stdout)
    assert document.pop("review")["facts"]["id"] == OLD  # what is made of it is no part of the session
    assert json.loads(replayed.stdout) == document


def test_export_writes_a_file_once(voiceprep: Program, tmp_path: Path) -> None:
    page = tmp_path / "页.md"
    expected = voiceprep("export", OLD).stdout
    assert expected.startswith("# gpu-hm-screen")
    assert "## Transcript" in expected
    first = voiceprep("export", OLD, "--to", "markdown", "-o", str(page))
    assert (first.code, first.stdout) == (0, "")
    assert page.read_text(encoding="utf-8") == expected
    page.write_text("mine")
    second = voiceprep("export", OLD, "-o", str(page))
    assert second.code == 2
    assert "--force" in second.stderr
    assert page.read_text() == "mine"
    assert voiceprep("export", OLD, "-o", str(page), "--force").code == 0
    assert page.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("export", OLD, "--to", "docx"), "markdown, json"),
        (("export", OLD, "-o", "/nowhere/at/all.md"), "/nowhere/at/all.md"),
        (("export", "../" + OLD), "2026-12-01T10-00-00-gpu-hm-screen"),
        (("replay", "nothing"), "2026-12-01T10-00-00-gpu-hm-screen"),
        (("delete", "..", "--yes"), "2026-12-01T10-00-00-gpu-hm-screen"),
        (("delete", OLD), "--yes"),
    ],
)
def test_wrong_usage_is_told(voiceprep: Program, recordings: Path, arguments: tuple[str, ...], told: str) -> None:
    ran = voiceprep(*arguments)
    assert ran.code == 2
    assert ran.stdout == ""
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (recordings / OLD).is_dir()


def test_delete_with_yes(voiceprep: Program, recordings: Path) -> None:
    ran = voiceprep("delete", "latest", "--yes")
    assert ran.code == 0
    assert not list(recordings.glob("2026-12*"))
    assert (recordings / OLD).is_dir()


@pytest.mark.parametrize(("answer", "there", "code"), [("n\n", True, 1), ("y\n", False, 0)])
def test_delete_asks_in_a_terminal(recordings: Path, answer: str, there: bool, code: int) -> None:
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"this machine has no pseudo-terminals: {error}")
    try:
        with subprocess.Popen(
            [*PROGRAM, "delete", OLD], stdin=theirs, stderr=subprocess.PIPE, cwd=REPO, env=os.environ | environment(recordings)
        ) as ran:
            os.write(ours, answer.encode())
            _, asked = ran.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"Delete {OLD}".encode() in asked
    assert (ran.returncode, (recordings / OLD).is_dir()) == (code, there)


def test_a_locked_session_is_not_recovered_by_the_command(voiceprep: Program, recordings: Path) -> None:
    lock = folder.take(recordings / OLD)
    try:
        assert voiceprep("sessions").stderr == ""
    finally:
        locks.free(lock)
    assert not (recordings / OLD / "session.json").exists()
