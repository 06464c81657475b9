"""A session that goes on for hours: interrupted, flagged and disconnected all the time. Does anything grow that should not?

The shell is the real one (page, socket line, session, folder, log, both tracks); the models are fakes, since what they cost
stands in `bench session`. On the simulated clock (`--pace fast`, the default) hours pass in minutes; `--pace live` takes them.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import psutil

from tests.fakes.content import PERSONA, content, rule
from tests.fakes.room import Room
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import RATE
from voiceprep.core.events import AudioProgress, Event, FlagRaised, Interrupted, SessionEnded, SessionResumed
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.units import Seconds
from voiceprep.errors import UsageError
from voiceprep.live.assembly import assemble, replay
from voiceprep.live.clock import WallClock
from voiceprep.live.session import Session
from voiceprep.store.archive import Archive
from voiceprep.store.codec import as_logged
from voiceprep.web.advice import advice_of
from voiceprep.web.line import Line
from voiceprep.web.live import Live, Patience, Terms
from voiceprep.web.protocol import Frame

FRAME: Seconds = 0.1
CYCLE: Seconds = 72.0
"""In each: an answer with pauses, a handed-over turn, an interruption. In every second one the page is lost and comes back."""
PAUSE: Seconds = 3.4
AWAY: Seconds = 2.0
PAUSES = 4
FEW = 60
"""Seconds of recording whose least delay is compared: a machine that is busy handles a frame late, and never early."""
POLICY = Policy(captions=False)
LOUD = (np.sin(2 * np.pi * 220 * np.arange(round(FRAME * RATE)) / RATE) * 9_000).astype("<i2").tobytes()
QUIET = bytes(len(LOUD))


class Deaf:
    """A socket whose other end takes everything."""

    async def send_text(self, data: str) -> None: ...
    async def send_bytes(self, data: bytes) -> None: ...
    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Held:
    """What the process held at a moment of the session."""

    at: Seconds
    rss_mb: float
    blocks: int
    """Python objects that are allocated."""
    handles: int


@dataclass
class Marathon:
    """One page, one candidate, one session, and how the process fares meanwhile."""

    live: Live
    session: Session
    hours: float
    clock: Callable[[], Seconds]
    position: int = 0
    frames: int = 0
    held: list[Held] = field(default_factory=list)
    _line: asyncio.Task[None] | None = None
    _began: Seconds = 0.0

    async def candidate(self) -> None:
        """Goes on until the hours are over, then ends the session from the page."""
        self.join(None)
        self._began, cycle = self.clock(), 0
        while self.clock() - self._began < self.hours * 3600:
            cycle += 1
            began = self.clock()
            for _ in range(PAUSES):
                await self.speak(5.0)
                await self.speak(PAUSE, loud=False)
            await self.speak(4.0)
            await self.speak(0.4, loud=False)
            self.session.hand_over()
            await self.interrupt()
            if cycle % 2 == 0:
                await self.lose_the_page()
            await self.speak(max(0.0, CYCLE - (self.clock() - began)), loud=False)
            if cycle % 10 == 1:
                self.look()
        self.look()
        self.live.end("user")

    async def speak(self, seconds: Seconds, *, loud: bool = True) -> None:
        for _ in range(round(seconds / FRAME)):
            self.frames += 1
            due = self._began + self.frames * FRAME
            await asyncio.sleep(max(0.0, due - self.clock()))
            self.live.hear(Frame(self.frames, self.position, LOUD if loud else QUIET))
            self.position += len(LOUD) // 2

    async def interrupt(self) -> None:
        """Talk into the interviewer's next line, once it is well under way."""
        sink = self.live.sink
        assert sink is not None
        for _ in range(80):
            if sink.sounding:
                break
            await self.speak(FRAME, loud=False)
        await self.speak(0.3, loud=False)
        await self.speak(1.5)

    def join(self, acked: int | None) -> None:
        if self._line is not None:
            self._line.cancel()
        line = Line(Deaf(), "tab")
        self._line = asyncio.create_task(line.run())
        self.live.joined(line, acked)

    async def lose_the_page(self) -> None:
        """The session stands still until it is back; the page has kept what was said meanwhile (nothing)."""
        self.live.left(self.live.line)
        await asyncio.sleep(AWAY)
        self._began += AWAY
        self.join(self.position)

    def look(self) -> None:
        gc.collect()
        process = psutil.Process()
        blocks = sys.getallocatedblocks()
        self.held.append(Held(self.clock(), process.memory_info().rss / 1e6, blocks, process.num_fds()))


