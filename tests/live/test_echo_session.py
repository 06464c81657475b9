"""A session whose microphone hears the interviewer: what is recorded, what is listened to, and where it is said to be."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fakes.room import Room, speech, wav
from tests.fakes.table import of_kind
from tests.live.test_session import recorded_peak
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.echo import Heard
from voiceprep.audio.echo_probe import EchoMeasure, syllables
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.source_file import FileSource
from voiceprep.config import load
from voiceprep.core.events import AudioGap, SpeakingFinished, VoiceStarted, VoiceStopped
from voiceprep.core.units import Media
from voiceprep.live import doctor
from voiceprep.live.doctor import run_checks


@dataclass
class Halving:
    """An echo control that makes everything softer and later, and remembers what it was told."""

    mode: Any = "cancelled"
    delay: float = BLOCK / RATE
    written: int = 0
    missing: int = 0

    def __post_init__(self) -> None:
        self._before: Samples = np.zeros(BLOCK, np.float32)

    def render(self, samples: Samples, latency: float) -> None:
        self.written += len(samples)

    def dropped(self, count: int) -> None: ...

    def capture(self, samples: Samples) -> Heard:
        late, self._before = self._before, 0.5 * samples
        return Heard(late, late)

    def lost(self, count: int) -> None:
        self.missing += count


async def test_the_recording_keeps_the_microphone_and_places_are_those_of_the_recording(tmp_path: Path) -> None:
    control = Halving()
    source = FileSource(wav(tmp_path / "mic.wav", speech((1.0, False), (2.0, True), (1.0, False))), "fast")
    events = await Room(tmp_path, source, echo=control).run()
    assert recorded_peak(tmp_path) == pytest.approx(0.3, abs=0.01)
    assert of_kind(events, VoiceStarted)[0].media == pytest.approx(1.0, abs=BLOCK / RATE)
    assert of_kind(events, VoiceStopped)[0].media == pytest.approx(3.0, abs=BLOCK / RATE)
    assert control.written > 0


async def test_the_recogniser_hears_what_the_echo_control_left(tmp_path: Path) -> None:
    room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", speech((0.5, True), (1.0, False))), "fast"), echo=Halving())
    await room.run()
    recent = room.session._parts.recent
    assert float(np.abs(recent.between(Media(0.0), recent.media)).max()) == pytest.approx(0.15, abs=0.01)


async def test_what_capture_lost_is_told_to_the_echo_control(tmp_path: Path) -> None:
    control, source = Halving(), FrameSource()
    room = Room(tmp_path, source, echo=control)

    async def talk() -> None:
        source.push(np.zeros(4 * BLOCK, np.float32), 0)
        source.push(np.zeros(4 * BLOCK, np.float32), 20 * BLOCK)
        await room.watcher.seen(AudioGap)
        room.session.stop("user")

    talking = asyncio.create_task(talk())
    events = await asyncio.wait_for(room.run(), 60)
    await talking
    gap = of_kind(events, AudioGap)[0]
    assert control.missing == round((gap.end - gap.start) * RATE) == 16 * BLOCK
    assert len(of_kind(events, SpeakingFinished)) <= 1


# --- doctor -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found", "ok", "says"),
    [
        ("auto", EchoMeasure(None, None, 0.0, ""), True, "no echo, as with headphones"),
        ("auto", EchoMeasure(0.31, -12.0, 27.0, ""), True, "after 0.31 s at -12 dB; echo cancelled by 27 dB"),
        ("auto", EchoMeasure(0.31, -12.0, 4.0, ""), False, "half duplex: cancellation takes only 4 dB off"),
        ("cancel", EchoMeasure(0.31, -12.0, 0.0, "no library"), False, "half duplex: no library"),
        ("half", EchoMeasure(0.31, -12.0, 27.0, ""), True, "as set"),
        ("full", EchoMeasure(0.31, -12.0, 27.0, ""), False, "the interviewer would hear itself"),
    ],
)
def test_the_doctor_says_which_way_is_active(wanted: str, found: EchoMeasure, ok: bool, says: str) -> None:
    finding = doctor._judged(wanted, "half duplex as set", found)
    assert finding.ok is ok
    assert says in finding.detail
    assert bool(finding.fix) is not ok


def test_without_a_sound_device_the_echo_check_says_so_like_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    from voiceprep.audio import portaudio
    from voiceprep.errors import MissingError

    def lacking() -> None:
        raise MissingError("PortAudio is not installed", code="no-portaudio", hint="install it")

    monkeypatch.setattr(portaudio, "load", lacking)
    check = next(check for check in run_checks(load({}), sound=True) if check.name == "echo")
    assert (check.ok, check.needed, check.fix) == (False, False, "install it")


def test_the_noise_is_soft_and_short() -> None:
    noise = syllables()
    assert len(noise) / 24_000 <= 3.5
    assert float(np.abs(noise).max()) <= 0.05
