"""The speaker on a fake card: the cushion, two clocks, a dead device."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.fakes.audio import FakeCard, noise, silence
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.audio.portaudio import Device
from voiceprep.audio.speaker import CUSHION, LIMIT, LONGEST_CUSHION, ROOM, SpeakerSink

TICK = 0.032


class Bench:
    def __init__(self, rate: int = VOICE_RATE) -> None:
        self.card = FakeCard(rate)
        self.troubles: list[str] = []
        self.sink = SpeakerSink(
            self.card.device, lambda code, _message: self.troubles.append(code), open_stream=self.card.open_output
        )

    def session(self, sound: Samples, *, clock: float = 1.0) -> Samples:
        """Write `sound` tick by tick while the card, whose clock runs `clock` times as fast, plays."""
        step = round(TICK * VOICE_RATE)
        heard = []
        owed = 0.0
        for at in range(0, len(sound), step):
            self.sink.write(sound[at : at + step])
            owed += TICK * clock
            heard.append(self.card.play(owed))
            owed -= len(heard[-1]) / self.card.rate
        return np.concatenate(heard)

    @property
    def waiting(self) -> float:
        return self.sink._buffer.size / self.card.rate


def test_nothing_sounds_before_the_cushion_is_there() -> None:
    bench = Bench()
    bench.sink.write(noise(CUSHION / 2, VOICE_RATE))
    assert not bench.card.play(0.05).any()
    bench.sink.write(noise(CUSHION, VOICE_RATE))
    assert bench.card.play(0.05).any()


def test_a_late_tick_is_not_heard() -> None:
    bench = Bench()
    voice = noise(1.0, VOICE_RATE)
    bench.sink.write(voice[: VOICE_RATE // 2])
    before = bench.card.play(0.42)
    bench.sink.write(voice[VOICE_RATE // 2 :])
    heard = np.concatenate((before, bench.card.play(0.58)))
    np.testing.assert_array_equal(heard, voice)


def test_the_cushion_grows_when_it_was_too_short() -> None:
    bench = Bench()
    for times in range(1, 6):
        bench.sink.write(noise(1.0, VOICE_RATE))
        bench.card.play(2.0)
        bench.sink.write(noise(0.01, VOICE_RATE))
        assert bench.sink.latency == pytest.approx(min(CUSHION + 0.05 * times, LONGEST_CUSHION) + 0.1)


def test_drop_is_immediate_and_counts_in_voice_samples() -> None:
    bench = Bench(48_000)
    bench.sink.write(noise(1.0, VOICE_RATE))
    bench.card.play(0.25)
    assert bench.sink.drop() / VOICE_RATE == pytest.approx(0.75, abs=0.005)
    assert not bench.card.play(0.5).any()
    assert bench.sink.drop() == 0


@pytest.mark.parametrize("clock", [0.995, 1.005])
def test_drift_between_the_clocks_is_absorbed_in_silence(clock: float) -> None:
    """Ten minutes at fifty times a real drift: the buffer stays within bounds, and every sentence comes out whole."""
    bench = Bench()
    sentence = noise(2.0, VOICE_RATE)
    turn = np.concatenate((sentence, silence(4.0, VOICE_RATE)))
    whole = 0
    for _ in range(100):
        heard = bench.session(turn, clock=clock)
        assert bench.waiting < CUSHION + ROOM + 2 * TICK
        # Each turn ends in silence longer than the buffer, so its sentence has come out completely.
        start = int(np.flatnonzero(heard)[0])
        first = int(np.flatnonzero(sentence)[0])
        whole += np.array_equal(heard[start - first : start - first + len(sentence)], sentence)
    assert whole == 100
    assert bench.troubles == []


def test_after_a_stall_of_the_session_the_buffer_returns_to_its_length() -> None:
    bench = Bench()
    bench.session(noise(1.0, VOICE_RATE))
    bench.sink.write(noise(1.0, VOICE_RATE))  # the session catches up at once
    assert bench.waiting > 0.9
    bench.session(silence(2.0, VOICE_RATE))
    assert bench.waiting <= CUSHION + ROOM + TICK


def test_a_device_that_takes_nothing_is_reported_once_and_memory_is_bounded() -> None:
    async def main() -> Bench:
        bench = Bench()
        bench.card.refuse = True
        for _ in range(100):
            bench.sink.write(noise(1.0, VOICE_RATE))
            await asyncio.sleep(0.1)
        assert bench.waiting <= LIMIT + 1.0
        await bench.sink.close()
        return bench

    assert run_virtually(main()).troubles == ["speaker-lost"]


class Live:
    """A speaker in virtual time, on a card that plays in bites of 20 ms unless it is dead."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.card = FakeCard(VOICE_RATE)
        self.dead = False
        self.troubles: list[tuple[str, float]] = []
        self.heard: list[Samples] = []
        self.sink = SpeakerSink(
            self.card.device,
            lambda code, _message: self.troubles.append((code, round(self.loop.time(), 1))),
            open_stream=self.card.open_output,
            seek=self.card.seek,
            read=self.loop.time,
        )
        self._playing = self.loop.create_task(self._play())

    async def write(self, sound: Samples) -> None:
        step = round(TICK * VOICE_RATE)
        for at in range(0, len(sound), step):
            self.sink.write(sound[at : at + step])
            await asyncio.sleep(TICK)

    async def finish(self) -> None:
        await self.sink.close()
        self._playing.cancel()

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            if not self.dead:
                self.heard.append(self.card.play(0.02))


