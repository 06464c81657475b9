"""How the speaker comes back at the microphone: after how long and how loud, learned from levels alone.

Levels suffice where an echo is not to be removed but only to be recognised, and they do not care for rooms or clocks.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import RATE, Samples

STEP = 256
"""Samples of one level: 16 ms."""

LONGEST = 1.5
"""Seconds within which an echo is looked for: Bluetooth speakers take most of one."""

SURE = 0.75
"""A correlation of levels that is no accident."""

MEMORY = 4.0
"""Seconds of interviewer's speech that are looked at together."""

ENOUGH = 1.0
"""Seconds of it that must have been heard before anything is concluded."""

SPREAD = 3
"""Levels to either side of the expected place that count as well: the delay moves a little."""

REVERB = -60.0 / 0.5
"""Decibels a second by which a room falls silent; most rooms at home are faster."""

_FLOOR = -80.0
_LOUD = -50.0
"""dBFS from which a level of the reference counts as speech."""

Levels = npt.NDArray[np.float64]


def levels(samples: Samples) -> Levels:
    """Level of each STEP in dBFS, -80 at the least. Shape (n // STEP,)."""
    power = np.square(samples[: len(samples) // STEP * STEP].reshape(-1, STEP), dtype=np.float64).mean(axis=1)
    found: Levels = 10 * np.log10(np.maximum(power, 10 ** (_FLOOR / 10)))
    return found


class EchoPath:
    """Feed it reference and microphone block by block; `lag` and `gain` are known once they are sure."""

    def __init__(self) -> None:
        self._lags = round(LONGEST * RATE / STEP)
        self._played: deque[float] = deque([_FLOOR] * self._lags, maxlen=self._lags)
        self._pairs: deque[tuple[Levels, float]] = deque(maxlen=round(MEMORY * RATE / STEP))
        self._fed = 0
        self.lag: float | None = None
        """Seconds from the reference to its echo; None while no echo was recognised."""
        self.gain = 0.0
        """Level of the echo over its reference, in dB."""

    def feed(self, reference: Samples, heard: Samples) -> None:
        """The next block of both, of the same stretch of time."""
        for played, level in zip(levels(reference), levels(heard), strict=True):
            self._played.append(float(played))
            window = np.array(self._played)
            if window.max() > _LOUD:
                self._pairs.append((window, float(level)))
                self._fed += 1
                if self._fed % (self._lags // 4) == 0 and len(self._pairs) >= ENOUGH * RATE / STEP:
                    self._learn()

    def moved(self, seconds: float) -> None:
        """From now on the reference comes so much later than before."""
        if self.lag is not None:
            self.lag = max(0.0, self.lag - seconds)
        self._pairs.clear()

    def recent(self) -> float:
        """The loudest of the reference, in dBFS, in the last second: what may still be in the room."""
        return max(list(self._played)[-RATE // STEP :])

    def expected(self) -> float:
        """The loudest, in dBFS, that an echo can be in the latest block; -80 when none is known or due."""
        if self.lag is None:
            return _FLOOR
        window = np.array(self._played)
        due = len(window) - round(self.lag * RATE / STEP)
        before = window[: min(len(window), due + SPREAD)]
        late = np.maximum(0, np.arange(len(before), 0, -1) - 2 * SPREAD - 1) * STEP / RATE
        return max(_FLOOR, float((before + REVERB * late).max(initial=_FLOOR)) + self.gain)

    def _learn(self) -> None:
        """Where the levels of both rise and fall together, there is an echo."""
        windows = np.stack([window for window, _ in self._pairs])
        heard = np.array([level for _, level in self._pairs])
        x, y = windows - windows.mean(axis=0), heard - heard.mean()
        spread = np.sqrt(np.square(x).sum(axis=0) * np.square(y).sum())
        alike = np.divide((x * y[:, None]).sum(axis=0), spread, out=np.zeros(self._lags), where=spread > 0)
        place = int(np.argmax(alike))
        if alike[place] < SURE:
            return
        self.lag = (self._lags - 1 - place) * STEP / RATE
        loud = windows[:, place] > _LOUD
        if loud.any():
            self.gain = float(np.median((heard - windows[:, place])[loud]))
