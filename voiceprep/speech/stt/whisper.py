"""faster-whisper behind the `Recogniser` seam, in a process of its own."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Language
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.stt.decoder import Decoder
from voiceprep.speech.stt.level import is_silent
from voiceprep.speech.stt.probe import Choice, choose_device, loader_environment
from voiceprep.speech.stt.prompts import read_prompts
from voiceprep.speech.worker import Worker

_FILES = ("model.bin", "config.json", "tokenizer.json")
_QUICK_TIMEOUT = 20.0
_THOROUGH_TIMEOUT = 60.0
"""Seconds for the first 30 s of a span; each further 30 s may take as long again."""


class FasterWhisper:
    """A Whisper model of any size, on CUDA where that works and else on the CPU.

    The language is the session's, never guessed: `mixed` decodes as Chinese with a prompt that holds both, which keeps English
    words English. Nothing is ever translated.

    Args:
        folder: the model's files (`speech/models`).
        name: the model's name for people: ``base``.
        device: the setting `device`.
    """

    def __init__(self, folder: Path, *, name: str, device: Literal["auto", "cpu", "cuda"] = "auto") -> None:
        self._folder = folder
        self._name = name
        self._device = device
        self._worker: Worker | None = None
        self._info: RecogniserInfo | None = None

    @property
    def info(self) -> RecogniserInfo:
        """What runs, and why. Known once `start` has returned."""
        if self._info is None:
            raise VoiceprepError("the recogniser has not been started", code="recogniser-not-started")
        return self._info

    async def start(self) -> None:
        """Load the model. Idempotent.

        Raises:
            MissingError: files are not there (code ``model-missing``) or damaged (``model-corrupt``).
            VoiceprepError: ``recogniser-crashed`` or ``recogniser-timeout`` while loading.
        """
        if self._worker is not None:
            return
        missing = [name for name in _FILES if not (self._folder / name).is_file()]
        if missing:
            raise MissingError(
                f"the speech model {self._name} is not in {self._folder}: {', '.join(missing)} missing",
                code="model-missing",
                hint="run: make setup",
            )
        choice = await asyncio.to_thread(choose_device, self._device, self._folder)
        self._worker = await self._started(choice)
        self._info = RecogniserInfo(self._name, choice.device, choice.compute_type, choice.reason)

    async def hypothesize(self, samples: Samples, language: Language) -> Transcript:
        """A quick short-context decode of unfinished speech, mono at RATE, shape (n,), for captions.

        Raises VoiceprepError as `transcribe` does, and with code ``recogniser-dropped`` when something newer came first.
        """
        return await self._call("hypothesize", samples, language, _QUICK_TIMEOUT, droppable=True)

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        """A quick short-context decode of speech that may be over, mono at RATE, shape (n,). Raises as `transcribe` does."""
        return await self._call("hypothesize", samples, language, _QUICK_TIMEOUT, droppable=False, urgent=True)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        """The transcript of record of a span, mono at RATE, shape (n,). Spans over 30 s are split where they are quietest.

        Raises VoiceprepError with code ``recogniser-crashed``, ``-timeout``, ``-busy`` or ``-closed``.
        """
        patience = _THOROUGH_TIMEOUT * (1 + len(samples) // (30 * RATE))
        return await self._call("transcribe", samples, language, patience, droppable=False)

    async def close(self) -> None:
        """End the process. Idempotent."""
        if self._worker is not None:
            await self._worker.close()

    async def _call(
        self, method: str, samples: Samples, language: Language, limit: float, *, droppable: bool, urgent: bool = False
    ) -> Transcript:
        if self._worker is None:
            raise VoiceprepError("the recogniser has not been started", code="recogniser-not-started")
        if is_silent(samples):  # the model would hear "you" or "Thank you." in it
            return Transcript(())
        given = np.ascontiguousarray(samples, dtype=np.float32)
        found = await self._worker.call(method, given, language, timeout=limit, droppable=droppable, urgent=urgent)
        assert isinstance(found, Transcript)
        return found

    async def _started(self, choice: Choice) -> Worker:
        factory = partial(Decoder, self._folder, choice.device, choice.compute_type, read_prompts())
        environment = loader_environment() if choice.device == "cuda" else {}
        worker = Worker(factory, name="recogniser", environment=environment)
        try:
            await worker.start()
        except BaseException:
            await worker.close()
            raise
        return worker
