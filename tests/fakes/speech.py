"""Scripted voice activity and a scripted recogniser, which stand where the real ones do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.files import read
from voiceprep.core.events import Language, Word
from voiceprep.core.units import Media
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.vad.base import Activity

AUDIO = Path(__file__).parents[2] / "../shared/cases/audio"


def real_speech(name: str) -> Samples:
    """A shared recording at RATE; the test is skipped where the folder is missing."""
    if not (AUDIO / name).is_file():
        pytest.skip(f"needs the real recording {name} in ../shared/cases/audio")
    return read(AUDIO / name)


class ScriptedActivity:
    """Tells activities of a script, each once so many seconds of sound after its place have been fed.

    Args:
        script: in the order of their places.
        delay: seconds of sound from a place until it is told, as a real detector needs.
    """

    def __init__(self, script: Sequence[Activity], delay: float = 0.3) -> None:
        self._script = list(script)
        self._delay = delay
        self._fed = 0
        self._open = False

    def feed(self, samples: Samples) -> list[Activity]:
        if samples.shape != (BLOCK,):
            raise ValueError(f"voice activity takes blocks of {BLOCK} samples, not {samples.shape}")
        self._fed += BLOCK
        return self._due(self._fed / RATE - self._delay)

    def flush(self) -> list[Activity]:
        end = self._fed / RATE
        told = self._due(end)
        self._script.clear()
        if not self._open:
            return told
        self._open = False
        return [*told, Activity("stopped", end)]

    def _due(self, until: float) -> list[Activity]:
        due = [activity for activity in self._script if activity.media <= until]
        del self._script[: len(due)]
        for activity in due:
            self._open = self._open if activity.kind == "quiet" else activity.kind == "started"
        return due


class ScriptedRecogniser:
    """Hears the same text in everything that is not silent, its words spread over the sound."""

    def __init__(self, text: str = "we measured it twice") -> None:
        self._texts = text.split()
        self.info = RecogniserInfo("scripted", "cpu", "int8", "a fake")

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        heard = await self.transcribe(samples, language)
        return Transcript(heard.words[len(known.split()) :])

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        return await self.transcribe(samples, language)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        if not len(samples) or abs(samples).max() < 1e-3:
            return Transcript(())
        step = len(samples) / RATE / len(self._texts)
        return Transcript(tuple(Word(text, Media(i * step), Media((i + 1) * step), 0.9) for i, text in enumerate(self._texts)))