def test_case_054_a_speaker_that_fails_until_devices_are_looked_for_anew_comes_back() -> None:
    voice = noise(1.0, VOICE_RATE)

    async def main() -> Live:
        live = Live()
        await live.write(voice)
        live.dead = live.card.stuck = True
        await live.write(silence(4.0, VOICE_RATE))
        assert live.card.seeks == 0
        while not live.card.seeks:
            await live.write(noise(0.1, VOICE_RATE))
        live.dead = False
        await live.write(silence(0.5, VOICE_RATE))
        live.heard.clear()
        await live.write(voice)
        await live.write(silence(0.5, VOICE_RATE))
        await live.finish()
        return live

    live = run_virtually(main())
    assert [code for code, _ in live.troubles] == ["speaker-lost", "speaker-back"]
    assert live.troubles[0][1] == pytest.approx(3.0, abs=0.1)  # it was silent for two seconds, though nothing was to sound
    sounding = np.trim_zeros(np.concatenate(live.heard))
    np.testing.assert_array_equal(sounding, np.trim_zeros(voice))


def test_a_speaker_that_stays_away_is_looked_for_ever_more_rarely() -> None:
    """Each look costs the microphone a moment of sound."""

    async def main() -> Live:
        live = Live()
        live.dead = live.card.refuse = True
        await live.write(silence(600.0, VOICE_RATE))
        await live.finish()
        return live

    live = run_virtually(main())
    assert [code for code, _ in live.troubles] == ["speaker-lost"]
    assert 8 <= live.card.seeks <= 15


def test_another_speaker_is_used_at_its_own_rate() -> None:
    voice = noise(2.0, VOICE_RATE)

    async def main() -> Live:
        live = Live()
        live.dead = live.card.stuck = True
        live.card.replacement = Device(index=1, name="other card", rate=48_000, channels=2, default=True)
        while not live.card.seeks:
            await live.write(silence(0.1, VOICE_RATE))
        live.dead = False
        await live.write(silence(0.5, VOICE_RATE))
        live.heard.clear()
        await live.write(voice)
        await live.finish()
        return live

    live = run_virtually(main())
    assert live.sink.name == "other card"
    sounding = np.trim_zeros(np.concatenate(live.heard))
    assert len(sounding) / 48_000 == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("ppm", [-200, 200])
def test_case_049_the_fill_stays_put_for_75_minutes_of_drift(ppm: int) -> None:
    """The card's clock drifts and it takes sound in late bites: what is written sounds after the same time all the same."""
    bench = Bench()
    luck = np.random.default_rng(3)
    tick = round(TICK * VOICE_RATE)
    empty, speech = np.zeros(tick, np.float32), noise(TICK, VOICE_RATE)
    bite, played, fills = 0.035, 0.0, []
    for number in range(round(75 * 60 / TICK)):
        speaking = number * TICK % 20 < 14  # 14 s of speech, 6 of silence
        bench.sink.write(speech if speaking else empty)
        due = number * TICK * (1 + ppm * 1e-6)
        while played < due - luck.uniform(0, 0.03):
            bench.card.play(bite)
            played += bite
        fills.append(bench.waiting + played - due)
    middle = [float(np.median(fills[at : at + 1_000])) for at in range(1_000, len(fills), 1_000)]
    assert np.ptp(middle) < 0.02
    assert min(fills[1_000:]) > 0.0
    assert max(fills) < CUSHION + ROOM
    assert bench.sink._buffer.cushion == CUSHION  # it never ran empty
    assert abs(bench.sink._stretched / VOICE_RATE) == pytest.approx(75 * 60 * 200e-6, rel=0.1)


def test_closing_does_not_wait_for_a_dead_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voiceprep.audio.speaker.PATIENCE", 0.0)

    async def main() -> Bench:
        bench = Bench()
        bench.sink.write(noise(0.01, VOICE_RATE))
        await bench.sink.close()
        return bench

    bench = run_virtually(main())
    assert bench.card.streams[0].closed


def test_its_latency_is_the_cushion_and_the_devices_own() -> None:
    assert Bench().sink.latency == pytest.approx(CUSHION + 0.1)
