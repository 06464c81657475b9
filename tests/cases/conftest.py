"""Real speech models for the public bug cases: one recogniser for all of them, and sessions with the real detector."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.room import Room, wav
from tests.fakes.table import of_kind
from voiceprep.audio.base import Samples
from voiceprep.audio.source_file import FileSource
from voiceprep.config import places
from voiceprep.core.events import Event, Language, SpeakingFinished
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.speech.models import find_model
from voiceprep.speech.stt.base import RecogniserInfo, Transcript
from voiceprep.speech.stt.whisper import FasterWhisper
from voiceprep.speech.vad.silero import SileroActivity


class Shared:
    """A recogniser that outlives the sessions that use it: closing it is the fixture's business."""

    def __init__(self, whisper: FasterWhisper) -> None:
        self._whisper = whisper

    @property
    def info(self) -> RecogniserInfo:
        return self._whisper.info

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        return await self._whisper.hypothesize(samples, language, known)

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        return await self._whisper.draft(samples, language)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        return await self._whisper.transcribe(samples, language)


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """One loop for all: the recogniser's process belongs to it."""
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="session")
def whisper(runner: asyncio.Runner) -> Iterator[Shared]:
    folder = find_model("base", models=places().models)
    if folder is None:
        pytest.skip("the model `base` is not on this machine: make setup brings it")
    recogniser = FasterWhisper(folder, name="base", live=False)
    runner.run(recogniser.start())
    yield Shared(recogniser)
    runner.run(recogniser.close())


@pytest.fixture
def analysed(runner: asyncio.Runner, whisper: Shared) -> Callable[[Path, Language], Analysis]:
    """The whole analysis of a file, with the real detector and the real recogniser."""
    return lambda path, language: runner.run(analyze(path, recogniser=whisper, language=language))


@pytest.fixture
def held(runner: asyncio.Runner, tmp_path: Path) -> Callable[..., list[Event]]:
    """A whole session in which the candidate is a recording, with the real detector.

    `recogniser` and `voice` are as for a `Room`. Returns the log.
    """

    def hold(sound: Samples, **how: Any) -> list[Event]:
        room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", sound), "fast"), activity=SileroActivity(), **how)
        return runner.run(room.run())

    return hold


def media_of(events: list[Event], at: float) -> float:
    """The place in the recording at a moment of the session: it begins when the opening question ends."""
    return at - of_kind(events, SpeakingFinished)[0].at
