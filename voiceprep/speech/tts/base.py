"""The seam of the voices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from voiceprep.audio.base import Samples


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """What an engine can do."""

    engine: str
    """``espeak``, ``pyttsx3``, ``hibari``, ``kokoro``"""
    languages: frozenset[Literal["en", "zh"]]
    live: bool
    """Fast enough here to render while the candidate waits; else only lines that were rendered ahead use it."""


@dataclass(frozen=True, slots=True)
class VoiceStyle:
    """How one persona sounds, engine by engine; an engine takes what it understands."""

    character: str
    """e.g. ``low-calm``: each engine maps it onto a voice, a pitch or a speed"""
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """Rendered speech: mono samples at VOICE_RATE, trimmed of leading silence beyond 20 ms."""

    samples: Samples
    engine: str


class Voice(Protocol):
    """Renders text that is already fit for the ear (speech/tts/ear.py)."""

    @property
    def info(self) -> VoiceInfo: ...

    async def render(self, text: str, language: Literal["en", "zh"], style: VoiceStyle) -> Utterance:
        """Raises VoiceprepError: ``voice-failed``, ``voice-timeout``, ``voice-cannot-speak`` (e.g. Chinese)."""
        ...

    async def close(self) -> None: ...
