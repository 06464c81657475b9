"""Held sounds: a voice made here, whose every turn is known; then real ones."""

from __future__ import annotations

import numpy as np
import pytest
import soxr  # type: ignore[import-untyped]  # ships no types
from hypothesis import given, settings
from hypothesis import strategies as st

from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.speech.fillers import HeldSounds, held_sounds
from voiceprep.speech.fillers.frames import STEP, frames_of
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.espeak import EspeakVoice

UH = ((600, 600), (1200, 1200))
"""First and second formant, Hz, at the start and at the end."""
GLIDE = ((300, 800), (2300, 900))
"""From i to a: what a diphthong does, and more."""


def voice(seconds: float, formants: tuple[tuple[float, float], ...] = UH, pitch: tuple[float, float] = (120, 115)) -> Samples:
    """Harmonics of a pitch, loud near the formants, with soft edges of 20 ms. Peak 0.3."""
    time = np.arange(round(seconds * RATE)) / RATE
    share = time / seconds
    hertz = pitch[0] + (pitch[1] - pitch[0]) * share
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    sound = np.zeros_like(time)
    for harmonic in range(1, 30):
        at = harmonic * hertz
        gain = sum(np.exp(-(((at - (low + (high - low) * share)) / 120) ** 2)) for low, high in formants) + 300 / (at + 3000)
        sound += gain * np.sin(harmonic * phase)
    edge = np.clip(np.minimum(time, seconds - time) / 0.02, 0, 1)
    made: Samples = (0.3 * sound / np.abs(sound).max() * edge).astype(np.float32)
    return made


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def best(samples: Samples) -> float:
    return max((sound.odds for sound in held_sounds(samples)), default=-np.inf)


def test_a_held_vowel_between_silences_is_found_where_it_is() -> None:
    (sound,) = held_sounds(np.concatenate([silence(0.7), voice(0.4), silence(0.6)]))
    assert sound.odds > 0
    assert sound.start == pytest.approx(0.7, abs=0.04)
    assert sound.end == pytest.approx(1.1, abs=0.04)


def test_a_finished_region_alone_counts_as_standing_between_silences() -> None:
    alone, padded = best(voice(0.4)), best(np.concatenate([silence(0.5), voice(0.4), silence(0.5)]))
    assert alone >= padded > 2


def test_what_moves_is_less_likely_than_what_is_held() -> None:
    assert best(voice(0.3, GLIDE)) < best(voice(0.3)) - 2


def test_what_hangs_on_to_other_speech_is_less_likely_than_what_stands_alone() -> None:
    inside = np.concatenate([voice(0.15, GLIDE), voice(0.3), voice(0.15, tuple((b, a) for a, b in GLIDE))])
    assert best(inside) < best(voice(0.3)) - 2


@pytest.mark.parametrize(
    "sound",
    [silence(3.0), silence(0.01), silence(0.0), voice(0.1), voice(4.0), voice(0.6, pitch=(100, 220))],
    ids=["silence", "ten milliseconds", "nothing", "a short vowel", "a hum", "a voice that climbs an octave"],
)
def test_what_is_no_held_sound_is_not_mentioned(sound: Samples) -> None:
    assert held_sounds(sound) == []


def test_noise_is_no_voice() -> None:
    noise = np.random.default_rng(1).standard_normal(20 * RATE).astype(np.float32) * 0.05
    assert held_sounds(noise) == []


@settings(max_examples=8)
@given(st.lists(st.integers(1, 40_000), min_size=1, max_size=6), st.integers(0, 30))
def test_a_stream_in_any_pieces_has_each_sound_once(sizes: list[int], shift: int) -> None:
    """Sounds every 1.3 s, so that some of them lie across the edges of what is searched at a time."""
    gap = silence(0.9)
    stream = np.concatenate([silence(shift * STEP), *[part for _ in range(24) for part in (gap, voice(0.4))], gap])
    held = HeldSounds()
    place = number = 0
    while place < len(stream):
        size = sizes[number % len(sizes)] + 200
        held.feed(stream[place : place + size])
        place, number = place + size, number + 1
    found = held.flush()
    wanted = [shift * STEP + 0.9 + 1.3 * count for count in range(24)]
    assert [sound.start for sound in found] == pytest.approx(wanted, abs=0.04)
    assert held.flush() == found


def test_hours_are_searched_in_bounded_memory() -> None:
    held = HeldSounds()
    most = 0
    for _ in range(60):
        held.feed(silence(1.7))
        most = max(most, sum(len(piece) for piece in held._kept))
    assert most < 17 * RATE


@pytest.mark.parametrize("hertz", [80.0, 120.0, 210.0, 330.0])
def test_pitch_and_voicing_of_a_known_voice(hertz: float) -> None:
    frames = frames_of(voice(1.0, pitch=(hertz, hertz)))
    middle = slice(20, -20)
    assert np.median(frames.pitch[middle]) == pytest.approx(12 * np.log2(hertz / 55), abs=0.3)
    assert frames.voicing[middle].min() > 0.9
    assert np.median(frames.change[middle]) < 2.5


@pytest.mark.parametrize(("text", "language"), [("Um...", "en"), ("Uh...", "en"), ("嗯……", "zh"), ("呃……", "zh")])
async def test_a_rendered_filler_is_found(text: str, language: str) -> None:
    engine = EspeakVoice()
    said = await engine.render(text, "zh" if language == "zh" else "en", VoiceStyle("mid-neutral", pace=0.8))
    samples = soxr.resample(said.samples, VOICE_RATE, RATE).astype(np.float32)
    assert best(np.concatenate([silence(0.5), samples, silence(0.5)])) > 0
