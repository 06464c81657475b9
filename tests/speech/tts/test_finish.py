"""Rate, level and edges of what every engine gives."""

from __future__ import annotations

import numpy as np
import pytest

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.finish import LEAD, TAIL, finish


def tone(seconds: float, rate: int, level: float = 0.5) -> Samples:
    return (level * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def quiet(seconds: float, rate: int) -> Samples:
    return np.zeros(round(seconds * rate), np.float32)


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000, 48_000, 20_160.0])
@pytest.mark.parametrize("level", [0.004, 0.5, 3.0])
def test_any_rate_and_level_comes_out_alike(rate: float, level: float) -> None:
    raw = np.concatenate([quiet(0.7, int(rate)), tone(1.0, int(rate), level), quiet(0.9, int(rate))])
    samples = finish(raw, rate, "test")
    assert samples.dtype == np.float32
    assert samples.size / VOICE_RATE == pytest.approx(1.0 + LEAD + TAIL, abs=0.02)
    assert np.sqrt(np.mean(samples[1000:20_000] ** 2)) == pytest.approx(10 ** (-21 / 20), rel=0.05)
    assert np.argmax(np.abs(samples) > 0.01) / VOICE_RATE == pytest.approx(LEAD, abs=0.006)


def test_peaks_are_bent_below_three_decibels() -> None:
    clicks = tone(1.0, VOICE_RATE, 0.02)
    clicks[::2000] = 1.0
    samples = finish(clicks, VOICE_RATE, "test")
    assert np.abs(samples).max() <= 10 ** (-3 / 20)
    assert np.isfinite(samples).all()


@pytest.mark.parametrize("nothing", [np.zeros(0, np.float32), quiet(1, 16_000), np.full(100, np.nan, np.float32)])
def test_silence_is_a_failure(nothing: Samples) -> None:
    with pytest.raises(VoiceprepError) as failed:
        finish(nothing, 16_000, "test")
    assert failed.value.code == "voice-failed"
