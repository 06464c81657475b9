"""What time it is in a session.

A device runs on the wall clock. A file can wait, so a session that listens to one runs on the audio clock: time advances
with the samples, and an answer (a transcript, a rendered line) takes none of it. That makes a session from a file the same
at any pace and on any machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from voiceprep.audio.awake import Awake
from voiceprep.core.units import At, Seconds

DECIMALS = 6
"""The log's precision. What is decided is decided from what the log holds, so that it can be decided again from there."""


class Clock(Protocol):
    """The session clock; 0 when the session starts, never decreasing."""

    def now(self) -> At: ...


class WallClock:
    """Monotonic seconds since it was made, in which the machine did not sleep: a night is neither talk nor a pause."""

    def __init__(self, read: Callable[[], Seconds] = time.monotonic) -> None:
        self._awake = Awake(read)
        self._zero = self._awake.now()
        self._held: Seconds | None = None

    def now(self) -> At:
        moment = self._awake.now()
        return At(round((moment if self._held is None else self._held) - self._zero, DECIMALS))

    def hold(self) -> None:
        """Stand still from now on: the session pauses. Idempotent."""
        if self._held is None:
            self._held = self._awake.now()

    def go_on(self) -> None:
        """Go on from where it was held; the time in between does not count. Idempotent."""
        if self._held is not None:
            self._zero += self._awake.now() - self._held
            self._held = None


class AudioClock:
    """Stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> At:
        return At(round(self._now, DECIMALS))

    def advance(self, seconds: Seconds) -> None:
        self._now += seconds
