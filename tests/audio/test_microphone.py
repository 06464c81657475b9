"""The microphone on a fake card: loss, stalls, silence, other rates."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from tests.fakes.audio import FakeCard, noise, silence
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.audio.microphone import MicrophoneSource
from voiceprep.errors import MissingError, VoiceprepError

BUFFER = 0.02


class Bench:
    """A microphone on a fake card, a reader, and what both said."""

    def __init__(self, rate: int = RATE, limit: int = 1_000) -> None:
        self.card = FakeCard(rate)
        self.troubles: list[str] = []
        self.blocks: list[Block] = []
        self.source = MicrophoneSource(
            self.card.device, lambda code, _message: self.troubles.append(code), open_stream=self.card.open_input, limit=limit
        )

    def start(self) -> asyncio.Task[None]:
        return asyncio.ensure_future(self._read())

    async def capture(self, sound: Samples) -> None:
        step = round(BUFFER * self.card.rate)
        for at in range(0, len(sound), step):
            await asyncio.sleep(BUFFER)
            self.card.capture(sound[at : at + step])

    async def finish(self, reading: asyncio.Task[None]) -> None:
        """Let the reader take what there is, then close."""
        await asyncio.sleep(0.1)
        await self.source.close()
        await reading

    @property
    def lost(self) -> list[tuple[int, str]]:
        return [(block.lost, block.reason) for block in self.blocks if block.lost]

    @property
    def seconds(self) -> float:
        """The length of the recording: sound and told gaps."""
        return sum(len(block.samples) + block.lost for block in self.blocks) / RATE

    async def _read(self) -> None:
        async for block in self.source.blocks():
            self.blocks.append(block)


def test_it_opens_at_once_and_starts_with_the_blocks() -> None:
    async def main() -> Bench:
        bench = Bench()
        assert len(bench.card.streams) == 1
        assert not bench.card.streams[0].started
        reading = bench.start()
        await bench.capture(noise(0.2))
        first = bench.card.streams[0]
        assert first.started
        await bench.finish(reading)
        assert first.closed
        return bench

    assert run_virtually(main()).troubles == []


def test_a_device_that_is_not_there_fails_before_the_session() -> None:
    card = FakeCard()
    card.refuse = True
    with pytest.raises(MissingError):
        MicrophoneSource(card.device, lambda _code, _message: None, open_stream=card.open_input)


@pytest.mark.parametrize("rate", [8_000, 44_100, 48_000])
def test_the_devices_own_rate_becomes_16_khz(rate: int) -> None:
    async def main() -> Bench:
        bench = Bench(rate)
        reading = bench.start()
        time = np.arange(2 * rate) / rate
        await bench.capture((0.5 * np.sin(2 * np.pi * 1_000 * time)).astype(np.float32))
        await bench.finish(reading)
        return bench

    heard = np.concatenate([block.samples for block in run_virtually(main()).blocks])
    assert len(heard) / RATE > 1.8  # the rest waits in the filter
    expected = 0.5 * np.sin(2 * np.pi * 1_000 * np.arange(len(heard)) / RATE)
    np.testing.assert_allclose(heard[1_000:-1_000], expected[1_000:-1_000], atol=2e-3)


def test_reported_overflow_is_a_gap_of_the_length_the_devices_clock_tells() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        bench.card.capture(noise(0.25), lost=0.75, overflowed=True)
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert [reason for _, reason in bench.lost] == ["overflow"]
    assert bench.lost[0][0] / RATE == pytest.approx(0.75, abs=BLOCK / RATE)
    assert bench.seconds == pytest.approx(3.0, abs=BLOCK / RATE)


def test_overflow_that_no_clock_measures_is_still_told() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(0.5))
        bench.card.capture(noise(0.1), lost=0.0, overflowed=True)
        await bench.finish(reading)
        return bench

    assert [reason for _, reason in run_virtually(main()).lost] == ["overflow"]


def test_what_the_device_lost_before_the_first_sample_is_no_gap() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await asyncio.sleep(0)
        bench.card.capture(noise(0.5), lost=0.4, overflowed=True)
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.blocks
    assert bench.lost == []


def test_a_jitter_of_the_devices_clock_is_no_gap_and_a_jump_is() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await asyncio.sleep(0)
        for lost in (0.0, 0.03, -0.03, 0.2, -0.2, 0.0, 2.0, 0.0):
            bench.card.capture(noise(0.5), lost=lost)
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert [reason for _, reason in bench.lost] == ["overflow"]
    assert bench.lost[0][0] / RATE == pytest.approx(2.0, abs=BLOCK / RATE)
    assert bench.seconds == pytest.approx(8 * 0.5 + 2.0, abs=BLOCK / RATE)


def test_a_slow_session_is_told_what_it_missed() -> None:
    async def main() -> list[Block]:
        bench = Bench(limit=10)
        blocks = bench.source.blocks()
        first = asyncio.ensure_future(anext(blocks))
        await asyncio.sleep(0)
        await bench.capture(noise(2.0))
        await asyncio.sleep(BUFFER)
        await first
        got = [await anext(blocks) for _ in range(10)]
        await bench.capture(noise(0.1))
        got.append(await anext(blocks))
        await bench.source.close()
        return got

    got = run_virtually(main())
    assert [block.lost for block in got[:-1]] == [0] * 10
    assert got[-1].reason == "overflow"
    # Of the 62 whole blocks in two seconds one went to the waiting reader and ten into the queue.
    assert got[-1].lost == (62 - 11) * BLOCK


def test_a_device_that_falls_silent_is_opened_again_and_the_gap_is_told() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        await asyncio.sleep(3.5)  # virtual seconds without a callback
        assert len(bench.card.streams) == 2
        assert bench.card.streams[0].closed
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.troubles == ["microphone-stalled"]
    assert [reason for _, reason in bench.lost] == ["stalled"]
    assert bench.lost[0][0] / RATE == pytest.approx(3.5, abs=BLOCK / RATE)
    assert bench.seconds == pytest.approx(5.5, abs=2 * BLOCK / RATE)


@pytest.mark.parametrize("comes_back_empty", [True, False])
def test_a_device_that_does_not_come_back_is_lost(comes_back_empty: bool) -> None:
    async def main() -> tuple[Bench, float]:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        bench.card.refuse = not comes_back_empty
        with pytest.raises(VoiceprepError, match="the microphone fake card is lost") as caught:
            await reading
        assert caught.value.code == "microphone-lost"
        lost_at = asyncio.get_running_loop().time()
        await bench.source.close()
        return bench, lost_at

    bench, lost_at = run_virtually(main())
    assert bench.seconds == pytest.approx(1.0, abs=BLOCK / RATE)  # what was said is there
    assert lost_at == pytest.approx(7.0 if comes_back_empty else 4.0, abs=0.1)


def test_nothing_but_zeros_is_reported_once_until_sound_returns() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        for sound in (silence(2.9), noise(0.1), silence(8.0), noise(0.1), silence(3.1)):
            await bench.capture(sound)
        await bench.finish(reading)
        return bench

    assert run_virtually(main()).troubles == ["microphone-silent", "microphone-silent"]


def test_the_cards_thread_may_outlive_the_session() -> None:
    bench_made: list[Bench] = []

    async def main() -> None:
        bench = Bench()
        bench_made.append(bench)
        reading = bench.start()
        await bench.capture(noise(0.1))
        await bench.source.close()
        await reading

    run_virtually(main())
    failures: list[BaseException] = []

    def late() -> None:
        try:
            bench_made[0].card.capture(noise(0.1))
        except BaseException as error:  # noqa: BLE001 - it would end in the driver's thread, unseen
            failures.append(error)

    thread = threading.Thread(target=late)
    thread.start()
    thread.join()
    assert failures == []
