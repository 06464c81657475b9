"""The sound of an ending: on tones of known pitch and level, then on real speech. The pitch network is the real one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from tests.fakes.speech import real_speech
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.core.events import Ending
from voiceprep.core.turns.prosody import finality
from voiceprep.speech.endpoint.prosody import Prosody

pytestmark = pytest.mark.models

Curve = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
"""From shares of the length, 0..1, to values."""


def voice(seconds: float, hertz: Curve, decibels: Curve = lambda t: 0 * t - 20, formants: Curve = lambda t: 0 * t) -> Samples:
    """A buzz with the harmonics of a vowel. `formants` moves the vowel's colour: 0 is one vowel, 1 another."""
    share = np.linspace(0, 1, round(seconds * RATE))
    pitch, colour = hertz(share), formants(share)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    sound = np.zeros_like(share)
    for harmonic in range(1, 24):
        place = harmonic * pitch
        first = np.exp(-(((place - 650 + 300 * colour) / 180) ** 2))
        second = 0.6 * np.exp(-(((place - 1200 - 900 * colour) / 250) ** 2))
        sound += (first + second + 0.03) * np.sin(harmonic * phase)
    sound *= 10 ** (decibels(share) / 20) / np.sqrt(np.mean(sound**2))
    fade = np.minimum(1.0, np.minimum(share, 1 - share) * seconds / 0.01)
    return (sound * fade).astype(np.float32)


def silence(seconds: float, dbfs: float = -70.0) -> Samples:
    noise = np.random.default_rng(3).standard_normal(round(seconds * RATE)) * 10 ** (dbfs / 20)
    return noise.astype(np.float32)


