"""Long and sudden speech through the real detector, the real machine and the real recogniser."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
import pytest
import pytest_asyncio
import soxr  # type: ignore[import-untyped]  # ships no types

from bench.stt import error_rate, tokens
from tests.fakes.speech import real_speech
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.config import data_folder, places
from voiceprep.content import load_rubrics
from voiceprep.core.events import Event, SessionStarted, Transcribe, Word, WordsCommitted
from voiceprep.core.text import text_of
from voiceprep.core.units import At
from voiceprep.review.listening import Listener, listen
from voiceprep.speech.models import find_model
from voiceprep.speech.stt.whisper import FasterWhisper
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.vad.silero import SileroActivity

pytestmark = [pytest.mark.models, pytest.mark.asyncio(loop_scope="module")]

LONG = 75.0
AROUND = 8
"""Words on either side of a cut that are compared with the script."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def whisper() -> AsyncIterator[FasterWhisper]:
    folder = find_model("base", models=places().models)
    if folder is None:
        pytest.skip("the model `base` is not on this machine: make setup brings it")
    recogniser = FasterWhisper(folder, name="base", device="auto", live=False)
    await recogniser.start()
    yield recogniser
    await recogniser.close()


async def breathless(seconds: float) -> tuple[str, Samples]:
    """What the demonstration's candidate says, in one breath: the script and its sound, no silence in it longer than 0.1 s."""
    demos = [
        tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted((data_folder("prompts") / "demo").glob("*.en.toml"))
    ]
    lines = [line for demo in demos for answer in demo["answers"] for line in answer["say"] if isinstance(line, str)]
    voice, said, script = HibariVoice(), list[Samples](), list[str]()
    try:
        for line in lines:
            sound = (await voice.render(for_ear(line, "en"), "en", VoiceStyle("mid-neutral"))).samples
            said.append(without_pauses(soxr.resample(sound, VOICE_RATE, RATE).astype(np.float32)))
            script.append(line)
            if sum(map(len, said)) >= seconds * RATE:
                break
    finally:
        await voice.close()
    return " ".join(script), np.concatenate(said)


def without_pauses(sound: Samples, longest: float = 0.1) -> Samples:
    """With each stretch below -50 dBFS shortened to `longest` seconds."""
    step = RATE // 100
    frames = sound[: len(sound) // step * step].reshape(-1, step)
    kept, quiet = list[Samples](), 0
    for frame in frames:
        quiet = quiet + 1 if float(np.square(frame).mean()) < 1e-5 else 0
        if quiet <= longest * 100:
            kept.append(frame)
    return np.concatenate(kept)


async def heard(sound: Samples, whisper: FasterWhisper) -> list[Event]:
    events: list[Event] = []
    started = SessionStarted(at=At(0.0), round="", persona="", language="en")
    pacing = load_rubrics().pacing
    await listen(iter((sound,)), Listener(SileroActivity(), whisper, pacing, started, events.append))
    return events


def recorded(events: list[Event]) -> list[Word]:
    return [word for event in events if isinstance(event, WordsCommitted) for word in event.words]


async def test_case_013_and_015_a_long_breath_is_cut_without_a_word_split_doubled_or_lost(whisper: FasterWhisper) -> None:
    script, sound = await breathless(LONG)
    assert len(sound) >= LONG * RATE
    events = await heard(sound, whisper)
    cuts = [event.end for event in events if isinstance(event, Transcribe)][:-1]
    words = recorded(events)
    assert len(cuts) >= 2
    # 015: no voiced second without words, nothing silently gone
    assert max(after.start - before.end for before, after in pairwise(words)) <= 1.0
    assert words[0].start <= 1.0
    assert words[-1].end >= len(sound) / RATE - 1.0
    assert error_rate(script, text_of(words)) <= 0.15
    # 013: around a cut the words are those of the script, none of them in two halves or twice
    got, wanted = tokens(text_of(words)), tokens(script)
    pairs = {
        b + n: a + n
        for a, b, size in SequenceMatcher(None, wanted, got, autojunk=False).get_matching_blocks()
        for n in range(size)
    }
    for cut in cuts:
        place = len(tokens(text_of(word for word in words if word.end <= cut + 0.01)))
        left = next(n for n in range(place - 1, 0, -1) if n in pairs)
        right = next(n for n in range(place, len(got)) if n in pairs)
        assert place - left <= AROUND
        assert abs((pairs[right] - pairs[left]) - (right - left)) <= 1


async def test_case_016_the_word_at_the_very_first_sample_is_kept(whisper: FasterWhisper) -> None:
    sound = real_speech("en_jfk.mp3")
    first = int(np.flatnonzero(np.abs(sound) > 0.02)[0])
    events = await heard(sound[first:], whisper)
    assert text_of(recorded(events)).lower().startswith("and so my fellow americans")
    quick = await whisper.draft(sound[first : first + 4 * RATE], "en")
    assert text_of(quick.words).lower().startswith("and so my fellow americans")
