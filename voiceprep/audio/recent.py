"""The last stretch of the candidate's audio, for the recogniser."""

from __future__ import annotations

import numpy as np

from voiceprep.audio.base import RATE, Samples
from voiceprep.core.units import Media


class Recent:
    """A ring of the last `seconds` of the recording, addressed by media time."""

    def __init__(self, seconds: float = 90.0) -> None:
        self._ring = np.zeros(int(seconds * RATE), dtype=np.float32)
        self._written = 0

    @property
    def media(self) -> Media:
        """The end of the recording so far."""
        return Media(self._written / RATE)

    def append(self, samples: Samples) -> None:
        size = len(self._ring)
        tail = samples[-size:]
        first = (self._written + len(samples) - len(tail)) % size
        split = min(len(tail), size - first)
        self._ring[first : first + split] = tail[:split]
        self._ring[: len(tail) - split] = tail[split:]
        self._written += len(samples)

    def silence(self, count: int) -> None:
        """`count` samples were lost: the place stays, the sound is silence."""
        size = len(self._ring)
        for done in range(0, count, size):
            self.append(np.zeros(min(size, count - done), dtype=np.float32))

    def between(self, start: Media, end: Media) -> Samples:
        """The samples from `start` to `end`, as far as they are still (or already) here."""
        size = len(self._ring)
        last = min(round(end * RATE), self._written)
        first = max(round(start * RATE), self._written - size, 0)
        if last <= first:
            return np.zeros(0, dtype=np.float32)
        places = np.arange(first, last) % size
        return self._ring[places]
