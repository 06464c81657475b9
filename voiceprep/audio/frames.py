"""Sound that arrives as numbered frames, from a web page or any other program."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np

from voiceprep.audio.base import RATE, Block, Samples
from voiceprep.audio.blocks import QUEUE_LIMIT, BlockCutter, BlockQueue
from voiceprep.audio.resample import Resampler
from voiceprep.audio.samples import clean, from_pcm16
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError

LONGEST_FRAME: Seconds = 10.0
"""Of one frame: a page sends tens of milliseconds at a time."""

LONGEST_GAP: Seconds = 600.0
"""May be missing at one place: the recorder fills it, so a wrong position must not fill a disk."""

RATES = (8_000, 192_000)
"""Hz of the slowest and the fastest sound card that a page may have."""


class FrameSource:
    """A source that is fed: `push` frames in order, then `end`.

    Positions count samples at the declared rate (`RATE` until `declare`) from the start of the recording, so that a frame
    that was sent twice after a reconnect is recognised, and one that never arrived is a gap. Not thread-safe: call it from the
    event loop.
    """

    on_demand = False

    def __init__(self, name: str = "browser", *, limit: int = QUEUE_LIMIT) -> None:
        self.name = name
        self._queue = BlockQueue(limit)
        self._cutter = BlockCutter()
        self._next = 0
        self._rate = RATE
        self._resampler = Resampler(RATE, RATE)
        self._ended = False

    def declare(self, rate: int) -> None:
        """From here on frames are at `rate` Hz, as the sound card really runs, and positions begin at 0 again.

        May be called again whenever the device changes. Nothing is assumed to be lost in between: what is, the next position
        says. Raises BadInputError, code ``bad-rate``.
        """
        if not RATES[0] <= rate <= RATES[1]:
            raise BadInputError(f"{self.name} cannot run at {rate} Hz", code="bad-rate")
        if not self._ended:
            self._pass_on(self._cutter.feed(self._resampler.finish()))
        self._rate, self._next = rate, 0
        self._resampler = Resampler(rate, RATE)

    @property
    def position(self) -> int:
        """The position that is expected next: where a page that reconnects goes on."""
        return self._next

    def push(self, frame: Samples | bytes, position: int) -> None:
        """Take a frame: mono floats of shape ``(n,)`` or little-endian PCM16 bytes, its first sample at `position`.

        What is already there is dropped, what is missing before it becomes `Block.lost`. Ignored after the end.

        Raises:
            BadInputError: code ``bad-frame``: the wrong shape, odd bytes, too long, or a position out of the question.
        """
        samples = _checked(frame, position, self._rate)
        if self._ended:
            return
        missing = position - self._next
        if missing > LONGEST_GAP * self._rate:
            ahead = missing / self._rate
            raise BadInputError(f"a frame from {self.name} is {ahead:.0f} s ahead of the one before", code="bad-frame")
        fresh = samples[max(0, -missing) :]
        if not len(fresh):
            return
        if missing > 0:
            self._pass_on(self._cutter.feed(self._resampler.finish()))
            self._resampler.clear()
            self._pass_on(self._cutter.gap(round(missing * RATE / self._rate), "network"))
        self._pass_on(self._cutter.feed(self._resampler.feed(fresh)))
        self._next = position + len(samples)

    def lose(self, samples: int, reason: str) -> None:
        """The next `samples` will not come: told at once, for `reason`. What fits into a block begun is filled with silence."""
        if self._ended or samples <= 0:
            return
        self._pass_on(self._cutter.feed(self._resampler.finish()))
        self._resampler.clear()
        self._pass_on(self._cutter.gap(round(samples * RATE / self._rate), reason))
        self._pass_on(self._cutter.release())
        self._next += samples

    def end(self) -> None:
        """Nothing more comes. Idempotent."""
        if not self._ended:
            self._ended = True
            self._pass_on(self._cutter.feed(self._resampler.finish()))
            self._pass_on(self._cutter.flush())
            self._queue.end()

    async def blocks(self) -> AsyncIterator[Block]:
        while (block := await self._queue.get()) is not None:
            yield block

    def floor_opened(self) -> None:
        """A person at a page hears it."""

    async def close(self) -> None:
        self._ended = True
        self._queue.discard()

    def _pass_on(self, blocks: list[Block]) -> None:
        for block in blocks:
            self._queue.put(block)


def _checked(frame: Samples | bytes, position: int, rate: int) -> Samples:
    if position < 0:
        raise BadInputError(f"a frame cannot start at sample {position}", code="bad-frame")
    if isinstance(frame, (bytes, bytearray, memoryview)):
        if len(frame) % 2:
            raise BadInputError(f"a PCM16 frame cannot have {len(frame)} bytes", code="bad-frame")
        samples = from_pcm16(bytes(frame))
    else:
        if not isinstance(frame, np.ndarray) or frame.ndim != 1 or frame.dtype.kind != "f":
            raise BadInputError("a frame must be PCM16 bytes or one row of float samples", code="bad-frame")
        samples = clean(frame)
    if len(samples) > LONGEST_FRAME * rate:
        raise BadInputError(f"a frame of {len(samples) / rate:.0f} s is too long", code="bad-frame")
    return samples
