"""What the last words say survives the recogniser: it writes full stops where speech broke off, and figures for numbers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest
import soxr  # type: ignore[import-untyped]  # ships no types

from tests.speech.test_stt_whisper import base_model
from voiceprep.audio.base import RATE, VOICE_RATE
from voiceprep.content import load_rubrics
from voiceprep.core.text import text_of
from voiceprep.core.turns.ending import ending
from voiceprep.speech.stt.whisper import FasterWhisper
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.hibari import HibariVoice

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore")]  # other packages warn about themselves
QUIET = np.zeros(RATE // 4, dtype=np.float32)


@pytest.fixture
async def recogniser() -> AsyncIterator[FasterWhisper]:
    recogniser = FasterWhisper(base_model(), name="base", device="auto")
    await recogniser.start()
    yield recogniser
    await recogniser.close()


async def test_drafts_keep_what_the_last_words_say(recogniser: FasterWhisper) -> None:
    said = {
        "We put the list on one page and people stopped asking. So that's how I'd do it.": ("closer", 1.5, 4.0),
        "We moved it at night, and the wait went from forty minutes to ten.": ("round", 0.5, 2.5),
        "I like small steps. What I do now is I ask before I build.": ("round", 0.5, 2.5),
        "We were late by a month. So there were two options.": ("open", -4.0, -0.8),
        "She wanted a number and I had none. And the reason was": ("held", -4.0, -1.0),
        "That is a fair question. Let me think about that for a second.": ("thinking", -4.0, -2.0),
    }
    voice = HibariVoice()
    endings = load_rubrics().endings
    try:
        for text, (kind, least, most) in said.items():
            spoken = (await voice.render(for_ear(text, "en"), "en", VoiceStyle("mid-neutral"))).samples
            samples = np.concatenate([QUIET, soxr.resample(spoken, VOICE_RATE, RATE).astype(np.float32), QUIET])
            heard = text_of((await recogniser.draft(samples, "en")).words)
            words = ending(heard, "en", endings)
            assert (words.kind, least <= words.odds <= most) == (kind, True), (heard, words)
    finally:
        await voice.close()
