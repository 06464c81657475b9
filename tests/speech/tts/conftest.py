"""The real engines, where they are installed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from tests.fakes.voice import ToneVoice
from voiceprep.config import places
from voiceprep.errors import MissingError
from voiceprep.speech.models import find_model
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.espeak import EspeakVoice
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.tts.kokoro import KokoroVoice
from voiceprep.speech.tts.pyttsx3_voice import Pyttsx3Voice


def kokoro() -> KokoroVoice:
    folder = find_model("kokoro", models=places().models)
    if folder is None:
        pytest.skip("Kokoro's model is not here: run make setup")
    return KokoroVoice(folder, live=True)


MAKERS: dict[str, Callable[[], Engine]] = {
    "tone": ToneVoice,
    "espeak": EspeakVoice,
    "pyttsx3": Pyttsx3Voice,
    "hibari": HibariVoice,
    "kokoro": kokoro,
}
SLOW = {"hibari", "kokoro"}
EVERY = [pytest.param(name, marks=pytest.mark.models) if name in SLOW else name for name in MAKERS]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    """The engine a test names; loaded once for the tests of a module."""
    try:
        voice = MAKERS[request.param]()
    except MissingError as missing:
        pytest.skip(str(missing))
    yield voice
    await voice.close()
