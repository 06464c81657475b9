"""From a stream of samples to blocks that keep their place on the recording's clock, whatever was lost on the way."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Block, Samples

QUEUE_LIMIT = 10 * RATE // BLOCK
"""Blocks, about ten seconds, that wait for a slow session before new ones are counted as lost."""


class BlockCutter:
    """Cuts samples at `RATE` into blocks; says before which block samples are missing."""

    def __init__(self) -> None:
        self._rest: Samples = np.empty(0, np.float32)
        self._lost = 0
        self._reason = ""

    def feed(self, samples: Samples) -> list[Block]:
        """The blocks that are complete with these samples."""
        sound = np.concatenate((self._rest, samples))
        whole = len(sound) - len(sound) % BLOCK
        self._rest = sound[whole:].copy()
        return [self._block(sound[at : at + BLOCK].copy()) for at in range(0, whole, BLOCK)]

    def gap(self, lost: int, reason: str) -> list[Block]:
        """Note that `lost` samples are missing here.

        The block that was begun is filled up with silence taken from the gap, since a loss is told right before a block. A
        gap that fits into the block begun, under 32 ms, is therefore filled without being told.
        """
        filled = min(lost, (BLOCK - len(self._rest)) % BLOCK)
        blocks = self.feed(np.zeros(filled, np.float32))
        if lost > filled:
            self._lost += lost - filled
            self._reason = reason
        return blocks

    def release(self) -> list[Block]:
        """Tell of a gap that goes on now, without waiting for the block after it: a `Block` of no samples."""
        return [self._block(np.empty(0, np.float32))] if self._lost else []

    def flush(self) -> list[Block]:
        """The last block, padded with silence, if one was begun."""
        return self.feed(np.zeros(-len(self._rest) % BLOCK, np.float32))

    def _block(self, samples: Samples) -> Block:
        block = Block(samples, self._lost, self._reason)
        self._lost, self._reason = 0, ""
        return block


class BlockQueue:
    """Blocks on their way to one reader. Never longer than `limit`: what does not fit is lost, and the next block says so.

    Everything but `get` may be called from the event loop's thread only, and never waits.
    """

    def __init__(self, limit: int = QUEUE_LIMIT) -> None:
        self._blocks: deque[Block] = deque()
        self._limit = limit
        self._lost = 0
        self._ended = False
        self._changed = asyncio.Event()

    def put(self, block: Block) -> None:
        """Add a block; after `end` it is ignored."""
        if self._ended:
            return
        if len(self._blocks) >= self._limit:
            self._lost += block.lost + len(block.samples)
            return
        if self._lost:
            block = replace(block, lost=block.lost + self._lost, reason="overflow")
            self._lost = 0
        self._blocks.append(block)
        self._changed.set()

    def end(self) -> None:
        """No more blocks come; those that wait are still read. Idempotent."""
        if self._lost:
            # Nothing follows that could tell of the loss, so one silent block stands in for its last 32 ms.
            self._blocks.append(Block(np.zeros(BLOCK, np.float32), self._lost - BLOCK, "overflow"))
            self._lost = 0
        self._ended = True
        self._changed.set()

    def discard(self) -> None:
        """End at once: those that wait are not read any more."""
        self._lost = 0
        self._blocks.clear()
        self.end()

    async def get(self) -> Block | None:
        """The next block, or None after the last one."""
        while not self._blocks:
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._blocks.popleft()
