"""Time while this program runs: a night with the lid closed is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from voiceprep.core.units import Seconds

ASLEEP: Seconds = 5.0
"""Nobody looked at the clock for so long: the machine slept, or the program was stopped."""

LEFT: Seconds = 1.0
"""What a sleep of any length counts: long enough to be told as a gap, too short to be anybody's pause."""


class Awake:
    """A clock that does not count sleep, on any system: some let their monotonic clock run on meanwhile, others do not.

    It must be looked at every few seconds, from any thread.
    """

    def __init__(self, read: Callable[[], Seconds] = time.monotonic) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._last: Seconds | None = None
        self._slept: Seconds = 0.0
        self.naps = 0
        """How often the machine slept."""

    def now(self) -> Seconds:
        """Seconds, never decreasing, from an arbitrary start."""
        with self._lock:
            moment = self._read()
            if self._last is not None and moment - self._last > ASLEEP:
                self._slept += moment - self._last - LEFT
                self.naps += 1
            self._last = moment
            return moment - self._slept