def run(hours: float = 4.0, pace: str = "fast", minutes: float = 0.0, **_: Any) -> dict[str, Any]:
    """Hold one session of so many hours; or of so many minutes, where those are given.

    Returns:
        ``{"hours", "events", "flags", "interruptions", "reconnects", "rss_start_mb", "rss_end_mb", "objects_per_hour",
        "handles_start", "handles_end", "drift_ms", "late_ms", "replays", "cpu_s"}``: start is the first look, a cycle after the
        beginning; `objects_per_hour` how many more Python objects lived after each hour; `drift_ms` how far the recording has
        moved against the session clock, `late_ms` by how much a frame is handled late as a rule; `replays` whether the log,
        decided again, is the same log.

    Raises:
        UsageError: a pace that there is none of.
    """
    if pace not in {"fast", "live"}:
        raise UsageError(f"--pace {pace} is neither live nor fast", code="bad-option")
    hours = minutes / 60 or hours
    began = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        work = _held(Path(place), hours, pace)
        marathon, made, folder = run_virtually(work) if pace == "fast" else asyncio.run(_awaited(work))
        events = Archive(folder.parent).read(folder.name)[1]
        again = replay(events, assemble(made, POLICY, "en", 1))
        replays = [as_logged(event) for event in again] == list(events)
    return _told(marathon, events, hours) | {"replays": replays, "cpu_s": round(time.process_time() - began, 1)}


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work


async def _held(recordings: Path, hours: float, pace: str) -> tuple[Marathon, Content, Path]:
    clock = asyncio.get_running_loop().time if pace == "fast" else time.monotonic
    live = Live(Terms("test-round", "", "en", "coach", "browser"), Patience())
    made = _content(hours)
    room = Room(
        recordings,
        live.source,
        sink=live.sink,
        made=made,
        policy=POLICY,
        heard_by="browser",
        clock=WallClock(clock),
        live_pace=True,
    )
    session = room.session
    marathon = Marathon(live, session, hours, clock)
    live.begun(session, advice_of(made.pacing), {})
    marathon.join(None)
    candidate = asyncio.create_task(marathon.candidate())
    try:
        await room.hold(live)
        await candidate
    finally:
        candidate.cancel()
        live.close()
    return marathon, made, room.folder.path


def _content(hours: float) -> Content:
    """A round that lasts for as long, and minds each second of silence."""
    made = content(replace(PERSONA, followups=(30, 40)), minutes=round(hours * 120) + 60, questions=40)
    return replace(made, pacing={**made.pacing, "long_pause": rule("long_pause", 1.0, 2.0, 3.0)})


def _told(marathon: Marathon, events: tuple[Event, ...], hours: float) -> dict[str, Any]:
    def count(kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in events)

    first, last = marathon.held[0], marathon.held[-1]
    moved = [event.at - event.media for event in events if isinstance(event, AudioProgress) and event.media > 1.0]
    return {
        "hours": hours,
        "ended": next((event.reason for event in events if isinstance(event, SessionEnded)), ""),
        "events": len(events),
        "flags": count(FlagRaised),
        "interruptions": count(Interrupted),
        "reconnects": count(SessionResumed),
        "rss_start_mb": round(first.rss_mb, 1),
        "rss_end_mb": round(last.rss_mb, 1),
        "objects_per_hour": round((last.blocks - first.blocks) / max(1e-9, (last.at - first.at) / 3600)),
        "handles_start": first.handles,
        "handles_end": last.handles,
        "drift_ms": round(1e3 * abs(min(moved[-FEW:]) - min(moved[:FEW])), 1),
        "late_ms": round(1e3 * (median(moved) - min(moved)), 1),
    }


if __name__ == "__main__":
    print(run())
