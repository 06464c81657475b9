"""PortAudio looked at anew, against a stand-in for the module that forgets nothing until it is started again."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from voiceprep.audio import portaudio
from voiceprep.audio.base import Samples
from voiceprep.audio.portaudio import Device
from voiceprep.errors import MissingError


class PortAudioError(Exception):
    pass


class FakeStream:
    def __init__(self, module: FakePortAudio, settings: dict[str, Any]) -> None:
        self.module, self.settings = module, settings
        self.latency = 0.1
        self.started = self.closed = False

    def start(self) -> None:
        self.started = True

    def close(self, **_: Any) -> None:
        assert self.module.running, "closed after PortAudio was"
        self.closed = True


class FakePortAudio:
    """`plugged` are the names of what is plugged in; PortAudio sees what was when it started. `broken`: nothing opens until
    then."""

    PortAudioError = PortAudioError

    def __init__(self, *plugged: str) -> None:
        self.plugged = list(plugged)
        self.seen = list(plugged)
        self.running, self.broken = True, False
        self.opened: list[FakeStream] = []
        self.default = SimpleNamespace(device={"input": 0, "output": 0})

    def query_devices(self) -> list[dict[str, Any]]:
        assert self.running
        rates = {"headset": 16_000.0}
        return [
            {
                "index": index,
                "name": name,
                "default_samplerate": rates.get(name, 48_000.0),
                "max_input_channels": 1,
                "max_output_channels": 1,
            }
            for index, name in enumerate(self.seen)
        ]

    def _terminate(self) -> None:
        assert all(stream.closed for stream in self.opened), "an open stream does not survive"
        self.running = False

    def _initialize(self) -> None:
        self.seen, self.running, self.broken = list(self.plugged), True, False

    def _open(self, **settings: Any) -> FakeStream:
        if self.broken or self.seen[settings["device"]] not in self.plugged:
            raise PortAudioError("Internal PortAudio error", -9986)
        self.opened.append(FakeStream(self, settings))
        return self.opened[-1]

    InputStream = OutputStream = _open

    def unplug(self, name: str) -> None:
        self.plugged.remove(name)


Use = Any


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    monkeypatch.setattr(portaudio, "_open", [])

    def install(*plugged: str) -> FakePortAudio:
        module = FakePortAudio(*plugged)
        monkeypatch.setitem(sys.modules, "sounddevice", module)
        return module

    return install


def hear(_samples: Samples, _time: float, _overflowed: bool) -> None:
    pass


def microphone(name: str) -> Device:
    return next(device for device in portaudio.devices("input") if device.name == name)


def test_case_054_an_opening_that_fails_until_portaudio_starts_anew(use: Use) -> None:
    module = use("built-in", "usb")
    usb = microphone("usb")
    stream = portaudio.open_input(usb, hear)
    stream.start()
    module.broken = True
    stream.close()
    with pytest.raises(MissingError) as refused:
        portaudio.open_input(usb, hear)
    assert refused.value.code == "microphone-failed"
    again = portaudio.open_input(portaudio.seek_input(usb), hear)
    again.start()
    assert module.opened[-1].started


def test_what_was_plugged_in_again_is_found_at_its_new_place(use: Use) -> None:
    module = use("built-in", "usb (hw:1,0)")
    usb = microphone("usb (hw:1,0)")
    module.plugged = ["webcam", "built-in", "usb (hw:2,0)"]
    found = portaudio.seek_input(usb)
    assert (found.index, found.name) == (2, "usb (hw:2,0)")


def test_without_it_the_systems_choice_is_taken_at_its_own_rate(use: Use) -> None:
    module = use("usb", "headset")
    usb = microphone("usb")
    module.unplug("usb")
    found = portaudio.seek_input(usb)
    assert (found.name, found.rate) == ("headset", 16_000)
    module.unplug("headset")
    with pytest.raises(MissingError, match="microphone usb is gone"):
        portaudio.seek_input(usb)


def test_looking_anew_costs_the_other_streams_a_moment_only(use: Use) -> None:
    """The speaker lives in the same PortAudio: it is closed for it, and goes on where its device is now."""
    module = use("usb", "speaker")
    usb, out = microphone("usb"), portaudio.devices("output")[1]
    speaker = portaudio.open_output(out, lambda count: np.zeros(count, np.float32))
    speaker.start()
    module.plugged = ["speaker"]
    portaudio.seek_input(usb)
    first, second = module.opened
    assert first.closed
    assert second.started
    assert second.settings["device"] == 0
    speaker.close()
    assert second.closed
    portaudio.renew()
    assert len(module.opened) == 2  # what was closed stays closed


def test_a_microphone_that_goes_on_says_that_something_is_missing(use: Use) -> None:
    module = use("usb")
    heard: list[bool] = []
    stream = portaudio.open_input(microphone("usb"), lambda _samples, _time, overflowed: heard.append(overflowed))
    stream.start()

    def call() -> None:
        frames, status = np.zeros((8, 1), np.float32), SimpleNamespace(input_overflow=False)
        module.opened[-1].settings["callback"](frames, 8, SimpleNamespace(inputBufferAdcTime=0.0), status)

    call()
    portaudio.renew()
    call()
    call()
    assert heard == [False, True, False]


def test_a_stream_whose_device_is_gone_stays_dead_without_an_error(use: Use) -> None:
    module = use("usb", "built-in")
    stream = portaudio.open_input(microphone("usb"), hear)
    stream.start()
    module.unplug("usb")
    portaudio.renew()
    assert len(module.opened) == 1
    with pytest.raises(MissingError, match="is gone"):
        stream.start()
    stream.close()


@pytest.mark.parametrize("number", [-9985, -9996, -9997])
def test_case_055_a_device_that_cannot_be_opened_is_told_in_plain_words(use: Use, number: int) -> None:
    module = use("usb")
    usb = microphone("usb")

    def refuse(**_: Any) -> None:
        raise PortAudioError("Error opening Stream", number)

    module.InputStream = refuse
    with pytest.raises(MissingError, match="microphone usb") as refused:
        portaudio.open_input(usb, hear)
    assert refused.value.hint
    assert portaudio._open == []
