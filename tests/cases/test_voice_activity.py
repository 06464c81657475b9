"""Public bug cases: soft, narrow and hasty speech through the real detector."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.cases.conftest import Shared
from tests.fakes.audio import noise, silence
from tests.fakes.room import wav
from tests.fakes.speech import real_speech
from tests.speech.test_vad import activities, regions
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.text import text_of
from voiceprep.review.analysis import analyze
from voiceprep.review.analysis_document import document
from voiceprep.speech.vad.silero import SileroActivity

pytestmark = pytest.mark.models


def voiced(sound: Samples) -> list[tuple[float, float]]:
    return regions(activities(SileroActivity(), sound))


def covered(found: list[tuple[float, float]], start: float, end: float) -> float:
    """The share of a stretch that was taken for speech."""
    return sum(max(0.0, min(b, end) - max(a, start)) for a, b in found) / (end - start)


@pytest.mark.parametrize("decibels", [-20, -30, -40])
def test_case_061_soft_speech_is_heard(spoken: Callable[[str], Samples], decibels: int) -> None:
    speech = spoken("I would start with the failure that I have seen most often.")
    loud = voiced(np.concatenate((silence(1.0), speech, silence(1.0))))
    soft = voiced(np.concatenate((silence(1.0), speech * np.float32(10 ** (decibels / 20)), silence(1.0))))
    assert covered(soft, loud[0][0], loud[-1][1]) >= 0.8 * covered(loud, loud[0][0], loud[-1][1])


def test_case_068_pauses_of_a_few_tenths_are_found_and_the_least_that_counts_is_stated(
    tmp_path: Path, spoken: Callable[[str], Samples]
) -> None:
    lengths = (0.3, 0.4, 0.5, 0.6)
    clauses = [
        "We had nine hours of queue",
        "so I looked at who was waiting",
        "and I decided on a quota",
        "every team kept its share",
        "and the rest was lent out",
    ]
    pieces: list[Samples] = []
    edges: list[tuple[float, float]] = []
    for text, pause in zip(clauses, (*lengths, 1.0), strict=True):
        clip = spoken(text)
        loud = np.flatnonzero(np.abs(clip) > 0.01)
        pieces += [clip[loud[0] : loud[-1] + 1], silence(pause)]
        over = sum(map(len, pieces)) / RATE
        edges.append((over - pause, over))
    sound = np.concatenate(pieces)
    sound += noise(len(sound) / RATE, level=0.0005)[: len(sound)]
    analysis = asyncio.run(analyze(wav(tmp_path / "answer.wav", sound), recogniser=None, language="en"))
    inside = [(pause.start, pause.end) for pause in analysis.pauses if pause.kind == "mid_answer"]
    for start, end in edges[:-1]:
        near = min(inside, key=lambda pause: abs(pause[0] - start))
        assert list(near) == pytest.approx([start, end], abs=0.12)
    least = document(analysis, 1.0)["minimum_pause"]
    assert 0.2 <= least <= 0.3
    assert all(pause.duration >= least for pause in analysis.pauses)
    assert max(span.duration for span in analysis.speech) < 4.0  # nothing is merged across them
    assert all(a.end < b.start for a, b in pairwise(analysis.speech))


def test_case_036_both_sides_of_a_telephone_call_are_heard(runner: asyncio.Runner, whisper: Shared) -> None:
    call = real_speech("en_phone_8k_2spk_45s.wav")[: round(14.3 * RATE)]
    found = voiced(call)
    assert covered(found, 5.6, 8.5) > 0.9  # who calls
    assert covered(found, 10.7, 13.6) > 0.9  # who answers
    text = text_of(runner.run(whisper.transcribe(call[5 * RATE :], "en")).words).lower()
    assert "i was wondering whether you could help" in text
    assert "which color would you like" in text


def test_case_036_a_telephone_s_bandwidth_takes_no_speech_away() -> None:
    wide, narrow = voiced(real_speech("zh_aishell_0724.wav")), voiced(real_speech("derived/aishell0724_ulaw_8k.wav"))
    assert covered(narrow, wide[0][0], wide[-1][1]) >= 0.9 * covered(wide, wide[0][0], wide[-1][1])
