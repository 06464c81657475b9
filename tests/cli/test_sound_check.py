"""`voiceprep sound-check` on files, and its offer before a first round; tests/audio has it on a real sound card."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import noise, silence
from tests.soundcard import SoundCard
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.cli import sound_check as command
from voiceprep.errors import MissingError
from voiceprep.store import own_voice

FIELDS = {"level_dbfs", "peak_dbfs", "noise_dbfs", "clipped_share", "zeros", "voiced_seconds", "verdict"}


def program(*arguments: str, home: Path, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voiceprep", "sound-check", *arguments],
        env=(environment or dict(os.environ)) | {"VOICEPREP_HOME": str(home), "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def wav(path: Path, sound: Samples) -> str:
    soundfile.write(path, sound, RATE, subtype="PCM_16")
    return str(path)


def verdicts(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {verdict["name"]: verdict for verdict in document["verdict"]}


@pytest.mark.models
def test_a_file_is_judged_and_the_document_has_its_fields(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    sound = spoken("I would start with the failure that I have seen most often.")
    sound = np.concatenate((silence(0.5), sound, silence(0.5)))
    done = program("--mic", wav(tmp_path / "me.wav", sound + noise(20.0, level=0.001)[: len(sound)]), "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document) == FIELDS
    assert set(verdicts(document)) == {"sound", "level", "clipping", "noise", "hum"}
    assert all(set(verdict) == {"name", "ok", "detail", "fix"} for verdict in document["verdict"])
    assert verdicts(document)["level"]["ok"]
    assert document["zeros"] is False
    assert document["voiced_seconds"] > 1.0


@pytest.mark.models
def test_case_056_zeros_are_told_with_what_to_do(tmp_path: Path) -> None:
    path = wav(tmp_path / "mute.wav", silence(10.0))
    document = json.loads(program("--mic", path, "--json", home=tmp_path).stdout)
    assert document["zeros"] is True
    assert not verdicts(document)["sound"]["ok"]
    done = program("--mic", path, "--speaker", "none", home=tmp_path)
    assert done.returncode == 0
    assert "muted" in done.stdout
    assert "→" in done.stdout


@pytest.mark.models
def test_only_so_many_seconds_are_listened_to_and_they_are_played_back(tmp_path: Path) -> None:
    out = tmp_path / "back.wav"
    done = program(
        "--mic", wav(tmp_path / "hiss.wav", noise(4.0)), "--speaker", str(out), "--seconds", "1", "--json", home=tmp_path
    )
    assert done.returncode == 0, done.stderr
    played, rate = soundfile.read(out)
    assert rate == VOICE_RATE
    assert len(played) / rate == pytest.approx(1.0, abs=0.05)
    assert np.std(played) > 0.01


def test_wrong_words_end_without_a_traceback(tmp_path: Path) -> None:
    missing = program("--mic", str(tmp_path / "none.wav"), home=tmp_path)
    assert missing.returncode == 4
    assert "none.wav" in missing.stderr
    usage = program("--seconds", "0", home=tmp_path)
    assert usage.returncode == 2
    for done in (missing, usage):
        assert "Traceback" not in done.stderr


@pytest.mark.sound
@pytest.mark.models
def test_a_device_is_listened_to_and_heard_through_the_card(sound_card: SoundCard, tmp_path: Path) -> None:
    speak = ["paplay", "--device=vmic_in", wav(tmp_path / "hiss.wav", noise(60.0))]
    with subprocess.Popen(speak, env=sound_card.environment, stderr=subprocess.DEVNULL) as speaking:
        with sound_card.listening() as recording:
            done = program("--seconds", "2", home=tmp_path, environment=sound_card.environment)
        speaking.kill()
    assert done.returncode == 0, done.stderr
    assert "Speak now" in done.stderr
    assert recording.samples.any()
    assert "level" in done.stdout
    assert "speaker" in done.stdout


class TestOffer:
    """Before a first round with a microphone. Nobody has to press anything, and nobody is asked twice."""

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
        self.found: list[str] = ["desk microphone"]
        self.checked: list[tuple[str, str, float]] = []

        class Found:
            def __init__(self, name: str) -> None:
                self.name = name

        async def check(mic: str, speaker: str, seconds: float) -> tuple[None, list[Any]]:
            self.checked.append((mic, speaker, seconds))
            return None, []

        monkeypatch.setattr("voiceprep.audio.devices.find", lambda _kind, _name: Found(self.found[-1]))
        monkeypatch.setattr(command, "check", check)

    def offer(self, monkeypatch: pytest.MonkeyPatch, typed: bytes) -> None:
        """Run it in a terminal at which this has been typed."""
        ours, theirs = pty.openpty()
        with os.fdopen(theirs, "r") as terminal:
            monkeypatch.setattr(sys, "stdin", terminal)

            async def main() -> None:
                asyncio.get_running_loop().call_later(0.05, lambda: os.write(ours, typed) if typed else None)
                await command.offer("desk", "none")

            asyncio.run(main())
        os.close(ours)

    def test_its_key_starts_it_and_it_is_offered_once(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.offer(monkeypatch, b"c")
        assert self.checked == [("desk", "none", 10.0)]
        assert "desk microphone" in capsys.readouterr().err
        self.offer(monkeypatch, b"c")
        assert len(self.checked) == 1
        assert capsys.readouterr().err == ""
        self.found.append("headset")
        self.offer(monkeypatch, b"c")
        assert len(self.checked) == 2

    @pytest.mark.parametrize("typed", [b"s", b"\n", b" ", b""])
    def test_it_is_skipped(self, monkeypatch: pytest.MonkeyPatch, typed: bytes) -> None:
        monkeypatch.setattr(command, "OFFER", 0.5 if not typed else 30.0)
        self.offer(monkeypatch, typed)
        assert self.checked == []

    def test_without_a_terminal_nothing_is_offered(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        with (tmp_path / "empty").open("w+") as pipe:
            monkeypatch.setattr(sys, "stdin", pipe)
            asyncio.run(command.offer("desk", "none"))
        assert self.checked == []

    def test_a_missing_microphone_is_told_by_who_opens_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def none(_kind: str, _name: str) -> None:
            raise MissingError("no microphone here", code="no-microphone")

        monkeypatch.setattr("voiceprep.audio.devices.find", none)
        with pytest.raises(MissingError):
            asyncio.run(command.offer("desk", "none"))


@pytest.mark.parametrize("as_json", [False, True])
def test_both_are_forgotten_at_once(tmp_path: Path, as_json: bool) -> None:
    own_voice.keep(tmp_path, (1.0, *[0.0] * 255))
    told = program("--forget-pace", "--forget-voice", *(["--json"] if as_json else []), home=tmp_path)
    assert told.returncode == 0
    assert own_voice.load(tmp_path) is None
    assert not (tmp_path / own_voice.NAME).exists()
    if as_json:
        assert json.loads(told.stdout) == {"forgotten": {"own_pace": False, "own_voice": True}}
    else:
        assert told.stdout.splitlines() == ["no minute of a sound check was kept", "how your voice sounds is forgotten"]


@pytest.mark.parametrize(
    "options",
    [
        ("--own-pace", "--forget-pace"),
        ("--own-pace", "--forget-voice"),
        ("--own-voice", "--forget-voice"),
        ("--own-voice", "--own-pace"),
    ],
)
def test_something_is_measured_or_forgotten_not_both(tmp_path: Path, options: tuple[str, ...]) -> None:
    told = program(*options, home=tmp_path)
    assert told.returncode == 2
    assert "one of them" in " ".join(told.stderr.split())
    assert told.stdout == ""
