"""One session: carries blocks and facts to the conductor, and what it says to the log, the screen and the interpreter.

It wires, and decides nothing. A source that can wait is driven on the audio clock (`_drive_audio`), a device on the wall clock
(`_drive_wall`); everything else is shared.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Protocol

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block, Samples
from voiceprep.audio.level import dbfs
from voiceprep.core.events import (
    AudioProgress,
    Command,
    EdgeFailed,
    Event,
    Fact,
    FlagRaised,
    NoteAdded,
    SessionClosing,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SpeakingFinished,
    SpeakingStarted,
    StopRequested,
    TurnHandedOver,
)
from voiceprep.core.units import At, Media, Seconds
from voiceprep.errors import VoiceprepError
from voiceprep.live.capture import Capture
from voiceprep.live.clock import AudioClock, WallClock
from voiceprep.live.inbox import NOW
from voiceprep.live.interpreter import DEFECT
from voiceprep.live.keeping import Keeping
from voiceprep.live.parts import Parts
from voiceprep.store.codec import as_logged

logger = logging.getLogger(__name__)

TICK: Seconds = BLOCK / RATE
PLAYED = VOICE_RATE * BLOCK // RATE
"""Samples of the interviewer's voice in one tick."""
SOON: Seconds = 0.004
"""A deadline that has passed may have to wait for sound that is on its way: looked after as often, not all the time."""
STALLED: Seconds = 0.5
"""Without a block for this long the device does not keep time any more."""


class Watcher(Protocol):
    """Who looks on: the terminal, the page. Methods return at once."""

    def show(self, event: Event) -> None: ...
    def level(self, dbfs: float) -> None: ...
    def clock(self, at: float) -> None: ...


