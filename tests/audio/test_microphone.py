"""The microphone on a fake card: loss, stalls, silence, other rates."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import numpy as np
import pytest

from tests.fakes.audio import FakeCard, noise, silence
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.audio.microphone import AGAIN, RETURN, TELL, WATCH, MicrophoneSource
from voiceprep.audio.portaudio import Device
from voiceprep.errors import MissingError, VoiceprepError

BUFFER = 0.02


class Bench:
    """A microphone on a fake card, a reader, and what both said."""

    def __init__(self, rate: int = RATE, limit: int = 1_000) -> None:
        self.card = FakeCard(rate)
        self.troubles: list[str] = []
        self.blocks: list[Block] = []
        self.messages: list[str] = []
        self.source = MicrophoneSource(
            self.card.device,
            self._trouble,
            open_stream=self.card.open_input,
            seek=self.card.seek,
            read=asyncio.get_running_loop().time,
            limit=limit,
        )

    def _trouble(self, code: str, message: str) -> None:
        self.troubles.append(code)
        self.messages.append(message)

    def start(self) -> asyncio.Task[None]:
        return asyncio.ensure_future(self._read())

    async def capture(self, sound: Samples) -> None:
        step = round(BUFFER * self.card.rate)
        for at in range(0, len(sound), step):
            await asyncio.sleep(len(sound[at : at + step]) / self.card.rate)
            self.card.capture(sound[at : at + step])

    async def lose(self, seconds: float) -> None:
        """The device goes on, but hands nothing over."""
        await asyncio.sleep(seconds)
        self.card.time += seconds

    async def finish(self, reading: asyncio.Task[None]) -> None:
        """Let the reader take what there is, then close."""
        await asyncio.sleep(0.1)
        await self.source.close()
        await reading

    @property
    def lost(self) -> list[tuple[int, str]]:
        return [(block.lost, block.reason) for block in self.blocks if block.lost]

    @property
    def reasons(self) -> dict[str, float]:
        """Seconds lost by reason."""
        told: dict[str, float] = {}
        for lost, reason in self.lost:
            told[reason] = told.get(reason, 0.0) + lost / RATE
        return told

    @property
    def seconds(self) -> float:
        """The length of the recording: sound and told gaps."""
        return sum(len(block.samples) + block.lost for block in self.blocks) / RATE

    async def _read(self) -> None:
        async for block in self.source.blocks():
            self.blocks.append(block)


async def until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 - virtual time: nothing is waited for
        await asyncio.sleep(0.1)


def test_it_captures_from_the_first_moment() -> None:
    async def main() -> Bench:
        bench = Bench()
        assert len(bench.card.streams) == 1
        first = bench.card.streams[0]
        assert first.started
        reading = bench.start()
        await bench.capture(noise(0.2))
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
        await bench.lose(0.75)
        await asyncio.sleep(0.25)
        bench.card.capture(noise(0.25), overflowed=True)
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
        for lost in (0.0, 0.03, -0.03, 0.2, -0.2, 0.0):
            await asyncio.sleep(0.5)
            bench.card.capture(noise(0.5), lost=lost)
        await bench.lose(2.0)
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert [reason for _, reason in bench.lost] == ["overflow"]
    assert bench.lost[0][0] / RATE == pytest.approx(2.0, abs=BLOCK / RATE)
    assert bench.seconds == pytest.approx(6 * 0.5 + 2.0 + 1.0, abs=BLOCK / RATE)


def test_a_clock_that_claims_more_than_has_passed_is_not_believed() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        await asyncio.sleep(0.5)
        bench.card.capture(noise(0.5), lost=3_600.0)
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench

    assert run_virtually(main()).seconds == pytest.approx(2.5, abs=0.51)


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


def test_case_053_a_device_that_falls_silent_is_opened_again_and_the_gap_is_told() -> None:
    """The callbacks stop without an error: told within three seconds, what was said is there, the gap is as long as it was."""
    told_at: list[float] = []

    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(20.0))
        await until(lambda: bool(bench.troubles))
        told_at.append(asyncio.get_running_loop().time() - 20.0)
        assert bench.seconds == pytest.approx(20.0 + told_at[0], abs=0.2)  # told while it lasts
        await until(lambda: len(bench.card.streams) == 2)
        assert bench.card.streams[0].closed
        await bench.capture(noise(1.0))
        bench.messages.append(str(asyncio.get_running_loop().time()))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert told_at[0] <= 3.05
    assert bench.troubles == ["microphone-lost", "microphone-back"]
    assert bench.card.seeks == 0
    over = float(bench.messages[-1])
    assert set(bench.reasons) == {"stalled"}
    assert bench.reasons["stalled"] == pytest.approx(over - 21.0, abs=BLOCK / RATE)
    assert bench.seconds == pytest.approx(over, abs=2 * BLOCK / RATE)


def test_a_loss_is_told_as_it_grows_so_that_it_is_nobodys_pause() -> None:
    async def main() -> tuple[Bench, list[float]]:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        bench.card.refuse = True
        behind = []
        for _ in range(60):
            await asyncio.sleep(1.0)
            behind.append(asyncio.get_running_loop().time() - bench.seconds)
        bench.card.refuse = False
        await asyncio.sleep(AGAIN + 0.5)
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench, behind

    bench, behind = run_virtually(main())
    assert max(behind[3:]) <= TELL + WATCH + 0.1
    assert bench.troubles == ["microphone-lost", "microphone-back"]
    assert all(len(block.samples) in {0, BLOCK} for block in bench.blocks)


def test_case_054_an_opening_that_fails_until_devices_are_looked_for_anew() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        bench.card.stuck = True
        await until(lambda: not bench.card.stuck)
        await asyncio.sleep(0.1)
        await bench.capture(noise(1.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.card.seeks == 1
    assert bench.troubles == ["microphone-lost", "microphone-back"]
    assert bench.messages[-1] == "sound arrives from fake card again"


def test_case_034_another_device_comes_at_its_own_rate_and_the_recording_stays_as_long_as_the_wall_says() -> None:
    async def main() -> tuple[Bench, float]:
        bench = Bench(48_000)
        reading = bench.start()
        await bench.capture(noise(10.0, 48_000))
        bench.card.stuck = True
        bench.card.replacement = Device(index=3, name="headset", rate=24_000, channels=1, default=True)
        await until(lambda: not bench.card.stuck)
        await asyncio.sleep(0.1)
        time = np.arange(10 * 24_000) / 24_000
        await bench.capture((0.5 * np.sin(2 * np.pi * 1_000 * time)).astype(np.float32))
        wall = asyncio.get_running_loop().time()
        await bench.finish(reading)
        return bench, wall

    bench, wall = run_virtually(main())
    assert bench.seconds == pytest.approx(wall, rel=0.01)
    assert bench.messages[-1] == "headset is used in place of fake card"
    assert bench.source.name == "headset"
    tail = np.concatenate([block.samples for block in bench.blocks])[-RATE:]
    assert np.argmax(np.abs(np.fft.rfft(tail))) == 1_000  # no chipmunk


@pytest.mark.parametrize("comes_back_empty", [True, False])
def test_a_device_that_does_not_come_back_is_lost_in_the_end(comes_back_empty: bool) -> None:
    async def main() -> tuple[Bench, float]:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(1.0))
        bench.card.refuse = not comes_back_empty
        with pytest.raises(VoiceprepError, match="the microphone fake card did not come back") as caught:
            await reading
        assert caught.value.code == "microphone-lost"
        lost_at = asyncio.get_running_loop().time()
        await bench.source.close()
        assert all(stream.closed for stream in bench.card.streams)
        return bench, lost_at

    bench, lost_at = run_virtually(main())
    assert lost_at == pytest.approx(1.0 + RETURN, abs=2.0)
    assert bench.troubles == ["microphone-lost"]
    assert bench.seconds == pytest.approx(lost_at, abs=2.0)
    assert sum(bool(block.samples.any()) for block in bench.blocks) == -(-RATE // BLOCK)  # what was said is there


def test_closing_while_a_device_is_looked_for() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(0.5))
        bench.card.refuse = True
        await asyncio.sleep(10.2)
        bench.card.refuse = False
        await bench.source.close()
        await reading
        return bench

    assert all(stream.closed for stream in run_virtually(main()).card.streams)


def test_case_056_zeros_from_a_microphone_that_hisses_are_lost_sound() -> None:
    """Told within five seconds and when it is over; what could not be heard is a gap, and no pause."""

    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(noise(2.0))
        await bench.capture(silence(4.0))
        assert bench.troubles == ["microphone-silent"]
        await bench.capture(silence(11.0))
        await bench.capture(noise(2.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.troubles == ["microphone-silent", "microphone-back"]
    assert bench.reasons == {"muted": pytest.approx(12.0, abs=0.1)}
    assert bench.seconds == pytest.approx(19.0, abs=2 * BLOCK / RATE)


def test_case_056_nothing_but_zeros_from_the_start_is_told_too() -> None:
    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        await bench.capture(silence(15.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.troubles == ["microphone-silent"]
    assert bench.reasons == {"muted": pytest.approx(12.0, abs=1.1)}


def test_a_microphone_that_cleans_its_silence_is_not_taken_for_a_muted_one() -> None:
    """Headsets and conference filters give zeros in every pause: those are the candidate's own silence."""

    async def main() -> Bench:
        bench = Bench()
        reading = bench.start()
        for pause in (0.5, 12.0, 0.5, 15.0):
            await bench.capture(noise(1.0))
            await bench.capture(silence(pause))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.lost == []
    assert bench.troubles == []


