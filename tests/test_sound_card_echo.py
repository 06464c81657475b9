"""A whole session in a room where the speaker is heard at the microphone: on the virtual card one is looped to the other."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.table import of_kind
from tests.soundcard import SPEAKER_RATE, SoundCard
from tests.test_end_to_end import environment, log_of, silence, wav
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import (
    Event,
    Interrupted,
    SpeakingFinished,
    SpeakingStarted,
    TurnStarted,
    VoiceStarted,
    WordsCommitted,
)
from voiceprep.store.header import Header

pytestmark = [pytest.mark.models, pytest.mark.sound, pytest.mark.timeout(600)]

INTERRUPTION = "Excuse me, may I stop you there? I would like to understand the question before you go on with it, please."


@contextmanager
def looped(card: SoundCard, *, volume: float, milliseconds: int = 50) -> Iterator[None]:
    """The microphone hears the speaker, `volume` (1 = as loud) and so much later."""

    def pactl(*arguments: str) -> str:
        done = subprocess.run(
            ["pactl", *arguments], env=card.environment, check=True, capture_output=True, text=True, timeout=30
        )
        return done.stdout

    loop = ["module-loopback", "source=vspk.monitor", "sink=vmic_in", f"latency_msec={milliseconds}"]
    module = pactl("load-module", *loop).strip()
    try:
        stream = next(
            line.split()[0] for line in pactl("list", "short", "sink-inputs").splitlines() if "module-loopback" in line
        )
        # PulseAudio's scale is cubic: this is the volume as a factor of the samples.
        pactl("set-sink-input-volume", stream, str(round(65_536 * volume ** (1 / 3))))
        yield
    finally:
        pactl("unload-module", module)


class Practice:
    """The program, in a session on the card."""

    def __init__(self, card: SoundCard, recordings: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", *options],
            env=environment(recordings, card.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        self._recordings = recordings
        self.lines: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()

    def spoken(self, count: int = 1) -> None:
        """Until the interviewer has begun to speak so many times."""
        assert self._process.stdout is not None
        while sum("Dana:" in line for line in self.lines) < count:
            line = self._process.stdout.readline()
            assert line, "".join(self.lines)
            self.lines.append(line)

    def end(self) -> tuple[Header, list[Event]]:
        self._process.send_signal(signal.SIGINT)
        assert self._process.stdout is not None
        self.lines += self._process.stdout.readlines()
        assert self._process.wait(60) == 0, "".join(self.lines)
        return log_of(self._recordings, "latest")


def candidates(events: list[Event]) -> list[Event]:
    """Everything that was taken for the candidate."""
    return [
        e
        for e in events
        if (isinstance(e, VoiceStarted | TurnStarted) and e.speaker == "candidate")
        or isinstance(e, WordsCommitted | Interrupted)
    ]


def onset(recording: Samples, voice: Samples) -> float:
    """Seconds into the recording at which `voice` begins in it."""
    size = len(recording) + len(voice)
    there = np.fft.irfft(np.fft.rfft(recording, size) * np.conj(np.fft.rfft(voice, size)), size)[: len(recording)]
    return (int(np.argmax(there)) + int(np.flatnonzero(np.abs(voice) > 0.01)[0])) / RATE


@pytest.mark.parametrize(("duplex", "says"), [("auto", "cancelled"), ("half", "half duplex")])
def test_case_073_the_interviewer_does_not_hear_itself(tmp_path: Path, sound_card: SoundCard, duplex: str, says: str) -> None:
    with (
        looped(sound_card, volume=0.5),
        sound_card.listening() as speaker,
        Practice(sound_card, tmp_path, "--duplex", duplex, "--stt", "off") as practice,
    ):
        practice.spoken()
        speaker.wait_for_more(16 * SPEAKER_RATE)  # the opening question, and silence after it
        header, events = practice.end()
    assert header.models["echo"].startswith(says)
    assert any(f"echo: {says}" in line for line in practice.lines)
    assert float(np.abs(speaker.samples).max()) > 0.1
    assert [e.complete for e in of_kind(events, SpeakingFinished)] == [True]
    assert candidates(events) == []


def test_the_candidate_interrupts_on_loudspeakers(
    tmp_path: Path, sound_card: SoundCard, spoken: Callable[[str], Samples]
) -> None:
    """In spite of the echo the candidate is heard over the interviewer, who falls silent, and no word of the echo is kept."""
    voice = wav(tmp_path / "interruption.wav", spoken(INTERRUPTION), silence(1.0))
    with (
        looped(sound_card, volume=0.5),
        sound_card.listening() as speaker,
        Practice(sound_card, tmp_path, "--duplex", "cancel") as practice,
    ):
        practice.spoken()
        speaker.wait_for_more(6 * SPEAKER_RATE)  # well inside the opening question
        sound_card.speak(voice)
        _, events = practice.end()
    opening = of_kind(events, SpeakingStarted)[0].of
    finished = next(e for e in of_kind(events, SpeakingFinished) if e.of == opening)
    assert not finished.complete
    interruption = of_kind(events, Interrupted)[0]
    assert (interruption.who, interruption.by) == ("interviewer", "candidate")
    recording, _ = soundfile.read(next(tmp_path.glob("*/candidate.flac")), dtype="float32")
    assert interruption.media == pytest.approx(onset(recording, soundfile.read(voice, dtype="float32")[0]), abs=0.5)
    assert all(e.media >= interruption.media - 0.01 for e in of_kind(events, VoiceStarted))  # nothing was heard before
    text = " ".join(word.text for e in of_kind(events, WordsCommitted) for word in e.words).lower()
    assert "stop you there" in text
    assert "question" in text
    said = float(np.abs(speaker.samples[-SPEAKER_RATE:]).max())
    assert said < 0.01  # the last second of the speaker is silent
