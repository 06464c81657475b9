"""What the speaker was given, beside what the microphone heard: the same stretch of time in the same blocks."""

from __future__ import annotations

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.audio.resample import Resampler

SLACK = 0.06
"""Seconds by which the reference trails at the least: a tick of the session and the resampler come in steps."""

EARLY = 0.05
"""Seconds by which the reference stays ahead of what the sink promises. Its buffer may hold some 0.1 less, but capture takes as
long again."""

STRAY = 0.05
"""Seconds the two clocks may drift apart before the reference is set right, in a silence."""

AUDIBLE = 1e-4
"""Samples below this are silence (-80 dBFS)."""

_SMOOTH, _FIRST = 0.02, 8
"""How much one block says of how far the clocks are apart, and blocks after which something is concluded."""

_PAUSE, _LONG_PAUSE = 0.1, 1.5
"""Seconds of silence in which the reference may be moved by little, and by much: then all echo must have died away."""

_MUCH = 0.15
"""Seconds."""


class Reference:
    """Sound as it was written to the sink, handed out a block for each block that was captured.

    The pairing is by time, not by arrival: what arrives too late for its block is skipped when it comes. What is
    handed out is older than what was just written, so that its echo comes a little after it and never before.
    """

    def __init__(self) -> None:
        self._resampler = Resampler(VOICE_RATE, RATE)
        self._waiting: Samples = np.zeros(0, np.float32)
        self._owed = 0
        """Samples whose blocks have passed already."""
        self._begun = False
        """Something was put: until then there is nothing to pair."""
        self._taken = 0
        """Blocks since the pairing was begun, last time."""
        self._sounded = False
        self._quiet_for = 0.0
        self._depth = 0.0
        self.age = 0.0
        """Seconds from the writing of a sound to its being handed out."""
        self._trail = SLACK
        """What `age` should be."""
        self.moved = 0.0
        """Seconds by which the latest `take` set the reference back (or, less than 0, forward) in time."""

    def expect(self, delay: float) -> None:
        """Sound will be at the microphone `delay` seconds after it was put, or a little later. Takes effect in a silence."""
        self._trail = max(SLACK, delay - EARLY)

    def put(self, samples: Samples) -> None:
        """The next samples at VOICE_RATE, silence included."""
        self._begun = True
        changed = self._resampler.feed(samples)
        skipped = min(self._owed, len(changed))
        self._owed -= skipped
        self._waiting = np.concatenate((self._waiting, changed[skipped:]))

    def unsay(self, count: int) -> None:
        """The last `count` samples at VOICE_RATE will not sound after all."""
        held = np.zeros(self._resampler.held, np.float32)
        self._resampler.clear()
        self._waiting = np.concatenate((self._waiting, held))
        silent = round(count * RATE / VOICE_RATE)
        if silent:
            self._waiting[-silent:] = 0.0

    def take(self, count: int = BLOCK) -> Samples:
        """What was sounding, as far as that is known, while the next `count` samples were captured."""
        self.moved = 0.0
        if not self._begun:
            return np.zeros(count, np.float32)
        if not self._taken:
            self._begin()
        self._taken += 1
        out = np.zeros(count, np.float32)
        there = self._waiting[:count]
        out[: len(there)] = there
        self._waiting = self._waiting[count:]
        self._owed += count - len(there)
        if np.abs(out).max(initial=0.0) > AUDIBLE:
            self._quiet_for, self._sounded = 0.0, True
        else:
            self._quiet_for += count / RATE
        depth = (len(self._waiting) - self._owed) / RATE
        self._depth += max(_SMOOTH, 1 / self._taken) * (depth - self._depth)
        much = self._sounded and abs(self._depth - self._trail) > _MUCH
        pause = self._quiet_for > (_LONG_PAUSE if much else _PAUSE)
        silent = pause and not np.abs(self._waiting).max(initial=0.0) > AUDIBLE
        if self._taken > _FIRST and self._depth < 0.0:
            # Sound comes after its block, and would be skipped: a gap is worse than a jump. The microphone gave a backlog.
            self.moved = self._trail - depth
            self._begin()
        elif self._taken > _FIRST and silent:
            self.moved = self._set_right()
        return out

    def _begin(self) -> None:
        """What was written last is of the block that comes `age` later."""
        self._depth = self.age = self._trail
        wanted = round(self.age * RATE)
        self._waiting = np.concatenate((np.zeros(wanted, np.float32), self._waiting))[-wanted:]
        self._owed, self._taken = 0, 0

    def _set_right(self) -> float:
        """Make silence longer or shorter: the sound card's clock and the session's are not the same."""
        stray = self._depth - self._trail
        if abs(stray) <= STRAY:
            return 0.0
        count = round(abs(stray) * RATE)
        self._depth = self.age = self._trail
        if stray < 0:
            paid = min(count, self._owed)
            self._owed -= paid
            self._waiting = np.concatenate((self._waiting, np.zeros(count - paid, np.float32)))
        else:
            cut = min(count, len(self._waiting))
            self._waiting = self._waiting[cut:]
            self._owed += count - cut
        return -stray
