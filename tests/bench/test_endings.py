from __future__ import annotations

import tomllib

import numpy as np
import pytest
import soxr  # type: ignore[import-untyped]  # it ships no types

from bench.endings import SENTENCES, area, broken_off, heard
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.espeak import EspeakVoice


async def spoken(*texts: str) -> list[Samples]:
    voice, style = EspeakVoice(), VoiceStyle("mid-neutral")
    rendered = [(await voice.render(text, "en", style)).samples for text in texts]
    return [soxr.resample(samples, VOICE_RATE, RATE).astype(np.float32) for samples in rendered]


def test_the_area_is_the_chance_that_an_ending_scores_higher() -> None:
    assert area([1.0, 2.0], [0.0, 0.5]) == 1.0
    assert area([0.0], [0.0]) == 0.5
    assert area([1.0, 0.0], [0.5, 0.5]) == 0.5
    assert area([], [1.0]) is None


def test_both_languages_have_sentences_of_every_kind() -> None:
    sentences = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    assert set(sentences) == {"en", "zh"}
    for kinds in sentences.values():
        assert set(kinds) == {"plain", "filled", "questions"}
        assert all(len(texts) >= 4 and len(set(texts)) == len(texts) for texts in kinds.values())


@pytest.mark.models
async def test_every_lull_of_a_stream_has_the_meaning_it_was_made_with() -> None:
    sounds = await spoken("Nobody owned the limit, so I wrote it down.", "It cost us some throughput.", "We measured it twice.")
    spent: list[float] = []
    lulls = list(heard(sounds, spent))
    kinds = [lull.kind for lull in lulls]
    assert [kinds.count(kind) for kind in ("end", "broken", "drawn")] == [3, 3, 3]
    assert len(spent) == len(lulls)
    assert all(lull.ending is not None for lull in lulls)
    drawn = [lull.ending.steady for lull in lulls if lull.kind == "drawn" and lull.ending]
    ends = [lull.ending.steady for lull in lulls if lull.kind == "end" and lull.ending]
    assert np.median(drawn) > np.median(ends)


@pytest.mark.models
async def test_a_broken_off_copy_is_the_beginning_of_the_sentence() -> None:
    (sound,) = await spoken("We split the cards into small slices and it worked.")
    broken = broken_off(sound, np.random.default_rng(1), drawn=False)
    drawn = broken_off(sound, np.random.default_rng(1), drawn=True)
    kept = len(broken) - RATE // 10
    assert len(broken) < len(sound)
    assert np.array_equal(broken[:kept], sound[:kept])
    assert np.abs(drawn).max() < 1.5 * np.abs(sound).max()
