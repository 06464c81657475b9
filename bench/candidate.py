"""A candidate who answers what is asked, thinks, now and then speaks over the interviewer, and knows what was said when.

Source and watcher in one: it hears through the session's own events which question is open and whether the interviewer
sounds, as a person would.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bench import conditions
from bench.choosing import Chooser
from bench.truth import Take
from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.core.events import (
    NO_TURN,
    EdgeFailed,
    Event,
    MoveChosen,
    MoveKind,
    QuestionAsked,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
)
from voiceprep.core.units import Media, Seconds
from voiceprep.live.plan import Pace

REPLY: tuple[Seconds, Seconds] = (0.5, 2.0)
"""Silence before an answer."""
BARGE_SHARE = 0.4
"""Of the lines after one that was heard out: two never run, so it is about three of ten."""
BARGE_AFTER: tuple[Seconds, Seconds] = (0.3, 1.0)
"""How far into the interviewer's line."""
GIVE_UP: Seconds = 100.0
"""An answer that nobody replied to for so long is taken as unanswered; the candidate goes on."""
OWED: Seconds = 10.0
"""... and so long when a question was heard before it was over: who was cut off says the rest, and then answers that."""
OVERTIME: Seconds = 180.0
"""A session that does not come to rest so long after its time is left."""


@dataclass
class Said:
    """A take, or what was left of one, as it went into the recording."""

    take: Take
    first: int
    """Sample of the take with which it began."""
    at: int
    """Sample of the recording in which that one lies."""
    over: str = ""
    """The interviewer's utterance that it was begun over, on purpose."""
    stop: int = 0
    """Sample of the take before which it stopped."""

    @property
    def complete(self) -> bool:
        """Spoken to the end of the answer."""
        return self.stop >= self.take.end

    @property
    def onset(self) -> int:
        """The first audible sample of the take that was heard."""
        return next(max(s.start, self.first) for s in self.take.sounds if s.end > self.first)

    def media(self, sample: int) -> Media:
        """Where a sample of the take lies in the recording."""
        return Media((self.at + sample - self.first) / RATE)