def feed(prosody: Prosody, *sounds: Samples) -> None:
    whole = np.concatenate(sounds)
    for block in whole[: len(whole) // BLOCK * BLOCK].reshape(-1, BLOCK):
        prosody.feed(block)


def wavy(seconds: float, centre: float = 120.0) -> Samples:
    """Speech-like: pitch and colour never stand still."""
    return voice(
        seconds,
        lambda t: centre * 2 ** (2 * np.sin(2 * np.pi * 1.3 * seconds * t) / 12),
        formants=lambda t: (1 + np.sin(2 * np.pi * 2.7 * seconds * t)) / 2,
    )


def acquainted(centre: float = 120.0) -> Prosody:
    """A prosody that has heard this speaker before."""
    prosody = Prosody()
    for _ in range(2):
        feed(prosody, silence(0.3), wavy(1.5, centre), silence(0.3))
        prosody.ending()
    return prosody


def ended(*sounds: Samples, after: float = 0.25, centre: float = 120.0) -> Ending:
    prosody = acquainted(centre)
    feed(prosody, silence(0.3), *sounds, silence(after))
    ending = prosody.ending()
    assert ending is not None
    return ending


# --- tones whose truth is known -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("semitones", [-4.0, 0.0, 4.0])
def test_the_change_of_pitch_over_the_end(semitones: float) -> None:
    ending = ended(wavy(0.6), voice(0.3, lambda t: 120 * 2 ** (semitones * t / 12)))
    # medians of thirds are two thirds of the way apart
    assert ending.pitch_change == pytest.approx(semitones * 2 / 3, abs=0.8)


@pytest.mark.parametrize("semitones", [-5.0, 0.0, 5.0])
@pytest.mark.parametrize("centre", [100.0, 210.0])
def test_pitch_is_told_against_the_speakers_own(semitones: float, centre: float) -> None:
    ending = ended(wavy(0.6, centre), voice(0.45, lambda t: centre * 2 ** (semitones / 12) + 0 * t), centre=centre)
    assert ending.pitch == pytest.approx(semitones, abs=1.5)


@pytest.mark.parametrize("decibels", [-10.0, -5.0, 0.0])
def test_level_is_told_against_the_speakers_own_whatever_the_gain(decibels: float) -> None:
    for gain in (1.0, 0.1):
        prosody = Prosody()
        for sound in (*[wavy(1.5)] * 4, wavy(0.9) * np.float32(10 ** (decibels / 20))):  # the mean knows the last one too
            feed(prosody, silence(0.3), sound * np.float32(gain), silence(0.3))
            ending = prosody.ending()
        assert ending is not None
        assert ending.level == pytest.approx(decibels, abs=2.0)


def test_a_fall_of_level_at_the_end() -> None:
    falling = ended(wavy(0.5), voice(0.3, lambda t: 120 - 10 * t, lambda t: -20 - 14 * t))
    level = ended(wavy(0.5), voice(0.3, lambda t: 120 - 10 * t))
    assert falling.level_fall > level.level_fall + 4


def test_a_filled_pause_is_steady_and_speech_is_not() -> None:
    um = ended(wavy(0.6), voice(0.5, lambda t: 118 - 2 * t))
    assert um.steady == pytest.approx(0.5, abs=0.12)
    assert ended(wavy(1.1)).steady < 0.2
    assert finality(um, "en") < -1.0 < finality(ended(wavy(1.1)), "en")


def test_noise_changes_an_ending_little() -> None:
    tail = voice(0.45, lambda t: 120 * 2 ** (-4 / 12) + 0 * t)
    clean = ended(wavy(0.6), tail)
    sound = np.concatenate((wavy(0.6), tail))
    noisy = ended(sound + silence(len(sound) / RATE, -40), after=0.25)
    assert clean.pitch is not None
    assert noisy.pitch == pytest.approx(clean.pitch, abs=0.7)
    assert noisy.level == pytest.approx(clean.level, abs=1.5)


def test_an_end_without_pitch_has_none() -> None:
    whisper = silence(0.45, -25.0)
    ending = ended(wavy(0.6), whisper, after=0.1)
    assert ending.pitch is None or ending.pitch_change is None or ending.steady < 0.3
    assert -2 <= finality(ending, "en") <= 1


def test_of_an_unknown_voice_nothing_is_called_low_or_soft() -> None:
    prosody = Prosody()
    feed(prosody, silence(0.3), wavy(0.4), silence(0.25))
    ending = prosody.ending()
    assert ending is not None
    assert ending.pitch is None
    assert ending.level is None


def test_asking_twice_learns_once() -> None:
    prosody = acquainted()
    feed(prosody, wavy(0.8, 150), silence(0.25))
    assert prosody.ending() == prosody.ending()


@pytest.mark.parametrize("sound", [np.zeros(2 * RATE, np.float32), silence(2.0, -40), np.full(2 * RATE, np.nan, np.float32)])
def test_where_nobody_spoke_there_is_no_ending(sound: Samples) -> None:
    prosody = Prosody()
    assert prosody.ending() is None
    feed(prosody, sound)
    assert prosody.ending() is None


def test_an_ending_long_ago_is_none() -> None:
    prosody = acquainted()
    feed(prosody, silence(1.5))
    assert prosody.ending() is None


def test_a_block_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="512"):
        Prosody().feed(silence(0.01))


# --- real speech ----------------------------------------------------------------------------------------------------------


def at(name: str, moment: float) -> Ending | None:
    """The ending as it is heard at a place of a recording, from its first second on."""
    prosody = Prosody()
    clip = real_speech(name)[: round(moment * RATE)]
    second = RATE // BLOCK * BLOCK
    for start in range(0, len(clip), second):
        feed(prosody, clip[start : start + second])
        last = prosody.ending()
    return last


def test_real_speech_gives_the_same_ending_every_time() -> None:
    first = at("en_libri_1995.wav", 8.73)
    assert first is not None
    assert first == at("en_libri_1995.wav", 8.73)


def test_a_real_um_holds_the_floor_more_than_the_end_of_its_speakers_sentence() -> None:
    um, end = at("en_phone_8k_2spk_45s.wav", 25.3), at("en_phone_8k_2spk_45s.wav", 27.25)
    assert um is not None
    assert end is not None
    assert um.steady > 0.3 > end.steady
    assert finality(um, "en") < -1.0 < finality(end, "en")
