"""The microphone and the speaker on the virtual sound card: real PortAudio, real clocks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import noise
from tests.soundcard import SPEAKER_RATE, SoundCard, likeness
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.audio.resample import Resampler

pytestmark = pytest.mark.sound

PROGRAM = [sys.executable, str(Path(__file__).with_name("through_portaudio.py"))]


def speechlike(seconds: float, rate: int) -> Samples:
    """A buzz that glides and comes in syllables, unlike itself at any shift."""
    time = np.arange(round(seconds * rate)) / rate
    pitch = 120 + 40 * np.sin(2 * np.pi * 0.7 * time) + 10 * time
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    voice = sum(np.sin(k * phase) / k for k in range(1, 12))
    syllables = np.clip(np.sin(2 * np.pi * 3.1 * time) + 0.3, 0, 1)
    return (0.2 * voice * syllables).astype(np.float32)


def at_rate(samples: Samples, source: int, target: int) -> Samples:
    resampler = Resampler(source, target)
    return np.concatenate((resampler.feed(samples), resampler.finish()))


def test_the_card_is_found_at_its_own_rate(sound_card: SoundCard) -> None:
    asked = subprocess.run([*PROGRAM, "devices"], env=sound_card.environment, capture_output=True, text=True, check=True)
    found = json.loads(asked.stdout)
    assert found["microphone"] == [True, "default"]
    assert found["speaker"] == [True, "default"]
    assert "default" in found["inputs"]


def test_what_is_spoken_arrives_and_silence_is_noticed(sound_card: SoundCard, tmp_path: Path) -> None:
    spoken = speechlike(4.0, 48_000)
    out = tmp_path / "captured.npz"
    command = [*PROGRAM, "microphone", str(out)]
    with subprocess.Popen(
        command, env=sound_card.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "capturing\n"
        # Nothing but zeros for over three seconds, then speech, then as much silence as it takes to come through.
        pause = np.zeros(4 * 48_000, np.float32)
        sound_card.speak_samples(np.concatenate((pause, spoken, pause[:48_000])), 48_000, tmp_path)
        child.communicate("", timeout=60)
    assert child.returncode == 0
    captured = np.load(out)
    assert likeness(captured["samples"], at_rate(spoken, 48_000, RATE), RATE // 2) > 0.9
    # This card gives zeros in every silence: they are lost until it has been heard, and silence afterwards.
    assert list(captured["reasons"]) == ["muted"]
    assert list(captured["troubles"]) == ["microphone-silent", "microphone-back"]


def pactl(card: SoundCard, *words: str) -> str:
    return subprocess.run(["pactl", *words], env=card.environment, capture_output=True, text=True, check=True).stdout


@contextmanager
def unplugged(card: SoundCard) -> Iterator[None]:
    """No microphone and no speaker is there while the block runs."""
    gone = [line.split("\t") for line in pactl(card, "list", "short", "modules").splitlines() if "name=v" in line]
    for number, *_ in reversed(gone):
        pactl(card, "unload-module", number)
    try:
        yield
    finally:
        for _, name, arguments, *_ in gone:
            pactl(card, "load-module", name, *arguments.split())
        pactl(card, "set-default-sink", "vspk")
        pactl(card, "set-default-source", "vmic")


def test_cases_053_054_both_devices_are_unplugged_and_come_back(sound_card: SoundCard, tmp_path: Path) -> None:
    """Real PortAudio: dead streams, openings that fail, a start anew that both directions survive."""
    out, hiss = tmp_path / "captured.npz", tmp_path / "hiss.wav"
    soundfile.write(hiss, noise(120.0, 16_000), 16_000, subtype="PCM_16")
    speak = ["paplay", "--device=vmic_in", str(hiss)]
    with subprocess.Popen(
        [*PROGRAM, "both", str(out)], env=sound_card.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        said = iter(child.stdout.readline, "")
        assert next(said) == "capturing\n"
        with subprocess.Popen(speak, env=sound_card.environment, stderr=subprocess.DEVNULL) as speaking, unplugged(sound_card):
            assert {next(said), next(said)} == {"speaker-lost\n", "microphone-lost\n"}
            speaking.kill()
        with subprocess.Popen(speak, env=sound_card.environment, stderr=subprocess.DEVNULL) as speaking:
            back = {next(said), next(said)}
            with sound_card.listening() as recording:
                pass
            child.communicate("", timeout=60)
            speaking.kill()
    assert back == {"speaker-back\n", "microphone-back\n"}
    assert child.returncode == 0
    assert recording.samples.any()
    captured = np.load(out)
    assert "stalled" in captured["reasons"]
    assert captured["samples"][-RATE:].any()
    total = (len(captured["samples"]) + int(captured["lost"])) / RATE
    assert total > float(captured["wall"]) - 0.3  # nothing was shortened


def test_what_is_played_is_heard(sound_card: SoundCard, tmp_path: Path) -> None:
    voice = speechlike(3.0, VOICE_RATE)
    path = tmp_path / "voice.wav"
    soundfile.write(path, voice, VOICE_RATE, subtype="FLOAT")
    with sound_card.listening() as recording:
        subprocess.run([*PROGRAM, "speaker", str(path)], env=sound_card.environment, check=True, timeout=60)
    assert likeness(recording.samples, at_rate(voice, VOICE_RATE, SPEAKER_RATE), SPEAKER_RATE // 2) > 0.9
    loud = np.flatnonzero(recording.samples)
    assert (loud[-1] - loud[0]) / SPEAKER_RATE >= 2.98  # the end is not cut off


def test_unrelated_sound_is_not_taken_for_the_original() -> None:
    """The measure itself: silence, noise and a wrong sample rate do not pass."""
    spoken = speechlike(3.0, RATE)
    assert likeness(np.concatenate((np.zeros(RATE, np.float32), spoken)), spoken, RATE // 2) > 0.999
    assert likeness(np.zeros(5 * RATE, np.float32), spoken, RATE // 2) < 0.5
    assert likeness(noise(5.0), spoken, RATE // 2) < 0.5
    assert likeness(at_rate(spoken, 44_100, 48_000), spoken, RATE // 2) < 0.8
