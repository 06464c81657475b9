"""The speaker: a short buffer between the session's tick and the sound card's own clock."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from voiceprep.audio import portaudio
from voiceprep.audio.awake import Awake
from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.audio.portaudio import Device, Fill, Stream
from voiceprep.audio.resample import Resampler
from voiceprep.core.units import Seconds
from voiceprep.errors import VoiceprepError

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


WINDOW: Seconds = 5.0
"""Among the fills of so many seconds there is always one that no late tick has touched."""
STEADY: Seconds = 0.008
"""The fill may wander so far before silence is made shorter or longer for it."""

STALE: Seconds = 2.0
"""A device that asked for nothing for so long is gone: it asks all the time, silence or not."""

AGAIN: Seconds = 3.0
"""Between two attempts to get it back, and before the first look for devices. That costs the microphone a moment of sound, so
each wait for the next look is twice the one before ..."""

LONGEST_WAIT: Seconds = 60.0
"""... up to this."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Outage:
    """The device is away."""

    since: Seconds
    next_try: Seconds
    next_look: Seconds
    wait: Seconds = AGAIN


class SpeakerSink:
    """A sound card's output at its own rate.

    The constructor opens and starts the device (MissingError when it is gone, busy or refused). When the device stops
    taking sound, `on_trouble` is told, code ``speaker-lost``, and what is written is thrown away: it stands on the screen.
    Meanwhile it is tried again, or else what the system prefers instead, and ``speaker-back`` tells when one sounds.
    `write` belongs to the event loop.
    """

    def __init__(
        self,
        device: Device,
        on_trouble: Callable[[str, str], None] = lambda _code, _message: None,
        *,
        open_stream: Callable[[Device, Fill], Stream] = portaudio.open_output,
        seek: Callable[[Device], Device] = portaudio.seek_output,
        read: Callable[[], Seconds] = time.monotonic,
    ) -> None:
        self.name = device.name
        self._on_trouble = on_trouble
        self._open_stream = open_stream
        self._seek = seek
        self._awake = Awake(read)
        self._written = 0
        self._closed = False
        self._outage: _Outage | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._stretched = 0
        """Samples of silence put in (+) or left out (-): what the two clocks were apart, and where the buffer ran empty."""
        self._use(device)
        self._stream = self._take(device)
        self._asked = self._awake.now()
        """When the device last wanted sound."""
        self.latency = self._buffer.cushion + self._stream.latency

    def write(self, samples: Samples) -> None:
        """Take the next samples; silence may be made shorter or longer, sound never. Ignored after `close`."""
        if self._closed or not len(samples) or self._away(self._awake.now()):
            return
        waiting = self._buffer.size / self._rate
        quiet = not samples.any()
        if quiet and waiting > self._buffer.cushion + ROOM:
            self._stretched -= len(samples)
            return
        if quiet and self._buffer.flowing and waiting < LOW:
            more = round(self._buffer.cushion * VOICE_RATE)
            samples = np.concatenate((np.zeros(more, np.float32), samples))
            self._stretched += more
        elif quiet and (change := self._fill.change(len(samples))):
            samples = np.zeros(len(samples) + change, np.float32)
            self._stretched += change
        self._fill.note(waiting, len(samples) / VOICE_RATE, flowing=self._buffer.flowing)
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
        _log.info("%s: silence changed by %+.3f s", self.name, self._stretched / VOICE_RATE)
        if self._reopening is not None:
            await asyncio.wait([self._reopening], timeout=STALE)
        if self._outage is None:
            self._buffer.put(self._resampler.finish())
            if await asyncio.to_thread(self._buffer.run_dry, self._buffer.size / self._rate + PATIENCE):
                # The device has taken the last sample and still has to sound it; PortAudio's own stop cuts off the end.
                await asyncio.sleep(self._stream.latency)
        await asyncio.to_thread(self._stream.close)

    # --- a device that went away ----------------------------------------------------------------------------------------

    def _away(self, now: Seconds) -> bool:
        """Whether nobody takes what is written. Sees to it that this changes."""
        outage = self._outage
        if outage is None:
            if now - self._asked < STALE and self._buffer.size / self._rate <= LIMIT:
                return False
            self._outage = outage = _Outage(since=now, next_try=now, next_look=now + AGAIN)
            self._on_trouble("speaker-lost", f"the speaker {self.name} takes no sound any more: is it still connected?")
        elif self._asked > outage.since and self._reopening is None:
            self._outage = None
            self.drop()
            self._on_trouble("speaker-back", f"{self.name} sounds again")
            return False
        if self._reopening is None and now >= outage.next_try:
            anew = now >= outage.next_look
            if anew:
                outage.wait = min(2 * outage.wait, LONGEST_WAIT)
                outage.next_look = now + outage.wait
            self._reopening = asyncio.get_running_loop().create_task(self._reopen(outage, anew=anew))
        return True

    async def _reopen(self, outage: _Outage, *, anew: bool) -> None:
        """One attempt: the device as it was, or where it is now that devices are looked for `anew`."""
        try:
            device, stream = await asyncio.to_thread(self._again, anew=anew)
        except VoiceprepError as error:
            _log.info("%s cannot be opened again: %s", self.name, error.code)
        else:
            self.name, self._stream = device.name, stream
        finally:
            outage.next_try = self._awake.now() + AGAIN
            self._reopening = None

    def _again(self, *, anew: bool) -> tuple[Device, Stream]:
        """Blocks as long as the driver does."""
        self._stream.close()
        device = self._seek(self._device) if anew else self._device
        self._use(device)
        return device, self._take(device)

    def _use(self, device: Device) -> None:
        """Another device may come back than went away, with another rate. Nobody writes meanwhile."""
        self._device, self._rate = device, device.rate
        self._resampler = Resampler(VOICE_RATE, device.rate)
        self._buffer = _Buffer(device.rate)
        self._fill = _Fill()

    def _take(self, device: Device) -> Stream:
        buffer = self._buffer

        def fill(count: int) -> Samples:
            self._asked = self._awake.now()
            return buffer.take(count)

        stream = self._open_stream(device, fill)
        try:
            stream.start()
        except BaseException:
            stream.close()
            raise
        return stream


class _Fill:
    """How full the buffer is, jitter apart: it drifts as the card's clock runs faster or slower than the session's.

    The least fill of a while counts, since late ticks and a card that takes sound in large bites only ever hide some of it.
    """

    def __init__(self) -> None:
        self._wanted: Seconds | None = None
        self._error: Seconds = 0.0
        self._restart()

    def _restart(self) -> None:
        self._least: Seconds = np.inf
        self._watched: Seconds = 0.0

    def note(self, waiting: Seconds, seconds: Seconds, *, flowing: bool) -> None:
        """`waiting` seconds were in the buffer when `seconds` more were written."""
        if not flowing:  # it ran empty, and starts anew with a cushion of its own
            self._wanted, self._error = None, 0.0
            self._restart()
            return
        self._least = min(self._least, waiting)
        self._watched += seconds
        if self._watched >= WINDOW:
            self._wanted = max(self._least, 2 * LOW) if self._wanted is None else self._wanted
            self._error = self._least - self._wanted
            self._restart()

    def change(self, count: int) -> int:
        """Samples by which the next `count` samples of silence should be longer, or shorter (negative)."""
        if abs(self._error) < STEADY:
            return 0
        change = max(-count, min(count, -round(self._error * VOICE_RATE)))
        self._error = 0.0
        self._restart()  # what was seen so far was before the change
        return change


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
