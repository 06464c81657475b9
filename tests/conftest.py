"""What many tests share: a sound card, speech that the project makes itself, patient property tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
import soxr  # type: ignore[import-untyped]
from hypothesis import settings

from tests.soundcard import sound_card
from voiceprep import config
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.speech.tts.base import VoiceStyle

__all__ = ["sound_card", "spoken"]

settings.register_profile("patient", deadline=None)  # a deadline is a wall-time check, and these machines are shared
settings.load_profile("patient")


@pytest.fixture(scope="session")
def spoken() -> Callable[[str], Samples]:
    """Speaks English: text to 16 kHz samples, in the product's own voice."""

    async def render(text: str) -> Samples:
        from voiceprep.speech.tts.choose import choose

        voices = await choose(config.load(), config.places(), languages=("en",), live_only=True)
        try:
            utterance = await voices.render(text, "en", VoiceStyle("mid-neutral"))
        finally:
            await voices.close()
        samples: Samples = soxr.resample(utterance.samples, VOICE_RATE, RATE)
        return samples

    return lambda text: asyncio.run(render(text))
