"""hibari: a small English voice whose weights come with the package, fast enough for any machine."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata, util
from threading import Event
from typing import Any

import numpy as np

from voiceprep.audio.base import Samples
from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.tts import finish
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.characters import Character, character
from voiceprep.speech.tts.child import time_allowed, timed_out
from voiceprep.speech.tts.engine import finished, has_sound, nothing, spoken_language

RATE = 24_000
SEED = 1
"""Its breath noise is random; a fixed seed makes the same line the same samples."""


class HibariVoice:
    """Renders in one thread of its own. Raises MissingError (``voice-missing``) when the package is not installed.

    It has one voice. Other characters are made by pitch: the line is spoken slower or faster by a factor, and played back at
    the rate that brings its length back.
    """

    info = VoiceInfo("hibari", frozenset({"en"}), live=True)

    def __init__(self) -> None:
        if util.find_spec("hibari") is None:
            raise MissingError("the voice hibari needs hibari-tts", code="voice-missing", hint="run: make setup")
        self.version = f"hibari-{metadata.version('hibari-tts')}-{finish.VERSION}"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hibari")
        self._model: Any = None

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        spoken_language(text, language, self.info)
        if not has_sound(text):
            return nothing("hibari")
        unwanted = Event()
        seconds = time_allowed(text)
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, self._render, text, character(style.character), style.pace, unwanted
        )
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise timed_out("hibari", seconds) from None
        finally:
            # The thread stops before its next sentence when nobody waits for it any more.
            unwanted.set()

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _render(self, text: str, who: Character, pace: float, unwanted: Event) -> Utterance:
        sentences: list[Samples] = []
        try:
            if self._model is None:
                from hibari import Hibari  # type: ignore[import-untyped]  # it ships no types

                self._model = Hibari()
            for sentence in self._model.stream(text, who.speed * pace / who.pitch, SEED):
                if unwanted.is_set():
                    break
                sentences.append(sentence)
        except Exception as error:
            # Whatever the library throws, it is this voice that failed, and another one can take over.
            raise VoiceprepError(f"the voice hibari failed: {type(error).__name__}", code="voice-failed") from error
        samples = np.concatenate([*sentences, np.zeros(0, np.float32)])
        return finished(samples, RATE * who.pitch, "hibari")