class BenchCandidate:
    """`said` is what went into the recording, in order. Ends after `seconds` of recording, once the last reply was heard."""

    name = "benchmark candidate"

    def __init__(
        self,
        chooser: Chooser,
        pace: Pace,
        seconds: Seconds,
        beds: Mapping[str, Samples] | None = None,
        *,
        seed: int = 1,
        barges: bool = True,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.on_demand = pace == "fast"
        self.said: list[Said] = []
        self._chooser = chooser
        self._seconds = seconds
        self._beds = beds or {}
        self._luck = np.random.default_rng(seed)
        self._barges = barges
        self._tell = tell
        self._closed = self._over = False
        self._sent = 0
        # what was heard
        self._question, self._target = "", ""
        self._move: MoveKind = "question"
        self._moves: dict[str, MoveKind] = {}
        self._sounding = ""
        # what is being done
        self._now: Said | None = None
        self._rest: tuple[Take, int] | None = None
        self._owed = False
        """A question was heard out while the answer before it was not over."""
        self._begin: int | None = None
        """Sample of the recording with which the next answer may begin."""
        self._barge: int | None = None
        self._barged = True  # never over the first line
        self._quiet_since = 0
        self._bed: Samples = np.zeros(1, np.float32)
        self._gain = 0.0

    @property
    def seconds(self) -> Seconds:
        """Recorded so far."""
        return self._sent / RATE

    # --- what the session tells -----------------------------------------------------------------------------------------

    def show(self, event: Event) -> None:
        match event:
            case MoveChosen() if event.move not in NO_TURN:
                self._question, self._move, self._target = "", event.move, event.target
            case QuestionAsked():
                self._question = event.question
            case Speak():
                self._moves[event.id] = event.move
            case SpeakingStarted() if self._moves.get(event.of) not in NO_TURN:
                self._sounding = event.of
                self._begin = None
                self._plan_barge()
            case SpeakingFinished(complete=True) if self._moves.get(event.of) not in NO_TURN:
                self._owed = self._now is not None or self._rest is not None
            case EdgeFailed() if self._moves.get(event.of, "prompt") not in NO_TURN:  # the line stands on the screen
                self._sounding = event.of
                self.floor_opened()
            case _:
                pass

    def level(self, dbfs: float) -> None: ...

    def clock(self, at: float) -> None: ...

    def floor_opened(self) -> None:
        if not self._sounding:
            return  # an encouragement is over: whoever has spoken waits on
        self._sounding, self._barge = "", None
        if self._now is None:
            self._begin = self._sent + round(self._luck.uniform(*REPLY) * RATE)

    async def close(self) -> None:
        self._closed = True

    def _plan_barge(self) -> None:
        wish = self._luck.random() < BARGE_SHARE
        after = round(self._luck.uniform(*BARGE_AFTER) * RATE)
        closing = self._moves[self._sounding] == "close"
        if self._barges and wish and not self._barged and not closing and self._now is None and self._rest is None:
            self._barge = self._sent + after
        self._barged = self._barge is not None

    # --- what the session hears -----------------------------------------------------------------------------------------

    async def blocks(self) -> AsyncIterator[Block]:
        """At live pace a block comes when its last sample has been spoken, as from a device."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        while not self._over and self._sent < (self._seconds + OVERTIME) * RATE:
            samples = self._block()
            due = start + (self._sent + BLOCK) / RATE
            await asyncio.sleep(0 if self.on_demand else max(0.0, due - loop.time()))
            if self._closed:
                return
            self._sent += BLOCK
            yield Block(samples)

    def _block(self) -> Samples:
        """The next block. Answers begin with one; they stop at any sample."""
        if self._now is None:
            self._start()
        out = np.zeros(BLOCK, np.float32)
        if self._now is not None:
            self._speak(self._now, out)
        if self._gain:
            out += self._gain * np.take(self._bed, np.arange(self._sent, self._sent + BLOCK), mode="wrap")
        return np.clip(out, -1, 1)

    def _start(self) -> None:
        silent = self._sent - self._quiet_since
        if self._barge is not None and self._sent >= self._barge:
            self._say(self._eager(), 0, over=self._sounding)
        elif self._begin is not None and self._sent >= self._begin:
            if self._rest is not None:
                self._say(*self._rest)
            elif self._sent >= self._seconds * RATE or self._chooser.empty:
                self._over = True
            else:
                self._say(self._chooser.next(self._question, self._move, self._target), 0)
        elif self.said and not self._sounding and self._begin is None and silent >= self._patience * RATE:
            self._begin = self._sent

    @property
    def _patience(self) -> Seconds:
        return OWED if self._owed else GIVE_UP

    def _eager(self) -> Take:
        """Who speaks over the interviewer adds something, or answers before the question is over."""
        if self._chooser.empty or self._luck.random() < 0.5:
            return self._chooser.more()
        return self._chooser.next(self._question, self._move, self._target)

    def _say(self, made: Take, first: int, over: str = "") -> None:
        self._begin = self._barge = self._rest = None
        self._now = Said(made, first, self._sent, over)
        self.said.append(self._now)
        self._bed, self._gain = self._beds.get(made.condition, self._bed), conditions.gain(made)
        self._tell(f"{self._sent / RATE:6.1f} s  {made.id} ({made.condition})" + (", over the interviewer" if over else ""))

    def _speak(self, now: Said, out: Samples) -> None:
        start = now.first + self._sent - now.at
        stop = min(start + BLOCK, len(now.take.samples))
        if self._sounding and self._sounding != now.over:  # cut off: what is being said is finished, the rest is kept
            stop = min(stop, self._next_rest(now.take, start))
        out[: stop - start] = now.take.samples[start:stop]
        now.stop = stop
        if stop - start < BLOCK or stop == len(now.take.samples):
            self._now = None
            self._quiet_since = self._sent
            if not now.complete:
                self._rest = (now.take, self._resumed(now.take, stop))
                if not self._sounding:
                    self._begin = self._sent + BLOCK

    @staticmethod
    def _next_rest(made: Take, place: int) -> int:
        """Where one who is cut off at this place falls silent: at once in a pause, else where the next one begins."""
        return next((max(place, p.start) for p in made.pauses if p.end > place), len(made.samples))

    @staticmethod
    def _resumed(made: Take, place: int) -> int:
        """From where the rest is spoken later: shortly before its first sound."""
        following = next(s.start for s in made.sounds if s.start >= place)
        return max(place, following - BLOCK)
