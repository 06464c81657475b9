"""The only door to PortAudio: its streams, and its failures in plain words.

`sounddevice` is imported on first use, since without the PortAudio library the import itself fails.

PortAudio looks for devices once, when it starts: what is plugged in later exists for it after `renew` only, and after some
changes (a headset switching profiles) every opening fails until then. One lock keeps the threads that open, close and renew
out of each other's way, since PortAudio itself does not.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import Samples
from voiceprep.audio.samples import to_mono
from voiceprep.errors import MissingError

Kind = Literal["input", "output"]

LATENCY = 0.1
"""Seconds of the device's own buffer. Less gave underflows on a busy machine."""

_log = logging.getLogger(__name__)

_door = threading.RLock()
"""Held by whoever opens, closes or renews. Never by a callback: closing a stream waits for its callback to return."""

_open: list[_Stream] = []
"""Every stream that is open, in this process: `renew` must close them, and opens them again."""

WORDS: dict[Kind, str] = {"input": "microphone", "output": "speaker"}


@dataclass(frozen=True, slots=True)
class Device:
    """A sound device in one direction: `rate` in Hz is its own, `default` whether the system prefers it."""

    index: int
    name: str
    rate: int
    channels: int
    default: bool


class Stream(Protocol):
    """An open device."""

    latency: float
    """Seconds between the device's callback and the air."""

    def start(self) -> None: ...

    def close(self) -> None:
        """Stop at once and release the device. Idempotent."""
        ...


Hear = Callable[[Samples, float, bool], None]
"""Takes mono samples at the device's rate, the device's time of the first one in seconds, and whether samples before it
were lost. Runs in PortAudio's thread."""

Fill = Callable[[int], Samples]
"""Returns that many mono samples at the device's rate. Runs in PortAudio's thread."""


def load() -> Any:
    """The sounddevice module. Raises MissingError when PortAudio is not on this machine."""
    try:
        import sounddevice  # type: ignore[import-untyped]  # ships no types
    except OSError as error:
        raise MissingError(
            "PortAudio, the library that reaches microphones and speakers, is not installed",
            code="no-portaudio",
            hint="Run: sudo apt-get install libportaudio2",
        ) from error
    except Exception as error:  # PortAudio's own error has no name before its module is there
        raise MissingError(
            f"PortAudio does not start: {error}", code="no-portaudio", hint="Is a sound system running?"
        ) from error
    return sounddevice


def devices(kind: Kind) -> list[Device]:
    """Every device of that direction, as PortAudio saw them when it started. Raises MissingError without PortAudio."""
    portaudio = load()
    with _door, _plain(kind, "the sound system"):
        default = portaudio.default.device[kind]
        return [
            Device(
                index=row["index"],
                name=row["name"],
                rate=round(row["default_samplerate"]),
                channels=row[f"max_{kind}_channels"],
                default=row["index"] == default,
            )
            for row in portaudio.query_devices()
            if row[f"max_{kind}_channels"] > 0
        ]


def check(kind: Kind, device: Device) -> None:
    """Ask whether the device can be opened now. Raises MissingError."""
    portaudio = load()
    settings = portaudio.check_input_settings if kind == "input" else portaudio.check_output_settings
    with _door, _plain(kind, device.name, device.rate):
        settings(device=device.index, channels=_channels(device), dtype="float32", samplerate=device.rate)


def renew() -> None:
    """Look for devices anew. Whatever is open here falls silent for a moment, and goes on with the device of its name.

    A stream whose device is gone stays dead, and its owner sees that no callback comes. Raises MissingError where the sound
    system does not start again.
    """
    portaudio = load()
    with _door:
        for stream in _open:
            stream.suspend()
        try:
            portaudio._terminate()  # noqa: SLF001 - sounddevice has no public way to look for devices again
        except portaudio.PortAudioError as error:
            _log.warning("PortAudio did not end cleanly: %s", error)
        with _plain("output", "the sound system"):
            portaudio._initialize()  # noqa: SLF001 - the other half of the line above
        for stream in _open:
            stream.resume()


def seek(kind: Kind, lost: Device) -> Device:
    """Look for devices anew: where `lost` is now, or else what the system prefers. Raises MissingError: there is none."""
    with _door:
        renew()
        there = devices(kind)
    if not there:
        raise _gone(kind, lost.name)
    return _nearest(lost, there)


def seek_input(lost: Device) -> Device:
    """`seek` for a microphone."""
    return seek("input", lost)


def seek_output(lost: Device) -> Device:
    """`seek` for a speaker."""
    return seek("output", lost)


def _nearest(lost: Device, there: list[Device]) -> Device:
    """The same name, else the same one on another place of the bus, else the system's choice."""
    return min(there, key=lambda d: (d.name != lost.name, _bare(d) != _bare(lost), not d.default))


