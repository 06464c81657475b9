"""Blocks keep their place, whatever is lost."""

from __future__ import annotations

import asyncio

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.audio import noise
from voiceprep.audio.base import BLOCK, Block, Samples
from voiceprep.audio.blocks import BlockCutter, BlockQueue


def laid_out(blocks: list[Block]) -> Samples:
    """What a recorder makes of the blocks: lost samples are silence."""
    pieces = [piece for block in blocks for piece in (np.zeros(block.lost, np.float32), block.samples)]
    return np.concatenate([np.empty(0, np.float32), *pieces])


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 3_000)), max_size=20))
def test_every_sample_keeps_its_place(stream: list[tuple[int, int]]) -> None:
    """Any sequence of sound and gaps lies on the recording as it lay in time, but for the padding of the last block."""
    cutter = BlockCutter()
    sound = noise(1.0) + 0.5
    blocks: list[Block] = []
    expected: list[Samples] = [np.empty(0, np.float32)]
    for length, lost in stream:
        blocks += cutter.feed(sound[:length])
        blocks += cutter.gap(lost, "overflow")
        expected += [sound[:length], np.zeros(lost, np.float32)]
    blocks += cutter.feed(sound[:1])
    blocks += cutter.flush()
    truth = np.concatenate([*expected, sound[:1]])
    layout = laid_out(blocks)
    assert all(block.samples.shape == (BLOCK,) for block in blocks)
    assert all(bool(block.reason) == (block.lost > 0) for block in blocks)
    assert 0 <= len(layout) - len(truth) < BLOCK
    np.testing.assert_array_equal(layout[: len(truth)], truth)
    assert not layout[len(truth) :].any()


def test_a_full_queue_counts_what_it_cannot_keep() -> None:
    queue = BlockQueue(limit=3)
    for number in range(10):
        queue.put(Block(np.full(BLOCK, number, np.float32)))

    async def read(count: int) -> list[Block | None]:
        return [await queue.get() for _ in range(count)]

    first = asyncio.run(read(3))
    queue.put(Block(np.full(BLOCK, 10, np.float32)))
    queue.end()
    after, end = asyncio.run(read(2))
    assert [block.samples[0] for block in first if block] == [0, 1, 2]
    assert after is not None
    assert (after.samples[0], after.lost, after.reason) == (10, 7 * BLOCK, "overflow")
    assert end is None


def test_a_loss_at_the_very_end_is_told() -> None:
    queue = BlockQueue(limit=1)
    for _ in range(4):
        queue.put(Block(np.ones(BLOCK, np.float32)))
    queue.end()

    async def read() -> list[Block]:
        blocks = []
        while (block := await queue.get()) is not None:
            blocks.append(block)
        return blocks

    blocks = asyncio.run(read())
    assert len(laid_out(blocks)) == 4 * BLOCK
    assert blocks[-1].reason == "overflow"