class Session:
    """Run once with `run`; `stop` from anywhere on the loop ends it in good order."""

    def __init__(self, parts: Parts, started: Callable[[At], SessionStarted]) -> None:
        self._parts = parts
        self._started = started
        self._ticks = 0
        self._since = 0.0
        self._reason = "interrupted"
        self._mute = False
        self._sounding = False
        """A line of the interviewer's sounded at the end of what was played last."""
        self._unseen_by = False
        self._held = False
        self._deaf = False
        """What the source brings is not for us: the candidate has paused."""
        self._keeping = Keeping(parts.folder, parts.inbox)
        self._capture = Capture(parts, self._keeping, self._handle)
        self._watcher: Watcher

    async def run(self, watcher: Watcher) -> str:
        """Hold the session. Returns why it ended (the last event's reason)."""
        parts = self._parts
        self._watcher = watcher
        try:
            if isinstance(parts.clock, AudioClock):
                await self._drive_audio(parts.clock)
            else:
                await self._drive_wall()
        finally:
            await parts.source.close()
            await parts.interpreter.close()
            await parts.sink.close()
        return self._reason

    def hand_over(self) -> None:
        """The candidate says by key that the answer is finished."""
        self._parts.inbox.put(TurnHandedOver(at=NOW, media=self.media))

    def note(self, text: str) -> None:
        """Leave a note at this place of the recording."""
        self._parts.inbox.put(NoteAdded(at=NOW, media=self.media, text=text))

    def stop(self, reason: str) -> None:
        """Ask for the end. What was said is still transcribed before the session ends."""
        self._parts.inbox.put(StopRequested(at=NOW, reason=reason))
        self.go_on()  # else it would wait for the last words on a clock that stands

    def pause(self) -> None:
        """Stand still and hear nothing, until `go_on`. A session that listens to a file has no pause: see `pausable`."""
        if self.pausable:
            self._deaf = True
            self.hold("asked")

    @property
    def pausable(self) -> bool:
        """Whether it can stand still: only on the wall clock."""
        return isinstance(self._parts.clock, WallClock)

    def hold(self, reason: str) -> None:
        """Stand still: no time passes, nothing sounds. Nothing may come from the source meanwhile. Only on the wall clock."""
        clock = self._parts.clock
        if isinstance(clock, WallClock) and not self._held:
            self._held = True
            self._parts.inbox.put(SessionPaused(at=NOW, media=self.media, reason=reason))
            clock.hold()

    def go_on(self) -> None:
        """Go on after `hold` or `pause`."""
        self._deaf = False
        clock = self._parts.clock
        if isinstance(clock, WallClock) and self._held:
            self._held = False
            clock.go_on()
            self._parts.inbox.put(SessionResumed(at=NOW, media=self.media))

    @property
    def id(self) -> str:
        """The name of the session's folder."""
        return self._parts.folder.header.id

    @property
    def held(self) -> bool:
        """Whether the session stands still."""
        return self._held

    @property
    def media(self) -> Media:
        """How far the recording is."""
        return self._capture.media

    # --- on the audio clock ---------------------------------------------------------------------------------------------

    async def _drive_audio(self, clock: AudioClock) -> None:
        """Time passes with the samples; every answer that decisions depend on is waited for. So any pace gives the same."""
        parts = self._parts
        await self._settled(self._started(clock.now()))
        while parts.player.busy and not parts.conductor.ended:  # the opening question, before the recording begins
            await self._pause()
            await self._tick_audio(clock, None)
        self._handle(AudioProgress(at=clock.now(), media=Media(0.0)))
        parts.source.floor_opened()
        blocks, reason = aiter(parts.source.blocks()), "audio-ended"
        while True:
            try:
                block = await anext(blocks)
            except StopAsyncIteration:
                break
            except VoiceprepError as error:
                reason = error.code
                self._failed(error)
                break
            await self._tick_audio(clock, block)
            if parts.conductor.ended:
                return
        await self._flush()
        await self._settled(StopRequested(at=clock.now(), reason=reason))
        while not parts.conductor.ended:
            await self._drain()
            due = parts.conductor.deadline
            if due is None:
                break
            clock.advance(max(0.0, due - clock.now()))
            self._take(parts.conductor.advance(clock.now()))

    async def _tick_audio(self, clock: AudioClock, block: Block | None) -> None:
        clock.advance(TICK)
        self._take(self._parts.conductor.advance(clock.now()))
        await self._drain()
        if block is not None:
            self._hear(block, clock.now())
            await self._drain()
        self._play(1)
        await self._drain()

    async def _settled(self, fact: Fact) -> None:
        self._handle(fact)
        await self._drain()

    async def _drain(self) -> None:
        """Let every outstanding answer arrive and be handled before time goes on."""
        parts = self._parts
        await parts.interpreter.settle()
        while (item := parts.inbox.take()) is not None:
            if isinstance(item.what, Fact):
                self._handle(item.what)
            await parts.interpreter.settle()

    async def _pause(self) -> None:
        """Real time passes while the interviewer speaks and nothing is recorded."""
        self._ticks += 1
        loop = asyncio.get_running_loop()
        if self._ticks == 1:
            self._since = loop.time()
        due = self._since + self._ticks * TICK
        await asyncio.sleep(max(0.0, due - loop.time()) if self._parts.live_pace else 0)

    # --- on the wall clock ----------------------------------------------------------------------------------------------

    async def _drive_wall(self) -> None:
        parts = self._parts
        self._handle(self._started(parts.clock.now()))
        self._handle(AudioProgress(at=parts.clock.now(), media=Media(0.0)))
        pump = asyncio.create_task(self._pump())
        played_until = heard_at = parts.clock.now()
        try:
            while not parts.conductor.ended:
                due = parts.conductor.deadline
                wait = min(TICK, max(SOON, due - parts.clock.now()) if due is not None else 1.0)
                item = await parts.inbox.wait(wait)
                now = parts.clock.now()
                while item is not None:  # all that waits comes before any deadline: it may be the speech that lifts it
                    if isinstance(item.what, Block):
                        heard_at = item.at
                        self._hear(item.what, item.at)
                    else:
                        self._handle(item.what)
                    item = parts.inbox.take()
                # While sound comes in, time is not ahead of it; when the device has died, time goes on all the same.
                self._take(parts.conductor.advance(heard_at if now - heard_at < STALLED else now))
                ticks = int((now - played_until) / TICK)
                if ticks:
                    played_until = At(played_until + ticks * TICK)
                    self._play(ticks)
        finally:
            pump.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await pump

    async def _pump(self) -> None:
        """Blocks from the device into the inbox, until it ends or fails: either way the session is told."""
        inbox = self._parts.inbox
        reason = "audio-ended"
        try:
            async for block in self._parts.source.blocks():
                if not self._deaf:
                    inbox.put(block)
        except VoiceprepError as error:
            reason = error.code
            self._failed(error)
        except Exception:
            logger.exception("a defect in the source of sound")
            reason = "defect"
            inbox.put(EdgeFailed(at=NOW, code=reason, message=DEFECT))
        inbox.put(StopRequested(at=NOW, reason=reason))

    # --- shared ---------------------------------------------------------------------------------------------------------

    def _failed(self, error: VoiceprepError) -> None:
        self._parts.inbox.put(EdgeFailed(at=NOW, code=error.code, message=str(error)))

    def _hear(self, block: Block, at: At) -> None:
        self._capture.hear(block, at)
        self._watcher.level(dbfs(block.samples))
        self._watcher.clock(at)

    async def _flush(self) -> None:
        self._capture.flush(self._parts.clock.now())
        await self._drain()

    def _play(self, ticks: int) -> None:
        """The interviewer's next samples, silence included: the track's time line is the session's."""
        parts = self._parts
        self._watcher.clock(parts.clock.now())
        # Woken late, with a line that was not sounding yet: the moments slept through were silent, and it begins now.
        silent = 0 if self._sounding else (ticks - 1) * PLAYED
        samples, begun, outcome = parts.player.pull(ticks * PLAYED - silent)
        samples = np.concatenate([np.zeros(silent, dtype=np.float32), samples])
        self._sounding = parts.player.audible
        self._keeping.record(parts.folder.interviewer, samples)
        self._sound(samples if parts.tone is None else parts.tone.over(samples, quiet=not parts.player.busy))
        if begun:
            latency = round(parts.sink.latency, 3)
            self._handle(SpeakingStarted(at=parts.clock.now(), of=begun, media=self.media, latency=latency))
        if outcome is not None:
            if outcome.floor:
                parts.source.floor_opened()
            self._handle(
                SpeakingFinished(
                    at=parts.clock.now(),
                    of=outcome.of,
                    media=self.media,
                    heard=outcome.heard,
                    seconds=outcome.seconds,
                    complete=outcome.complete,
                )
            )

    def _sound(self, samples: Samples) -> None:
        """A speaker that fails is told once; the session goes on, and the interviewer's lines stand on the screen."""
        if self._mute:
            return
        try:
            self._parts.sink.write(samples)
        except VoiceprepError as error:
            self._mute = True
            self._parts.inbox.put(EdgeFailed(at=NOW, code=error.code, message=str(error)))

    def _show(self, event: Event) -> None:
        """A screen that fails (a closed pipe, a full disk behind it) is not looked at any more; the recording goes on."""
        if self._unseen_by:
            return
        try:
            self._watcher.show(event)
        except Exception as error:  # noqa: BLE001 - whatever a terminal does, it must not cost the session
            self._unseen_by = True
            logger.warning("the screen failed: %s", type(error).__name__)

    def _handle(self, fact: Fact) -> None:
        self._take(self._parts.conductor.handle(as_logged(fact)))

    def _take(self, events: list[Event]) -> None:
        """Log, show, carry out, in this order."""
        parts = self._parts
        for event in events:
            parts.folder.log.append(event)
            self._show(event)
            if isinstance(event, Command):
                parts.interpreter.execute(event)
            elif isinstance(event, FlagRaised) and parts.tone is not None:
                parts.tone.ring()
            elif isinstance(event, SessionClosing):
                parts.interpreter.overtake()
            elif isinstance(event, SessionEnded):
                self._reason = event.reason
