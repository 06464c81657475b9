"""Kokoro-82M: many natural voices, English and Mandarin, for machines that are fast or lines that are known beforehand."""

from __future__ import annotations

import os
from importlib import metadata, util
from pathlib import Path

from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError
from voiceprep.speech.tts import finish
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.characters import character
from voiceprep.speech.tts.child import Servant, time_allowed
from voiceprep.speech.tts.engine import finished, has_sound, nothing, spoken_language
from voiceprep.speech.tts.kokoro_phonemes import english_is_here

RATE = 24_000
CHILD = "voiceprep.speech.tts.kokoro_child"
SLOWDOWN = 4.0
"""A line may take so many times longer here than elsewhere: it is the heaviest voice, and may run in the background."""
BACKGROUND = 10
"""Niceness of a child that renders ahead: a session on the same processor goes first."""


class KokoroVoice:
    """Renders in a child process that loads the model at the first line.

    Args:
        folder: holds ``kokoro.onnx`` and ``voices/``.
        live: fast enough here to be waited for (see choose.py); else it runs in the background.

    Raises MissingError (``voice-missing``) when the model or the Mandarin converter is not here.
    """

    def __init__(self, folder: Path, *, live: bool = False) -> None:
        if not (folder / "kokoro.onnx").is_file():
            raise MissingError(f"there is no kokoro.onnx in {folder}", code="voice-missing", hint="run: make setup")
        if not all(map(util.find_spec, ("misaki", "jieba", "pypinyin"))):
            raise MissingError("the voice kokoro needs misaki[zh]", code="voice-missing", hint="run: make setup")
        languages: frozenset[Tongue] = frozenset({"en", "zh"} if english_is_here() else {"zh"})
        self.info = VoiceInfo("kokoro", languages, live)
        self.folder = folder
        size = (folder / "kokoro.onnx").stat().st_size
        self.version = f"kokoro-{size}-{metadata.version('misaki')}-{finish.VERSION}"
        threads = min(4, os.cpu_count() or 1) if live else max(1, (os.cpu_count() or 1) // 2)
        settings = {"folder": str(folder), "threads": threads, "nice": 0 if live else BACKGROUND}
        self.servant = Servant(CHILD, "kokoro", settings)

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        if not has_sound(text):
            return nothing("kokoro")
        tongue = spoken_language(text, language, self.info)
        who = character(style.character)
        request = {
            "text": text,
            "language": tongue,
            "voice": who.kokoro[tongue],
            # Its voices bring their own pitch and tempo; only half of the character's tempo is added.
            "speed": (1 + who.speed) / 2 * style.pace,
        }
        return finished(await self.servant.ask(request, SLOWDOWN * time_allowed(text)), RATE, "kokoro")

    async def close(self) -> None:
        await self.servant.close()