def _bare(device: Device) -> str:
    return _PLACE.sub("", device.name)


_PLACE = re.compile(r"\s*\(hw:\d+,\d+\)")
"""ALSA numbers its cards anew when one is plugged in again."""


def open_input(device: Device, hear: Hear) -> Stream:
    """The device, opened at its own rate and not yet started. Raises MissingError: gone, busy, refused."""
    lost = False

    def make(place: Device) -> Any:
        nonlocal lost
        # Opened a second time by `renew`: what came between is lost, and the first callback says so.
        lost = place is not device

        def callback(frames: npt.NDArray[np.float32], _count: int, times: Any, status: Any) -> None:
            nonlocal lost
            overflowed, lost = lost or bool(status.input_overflow), False
            # The device's memory is reused as soon as this returns: to_mono makes a copy.
            hear(to_mono(frames.T), float(times.inputBufferAdcTime), overflowed)

        return load().InputStream(callback=callback, **_settings(place))

    return _Stream("input", device, make)


def open_output(device: Device, fill: Fill) -> Stream:
    """The device, opened at its own rate and not yet started. Raises MissingError: gone, busy, refused."""

    def callback(frames: npt.NDArray[np.float32], count: int, _times: Any, _status: Any) -> None:
        frames[:] = fill(count)[:, None]

    return _Stream("output", device, lambda place: load().OutputStream(callback=callback, **_settings(place)))


def _settings(device: Device) -> dict[str, Any]:
    return {
        "device": device.index,
        "samplerate": device.rate,
        "channels": _channels(device),
        "dtype": "float32",
        "latency": LATENCY,
    }


class _Stream:
    """An open stream that survives `renew`. `make` opens the native one on a device."""

    def __init__(self, kind: Kind, device: Device, make: Callable[[Device], Any]) -> None:
        self._kind: Kind = kind
        self._device = device
        self._make = make
        self._started = False
        with _door, _plain(kind, device.name, device.rate):
            self._native = make(device)
            _open.append(self)
        self.latency = float(self._native.latency)

    def start(self) -> None:
        with _door, _plain(self._kind, self._device.name, self._device.rate):
            self._started = True
            if self._native is None:
                raise _gone(self._kind, self._device.name)
            self._native.start()

    def close(self) -> None:
        with _door:
            if self in _open:
                _open.remove(self)
                self.suspend()

    def suspend(self) -> None:
        """Let go of the device."""
        if self._native is not None:
            self._native.close(ignore_errors=True)
            self._native = None

    def resume(self) -> None:
        """Take the device of the same name and rate again, wherever it is now. Left dead, without an error, when it is gone."""
        try:
            there = [device for device in devices(self._kind) if _bare(device) == _bare(self._device)]
            here = _nearest(self._device, there)
            with _plain(self._kind, here.name, here.rate):
                self._native = self._make(replace(here, rate=self._device.rate))
                if self._started:
                    self._native.start()
        except (MissingError, ValueError):  # ValueError: none is left
            _log.info("%s %s did not come back", WORDS[self._kind], self._device.name)


def _channels(device: Device) -> int:
    # Many cards refuse to be opened with one channel where they have two.
    return min(device.channels, 2)


def _gone(kind: Kind, name: str) -> MissingError:
    word = WORDS[kind]
    return MissingError(f"{word} {name} is gone", code=f"no-{word}", hint="Plug it in, or choose another device")


_INVALID_RATE, _INVALID_CHANNELS, _INVALID_DEVICE, _UNAVAILABLE = -9997, -9998, -9996, -9985


@contextmanager
def _plain(kind: Kind, name: str, rate: int = 0) -> Iterator[None]:
    """PortAudio's errors as ours."""
    portaudio = load()
    try:
        yield
    except portaudio.PortAudioError as error:
        word = WORDS[kind]
        number = error.args[1] if len(error.args) > 1 else 0
        message, code, hint = {
            _INVALID_RATE: (f"{word} {name} refuses {rate} Hz", f"{word}-rate", "Choose another device"),
            _INVALID_CHANNELS: (f"{word} {name} refuses its own channels", f"{word}-rate", "Choose another device"),
            _INVALID_DEVICE: (_gone(kind, name).message, f"no-{word}", _gone(kind, name).hint),
            _UNAVAILABLE: (
                f"{word} {name} is busy",
                f"{word}-busy",
                "Close the program that uses it, or choose another device",
            ),
        }.get(number, (f"{word} {name} cannot be used: {error.args[0]}", f"{word}-failed", "Choose another device"))
        raise MissingError(message, code=code, hint=hint) from error
