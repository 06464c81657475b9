"""What is measured of sound, against sounds of known level."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fakes.audio import noise, silence
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.level import SILENCE, LevelWatch, Notice, dbfs, measure


def tone(seconds: float, level: float, hertz: float = 440.0) -> Samples:
    """A sine of so many dBFS."""
    time = np.arange(round(seconds * RATE)) / RATE
    return np.asarray(10 ** (level / 20) * np.sqrt(2) * np.sin(2 * np.pi * hertz * time), np.float32)


def hiss(seconds: float, level: float) -> Samples:
    return noise(seconds, level=10 ** (level / 20) * np.sqrt(3))


def test_a_level_is_its_power() -> None:
    assert dbfs(tone(1.0, -20.0)) == pytest.approx(-20.0, abs=0.01)
    assert dbfs(silence(1.0)) == SILENCE
    assert dbfs(silence(0.0)) == SILENCE


def test_speech_and_the_noise_under_it() -> None:
    sound = hiss(10.0, -60.0)
    sound[3 * RATE : 7 * RATE] += tone(4.0, -24.0)
    for voiced in (None, [(3.0, 7.0)]):
        measured = measure(sound, voiced)
        assert measured.level == pytest.approx(-24.0, abs=0.3)
        assert measured.noise == pytest.approx(-60.0, abs=1.0)
        assert measured.snr == pytest.approx(36.0, abs=1.3)
        assert measured.voiced == pytest.approx(4.0, abs=0.07)
        assert measured.clipped_share == 0.0
        assert not measured.zeros
        assert measured.hum == SILENCE


def test_clipping_is_the_share_of_samples_at_full_scale() -> None:
    sound = np.clip(tone(2.0, 0.0), -1.0, 1.0)
    assert measure(sound).clipped_share == pytest.approx(0.5, abs=0.01)  # sqrt(2) sin x is beyond 1 half of the time
    assert measure(sound).peak == 0.0


def test_zeros_and_nothing_at_all() -> None:
    for sound in (silence(3.0), silence(0.0)):
        measured = measure(sound)
        assert measured.zeros
        assert (measured.level, measured.noise, measured.peak, measured.hum) == (SILENCE,) * 4
        assert measured.voiced == measured.snr == 0.0


@pytest.mark.parametrize("mains", [50.0, 60.0])
def test_mains_hum_is_heard_between_the_words(mains: float) -> None:
    sound = hiss(6.0, -70.0)
    for harmonic in (1, 2, 3):
        sound += tone(6.0, -50.0, mains * harmonic)
    sound[: 3 * RATE] += tone(3.0, -20.0)
    assert measure(sound).hum == pytest.approx(-50.0 + 10 * np.log10(3), abs=1.0)


def test_a_low_voice_is_no_hum() -> None:
    time = np.arange(4 * RATE) / RATE
    pitch = 105 + 15 * np.sin(2 * np.pi * 0.6 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    voice = np.asarray(sum(0.1 * np.sin(k * phase) / k for k in range(1, 8)), np.float32) + hiss(4.0, -60.0)
    assert measure(voice).hum == SILENCE


def watch(sound: Samples, *, voiced: bool = True) -> list[Notice]:
    watching = LevelWatch()
    told = [watching.feed(sound[at : at + BLOCK], voiced=voiced) for at in range(0, len(sound) - BLOCK, BLOCK)]
    return [notice for notice in told if notice is not None]


def test_clipping_and_soft_speech_are_told_once() -> None:
    assert watch(np.clip(tone(20.0, 0.0), -1.0, 1.0)) == ["clipping"]
    assert watch(tone(30.0, -50.0)) == ["quiet"]
    assert watch(tone(30.0, -30.0)) == []


def test_a_lone_shout_and_a_quiet_room_are_not_told() -> None:
    sound = tone(20.0, -25.0)
    sound[RATE : RATE + BLOCK] = 1.0
    assert watch(sound) == []
    assert watch(hiss(60.0, -60.0), voiced=False) == []
