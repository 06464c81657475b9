"""What time it is in a session.

A device runs on the wall clock. A file can wait, so a session that listens to one runs on the audio clock: time advances
with the samples, and an answer (a transcript, a rendered line) takes none of it. That makes a session from a file the same
at any pace and on any machine.
"""

from __future__ import annotations

import time
from typing import Protocol

from voiceprep.core.units import At, Seconds

DECIMALS = 6
"""The log's precision. What is decided is decided from what the log holds, so that it can be decided again from there."""


class Clock(Protocol):
    """The session clock; 0 when the session starts, never decreasing."""

    def now(self) -> At: ...


class WallClock:
    """Monotonic seconds since it was made."""

    def __init__(self) -> None:
        self._zero = time.monotonic()

    def now(self) -> At:
        return At(round(time.monotonic() - self._zero, DECIMALS))


class AudioClock:
    """Stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> At:
        return At(round(self._now, DECIMALS))

    def advance(self, seconds: Seconds) -> None:
        self._now += seconds
