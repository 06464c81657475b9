"""pyttsx3: the system's own voices on macOS and Windows, espeak-ng on Linux."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from importlib import metadata, util
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]  # it ships no types

from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.tts import finish
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.characters import CHARACTERS, NEUTRAL, character
from voiceprep.speech.tts.child import ask_once, time_allowed
from voiceprep.speech.tts.engine import finished, has_sound, nothing, spoken_language
from voiceprep.speech.tts.espeak import VOICES, WORDS_A_MINUTE

CHILD = "voiceprep.speech.tts.pyttsx3_child"


CHILDREN = 2 if sys.platform == "linux" else 1
"""On Linux the driver loses a piece of about one utterance in a hundred (0.2 s of 0.9, seen here): two children say each, and
the longer rendering counts."""


class Pyttsx3Voice:
    """One child process an utterance. Raises MissingError (``voice-missing``) when pyttsx3 is not installed."""

    info = VoiceInfo("pyttsx3", frozenset({"en", "zh"}), live=True)

    def __init__(self) -> None:
        if util.find_spec("pyttsx3") is None:
            raise MissingError("the voice pyttsx3 is not installed", code="voice-missing", hint="run: make setup")
        self._environment = _library()
        self.version = f"pyttsx3-{metadata.version('pyttsx3')}-{finish.VERSION}"

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        if not has_sound(text):
            return nothing("pyttsx3")
        tongue = spoken_language(text, language, self.info)
        # Removed with the folder whatever happens, so that a killed child leaves nothing behind.
        with tempfile.TemporaryDirectory(prefix="voiceprep-", ignore_cleanup_errors=True) as folder:
            said = [self._say(text, tongue, style, Path(folder) / f"speech-{n}.wav") for n in range(CHILDREN)]
            results = await asyncio.gather(*said, return_exceptions=True)
        takes = [result for result in results if not isinstance(result, BaseException)]
        failures = [result for result in results if isinstance(result, BaseException)]
        if not takes:
            raise failures[0]
        samples, rate = max(takes, key=lambda take: len(take[0]))
        return finished(samples.mean(axis=1), rate, "pyttsx3")

    async def _say(self, text: str, tongue: Tongue, style: VoiceStyle, path: Path) -> tuple[npt.NDArray[np.float32], int]:
        """One child's rendering, shape (n, channels), and its rate."""
        who = character(style.character)
        names = list(CHARACTERS)
        request = {
            "text": text.replace("\0", " "),
            "language": tongue,
            "espeak_voice": f"{VOICES[tongue]}+{who.espeak}",
            "choice": names.index(style.character if style.character in CHARACTERS else NEUTRAL),
            "rate": WORDS_A_MINUTE[tongue] * who.speed * style.pace,
            "path": str(path),
        }
        await ask_once(CHILD, "pyttsx3", request, time_allowed(text), self._environment)
        try:
            samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
        except soundfile.LibsndfileError as error:
            raise VoiceprepError("the voice pyttsx3 wrote no sound", code="voice-failed") from error
        return samples, rate

    async def close(self) -> None:
        """Nothing outlives an utterance."""


def _library() -> dict[str, str]:
    """What makes pyttsx3's Linux driver find the espeak-ng of the loader's wheel. It must stand before the child starts."""
    if sys.platform != "linux" or util.find_spec("espeakng_loader") is None:
        return {}
    import espeakng_loader  # type: ignore[import-untyped]  # it ships no types

    folders = [str(Path(espeakng_loader.get_library_path()).parent), os.environ.get("LD_LIBRARY_PATH", "")]
    return {"LD_LIBRARY_PATH": ":".join(filter(None, folders)), "ESPEAK_DATA_PATH": espeakng_loader.get_data_path()}
