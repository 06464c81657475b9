"""faster-whisper behind the `Recogniser` seam, in processes of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Language
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.stt.decoder import Decoder
from voiceprep.speech.stt.level import is_silent
from voiceprep.speech.stt.probe import Choice, choose_device, loader_environment
from voiceprep.speech.stt.prompts import read_prompts
from voiceprep.speech.stt.quick import Candidate, Quick
from voiceprep.speech.worker import Worker

_FILES = ("model.bin", "config.json", "tokenizer.json")
_QUICK_TIMEOUT = 20.0
_THOROUGH_TIMEOUT = 60.0
"""Seconds for the first 30 s of a span; each further 30 s may take as long again."""
_OFFLINE = 10.0
"""So many times as long where nobody waits: on a busy machine, words are worth more than minutes."""
_BACKGROUND = 5
"""Niceness of the process that decodes transcripts of record while a conversation goes on."""
_ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}
"""glibc keeps a heap a thread, and each keeps the largest arrays it ever had: with one, 359 MB after 60 quick decodes of 1 to
12 s instead of 436, at the same speed."""
_LEAN = {"MALLOC_MMAP_THRESHOLD_": str(2**20)}
"""Its large arrays are given back to the system after each span, where the C library is glibc: 229 MB after 30 spans of 2 to
24 s instead of 361, for a fifth more processor time."""


class FasterWhisper:
    """A Whisper model of any size, on CUDA where that works and else on the CPU.

    The language is the session's, never guessed: `mixed` decodes as Chinese with a prompt that holds both, which keeps English
    words English. Nothing is ever translated.

    On a CPU the transcripts of record, which take seconds, are decoded in a process of their own: captions and drafts never
    wait for one. On CUDA they take a moment, and memory is dearer.

    Args:
        folder: the model's files (`speech/models`).
        name: the model's name for people: ``base``.
        device: the setting `device`.
        live: False where nobody waits for captions or drafts: one process does for all.
        smaller: names and folders of models that captions and drafts may come from where this machine is too slow, the
            largest first.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        device: Literal["auto", "cpu", "cuda"] = "auto",
        live: bool = True,
        smaller: Sequence[tuple[str, Path]] = (),
    ) -> None:
        self._folder = folder
        self._name = name
        self._device = device
        self._live = live
        self._smaller = smaller
        self._record: Worker | None = None
        self._quick: Quick | None = None
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
        if self._quick is not None:
            return
        missing = [name for name in _FILES if not (self._folder / name).is_file()]
        if missing:
            raise MissingError(
                f"the speech model {self._name} is not in {self._folder}: {', '.join(missing)} missing",
                code="model-missing",
                hint="run: make setup",
            )
        choice = await asyncio.to_thread(choose_device, self._device, self._folder)
        lean = _LEAN if self._live else None
        self._record = await _started(partial(_decoder, self._folder, choice, background=self._live), choice, lean)
        worker = self._record
        if self._live and choice.device == "cpu":
            try:
                worker = await _started(partial(_decoder, self._folder, choice), choice, _ONE_HEAP)
            except BaseException:
                await self._record.close()
                raise
        self._quick = Quick(self._name, worker, [_candidate(name, folder, choice) for name, folder in self._smaller])
        self._info = RecogniserInfo(self._name, choice.device, choice.compute_type, choice.reason)

    def _within(self, seconds: float) -> float:
        return seconds if self._live else seconds * _OFFLINE

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        """A quick short-context decode of unfinished speech, mono at RATE, shape (n,), for captions.

        `known` is how the speech begins, as text; what follows it is returned.

        Raises VoiceprepError as `transcribe` does, and with code ``recogniser-dropped`` when something newer came first.
        """
        return await self._decode(
            "hypothesize", samples, language, (known,), quick=True, timeout=self._within(_QUICK_TIMEOUT), droppable=True
        )

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        """A quick decode of speech that may be over, mono at RATE, shape (n,). Times are rough. Raises as `transcribe` does."""
        patience = self._within(_QUICK_TIMEOUT)
        return await self._decode("draft", samples, language, quick=True, timeout=patience, urgent=True)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        """The transcript of record of a span, mono at RATE, shape (n,). Spans over 30 s are split where they are quietest.

        Raises VoiceprepError with code ``recogniser-crashed``, ``-timeout``, ``-busy`` or ``-closed``.
        """
        patience = self._within(_THOROUGH_TIMEOUT) * (1 + len(samples) // (30 * RATE))
        return await self._decode("transcribe", samples, language, timeout=patience)

    async def close(self) -> None:
        """End the processes. Idempotent."""
        if self._quick is not None:
            await self._quick.close()
        if self._record is not None:
            await self._record.close()

    async def _decode(
        self,
        method: str,
        samples: Samples,
        language: Language,
        more: tuple[str, ...] = (),
        *,
        quick: bool = False,
        **options: Any,
    ) -> Transcript:
        if self._quick is None or self._record is None:
            raise VoiceprepError("the recogniser has not been started", code="recogniser-not-started")
        if is_silent(samples):  # the model would hear "you" or "Thank you." in it
            return Transcript(())
        given = np.ascontiguousarray(samples, dtype=np.float32)
        worker = self._quick if quick else self._record
        found = await worker.call(method, given, language, *more, **options)
        assert isinstance(found, Transcript)
        return found


def _decoder(folder: Path, choice: Choice, *, background: bool = False) -> Decoder:
    """What lives in a process. One in the background leaves the processor to whoever waits for it in a conversation."""
    if background and hasattr(os, "nice"):
        os.nice(_BACKGROUND)
    return Decoder(folder, choice.device, choice.compute_type, read_prompts())


def _candidate(name: str, folder: Path, choice: Choice) -> Candidate:
    return Candidate(name, name.endswith(".en"), partial(_started, partial(_decoder, folder, choice), choice))


async def _started(factory: Callable[[], Decoder], choice: Choice, more: Mapping[str, str] | None = None) -> Worker:
    environment = (loader_environment() if choice.device == "cuda" else {}) | dict(more or {})
    worker = Worker(factory, name="recogniser", environment=environment)
    try:
        await worker.start()
    except BaseException:
        await worker.close()
        raise
    return worker
