"""Two clocks that run apart, and what is left of it in the recording."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fakes.audio import noise
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.drift import LARGEST, Drift, Leveller

CHUNK = 0.1


def room(count: int, luck: np.random.Generator, *, speaking: bool) -> Samples:
    level = 0.1 if speaking else 0.001
    return (level * luck.standard_normal(count)).astype(np.float32)


@pytest.mark.parametrize("ppm", [-200.0, 200.0, 0.0])
def test_case_049_75_minutes_of_drift_leave_less_than_20_ms(ppm: float) -> None:
    """A card off by 200 ppm (0.9 s in 75 minutes), arrivals up to 80 ms late, answers of a minute with a pause after them."""
    luck = np.random.default_rng(5)
    drift = Drift()
    leveller = Leveller(drift)
    length = counted = 0.0
    worst = touched = 0.0
    for number in range(1, round(75 * 60 / CHUNK) + 1):
        wall = number * CHUNK * (1 + ppm * 1e-6)
        counted = number * CHUNK
        drift.note(wall + luck.exponential(0.01) % 0.08, counted)
        speaking = wall % 63 < 60
        sound = room(round(CHUNK * RATE), luck, speaking=speaking)
        given = leveller.feed(sound)
        if len(given) != len(sound):
            touched = max(touched, float(np.abs(sound).max()))
            assert abs(len(given) - len(sound)) / RATE <= LARGEST
        length += len(given) / RATE
        worst = max(worst, abs(length - wall))
    assert worst < 0.02
    assert touched < 0.05  # never in speech
    assert drift.ppm == pytest.approx(ppm, abs=2.0)
    assert drift.correction == pytest.approx(length - counted, abs=1e-6)


def test_a_card_that_keeps_time_is_left_alone() -> None:
    drift = Drift()
    leveller = Leveller(drift)
    sound = noise(CHUNK, level=0.001)
    luck = np.random.default_rng(5)
    for number in range(1, 30_000):
        drift.note(number * CHUNK + luck.exponential(0.02), number * CHUNK)
        assert leveller.feed(sound) is sound
    assert drift.error == pytest.approx(0.0, abs=1e-3)


def test_what_the_driver_had_buffered_at_the_start_is_no_drift() -> None:
    drift = Drift()
    for number in range(1, 1_000):
        early = 0.3 if number < 20 else 0.0
        drift.note(number * CHUNK - early, number * CHUNK)
    assert drift.error == pytest.approx(0.0, abs=1e-6)


def test_lateness_is_believed_when_all_of_two_seconds_has_it() -> None:
    drift = Drift()
    told = []
    counted = 0.0
    for number in range(1, 2_000):
        lost = 0.9 if number > 1_000 else 0.0
        late = 1.5 if number % 50 == 0 else 0.0  # single arrivals are late all the time
        counted += CHUNK
        at = number * CHUNK + lost + late
        if seconds := drift.unreported(at):
            told.append((number, seconds))
            counted += seconds
        drift.note(at, counted)
    assert [seconds for _, seconds in told] == [pytest.approx(0.9)]
    assert 1_000 < told[0][0] < 1_000 + 5 / CHUNK
