"""Frames pushed by a page: positions, duplicates, holes, nonsense."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.audio import noise
from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.audio.frames import LONGEST_FRAME, LONGEST_GAP, FrameSource
from voiceprep.errors import BadInputError

SOUND = noise(2.0)
FRAME = 1_600


def drain(source: FrameSource) -> list[Block]:
    async def main() -> list[Block]:
        return [block async for block in source.blocks()]

    source.end()
    return asyncio.run(main())


def laid_out(blocks: list[Block]) -> Samples:
    return np.concatenate([piece for block in blocks for piece in (np.zeros(block.lost, np.float32), block.samples)])


def test_pcm16_and_floats_are_the_same() -> None:
    source = FrameSource()
    source.push(np.rint(SOUND[:BLOCK] * 32_768).astype("<i2").tobytes(), 0)
    source.push(SOUND[BLOCK : 2 * BLOCK], BLOCK)
    np.testing.assert_array_equal(laid_out(drain(source)), SOUND[: 2 * BLOCK])


@settings(deadline=None, max_examples=30)  # the machine may be busy
@given(st.data())
def test_whatever_is_resent_or_lost_every_sample_keeps_its_place(data: st.DataObject) -> None:
    frames = list(range(0, RATE, FRAME))
    arrived = [at for at in frames if data.draw(st.integers(0, 4)) > 0] or [0]
    source = FrameSource()
    expected = np.zeros(arrived[-1] + FRAME, np.float32)
    for number, at in enumerate(arrived):
        source.push(SOUND[at : at + FRAME], at)
        expected[at : at + FRAME] = SOUND[at : at + FRAME]
        if data.draw(st.booleans()):
            again = arrived[data.draw(st.integers(0, number))]
            source.push(SOUND[again : again + FRAME], again)
    assert source.position == len(expected)
    heard = laid_out(drain(source))
    np.testing.assert_array_equal(heard[: len(expected)], expected)
    assert len(heard) - len(expected) < BLOCK


def test_what_overlaps_is_taken_once() -> None:
    source = FrameSource()
    source.push(SOUND[:1_000], 0)
    source.push(SOUND[600:1_600], 600)
    np.testing.assert_array_equal(laid_out(drain(source))[:1_600], SOUND[:1_600])


def test_a_hole_is_told_as_the_networks() -> None:
    source = FrameSource()
    source.push(SOUND[:BLOCK], 0)
    source.push(SOUND[:BLOCK], BLOCK + 5_000)
    blocks = drain(source)
    assert [(block.lost, block.reason) for block in blocks] == [(0, ""), (5_000, "network")]


def test_a_page_that_sends_faster_than_anyone_reads_is_bounded() -> None:
    source = FrameSource(limit=5)
    for at in range(0, 100 * BLOCK, BLOCK):
        source.push(SOUND[:BLOCK], at)
    blocks = drain(source)
    assert len(blocks) <= 6
    assert len(laid_out(blocks)) == 100 * BLOCK
    assert blocks[-1].reason == "overflow"


def test_what_comes_after_the_end_is_ignored() -> None:
    source = FrameSource()
    source.push(SOUND[:BLOCK], 0)
    source.end()
    source.push(SOUND[:BLOCK], BLOCK)
    assert len(drain(source)) == 1


@pytest.mark.parametrize(
    ("frame", "position"),
    [
        (b"\0\0\0", 0),
        (SOUND[:10], -1),
        (SOUND[:10], round(LONGEST_GAP * RATE) + BLOCK + 1),
        (np.zeros((2, 10), np.float32), 0),
        (np.zeros(10, np.int16), 0),
        (np.zeros(round(LONGEST_FRAME * RATE) + 1, np.float32), 0),
    ],
    ids=["odd bytes", "negative", "far ahead", "two rows", "integers", "too long"],
)
def test_nonsense_is_refused_and_changes_nothing(frame: Samples | bytes, position: int) -> None:
    source = FrameSource("page")
    source.push(SOUND[:BLOCK], 0)
    with pytest.raises(BadInputError) as caught:
        source.push(frame, position)
    assert caught.value.code == "bad-frame"
    np.testing.assert_array_equal(laid_out(drain(source)), SOUND[:BLOCK])


def test_what_is_no_number_is_silence() -> None:
    source = FrameSource()
    frame = SOUND[:BLOCK].copy()
    frame[7] = np.nan
    source.push(frame, 0)
    heard = laid_out(drain(source))
    assert heard[7] == 0
    np.testing.assert_array_equal(heard[8:], SOUND[8:BLOCK])


def tone(rate: int, seconds: float = 2.0) -> Samples:
    return np.asarray(0.5 * np.sin(2 * np.pi * 1_000 * np.arange(round(seconds * rate)) / rate), np.float32)


@pytest.mark.parametrize("rate", [8_000, 16_000, 24_000, 44_100, 48_000])
def test_cases_034_051_the_declared_rate_rules(rate: int) -> None:
    """No chipmunk, and a second of the page is a second of the recording."""
    source = FrameSource()
    source.declare(rate)
    for at in range(0, 2 * rate, FRAME):
        source.push(tone(rate)[at : at + FRAME], at)
    sound = laid_out(drain(source))
    assert len(sound) / RATE == pytest.approx(2.0, abs=BLOCK / RATE)
    assert np.argmax(np.abs(np.fft.rfft(sound[:RATE]))) == 1_000


def test_case_034_the_rate_changes_while_one_speaks() -> None:
    source = FrameSource()
    for rate in (48_000, 24_000, 16_000):
        source.declare(rate)
        source.push(tone(rate), 0)
        assert source.position == 2 * rate
        source.push(tone(rate)[:FRAME], rate)  # sent twice
    sound = laid_out(drain(source))
    assert len(sound) / RATE == pytest.approx(6.0, abs=BLOCK / RATE)
    for second in range(6):
        piece = sound[second * RATE + 1_000 : second * RATE + 9_000]
        assert 2 * np.argmax(np.abs(np.fft.rfft(piece))) == 1_000


def test_a_hole_is_as_long_as_it_was_on_the_pages_clock() -> None:
    source = FrameSource()
    source.declare(48_000)
    source.push(tone(48_000, 1.0), 0)
    source.push(tone(48_000, 1.0), 96_000)
    blocks = drain(source)
    assert sum(block.lost for block in blocks) / RATE == pytest.approx(1.0, abs=2 * BLOCK / RATE)
    sound = laid_out(blocks)
    assert len(sound) / RATE == pytest.approx(3.0, abs=BLOCK / RATE)
    assert not sound[RATE + 200 : 2 * RATE - 200].any()


@pytest.mark.parametrize("rate", [0, -1, 7_999, 200_000])
def test_no_sound_card_runs_at_any_rate(rate: int) -> None:
    with pytest.raises(BadInputError) as refused:
        FrameSource().declare(rate)
    assert refused.value.code == "bad-rate"
