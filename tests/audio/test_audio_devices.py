"""Which device or file is meant, and what is said when there is none: against a stand-in for the PortAudio module."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import noise
from voiceprep.audio import devices
from voiceprep.audio.base import RATE
from voiceprep.audio.microphone import MicrophoneSource
from voiceprep.audio.sink_file import FileSink
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.source_file import FileSource
from voiceprep.audio.speaker import SpeakerSink
from voiceprep.errors import BadInputError, MissingError, UsageError


class PortAudioError(Exception):
    pass


class FakePortAudio:
    """The part of the sounddevice module that is used, with devices of the test's choice."""

    PortAudioError = PortAudioError

    def __init__(self, *names: str, default: int = 0, failure: tuple[Any, ...] | None = None) -> None:
        self.rows = [
            {
                "index": index,
                "name": name,
                "default_samplerate": 44_100.0,
                "max_input_channels": 1,
                "max_output_channels": 6,
            }
            for index, name in enumerate(names)
        ]
        self.default = SimpleNamespace(device={"input": default, "output": default})
        self.failure = failure
        self.opened: list[dict[str, Any]] = []

    def query_devices(self) -> list[dict[str, Any]]:
        return self.rows

    def check_input_settings(self, **settings: Any) -> None:
        self._open(settings)

    def _open(self, settings: dict[str, Any]) -> SimpleNamespace:
        if self.failure is not None:
            raise PortAudioError(*self.failure)
        self.opened.append(settings)
        return SimpleNamespace(latency=0.1, start=lambda: None, close=lambda **_: None)

    check_output_settings = check_input_settings

    def InputStream(self, **settings: Any) -> SimpleNamespace:  # noqa: N802 - the library's name
        return self._open(settings)

    OutputStream = InputStream


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(module: FakePortAudio) -> FakePortAudio:
        monkeypatch.setitem(sys.modules, "sounddevice", module)
        return module

    return use


def quiet(_code: str, _message: str) -> None:
    pass


def test_devices_are_listed_with_their_own_rate(install: Any) -> None:
    install(FakePortAudio("Built-in", "USB Headset", default=1))
    assert devices.inputs() == [
        devices.Device(0, "Built-in", 44_100, 1, default=False),
        devices.Device(1, "USB Headset", 44_100, 1, default=True),
    ]
    assert [device.channels for device in devices.outputs()] == [6, 6]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", "USB Headset"),
        ("headset", "USB Headset"),
        ("built", "Built-in USB"),
        ("usb", "USB Headset"),
        ("USB", "USB Headset"),
    ],
)
def test_a_device_is_found_by_a_part_of_its_name(install: Any, wanted: str, found: str) -> None:
    install(FakePortAudio("Built-in USB", "USB Headset", "USB Headset Pro", default=1))
    assert devices.find("input", wanted).name == found


def test_an_exact_name_comes_before_the_default(install: Any) -> None:
    install(FakePortAudio("USB Headset Pro", "usb headset", default=0))
    assert devices.find("input", "USB Headset").index == 1


def test_an_unknown_name_is_answered_with_what_there_is(install: Any) -> None:
    install(FakePortAudio("Built-in", "USB Headset"))
    with pytest.raises(MissingError) as caught:
        devices.find("input", "Rode")
    assert caught.value.code == "no-such-microphone"
    assert "Rode" in caught.value.message
    assert caught.value.hint == "There are: Built-in, USB Headset"


def test_a_machine_without_devices_says_so(install: Any) -> None:
    install(FakePortAudio(default=-1))
    for kind, code in (("input", "no-microphone"), ("output", "no-speaker")):
        with pytest.raises(MissingError) as caught:
            devices.find(kind)  # type: ignore[arg-type]  # a str from the tuple above
        assert caught.value.code == code
        assert caught.value.exit_code == 3
    assert devices.has_microphone() == (False, "this machine has no microphone")
    assert devices.has_speaker() == (False, "this machine has no speaker")


