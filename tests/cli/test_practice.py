"""`voiceprep practice` as it is started: what is said where, before and while a session runs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]
from typer.testing import CliRunner

from tests.fakes.table import of_kind
from voiceprep import config
from voiceprep.audio.base import RATE
from voiceprep.cli.main import app
from voiceprep.cli.screen import QuietScreen
from voiceprep.core.events import EdgeFailed, FlagRaised, QuestionAsked, Reword, SessionStarted
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.intake.kept import content_of
from voiceprep.live.going_on import plan_to_go_on
from voiceprep.live.plan import Brought, Plan, Result
from voiceprep.live.practice import practise
from voiceprep.store import summary
from voiceprep.store.archive import Archive
from voiceprep.store.broken_off import where_stopped
from voiceprep.store.review_file import kept

DEAD = "http://127.0.0.1:9/v1#tiny[q4]"


def test_a_language_model_that_is_wanted_and_not_there_is_told_and_logged_with_json_too(tmp_path: Path) -> None:
    mic = tmp_path / "mic.wav"
    soundfile.write(mic, np.zeros(2 * RATE, dtype=np.float32), RATE, subtype="PCM_16")
    options = ["--mic", str(mic), "--pace", "fast", "--stt", "off", "--voice", "none", "--llm", DEAD]
    ran = subprocess.run(
        [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", *options, "--json"],
        env=os.environ | {"VOICEPREP_HOME": str(tmp_path / "home"), "VOICEPREP_RECORDINGS": str(tmp_path / "recordings")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    said = " ".join(ran.stderr.split())
    assert said.count("tiny[q4] at 127.0.0.1 words the follow-ups; nothing leaves this machine") == 1
    assert "no language model answers at http://127.0.0.1:9/v1" in said
    assert "the interviewer's own lines are used" in said
    assert json.loads(ran.stdout)["ended"] == "audio-ended"

    _, log = Archive(tmp_path / "recordings").read("latest")
    events = list(log)
    (failed,) = of_kind(events, EdgeFailed)
    assert failed.code == "model-unreachable"
    assert isinstance(events[0], SessionStarted)
    assert not of_kind(events, Reword)


@pytest.mark.parametrize("mode", ["coach", "exam"])
def test_an_exam_shows_no_flag_while_it_runs_and_keeps_them_for_the_review(tmp_path: Path, mode: str) -> None:
    mic, own = tmp_path / "mic.wav", tmp_path / "own.toml"
    soundfile.write(mic, np.zeros(20 * RATE, dtype=np.float32), RATE, subtype="PCM_16")
    own.write_text("[long_pause]\nnotice = 1\nwarning = 2\nfail = 3\n", encoding="utf-8")
    home = {"VOICEPREP_HOME": str(tmp_path / "home"), "VOICEPREP_RECORDINGS": str(tmp_path / "recordings")}
    options = ["--mic", str(mic), "--pace", "fast", "--stt", "off", "--voice", "none", "--mode", mode]
    ran = subprocess.run(
        [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", *options],
        env=os.environ | home | {"VOICEPREP_PACING_FILE": str(own)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    _, log = Archive(tmp_path / "recordings").read("latest")
    raised = of_kind(list(log), FlagRaised)
    assert [flag.level for flag in raised] == ["notice", "warning", "fail"]
    while_it_runs, over, afterwards = (ran.stdout + ran.stderr).partition("The session is over")
    assert over
    shown = [flag.advice in while_it_runs for flag in raised]
    assert shown == [mode == "coach"] * 3
    assert ("long pause" in while_it_runs) == (mode == "coach")
    assert "long pause (fail)" in afterwards


def test_options_beside_resume_are_named_and_refused(tmp_path: Path) -> None:
    options = ["--severity", "0", "--lang", "zh", "--cv", "none.pdf", "--demo", "--mic", "none.wav"]
    ran = subprocess.run(
        [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", "--resume", *options],
        env=os.environ | {"VOICEPREP_HOME": str(tmp_path / "home"), "VOICEPREP_RECORDINGS": str(tmp_path / "recordings")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 2
    said = " ".join(ran.stderr.split())
    assert "as it was held, without --lang, --severity, --cv, --demo" in said
    assert "--mic" not in said


async def test_it_is_told_as_saved_before_it_is_scored_and_no_defect_of_the_score_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr("voiceprep.review.session_scores.scores_of", defect)
    mic = tmp_path / "mic.wav"
    soundfile.write(mic, np.zeros(2 * RATE, dtype=np.float32), RATE, subtype="PCM_16")
    options = {"microphone": str(mic), "speaker": "none", "stt": "off", "voice": "none"}
    settings = config.load({}).with_arguments(**options)
    places = config.Places(home=tmp_path / "home", recordings=tmp_path / "recordings")
    seen: list[tuple[bool, bool]] = []

    def saved(result: Result) -> None:
        seen.append((summary.read(result.folder) is not None, "facts" in kept(result.folder)))

    brought = Brought(listens_to_signals=False, saved=saved)
    plan = Plan("gpu-hm-screen", pace="fast")
    result = await practise(plan, settings, places, lambda *_: QuietScreen(), lambda _: None, brought=brought)
    assert seen == [(True, False)]
    assert result.ended == "audio-ended"
    document = kept(result.folder)
    assert "facts" in document
    assert "scores" not in document


async def test_a_round_that_was_killed_goes_on(tmp_path: Path) -> None:
    """The next command says so, and begins with the question that stood there, in other words."""
    mic = tmp_path / "mic.wav"
    soundfile.write(mic, np.zeros(2 * RATE, dtype=np.float32), RATE, subtype="PCM_16")
    settings = config.load({}).with_arguments(microphone=str(mic), speaker="none", stt="off", voice="none", mode="exam")
    places = config.Places(home=tmp_path / "home", recordings=tmp_path / "recordings")
    plan = Plan("gpu-hm-screen", pace="fast", severity=1)
    quiet = Brought(listens_to_signals=False)
    killed = await practise(plan, settings, places, lambda *_: QuietScreen(), lambda _: None, brought=quiet)
    written = killed.folder / "events.jsonl"
    lines = written.read_bytes().splitlines(keepends=True)
    ending = next(n for n, line in enumerate(lines) if b'"SessionClosing"' in line)
    written.write_bytes(b"".join(lines[:ending]) + lines[ending][:20])  # as a kill leaves it
    (killed.folder / "session.json").unlink()

    command = [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", "--resume", "--json", "--pace", "fast"]
    ran = await asyncio.to_thread(
        subprocess.run,
        [*command, "--mic", str(mic), "--stt", "off", "--voice", "none"],
        env=os.environ | {"VOICEPREP_HOME": str(places.home), "VOICEPREP_RECORDINGS": str(places.recordings)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    said = " ".join(ran.stderr.split())
    assert f"session {killed.session} was interrupted" in said
    assert "go on with it: voiceprep practice gpu-hm-screen --resume" in said
    archive = Archive(places.recordings)
    header, events = archive.read(json.loads(ran.stdout)["session"])
    assert (header.resumes, header.severity, header.mode) == (killed.session, 1, "exam")
    (before,), (after,) = of_kind(list(archive.read(killed.session)[1]), QuestionAsked), of_kind(list(events), QuestionAsked)
    assert before.question == after.question
    assert before.text != after.text
    content = content_of(places.recordings / header.id, header)  # by which its flags and decisions are told anew
    assert content.round.stopped == where_stopped(places.recordings, killed.session)
    with pytest.raises(UsageError, match="is no round that broke off"):  # this one ended with its recording
        plan_to_go_on(places.recordings, header.id)


def test_without_a_microphone_it_says_once_what_else_can_speak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.setattr("voiceprep.audio.portaudio.devices", lambda _: [])
    options = ["--pace", "fast", "--stt", "off", "--voice", "none", "--speaker", "none"]
    error = CliRunner().invoke(app, ["practice", "gpu-hm-screen", *options]).exception
    said = "Connect one, or: --mic FILE lets a recording speak, --demo a demonstration candidate"
    assert str(error) == f"this machine has no microphone. {said}"


@pytest.mark.parametrize("wanted", ["nobody.wav", "a microphone of this name"])
def test_a_microphone_that_is_not_there_is_told_before_anything_that_the_machine_lacks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wanted: str
) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.setattr("voiceprep.audio.portaudio.devices", lambda _: [])
    ran = CliRunner().invoke(app, ["practice", "gpu-hm-screen", "--mic", wanted, "--stt", "off", "--voice", "none"])
    assert isinstance(ran.exception, BadInputError | MissingError)
    assert "no speaker" not in ran.stderr
