"""`voiceprep review` and `voiceprep annotate`, through the program's own entry point."""

from __future__ import annotations

import io
import json
import shutil
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.interview import header, keep
from tests.review.scenes import ladder, quizzed
from voiceprep.cli import main, review
from voiceprep.core.events import SessionEnded
from voiceprep.review.page import keep_review
from voiceprep.store.folder import take
from voiceprep.store.locks import free
from voiceprep.store.recovery import recover
from voiceprep.store.review_file import kept

OLD = Path(__file__).parents[1] / "data" / "session-schema-1"
OLD_ID = "2026-11-30T09-05-12-gpu-hm-screen"


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        return json.loads(self.stdout)


Program = Callable[..., Ran]


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    return tmp_path / "录音"


@pytest.fixture
def session(recordings: Path) -> str:
    """A minute and a half of a real round's name, on paper."""
    return keep(recordings, header("gpu-hm-screen", "hiring-manager", "2026-12-01T09:00:00Z"), ladder().log)


@pytest.fixture
def voiceprep(recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    def run(*arguments: str) -> Ran:
        monkeypatch.setenv("VOICEPREP_RECORDINGS", str(recordings))
        monkeypatch.setenv("VOICEPREP_HOME", str(recordings.parent / "home"))
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setattr(sys, "argv", ["voiceprep", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as end:
            main.run()
        assert isinstance(end.value.code, int)
        return Ran(end.value.code, *capsys.readouterr())

    return run


def test_the_page_says_what_happened_and_review_json_is_written_anew(
    voiceprep: Program, session: str, recordings: Path
) -> None:
    assert kept(recordings / session) == {}
    ran = voiceprep("review", session)
    assert (ran.code, ran.stderr) == (0, "")
    for part in ("What happened", "Three things that mattered", "Practise next", "How long each claim held", "gpu"):
        assert part.lower() in ran.stdout.lower()
    assert "Transcript" not in ran.stdout
    document = kept(recordings / session)
    assert document["facts"]["id"] == session
    assert stat.S_IMODE((recordings / session / "review.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"overall": None, "dimensions": [], "reasons": ["only 0:47 of speech"]}, "Not scored: only 0:47 of speech"),
        ({"overall": None, "dimensions": [], "reasons": []}, ""),
    ],
)
def test_where_nothing_is_scored_the_page_says_why_or_nothing(
    voiceprep: Program, session: str, recordings: Path, scores: dict[str, Any], said: str
) -> None:
    (recordings / session / "review.json").write_text(json.dumps({"scores": scores}))
    out = " ".join(voiceprep("review", session).stdout.split())
    assert ("Scores with their evidence" in out) is bool(said)
    assert said in out


def test_where_nothing_is_advised_there_is_no_heading_for_it(
    voiceprep: Program, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voiceprep.review.page.advice", lambda *_: ())
    assert "Practise next" not in voiceprep("review", session).stdout


def test_json_is_one_document(voiceprep: Program, session: str) -> None:
    document = voiceprep("review", "latest", "--json").document
    assert document["schema"] == 1
    assert document["facts"]["id"] == session
    assert len(document["story"]) == 5
    assert document["threads"][0]["steps"]


def test_the_transcript_comes_with_its_annotations_and_corrections(voiceprep: Program, session: str) -> None:
    assert voiceprep("annotate", session, "--words", "1-2", "--correct", "we chose").code == 0
    assert voiceprep("annotate", session, "--at", "4", "--note", "先说[red]数字\x1b[31m").code == 0
    ran = voiceprep("review", session, "--all")
    assert "Well we chose to drop" in " ".join(ran.stdout.split())
    assert "先说[red]数字" in ran.stdout
    assert "\x1b" not in ran.stdout


def test_in_chinese_when_asked_for(voiceprep: Program, session: str, recordings: Path) -> None:
    assert "接下来练什么" in voiceprep("review", session, "--lang", "zh").stdout
    assert kept(recordings / session)["tongue"] == "en"  # what is kept is in the session's own language
    assert voiceprep("review", session, "--lang", "fr").code == 2


@pytest.mark.parametrize(("name", "begins"), [("p.png", b"\x89PNG"), ("p.SVG", b"<?xml")])
def test_a_picture_is_drawn(voiceprep: Program, session: str, tmp_path: Path, name: str, begins: bytes) -> None:
    ran = voiceprep("review", session, "--picture", str(tmp_path / name), "--dark")
    assert (ran.code, ran.stdout) == (0, "")
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_picture_that_cannot_be_drawn_is_wrong_usage(voiceprep: Program, session: str, tmp_path: Path) -> None:
    assert "neither .png nor .svg" in voiceprep("review", session, "--picture", "p.bmp").stderr
    ran = voiceprep("review", session, "--picture", str(tmp_path / "no" / "p.png"))
    assert ran.code == 2
    assert "cannot write" in ran.stderr


def test_the_quiz_needs_somebody_to_ask(voiceprep: Program, session: str) -> None:
    assert "gave no micro-signals" in voiceprep("review", session, "--quiz").stderr


def test_an_old_session_and_one_that_broke_off_can_be_reviewed(voiceprep: Program, recordings: Path) -> None:
    shutil.copytree(OLD, recordings / OLD_ID)
    assert voiceprep("review", OLD_ID).code == 0
    log = [event for event in ladder().log if not isinstance(event, SessionEnded)]
    broken = keep(recordings, header("gpu-hm-screen", "hiring-manager", "2026-12-02T09:00:00Z"), log, crashed=True)
    ran = voiceprep("review", broken)
    assert ran.code == 0
    assert "it broke off" in " ".join(ran.stdout.split())


def test_what_is_shown_of_a_session_that_still_runs_is_said_to_be_a_part(
    voiceprep: Program, session: str, recordings: Path
) -> None:
    lock = take(recordings / session)
    commands = (["review", session, "--brief"], ["export", session, "--to", "json"])
    assert all("still running" in voiceprep(*command).stderr for command in commands)
    free(lock)
    assert not any("still running" in voiceprep(*command).stderr for command in commands)


def test_annotations_from_end_to_end(voiceprep: Program, session: str, recordings: Path) -> None:
    added = voiceprep("annotate", session, "--at", "4.5", "--note", "say the number first", "--json").document
    assert added["annotation"]["id"] == "n1"
    label = voiceprep("annotate", session, "--words", "2-3", "--label", "claim", "--json").document["annotation"]
    assert (label["anchor"]["first"], label["anchor"]["last"], label["anchor"]["quote"]) == (2, 3, "decided to")
    assert voiceprep("annotate", session, "--at", "5", "--until", "7", "--star", "--json").document["annotation"]["id"] == "n3"
    assert voiceprep("annotate", session, "--edit", "n1", "--note", "later").code == 0
    assert voiceprep("annotate", session, "--remove", "n3").code == 0
    assert voiceprep("annotate", session, "--undo", "--json").document["change"]["op"] == "remove"
    listed = voiceprep("annotate", session, "--list", "--json").document
    mine = {each["id"]: each for each in listed["annotations"] if each["layer"] == "user"}
    assert {name: each["text"] for name, each in mine.items()} == {"n1": "later", "n2": "claim", "n3": ""}
    assert (listed["undo"], listed["redo"]) == (True, True)
    assert {each["layer"] for each in listed["annotations"]} == {"machine", "user"}
    fold = json.loads((recordings / session / "annotations.json").read_text(encoding="utf-8"))
    assert [each["id"] for each in fold] == [name for name in mine if mine[name]]
    assert "later" in voiceprep("annotate", session, "--list").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say what to do"),
        (["--star"], "say where"),
        (["--star", "--undo"], "too much"),
        (["--at", "9999", "--star"], "no place in a recording"),
        (["--at", "nan", "--star"], "no place in a recording"),
        (["--at", "9", "--until", "3", "--star"], "no place in a recording"),
        (["--at", "1", "--words", "2", "--star"], "either a time or words"),
        (["--until", "3", "--star"], "needs --at"),
        (["--words", "5000", "--star"], "no words 5000"),
        (["--words", "x-3", "--star"], "not like 10"),
        (["--at", "1", "--note", " "], "says nothing"),
        (["--at", "1", "--correct", "x"], "stands on words"),
        (["--edit", "n9", "--note", "x"], "no annotation 'n9'"),
        (["--edit", "n9"], "say what to change"),
        (["--undo"], "nothing to undo"),
    ],
)
def test_wrong_usage_is_said_in_one_line(voiceprep: Program, session: str, arguments: list[str], said: str) -> None:
    ran = voiceprep("annotate", session, *arguments)
    assert ran.code == 2
    assert said in ran.stderr
    assert ran.stdout == ""


def test_a_session_that_there_is_not(voiceprep: Program, session: str) -> None:
    assert voiceprep("review", "nowhere").code == 2
    assert voiceprep("annotate", "nowhere", "--undo").code == 2


def test_the_review_of_a_session_that_has_just_ended_reaches_nobody_when_it_fails(
    session: str, recordings: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_review(recordings / session)
    assert kept(recordings / session)["facts"]["id"] == session

    def fails(_: Path) -> None:
        raise ValueError("what the candidate said")

    monkeypatch.setattr("voiceprep.review.page.review_of", fails)
    keep_review(recordings / session)
    assert "no review of" in caplog.text


def test_a_signal_is_guessed_and_kept(
    voiceprep: Program, recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = keep(recordings, header("gpu-hm-screen", "hiring-manager", "2026-12-01T09:00:00Z"), quizzed().log)
    assert "nobody can be asked" in voiceprep("review", session, "--quiz").stderr
    keys = io.StringIO("1\n1\n")
    monkeypatch.setattr(keys, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keys)
    recover(recordings)
    review.review(session, quiz=True)
    assert "1/2" in capsys.readouterr().out
    quiz = voiceprep("review", session, "--json").document["quiz"]
    assert [(item["reading"], item["right"]) for item in quiz] == [("on-track", True), ("on-track", False)]