def test_without_portaudio_the_way_to_mend_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingError) as caught:
        devices.inputs()
    assert caught.value.code == "no-portaudio"
    assert "apt-get install libportaudio2" in caught.value.hint
    there, reason = devices.has_microphone()
    assert not there
    assert "PortAudio" in reason


@pytest.mark.parametrize(
    ("failure", "code", "words"),
    [
        (("Error opening InputStream", -9985), "microphone-busy", "is busy"),
        (("Error opening InputStream", -9997), "microphone-rate", "refuses 44100 Hz"),
        (("Error opening InputStream", -9998), "microphone-rate", "refuses its own channels"),
        (("Error opening InputStream", -9996), "no-microphone", "is gone"),
        (("Error opening InputStream: Unanticipated host error", -9999), "microphone-failed", "Unanticipated host error"),
        (("Error querying device -1",), "microphone-failed", "Error querying device -1"),
    ],
)
def test_what_portaudio_refuses_is_said_in_plain_words(install: Any, failure: tuple[Any, ...], code: str, words: str) -> None:
    install(FakePortAudio("Built-in", failure=failure))
    with pytest.raises(MissingError) as caught:
        devices.open_source("", "live", quiet)
    assert caught.value.code == code
    assert words in caught.value.message
    assert "Built-in" in caught.value.message
    assert caught.value.hint
    assert devices.has_microphone() == (False, caught.value.message)


def test_asking_for_a_microphone_never_raises(install: Any) -> None:
    module = install(FakePortAudio("Built-in"))
    assert devices.has_microphone() == (True, "Built-in")
    module.query_devices = lambda: 1 / 0
    there, reason = devices.has_microphone()
    assert not there
    assert reason


def test_devices_are_opened_apart_at_their_own_rate(install: Any) -> None:
    module = install(FakePortAudio("Built-in"))
    assert isinstance(devices.open_source("built", "live", quiet), MicrophoneSource)
    assert isinstance(devices.open_sink(""), SpeakerSink)
    microphone, speaker = module.opened
    for settings, channels in ((microphone, 1), (speaker, 2)):
        assert settings["samplerate"] == 44_100
        assert settings["latency"] == 0.1
        assert settings["channels"] == channels


def test_the_speaker_fills_every_channel(install: Any) -> None:
    module = install(FakePortAudio("Built-in"))
    sink = devices.open_sink("")
    sink.write(noise(0.5, 24_000))
    frames = np.zeros((4_410, 2), np.float32)
    module.opened[0]["callback"](frames, 4_410, None, None)
    assert frames.any()
    np.testing.assert_array_equal(frames[:, 0], frames[:, 1])


def test_a_file_is_taken_for_a_microphone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    soundfile.write(tmp_path / "answer.wav", noise(0.1), RATE)
    (tmp_path / "answer").write_bytes((tmp_path / "answer.wav").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for wanted in (str(tmp_path / "answer.wav"), "answer.wav", "./answer", "answer", "~/answer.wav"):
        source = devices.open_source(wanted, "fast", quiet)
        assert isinstance(source, FileSource)
    for wanted in ("typo.wav", "./nothing", "typo.MP3", "folder/"):
        with pytest.raises(BadInputError, match="does not exist"):
            devices.open_source(wanted, "fast", quiet)


async def test_speakers_that_are_no_device(tmp_path: Path) -> None:
    assert isinstance(devices.open_sink("none"), NullSink)
    sink = devices.open_sink(str(tmp_path / "out.WAV"))
    assert isinstance(sink, FileSink)
    await sink.close()
    for wanted in ("out.mp3", str(tmp_path / "out"), str(tmp_path / "missing" / "out.wav"), str(tmp_path / "a\0.wav")):
        with pytest.raises(UsageError) as caught:
            devices.open_sink(wanted)
        assert caught.value.code == "cannot-write"
        assert caught.value.exit_code == 2
