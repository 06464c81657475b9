"""The conductor: one fact in, everything that follows out, in the order it is to be logged.

It owns the laws that the machines need not think about:

- before a fact at time t is handled, every deadline up to t fires, in order, stamped at its own time, so that decisions do
  not depend on when the operating system woke us;
- `at` never decreases;
- every command is answered once: an answer to a command that is not outstanding any more is dropped here, in one place;
- after a request to stop, outstanding commands are waited for (within reason), then the session ends, and nothing follows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from voiceprep.core.events import (
    AudioProgress,
    Command,
    Event,
    Fact,
    PauseSpeaking,
    ResumeSpeaking,
    SessionClosing,
    SessionEnded,
    SpeakingStarted,
    StopRequested,
    StopSpeaking,
)
from voiceprep.core.machine import Machine
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, MediaClock

ABOUT_SPEECH = (PauseSpeaking, ResumeSpeaking, StopSpeaking)
"""Commands without an answer of their own: they change how a `Speak` goes on."""


class Conductor:
    """Runs machines in a fixed order; each sees every fact, decision and command, its own included."""

    def __init__(self, machines: Sequence[Machine], clock: MediaClock, policy: Policy) -> None:
        self._machines = tuple(machines)
        self._clock = clock
        self._policy = policy
        self._now = At(0.0)
        self._outstanding: set[str] = set()
        self._stopping: SessionClosing | None = None
        self.ended = False

    @property
    def now(self) -> At:
        return self._now

    @property
    def outstanding(self) -> frozenset[str]:
        """Ids of commands that are not answered yet."""
        return frozenset(self._outstanding)

    @property
    def deadline(self) -> At | None:
        """When `advance` must be called next, unless a fact comes first."""
        if self.ended:
            return None
        moments = [m for machine in self._machines if (m := machine.deadline) is not None]
        if self._stopping is not None:
            moments.append(At(self._stopping.at + self._policy.farewell_wait))
        soonest = min(moments, default=At(inf))
        return At(max(soonest, self._now)) if soonest < inf else None

    def handle(self, fact: Fact) -> list[Event]:
        """Take one fact. Returns, in order: what its time made due, the fact itself, and all that follows from it.

        A fact stamped before the last one is handled as if it came right after it.
        """
        out = self.advance(At(max(fact.at, self._now)))
        if self.ended:
            return out
        if fact.at < self._now:
            fact = replace(fact, at=self._now)
        of = getattr(fact, "of", "")
        if of and not self._answers(of, fact):
            return out
        if isinstance(fact, AudioProgress):
            self._clock.update(fact.at, fact.media)
        out += self._spread(fact)
        return out + self._farewell(fact.at)

    def advance(self, at: At) -> list[Event]:
        """Fire every deadline up to `at`, in order."""
        out: list[Event] = []
        while not self.ended and (due := self.deadline) is not None and due <= at:
            self._now = due
            for machine in self._machines:
                moment = machine.deadline
                if moment is not None and moment <= due:
                    for event in machine.wake(due):
                        out += self._spread(event)
                    break
            else:
                out += self._farewell(due)
        if not self.ended:
            self._now = At(max(self._now, at))
        return out

    # --- inside ---------------------------------------------------------------------------------------------------------

    def _answers(self, of: str, fact: Fact) -> bool:
        """Whether this fact belongs to an outstanding command, and if it is its answer, settle it."""
        if of not in self._outstanding:
            return False
        if not isinstance(fact, SpeakingStarted):
            self._outstanding.discard(of)
        return True

    def _spread(self, first: Event) -> list[Event]:
        """Hand an event to every machine, and what they make of it too, until nothing new follows."""
        out: list[Event] = []
        queue = deque([first])
        while queue:
            event = queue.popleft()
            if isinstance(event, Command) and not isinstance(event, ABOUT_SPEECH):
                self._outstanding.add(event.id)
            if isinstance(event, SessionClosing):
                if self._stopping is not None:
                    continue
                self._stopping = event
            out.append(event)
            if isinstance(event, StopRequested):
                queue.append(SessionClosing(at=event.at, reason=event.reason))
            for machine in self._machines:
                queue.extend(machine.handle(event))
            if isinstance(event, SessionEnded):
                self.ended = True
                break
        return out

    def _farewell(self, at: At) -> list[Event]:
        """The session's last event, once nothing is outstanding or the wait is over."""
        stop = self._stopping
        if stop is None or self.ended:
            return []
        if self._outstanding and at < stop.at + self._policy.farewell_wait:
            return []
        return self._spread(SessionEnded(at=at, reason=stop.reason))
