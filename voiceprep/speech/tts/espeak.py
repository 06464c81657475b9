"""espeak-ng: there at once, in any language, and sounds like it."""

from __future__ import annotations

from importlib import metadata, util

import numpy as np

from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError
from voiceprep.speech.tts import finish
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.characters import character
from voiceprep.speech.tts.child import ask_once, time_allowed
from voiceprep.speech.tts.engine import finished, has_sound, nothing, spoken_language

RATE = 22_050
VOICES: dict[Tongue, str] = {"en": "en-us", "zh": "cmn"}
WORDS_A_MINUTE: dict[Tongue, int] = {"en": 165, "zh": 150}
CHILD = "voiceprep.speech.tts.espeak_child"


class EspeakVoice:
    """One child process an utterance. Raises MissingError (``voice-missing``) when the library's wheel is not installed."""

    info = VoiceInfo("espeak", frozenset({"en", "zh"}), live=True)

    def __init__(self) -> None:
        if util.find_spec("espeakng_loader") is None:
            raise MissingError("the voice espeak needs espeakng-loader", code="voice-missing", hint="run: make setup")
        self.version = f"espeak-{metadata.version('espeakng-loader')}-{finish.VERSION}"

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        if not has_sound(text):
            return nothing("espeak")
        tongue = spoken_language(text, language, self.info)
        who = character(style.character)
        request = {
            "voice": f"{VOICES[tongue]}+{who.espeak}",
            "rate": WORDS_A_MINUTE[tongue] * who.speed * style.pace,
            "text": text.replace("\0", " "),
        }
        raw = await ask_once(CHILD, "espeak", request, time_allowed(text))
        return finished(np.frombuffer(raw, "<i2").astype(np.float32) / np.float32(32768), RATE, "espeak")

    async def close(self) -> None:
        """Nothing outlives an utterance."""
