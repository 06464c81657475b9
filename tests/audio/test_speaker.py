"""The speaker on a fake card: the cushion, two clocks, a dead device."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fakes.audio import FakeCard, noise, silence
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import VOICE_RATE, Samples
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
    bench = Bench()
    for _ in range(100):
        bench.sink.write(noise(1.0, VOICE_RATE))
    assert bench.troubles == ["speaker-lost"]
    assert bench.waiting <= LIMIT + 1.0


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
