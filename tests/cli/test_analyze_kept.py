"""`voiceprep analyze --save`: what it prints is what it keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_redecode import run, speaking
from tests.review.test_analysis import Loudness, recording
from voiceprep.store import review_file


def test_the_scores_that_were_printed_are_kept_with_the_review(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    speaking(monkeypatch, "I decided speech gets the nights and vision lost its overnight runs that was the price")
    audio = recording(tmp_path, 1.0, 20.0, 1.0, 20.0, 1.0)
    done = run("analyze", str(audio), "--save", "--round", "gpu-hm-screen", "--question", "recent-project", "--json")
    assert done.exit_code == 0, done.exception
    printed = json.loads(done.stdout)
    kept = review_file.kept(tmp_path / "home" / "recordings" / printed["session"])
    assert kept["scores"] == printed["scores"]
    assert kept["scores"]["question"] == "recent-project"
    assert kept["facts"]["id"] == printed["session"]
