"""What the engines of this package have in common."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from voiceprep.audio.base import Samples
from voiceprep.core.pack import Tongue
from voiceprep.core.text import has_hanzi
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts import finish
from voiceprep.speech.tts.base import Utterance, Voice, VoiceInfo


class Engine(Voice, Protocol):
    """A voice with a version: whatever changes what it sounds like changes the version, and with it the cache's keys."""

    @property
    def version(self) -> str: ...


def spoken_language(text: str, language: Tongue, info: VoiceInfo) -> Tongue:
    """The language a text needs: one hanzi makes it Chinese, whatever was asked for.

    Raises VoiceprepError (``voice-cannot-speak``) when the engine does not have it.
    """
    needed: Tongue = "zh" if has_hanzi(text) else language
    if needed not in info.languages:
        name = {"en": "English", "zh": "Chinese"}[needed]
        raise VoiceprepError(
            f"the voice {info.engine} cannot speak {name}",
            code="voice-cannot-speak",
            hint="use voice = auto, kokoro or espeak",
        )
    return needed


def has_sound(text: str) -> bool:
    """Whether there is anything to say: an empty line is an empty utterance, not a failure."""
    return any(character.isalnum() for character in text)


def nothing(engine: str) -> Utterance:
    return Utterance(np.zeros(0, np.float32), engine)


def finished(samples: Samples, rate: float, engine: str) -> Utterance:
    """Raw speech of an engine as an utterance. Raises VoiceprepError (``voice-failed``) for silence."""
    return Utterance(finish.finish(samples, rate, engine), engine)
