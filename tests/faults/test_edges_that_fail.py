"""A recogniser that is killed or runs out of memory in a session, and a wall clock that is moved: the session goes on."""

from __future__ import annotations

import ast
import os
import resource
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fakes.edges import LOUD, CountingRecogniser
from tests.fakes.room import speech
from tests.fakes.table import of_kind
from tests.live.test_session import hold, story
from voiceprep.audio.base import Samples
from voiceprep.core.events import EdgeFailed, Event, FlagRaised, Language, SessionEnded, WordsCommitted
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.worker import Worker

REPO = Path(__file__).parents[2]
ROOM = 64 << 20
WALL = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today"}


class Mortal:
    """What lives in the worker: it says how much was loud, and meets its end at the second request of its life."""

    def __init__(self, end: str) -> None:
        self._end = end
        self._asked = 0

    def loud(self, samples: Samples) -> float:
        self._asked += 1
        if self._asked == 2:
            if self._end == "killed":  # as the system does where memory is short
                os.kill(os.getpid(), signal.SIGKILL)
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, resource.RLIM_INFINITY))
            bytearray(4 * ROOM)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return float(np.abs(samples).max(initial=0.0))


def killed() -> Mortal:
    return Mortal("killed")


def starved() -> Mortal:
    return Mortal("starved")


class InAWorker(CountingRecogniser):
    """The fake's words, once a real process has looked at the sound."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self._worker = worker

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        assert await self._worker.call("loud", samples) >= LOUD
        return await super().transcribe(samples, language)


@pytest.mark.parametrize(
    ("factory", "code"),
    [(killed, "recogniser-crashed"), (starved, "recogniser-failed")],
    ids=["killed by the system", "out of memory"],
)
async def test_a_recogniser_that_ends_is_told_and_the_next_words_are_heard(tmp_path: Path, factory: Any, code: str) -> None:
    worker = Worker(factory, name="recogniser")
    try:
        said = speech((6.0, True), (3.0, False), (6.0, True), (15.0, False), (6.0, True), (1.0, False))
        events = await hold(tmp_path, said, recogniser=InAWorker(worker))
    finally:
        await worker.close()
    failures = of_kind(events, EdgeFailed)
    assert {failure.code for failure in failures} == {code}
    assert all(failure.message.startswith("the recogniser") for failure in failures)
    assert [flag.level for flag in of_kind(events, FlagRaised) if flag.rule == "long_pause"] == ["notice"]
    last = [word for event in of_kind(events, WordsCommitted) for word in event.words]
    assert max(word.end for word in last) > 30.0  # after the failure
    assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")


async def test_a_wall_clock_that_is_moved_moves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = speech((3.0, True), (12.0, False), (3.0, True), (1.0, False))

    async def events(name: str) -> list[Event]:
        (tmp_path / name).mkdir()
        return await hold(tmp_path / name, said)

    plain = await events("plain")
    day, steps = 86_400.0, [0]
    real = time.time

    def stepped() -> float:
        steps[0] += 1
        return real() + (day if steps[0] % 2 else -day)

    monkeypatch.setattr(time, "time", stepped)
    moved = await events("moved")
    assert moved == plain
    assert story(moved)
    assert time.time() != pytest.approx(real(), abs=day / 2)  # it is moved


def test_what_runs_in_a_session_never_asks_the_wall_clock() -> None:
    """Whoever times by it jumps with it. The date of a session, in its header and its name, is all it is for."""
    asked = []
    for package in ("core", "flags", "live", "audio", "speech/vad", "speech/endpoint", "speech/stt"):
        for path in (REPO / "voiceprep" / package).rglob("*.py"):
            calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
            wall = [ast.unparse(call) for call in calls if ast.unparse(call.func) in WALL]
            asked += [f"{path.name}: {call}" for call in wall]
    assert [each for each in asked if not each.startswith(("doctor", "report"))] == ["opened.py: datetime.now(UTC)"]
