"""How far a device's clock runs away from the wall's, and what is done about it."""

from __future__ import annotations

import numpy as np

from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.level import dbfs
from voiceprep.core.units import Seconds

SETTLE: Seconds = 2.0
"""A device that has just started hands over what it had buffered: its first arrivals tell nothing."""

BUCKET: Seconds = 10.0
"""Among the arrivals of so many seconds there is always one that was hardly delayed."""

TOLERANCE: Seconds = 0.003
LARGEST: Seconds = 0.005
"""The most that is taken out or put in at one place: too short to be heard in what is quiet anyway."""

APART: Seconds = 1.0
"""Seconds of sound between two such places."""

BEHIND: Seconds = 0.2
"""So much later than ever within `RECENT` seconds is no jitter any more: sound was lost, and no driver said so."""
RECENT: Seconds = 2.0

QUIET_MARGIN = 6.0
"""dB above the quietest of late: still nobody speaks."""
QUIETEST = -75.0
"""dBFS under which all is equally quiet."""
USUAL = -50.0
"""dBFS of a room, until this one is known: who speaks from the first moment on is not taken for it."""
RISE = 0.2
"""dB a second by which "the quietest of late" is forgotten: minutes of unbroken speech do not make it the quietest."""


class Drift:
    """Sound that arrives, against the wall clock, however unevenly it does.

    Sound may come late but never early. So the smallest lateness of a while is the device's own clock, and the rest is
    jitter of the driver and of a busy machine. `correction` is what `Leveller` has put in (+) or taken out (-) so far.
    """

    def __init__(self) -> None:
        self.correction: Seconds = 0.0
        self._began: Seconds | None = None
        self._bucket_ends: Seconds = 0.0
        self._least = np.inf
        self._first: tuple[Seconds, Seconds] | None = None
        self._last: tuple[Seconds, Seconds] | None = None
        self._recent: tuple[Seconds, Seconds] = (0.0, np.inf)

    def note(self, arrived: Seconds, counted: Seconds) -> None:
        """At wall time `arrived`, `counted` seconds of sound and told loss had come in since the start."""
        if self._began is None:
            self._began, self._bucket_ends = arrived, arrived + SETTLE + BUCKET
        if arrived < self._began + SETTLE:
            return
        lateness = arrived - counted
        self._least = min(self._least, lateness)
        ends, least = self._recent
        self._recent = (ends, min(least, lateness))
        if arrived >= self._bucket_ends:
            self._last = (arrived, self._least)
            self._first = self._first or self._last
            self._least, self._bucket_ends = np.inf, arrived + BUCKET

    @property
    def error(self) -> Seconds:
        """How much too short (+) or too long (-) the recording is against the wall. 0 until it is known."""
        if self._first is None or self._last is None:
            return 0.0
        return self._last[1] - self._first[1] - self.correction

    @property
    def ppm(self) -> float:
        """How much slower (+) or faster (-) than the wall the device counts, in parts per million. 0 until it is known."""
        if self._first is None or self._last is None or self._last == self._first:
            return 0.0
        return 1e6 * (self._last[1] - self._first[1]) / (self._last[0] - self._first[0])

    def unreported(self, arrived: Seconds) -> Seconds:
        """Seconds that must have been lost without a word, once all of the last `RECENT` seconds came that much too late."""
        ends, least = self._recent
        if arrived < ends:
            return 0.0
        self._recent = (arrived + RECENT, np.inf)
        if self._first is None or least == np.inf:
            return 0.0
        behind = float(least - self._first[1] - self.correction)
        return behind if behind > BEHIND else 0.0


class Leveller:
    """Keeps a recording as long as the wall says, by a few milliseconds more or less where it is quiet."""

    def __init__(self, drift: Drift) -> None:
        self._drift = drift
        self._quietest = USUAL
        self._since: Seconds = 0.0

    def feed(self, sound: Samples) -> Samples:
        """The same sound at RATE, longer or shorter by at most `LARGEST`."""
        seconds = len(sound) / RATE
        level = max(QUIETEST, dbfs(sound))
        self._quietest = min(level, self._quietest + RISE * seconds)
        self._since += seconds
        error = self._drift.error
        if abs(error) < TOLERANCE or self._since < APART or level > self._quietest + QUIET_MARGIN:
            return sound
        count = min(round(min(abs(error), LARGEST) * RATE), len(sound) // 4)
        if not count:
            return sound
        self._since = 0.0
        self._drift.correction += count / RATE if error > 0 else -count / RATE
        middle = len(sound) // 2
        if error < 0:
            return np.concatenate((sound[:middle], sound[middle + count :]))
        return np.concatenate((sound[:middle], sound[middle - count : middle][::-1], sound[middle:]))
