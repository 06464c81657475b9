"""The only door to PortAudio: its streams, and its failures in plain words.

`sounddevice` is imported on first use, since without the PortAudio library the import itself fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import Samples
from voiceprep.audio.samples import to_mono
from voiceprep.errors import MissingError

Kind = Literal["input", "output"]

LATENCY = 0.1
"""Seconds of the device's own buffer. Less gave underflows on a busy machine."""

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
    """Every device of that direction. Raises MissingError without PortAudio."""
    portaudio = load()
    with _plain(kind, "the sound system"):
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
    with _plain(kind, device.name, device.rate):
        settings(device=device.index, channels=_channels(device), dtype="float32", samplerate=device.rate)


def open_input(device: Device, hear: Hear) -> Stream:
    """The device, opened at its own rate and not yet started. Raises MissingError: gone, busy, refused."""

    def callback(frames: npt.NDArray[np.float32], _count: int, times: Any, status: Any) -> None:
        # The device's memory is reused as soon as this returns: to_mono makes a copy.
        hear(to_mono(frames.T), float(times.inputBufferAdcTime), bool(status.input_overflow))

    with _plain("input", device.name, device.rate):
        stream = load().InputStream(
            device=device.index,
            samplerate=device.rate,
            channels=_channels(device),
            dtype="float32",
            latency=LATENCY,
            callback=callback,
        )
    return _Stream(stream, "input", device)


def open_output(device: Device, fill: Fill) -> Stream:
    """The device, opened at its own rate and not yet started. Raises MissingError: gone, busy, refused."""

    def callback(frames: npt.NDArray[np.float32], count: int, _times: Any, _status: Any) -> None:
        frames[:] = fill(count)[:, None]

    with _plain("output", device.name, device.rate):
        stream = load().OutputStream(
            device=device.index,
            samplerate=device.rate,
            channels=_channels(device),
            dtype="float32",
            latency=LATENCY,
            callback=callback,
        )
    return _Stream(stream, "output", device)


class _Stream:
    def __init__(self, stream: Any, kind: Kind, device: Device) -> None:
        self._stream = stream
        self._kind: Kind = kind
        self._device = device
        self.latency = float(stream.latency)

    def start(self) -> None:
        with _plain(self._kind, self._device.name, self._device.rate):
            self._stream.start()

    def close(self) -> None:
        self._stream.close(ignore_errors=True)


def _channels(device: Device) -> int:
    # Many cards refuse to be opened with one channel where they have two.
    return min(device.channels, 2)


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
            _INVALID_DEVICE: (f"{word} {name} is gone", f"no-{word}", "Plug it in, or choose another device"),
            _UNAVAILABLE: (
                f"{word} {name} is busy",
                f"{word}-busy",
                "Close the program that uses it, or choose another device",
            ),
        }.get(number, (f"{word} {name} cannot be used: {error.args[0]}", f"{word}-failed", "Choose another device"))
        raise MissingError(message, code=code, hint=hint) from error
