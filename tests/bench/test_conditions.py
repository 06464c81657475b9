from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench import conditions
from bench.truth import Take, under
from tests.bench.sounds import plain_take
from voiceprep.audio.base import RATE, Samples

TAKE = plain_take(0.5, ("hesitation", 2.0), 0.7)


def rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))


@pytest.mark.parametrize("bed", [conditions.fan(), conditions.babble([TAKE] * 6)])
def test_a_bed_lies_as_far_below_the_speech_as_it_says(bed: Samples) -> None:
    assert rms(bed) == pytest.approx(1.0, rel=1e-3)
    noisy = conditions.in_condition(TAKE, "fan", np.ones(1, np.float32))
    ratio = 20 * np.log10(conditions.loudness(noisy) / rms(conditions.gain(noisy) * bed))
    assert ratio == pytest.approx(conditions.SNR["fan"], abs=0.05)


def test_beds_are_the_same_for_the_same_seed() -> None:
    assert np.array_equal(conditions.fan(3), conditions.fan(3))
    assert not np.array_equal(conditions.fan(3), conditions.fan(4))


def test_without_a_bed_nothing_is_added() -> None:
    assert conditions.gain(TAKE) == 0.0


def made_up() -> Samples:
    return conditions.room_response(Path("/nowhere.wav"))


@pytest.mark.parametrize("response", [made_up(), conditions.room_response()])
def test_a_room_changes_the_sound_and_not_the_truth(response: Samples) -> None:
    wet: Take = conditions.in_condition(TAKE, "room", response)
    assert (wet.sounds, wet.pauses, wet.end) == (TAKE.sounds, TAKE.pauses, TAKE.end)
    assert conditions.loudness(wet) == pytest.approx(conditions.loudness(TAKE), rel=0.05)
    tail = wet.samples[TAKE.end : TAKE.end + RATE // 20]
    assert rms(tail) > 0.001  # it rings on after the mouth has closed
    assert np.abs(wet.samples[0]) > 0.01  # the direct sound is not late


def test_a_condition_cannot_move_samples() -> None:
    with pytest.raises(ValueError, match="move"):
        under(TAKE, TAKE.samples[1:], "fan")
