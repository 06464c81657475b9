"""A voice made of tones, which does what a test tells it."""

from __future__ import annotations

import asyncio

import numpy as np

from voiceprep.audio.base import VOICE_RATE
from voiceprep.core.pack import Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.engine import finished, has_sound, nothing, spoken_language

SECONDS_A_WORD = 0.35
PITCHES = {"low-calm": 110.0, "low-dry": 125.0, "bright-warm": 220.0, "bright-brisk": 240.0}
BOTH: frozenset[Tongue] = frozenset({"en", "zh"})


class ToneVoice:
    """A tone as long as the text, at the pitch of the character.

    `errors` are raised one a line, in order, before any line succeeds. While `gate` is not set, a line hangs.
    """

    def __init__(
        self,
        engine: str = "tone",
        *,
        languages: frozenset[Tongue] = BOTH,
        live: bool = True,
        errors: tuple[VoiceprepError, ...] = (),
        gate: asyncio.Event | None = None,
        version: str = "1",
    ) -> None:
        self.info = VoiceInfo(engine, languages, live)
        self.version = version
        self.rendered: list[str] = []
        self.asked = asyncio.Event()
        self.closed = False
        self._errors = list(errors)
        self._gate = gate

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        spoken_language(text, language, self.info)
        self.asked.set()
        if self._gate is not None:
            await self._gate.wait()
        if self._errors:
            raise self._errors.pop(0)
        self.rendered.append(text)
        if not has_sound(text):
            return nothing(self.info.engine)
        words = len(text.split()) + sum(character >= "\u3400" for character in text)
        times = np.arange(round(SECONDS_A_WORD * words / style.pace * VOICE_RATE)) / VOICE_RATE
        tone = np.sin(2 * np.pi * PITCHES.get(style.character, 170.0) * times).astype(np.float32)
        return finished(tone, VOICE_RATE, self.info.engine)

    async def close(self) -> None:
        self.closed = True
