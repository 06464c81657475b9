"""`bench fillers`: what it counts as found, and that its truth is where it says."""

from __future__ import annotations

import numpy as np
import pytest

from bench.fillers import matches, noisy, render
from tests.fakes.voice import ToneVoice
from voiceprep.audio.base import RATE
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.units import Media, Span


def at(start: float, end: float, source: str = "audio") -> Filler:
    return Filler("um", Media(start), Media(end), "words" if source == "words" else "audio")


TRUTH = (Span(Media(1.0), Media(1.5)), Span(Media(1.6), Media(2.0)))


@pytest.mark.parametrize(
    ("found", "count"),
    [
        ([at(1.1, 1.5), at(1.6, 1.9)], 2),
        ([at(1.0, 2.0)], 1),  # one find is one filler, though it covers two
        ([at(1.45, 1.58)], 1),
        ([at(2.2, 2.5)], 0),
        ([at(2.2, 2.5, "words")], 1),  # a word's times may be off
        ([at(2.4, 2.5, "words")], 0),
        ([], 0),
    ],
)
def test_a_find_counts_for_one_filler_that_it_overlaps(found: list[Filler], count: int) -> None:
    assert matches(found, TRUTH) == count


async def test_the_truth_is_where_sound_is() -> None:
    answer = await render(ToneVoice(), "en", "mid-neutral", np.random.default_rng(3))
    assert len(answer.fillers) == 6
    for span in answer.fillers:
        start, end = round(span.start * RATE), round(span.end * RATE)
        assert np.sqrt(np.mean(answer.samples[start:end] ** 2)) > 0.01


def test_noise_is_as_far_under_the_speech_as_it_says() -> None:
    speech = (0.3 * np.sin(np.arange(RATE) * 0.3)).astype(np.float32)
    noise = noisy(speech, 20.0, np.random.default_rng(0)) - speech
    assert 20 * np.log10(speech.std() / noise.std()) == pytest.approx(20.0, abs=0.5)
