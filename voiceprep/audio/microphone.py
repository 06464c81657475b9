"""The microphone: from the sound card's thread to blocks on the recording's clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial

from voiceprep.audio import portaudio
from voiceprep.audio.base import RATE, Block, Samples
from voiceprep.audio.blocks import QUEUE_LIMIT, BlockCutter, BlockQueue
from voiceprep.audio.portaudio import Device, Hear, Stream
from voiceprep.audio.resample import Resampler
from voiceprep.errors import VoiceprepError

Trouble = Callable[[str, str], None]
"""Told of what a user should know while the session goes on: a stable code and a sentence."""

STALE = 3.0
"""Seconds without a callback after which a device counts as unplugged: PortAudio reports no error for that."""

SILENT = 3.0
"""Seconds of nothing but zeros after which a microphone counts as muted: a real one always has some noise."""

JUMP = 0.5
"""Seconds the device's clock may jump without a report of loss; more is loss that nobody reported."""

_log = logging.getLogger(__name__)


class MicrophoneSource:
    """A sound card's input at its own rate, resampled to `RATE`.

    The constructor opens the device, so that a missing, busy or refused one fails before the session (MissingError);
    `blocks` starts it. Lost samples are told as `Block.lost`: ``overflow`` when the machine was too slow, ``stalled``
    when the device fell silent for `STALE` seconds and one attempt to open it again succeeded.
    """

    on_demand = False

    def __init__(
        self,
        device: Device,
        on_trouble: Trouble,
        *,
        open_stream: Callable[[Device, Hear], Stream] = portaudio.open_input,
        limit: int = QUEUE_LIMIT,
    ) -> None:
        self.name = device.name
        self._device = device
        self._on_trouble = on_trouble
        self._open_stream = open_stream
        self._queue = BlockQueue(limit)
        self._cutter = BlockCutter()
        self._resampler = Resampler(device.rate, RATE)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = 0
        self._closed = False
        self._stalled = False
        self._arrived_at = 0.0
        self._next_time: float | None = None
        self._zeros = 0
        self._stream = self._open()

    async def blocks(self) -> AsyncIterator[Block]:
        """Blocks as they are captured. Raises VoiceprepError, code ``microphone-lost``, when the device does not come back."""
        self._loop = asyncio.get_running_loop()
        self._arrived_at = self._loop.time()
        self._stream.start()
        while (block := await self._next()) is not None:
            yield block

    def floor_opened(self) -> None:
        """A person hears it."""

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._queue.discard()
            # The driver may take its time, and the session's other tasks must not wait for it.
            await asyncio.to_thread(self._stream.close)

    async def _next(self) -> Block | None:
        try:
            async with asyncio.timeout(STALE):
                return await self._queue.get()
        except TimeoutError:
            self._on_trouble("microphone-stalled", f"no sound arrives from {self.name}; it is opened again")
        await self._reopen()
        try:
            async with asyncio.timeout(STALE):
                return await self._queue.get()
        except TimeoutError:
            raise self._lost() from None

    async def _reopen(self) -> None:
        self._stalled = True
        await asyncio.to_thread(self._stream.close)
        if self._closed:
            return
        try:
            self._stream = self._open()
            self._stream.start()
        except VoiceprepError as error:
            raise self._lost() from error

    def _lost(self) -> VoiceprepError:
        return VoiceprepError(
            f"the microphone {self.name} is lost",
            code="microphone-lost",
            hint="Plug it in again, or choose another microphone; what was said so far is kept",
        )

    def _open(self) -> Stream:
        self._opening += 1
        return self._open_stream(self._device, partial(self._hear, self._opening))

    def _hear(self, opening: int, samples: Samples, time: float, overflowed: bool) -> None:
        """Runs in PortAudio's thread."""
        if self._loop is None:
            return
        try:
            self._loop.call_soon_threadsafe(self._arrived, opening, samples, time, overflowed)
        except RuntimeError:
            _log.debug("the session is over, and %s still sends", self.name)

    def _arrived(self, opening: int, samples: Samples, time: float, overflowed: bool) -> None:
        if self._closed or opening != self._opening or self._loop is None:
            return
        lost, reason = self._missing(samples, time, overflowed)
        if lost > 0:
            _log.warning("%s: %.3f s lost (%s)", self.name, lost / RATE, reason)
            self._pass_on(self._cutter.gap(lost, reason))
        self._arrived_at = self._loop.time()
        self._next_time = time + len(samples) / self._device.rate
        self._watch_for_silence(samples)
        self._pass_on(self._cutter.feed(self._resampler.feed(samples)))

    def _missing(self, samples: Samples, time: float, overflowed: bool) -> tuple[int, str]:
        """Samples at `RATE` that are missing before these, and why."""
        assert self._loop is not None
        length = len(samples) / self._device.rate
        if self._stalled:
            self._stalled = False
            self._resampler.clear()
            return round((self._loop.time() - self._arrived_at - length) * RATE), "stalled"
        if self._next_time is None:
            return 0, ""  # the recording begins here
        jump = time - self._next_time
        if overflowed:
            # PortAudio says that samples were lost, not how many; where the driver has no clock, take one buffer.
            return round(max(jump, length) * RATE), "overflow"
        return (round(jump * RATE), "overflow") if jump > JUMP else (0, "")

    def _watch_for_silence(self, samples: Samples) -> None:
        if samples.any():
            self._zeros = 0
            return
        limit = round(SILENT * self._device.rate)
        before, self._zeros = self._zeros, self._zeros + len(samples)
        if before < limit <= self._zeros:
            self._on_trouble(
                "microphone-silent",
                f"{self.name} delivers nothing but silence: is it muted, or not permitted for this program?",
            )

    def _pass_on(self, blocks: list[Block]) -> None:
        for block in blocks:
            self._queue.put(block)