def test_case_016_what_is_said_before_anybody_listens_is_there() -> None:
    """The microphone is open before the session has got to listening; its last two seconds are its first blocks."""
    said = noise(3.0, seed=7)

    async def main() -> Bench:
        bench = Bench()
        await bench.capture(said)
        reading = bench.start()
        await bench.capture(noise(1.0, seed=8))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    heard = np.concatenate([block.samples for block in bench.blocks])
    expected = np.concatenate((said[-2 * RATE + 320 :], noise(1.0, seed=8)))  # 320: the buffer that would be more than 2 s
    np.testing.assert_array_equal(heard, expected[: len(heard)])
    assert len(heard) > 3 * RATE - 320 - BLOCK
    assert bench.lost == []


def test_case_049_losses_that_no_driver_tells_of_are_filled_in() -> None:
    """Twenty times 0.9 s are missing, and neither a flag nor the device's clock says so: only the wall does."""

    async def main() -> tuple[Bench, float]:
        bench = Bench()
        reading = bench.start()
        for _ in range(20):
            await bench.capture(noise(20.0))
            await asyncio.sleep(0.9)
        await bench.capture(noise(20.0))
        wall = asyncio.get_running_loop().time()
        await bench.finish(reading)
        return bench, wall

    bench, wall = run_virtually(main())
    assert bench.seconds == pytest.approx(wall, abs=0.02 + BLOCK / RATE)
    assert len(bench.lost) == 20
    assert bench.reasons == {"overflow": pytest.approx(18.0, abs=0.3)}


def test_case_103_a_night_with_the_lid_closed_is_a_gap_of_a_second() -> None:
    slept = 0.0

    async def main() -> Bench:
        bench = Bench()
        loop = asyncio.get_running_loop()
        bench.source._awake._read = lambda: loop.time() + slept
        reading = bench.start()
        await bench.capture(noise(10.0))
        nonlocal slept
        slept = 7_200.0
        bench.card.time += 7_200.0
        await bench.capture(noise(10.0))
        await bench.finish(reading)
        return bench

    bench = run_virtually(main())
    assert bench.reasons == {"asleep": pytest.approx(1.0, abs=2 * BLOCK / RATE)}
    assert bench.seconds == pytest.approx(21.0, abs=0.1)
    assert bench.troubles == []


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
