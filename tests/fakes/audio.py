"""Sound without devices: a simulated candidate, a sink that remembers, and a sound card that the test drives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.audio.blocks import BlockCutter
from voiceprep.audio.portaudio import Device, Fill, Hear
from voiceprep.errors import MissingError


def silence(seconds: float, rate: int = RATE) -> Samples:
    return np.zeros(round(seconds * rate), np.float32)


def noise(seconds: float, rate: int = RATE, *, level: float = 0.2, seed: int = 1) -> Samples:
    """The same white noise every time; its values are exact in PCM16, so that files give them back unchanged."""
    values = np.random.default_rng(seed).uniform(-level, level, round(seconds * rate))
    return (np.rint(values * 32_768) / 32_768).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Gap:
    """In a script: so many samples are lost here."""

    lost: int
    reason: str = "overflow"


Script = Samples | Gap


class ScriptedSource:
    """A candidate who answers when the floor opens.

    Each answer (samples, or a sequence of samples and gaps) begins `delay` seconds after a `floor_opened`; meanwhile there is
    silence. The source ends `tail` seconds after the last answer, or after `longest` seconds in all. With `waits=False` the
    answers follow each other from the start, `delay` seconds apart.
    """

    def __init__(
        self,
        answers: Iterable[Script | Sequence[Script]],
        *,
        delay: float = 0.5,
        tail: float = 1.0,
        longest: float = 7200.0,
        waits: bool = True,
        on_demand: bool = True,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.on_demand = on_demand
        self.opened = 0
        self._answers = [[item] if isinstance(item, (np.ndarray, Gap)) else list(item) for item in answers]
        self._delay, self._tail, self._waits = delay, tail, waits
        self._left = round(longest * RATE / BLOCK)
        self._floor = False
        self._closed = False

    async def blocks(self) -> AsyncIterator[Block]:
        cutter = BlockCutter()
        for answer in self._answers:
            while self._waits and not self._floor and self._left > 0:
                async for block in self._paced(cutter.feed(silence(BLOCK / RATE))):
                    yield block
            self._floor = False
            for item in [silence(self._delay), *answer]:
                cut = cutter.gap(item.lost, item.reason) if isinstance(item, Gap) else cutter.feed(item)
                async for block in self._paced(cut):
                    yield block
        async for block in self._paced(cutter.feed(silence(self._tail)) + cutter.flush()):
            yield block

    def floor_opened(self) -> None:
        self.opened += 1
        self._floor = True

    async def close(self) -> None:
        self._closed = True

    async def _paced(self, blocks: list[Block]) -> AsyncIterator[Block]:
        for block in blocks:
            await asyncio.sleep(0 if self.on_demand else BLOCK / RATE)
            self._left -= 1
            if self._closed or self._left < 0:
                return
            yield block


class CollectingSink:
    """Remembers what was written. The last `hold` samples have not sounded yet, and `drop` takes them back."""

    name = "collecting"

    def __init__(self, *, latency: float = 0.0, hold: int = 0) -> None:
        self.latency = latency
        self.drops: list[int] = []
        self.closed = False
        self._pieces: list[Samples] = []
        self._hold = hold
        self._waiting = 0

    @property
    def samples(self) -> Samples:
        """Everything written and not dropped, at VOICE_RATE."""
        return np.concatenate([np.empty(0, np.float32), *self._pieces])

    def write(self, samples: Samples) -> None:
        if not self.closed:
            self._pieces.append(samples.copy())
            self._waiting = min(self._waiting + len(samples), self._hold)

    def drop(self) -> int:
        kept = self.samples[: len(self.samples) - self._waiting]
        dropped, self._waiting = self._waiting, 0
        self._pieces = [kept]
        self.drops.append(dropped)
        return dropped

    async def close(self) -> None:
        self.closed = True


class FakeStream:
    """One opened direction of `FakeCard`."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.started = self.closed = False

    def start(self) -> None:
        self.started = True

    def close(self) -> None:
        self.closed = True


class FakeCard:
    """A sound card that moves when the test says so. `refuse` makes the next openings fail, as an unplugged device does.

    With `stuck`, they fail until somebody looks for devices anew; that finds `replacement` where there is one.
    """

    def __init__(self, rate: int = RATE) -> None:
        self.rate = rate
        self.device = Device(index=0, name="fake card", rate=rate, channels=1, default=True)
        self.streams: list[FakeStream] = []
        self.refuse = self.stuck = False
        self.replacement: Device | None = None
        self.seeks = 0
        self.time = 100.0
        self._hear: Hear | None = None
        self._fill: Fill | None = None

    def open_input(self, device: Device, hear: Hear) -> FakeStream:
        stream = self._open()
        self._hear = hear
        return stream

    def open_output(self, device: Device, fill: Fill) -> FakeStream:
        stream = self._open()
        self._fill = fill
        return stream

    def seek(self, lost: Device) -> Device:
        """Look for devices anew."""
        self.seeks += 1
        if self.refuse:
            raise MissingError("microphone fake card is gone", code="no-microphone")
        self.stuck = False
        if self.replacement is not None:
            self.rate = self.replacement.rate
        return self.replacement or lost

    def capture(self, samples: Samples, *, lost: float = 0.0, overflowed: bool = False) -> None:
        """The device hands over samples, after `lost` seconds that it does not hand over."""
        assert self._hear is not None
        self.time += lost
        self._hear(samples, self.time, overflowed)
        self.time += len(samples) / self.rate

    def play(self, seconds: float) -> Samples:
        """The device takes so much sound."""
        assert self._fill is not None
        return self._fill(round(seconds * self.rate))

    def _open(self) -> FakeStream:
        if self.refuse or self.stuck:
            raise MissingError("microphone fake card is gone", code="no-microphone")
        self.streams.append(FakeStream(latency=0.1))
        return self.streams[-1]
