"""No voice: silence as long as the line would take, so that a session keeps its rhythm."""

from __future__ import annotations

import re

import numpy as np

from voiceprep.audio.base import VOICE_RATE
from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI, is_hanzi
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle

WORDS_A_SECOND = 2.6
HANZI_A_SECOND = 4.5
SENTENCE_PAUSE = 0.35
WORD = re.compile(rf"[{HANZI}]|[^\W{HANZI}]+(?:['’.-][^\W{HANZI}]+)*")
SENTENCE = re.compile(r"[.!?。！？]+(?:\s|$)?")


class SilentVoice:
    """Says nothing, for as long as a person would speak. In any language."""

    info = VoiceInfo("none", frozenset({"en", "zh"}), live=True)
    version = "none"

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:  # noqa: ARG002  (the seam's)
        seconds = duration(text) / style.pace
        return Utterance(np.zeros(round(seconds * VOICE_RATE), np.float32), "none")

    async def close(self) -> None:
        """Nothing is held."""


def duration(text: str) -> float:
    """Seconds a person takes to say this, about."""
    words = WORD.findall(text)
    hanzi = sum(map(is_hanzi, words))
    if not words:
        return 0.0
    pauses = SENTENCE_PAUSE * max(0, len(SENTENCE.findall(text)) - 1)
    return hanzi / HANZI_A_SECOND + (len(words) - hanzi) / WORDS_A_SECOND + pauses
