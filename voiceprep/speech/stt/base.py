"""The seam of the recogniser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from voiceprep.audio.base import Samples
from voiceprep.core.events import Language, Word


@dataclass(frozen=True, slots=True)
class RecogniserInfo:
    """What runs, and why: for the header, the doctor and the page."""

    model: str
    """e.g. ``base``"""
    device: str
    """``cpu`` or ``cuda``"""
    compute_type: str
    """``int8`` or ``float16``"""
    reason: str
    """Why this device, in a sentence: "CUDA is not used: libcudnn_ops.so.9 is missing"."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """Recognised words, times in seconds from the start of the samples that were given.

    `trusted` is False when the text should not be built on; `reasons` then say why, in plain words.
    """

    words: tuple[Word, ...]
    trusted: bool = True
    reasons: tuple[str, ...] = ()


class Recogniser(Protocol):
    """Turns 16 kHz mono speech into words. Bounded, cancellable (cancel the awaiting task), never called for silence."""

    @property
    def info(self) -> RecogniserInfo: ...

    async def start(self) -> None:
        """Load the model. Raises MissingError when it is not here."""
        ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        """A quick short-context decode of unfinished speech (at most 30 s), for captions.

        `known` is how the speech begins: what is returned follows it.
        """
        ...

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        """The same quick decode of speech that may be over (at most 30 s). Goes before all that waits, and is never dropped."""
        ...

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        """The full-window decode of a finished span (at most 30 s): the transcript of record.

        Raises VoiceprepError with code ``recogniser-crashed`` or ``recogniser-timeout``.
        """
        ...

    async def close(self) -> None: ...
