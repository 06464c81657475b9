"""The speaker: a short buffer between the session's tick and the sound card's own clock."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable

import numpy as np

from voiceprep.audio import portaudio
from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.audio.portaudio import Device, Fill, Stream
from voiceprep.audio.resample import Resampler

CUSHION = 0.15
"""Seconds in the buffer before the first sample sounds. The resampler and the card both work in steps of about 35 ms; a tick
of the session that is late by what is left, some 80 ms, is not heard."""

GROWTH = 0.05
"""Seconds by which the cushion grows each time the buffer ran empty: a busy machine needs a longer one."""

LONGEST_CUSHION = 0.3

LOW = 0.04
"""Seconds: with less in the buffer, silence is made longer, since the card's clock runs ahead of the session's."""

ROOM = 0.1
"""Seconds above the cushion: with more in the buffer, silence is skipped, since the card's clock lags behind, or the session
caught up."""

LIMIT = 5.0
"""Seconds: a buffer this full means that the device takes nothing any more."""


PATIENCE = 1.0
"""Seconds more than the buffer holds that `close` waits for the device to take it."""


class SpeakerSink:
    """A sound card's output at its own rate.

    The constructor opens and starts the device (MissingError when it is gone, busy or refused). When the device stops
    taking sound, `on_trouble` is told once, code ``speaker-lost``, and what is written is thrown away.
    """

    def __init__(
        self,
        device: Device,
        on_trouble: Callable[[str, str], None] = lambda _code, _message: None,
        *,
        open_stream: Callable[[Device, Fill], Stream] = portaudio.open_output,
    ) -> None:
        self.name = device.name
        self._rate = device.rate
        self._on_trouble = on_trouble
        self._resampler = Resampler(VOICE_RATE, device.rate)
        self._buffer = _Buffer(device.rate)
        self._written = 0
        self._lost = self._closed = False
        self._stream = open_stream(device, self._buffer.take)
        self.latency = self._buffer.cushion + self._stream.latency
        self._stream.start()

    def write(self, samples: Samples) -> None:
        """Take the next samples; silence may be made shorter or longer, sound never. Ignored after `close`."""
        if self._closed or not len(samples):
            return
        waiting = self._buffer.size / self._rate
        quiet = not samples.any()
        if quiet and waiting > self._buffer.cushion + ROOM:
            return
        if waiting > LIMIT:
            self._report_loss()
            return
        if quiet and self._buffer.flowing and waiting < LOW:
            samples = np.concatenate((np.zeros(round(self._buffer.cushion * VOICE_RATE), np.float32), samples))
        self._lost = False
        self._written += len(samples)
        self._buffer.put(self._resampler.feed(samples))
        self.latency = self._buffer.cushion + self._stream.latency

    def drop(self) -> int:
        waiting = self._buffer.clear() + self._resampler.held
        self._resampler.clear()
        dropped = min(self._written, round(waiting * VOICE_RATE / self._rate))
        self._written = 0
        return dropped

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._buffer.put(self._resampler.finish())
        if await asyncio.to_thread(self._buffer.run_dry, self._buffer.size / self._rate + PATIENCE):
            # The device has taken the last sample and still has to sound it; PortAudio's own stop cuts off the end.
            await asyncio.sleep(self._stream.latency)
        await asyncio.to_thread(self._stream.close)

    def _report_loss(self) -> None:
        if not self._lost:
            self._lost = True
            self._on_trouble("speaker-lost", f"the speaker {self.name} takes no sound any more: is it still connected?")


class _Buffer:
    """Samples between two threads. After running empty it gives silence until `cushion` seconds are in it again."""

    def __init__(self, rate: int) -> None:
        self._pieces: deque[Samples] = deque()
        self._lock = threading.Lock()
        self._dry = threading.Event()
        self._rate = rate
        self._draining = False
        self.cushion = CUSHION
        self.size = 0
        self.flowing = False

    def put(self, samples: Samples) -> None:
        if len(samples):
            with self._lock:
                self._pieces.append(samples)
                self.size += len(samples)
                self.flowing = self.flowing or self.size >= self.cushion * self._rate

    def take(self, count: int) -> Samples:
        out = np.zeros(count, np.float32)
        with self._lock:
            done = 0
            while self.flowing and done < count:
                if not self._pieces:
                    self._ran_empty()
                    break
                piece = self._pieces.popleft()
                part = piece[: count - done]
                out[done : done + len(part)] = part
                done += len(part)
                self.size -= len(part)
                if len(part) < len(piece):
                    self._pieces.appendleft(piece[len(part) :])
            if not self.size:
                self._dry.set()
        return out

    def clear(self) -> int:
        with self._lock:
            size, self.size = self.size, 0
            self._pieces.clear()
            self.flowing = False
            return size

    def run_dry(self, seconds: float) -> bool:
        """Nothing more comes: do not wait for the cushion. Blocks until all was taken; False when that takes longer."""
        with self._lock:
            self.flowing = self._draining = True
            if self.size:
                self._dry.clear()
            else:
                self._dry.set()
        return self._dry.wait(seconds)

    def _ran_empty(self) -> None:
        self.flowing = self._draining
        if not self._draining:
            self.cushion = min(self.cushion + GROWTH, LONGEST_CUSHION)
