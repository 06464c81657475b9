"""A simulated candidate: speaks a script, one answer whenever the interviewer has stopped speaking.

The demonstration of `make practice` on a machine without a microphone, and the other side of the table in tests.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import soxr  # type: ignore[import-untyped]

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block, Samples
from voiceprep.config import data_folder
from voiceprep.core.events import Language
from voiceprep.core.pack import Tongue
from voiceprep.core.text import has_hanzi
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, MissingError
from voiceprep.files import parse_toml
from voiceprep.live.interpreter import Voices
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear

LEAD: Seconds = 0.8
"""Silence before an answer: nobody answers at once."""
PATIENCE: Seconds = 90.0
"""A candidate whose turn never comes leaves after this silence."""
LONGEST_PAUSE: Seconds = 3_600.0
"""More inside an answer is no pause of a script but a slip, and an endless one no silence that could be made."""


@dataclass(frozen=True, slots=True)
class Script:
    """What the candidate says: answers of sentences (text) and pauses (seconds)."""

    language: Language
    voice: str
    answers: tuple[tuple[str | float, ...], ...]


ANY = "any"
"""Whose script fits every round that has none of its own."""


def script_for(round_id: str, language: Language) -> Path:
    """The shipped script for this round, or the one that fits any. Raises MissingError where neither is there."""
    folder = data_folder("prompts") / "demo"
    for name in (round_id, ANY):
        if (path := folder / f"{name}.{language}.toml").exists():
            return path
    there = ", ".join(sorted(path.stem for path in folder.glob("*.toml")))
    raise MissingError(f"no demonstration candidate for {round_id} in {language}", code="no-demo", hint=f"There are: {there}")


def load_script(round_id: str, language: Language) -> Script:
    """The script that `script_for` finds. Raises MissingError, or BadInputError for a bad file."""
    return read_script(script_for(round_id, language), language)


def read_script(path: Path, language: Language) -> Script:
    """A script file: ``voice = "..."`` and ``[[answers]] say = ["sentence", 1.5, "sentence"]``."""
    try:
        data = parse_toml(path.read_text(encoding="utf-8"))
        answers = tuple(_answer(answer["say"]) for answer in data["answers"])
        return Script(language, str(data["voice"]), answers)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not a candidate's script: {error!r}", code="bad-script") from error


def _answer(said: object) -> tuple[str | float, ...]:
    if not isinstance(said, list) or not any(isinstance(piece, str) for piece in said):
        raise ValueError("say must be a list with at least one sentence")
    return tuple(_piece(piece) for piece in said)


def _piece(piece: object) -> str | float:
    if isinstance(piece, str) and piece.strip():
        return piece
    if isinstance(piece, int | float) and not isinstance(piece, bool) and 0 <= piece <= LONGEST_PAUSE:
        return float(piece)
    raise ValueError(f"{piece!r} is neither a sentence nor a pause in seconds")


def tongue_in(text: str) -> Tongue:
    """The language a sentence is rendered in: Chinese as soon as it has a Chinese character."""
    return "zh" if has_hanzi(text) else "en"


async def render(script: Script, voices: Voices, progress: Callable[[int, int], None]) -> list[Samples]:
    """The answers as mono samples at RATE, with their pauses. `progress(done, of)` is told after each sentence."""
    total = sum(isinstance(piece, str) for answer in script.answers for piece in answer)
    done, rendered = 0, []
    for answer in script.answers:
        pieces: list[Samples] = []
        for piece in answer:
            if isinstance(piece, float):
                pieces.append(np.zeros(round(piece * RATE), dtype=np.float32))
                continue
            tongue = tongue_in(piece)
            utterance = await voices.render(for_ear(piece, tongue), tongue, VoiceStyle(script.voice))
            pieces.append(soxr.resample(utterance.samples, VOICE_RATE, RATE).astype(np.float32))
            done += 1
            progress(done, total)
        rendered.append(np.concatenate(pieces))
    return rendered


class CandidateSource:
    """Answers of a script as a Source. It can wait, so it runs on the audio clock, at either pace."""

    on_demand = True
    name = "demonstration candidate"

    def __init__(self, answers: list[Samples], pace: Literal["live", "fast"]) -> None:
        self._answers = list(answers)
        self._pace = pace
        self._closed = False
        self._floor = False

    def floor_opened(self) -> None:
        self._floor = True

    async def close(self) -> None:
        self._closed = True

    async def blocks(self) -> AsyncIterator[Block]:
        """Silence until the floor opens, then the next answer; ends when the script is through and was answered."""
        loop = asyncio.get_running_loop()
        start, number, waited = loop.time(), 0, 0.0
        while waited < PATIENCE:
            samples = np.zeros(BLOCK, dtype=np.float32)
            waited += BLOCK / RATE
            if self._floor:
                if not self._answers:
                    return
                self._floor, waited = False, 0.0
                samples = np.concatenate([np.zeros(round(LEAD * RATE), dtype=np.float32), self._answers.pop(0)])
            for first in range(0, len(samples), BLOCK):
                piece = samples[first : first + BLOCK]
                padded = np.zeros(BLOCK, dtype=np.float32)
                padded[: len(piece)] = piece
                due = start + number * BLOCK / RATE
                await asyncio.sleep(max(0.0, due - loop.time()) if self._pace == "live" else 0)
                if self._closed:
                    return
                yield Block(padded)
                number += 1
