"""A soft tone with a pacing flag, for who wants one: heard in the headphones alone, and never over the interviewer."""

from __future__ import annotations

import numpy as np

from voiceprep.audio.base import VOICE_RATE, Samples

SECONDS, HERTZ, LEVEL = 0.18, 660.0, 0.04
"""Short, below the pitch of speech's consonants, and about 28 dB under full scale."""
STALE = round(2.0 * VOICE_RATE)
"""Samples after which a tone that had to wait means nothing any more."""


class Tone:
    """Lies over what the speaker plays, never in what is recorded."""

    def __init__(self) -> None:
        self._left: Samples = np.zeros(0, np.float32)
        self._waited = 0

    def ring(self) -> None:
        """Sound as soon as the interviewer is silent."""
        self._left, self._waited = _tone(), 0

    def over(self, samples: Samples, *, quiet: bool) -> Samples:
        """The samples with as much of the tone as fits; the same where none is due, or somebody speaks (not `quiet`)."""
        if not len(self._left):
            return samples
        if not quiet:
            self._waited += len(samples)
            if self._waited > STALE or len(self._left) < len(_tone()):  # the rest of one that was broken off
                self._left = self._left[:0]
            return samples
        mixed = samples.copy()
        count = min(len(samples), len(self._left))
        mixed[:count] += self._left[:count]
        self._left = self._left[count:]
        return mixed


def _tone() -> Samples:
    """With soft edges, so that nothing clicks."""
    place = np.arange(round(SECONDS * VOICE_RATE)) / VOICE_RATE
    swell = np.sin(np.pi * place / SECONDS) ** 2
    return (LEVEL * swell * np.sin(2 * np.pi * HERTZ * place)).astype(np.float32)
