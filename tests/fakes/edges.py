"""Edges for tests of the shell: voice is loudness, words are counted seconds, the interviewer's voice is a tone."""

from __future__ import annotations

import asyncio

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.core.events import Event, Language, Word
from voiceprep.core.units import Media
from voiceprep.errors import VoiceprepError
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.speech.vad.base import Activity

LOUD = 0.05


class LoudnessActivity:
    """Speech is where a block is loud. Silence of up to 0.25 s does not end it; edges are exact to a block."""

    hangover = 8

    def __init__(self) -> None:
        self._fed = 0
        self._voiced = False
        self._quiet = 0

    def feed(self, samples: Samples) -> list[Activity]:
        assert len(samples) == BLOCK
        start = self._fed / RATE
        self._fed += BLOCK
        if float(np.abs(samples).max()) > LOUD:
            self._quiet = 0
            if not self._voiced:
                self._voiced = True
                return [Activity("started", start)]
        elif self._voiced:
            self._quiet += 1
            if self._quiet == self.hangover:
                self._voiced, self._quiet = False, 0
                return [Activity("stopped", (self._fed - self.hangover * BLOCK) / RATE)]
        return []

    def flush(self) -> list[Activity]:
        if not self._voiced:
            return []
        self._voiced = False
        return [Activity("stopped", self._fed / RATE)]


class CountingRecogniser:
    """One word for every half second of loud audio. `fail_after` decodes it raises, as a dead worker does."""

    info = RecogniserInfo("counting", "cpu", "int8", "a fake")

    def __init__(self, *, fail_after: int = 10**9, hang: bool = False) -> None:
        self.decodes = 0
        self.fail_after = fail_after
        self.hang = hang

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        return self._words(samples)

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        return await self.transcribe(samples, language)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        self.decodes += 1
        if self.hang:
            await asyncio.Event().wait()
        if self.decodes > self.fail_after:
            raise VoiceprepError("the recogniser stopped", code="recogniser-crashed")
        await asyncio.sleep(0)
        return self._words(samples)

    def _words(self, samples: Samples) -> Transcript:
        step = RATE // 2
        loud = [n for n in range(0, len(samples), step) if np.abs(samples[n : n + step]).max(initial=0.0) > LOUD]
        return Transcript(tuple(Word(f"w{n}", Media(at / RATE), Media((at + step) / RATE), 0.9) for n, at in enumerate(loud)))


class ToneVoice:
    """Twenty letters a second. `dead` raises instead."""

    reason = "a fake"

    def __init__(self, *, dead: bool = False) -> None:
        self.dead = dead
        self.said: list[str] = []

    async def render(self, text: str, language: str, style: VoiceStyle) -> Utterance:
        if self.dead:
            raise VoiceprepError("no voice", code="voice-failed")
        self.said.append(text)
        await asyncio.sleep(0)
        return Utterance(np.full(len(text) * VOICE_RATE // 20, 0.3, dtype=np.float32), "tone")

    async def close(self) -> None: ...


class Notebook:
    """A watcher that remembers, and can be waited for."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._waiting: list[tuple[type[Event], asyncio.Event]] = []

    def show(self, event: Event) -> None:
        self.events.append(event)
        for kind, happened in self._waiting:
            if isinstance(event, kind):
                happened.set()

    async def seen(self, kind: type[Event]) -> None:
        """Until an event of this kind has been shown."""
        if not any(isinstance(event, kind) for event in self.events):
            happened = asyncio.Event()
            self._waiting.append((kind, happened))
            await happened.wait()

    def level(self, dbfs: float) -> None: ...

    def clock(self, at: float) -> None: ...
