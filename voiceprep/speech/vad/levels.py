"""How loud the last seconds were, in steps of 8 ms: where speech really begins and ends, and where it is quietest."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import BLOCK, RATE, Samples

_STEP = 128
"""Samples of one step. A block holds a whole number of them."""
STEP = _STEP / RATE
"""Seconds of one step."""

_FLOOR = 1e-8
"""Power below which everything counts as equally silent (-80 dBFS): coding residue in digital silence is not speech."""
_MEASURE = 6
"""Steps of silence, 48 ms, that are needed to measure the room."""
_CONTRAST = 10 ** (6 / 10)
"""Speech stands at least 6 dB above what surrounds it, or it cannot be told apart by level."""
_SOFTEST = 10 ** (-30 / 10)
"""What is 30 dB under a voice is the room it speaks in, even where digital silence comes before."""
_RINGS = (30.0, 200.0)
"""Rooms that people talk in fall by 60 dB in 0.3 to 2 s: so many dB a second."""
_STEADY = 10.0
"""... and at least by so many in each third of what is looked at: a tail wavers, and a third is only a tenth of a second."""
_SMOOTH = 5
"""Steps, 40 ms, over which a tail's wavering is averaged."""
_HELD = 12
"""Steps, 96 ms, over which it is seen whether a level falls like the room."""
_SLOWER = 0.4
"""What falls by less than this share of what the room would is held up by a voice."""

Stretch = tuple[float, float]
"""From one place to another."""


class Levels:
    """A window over the power of a stream. Places are seconds from the first sample it was ever given."""

    def __init__(self, seconds: float) -> None:
        self._powers: deque[float] = deque(maxlen=round(seconds / STEP))
        self._steps = 0

    def append(self, block: Samples) -> None:
        """Take the next block, shape (BLOCK,)."""
        powers = np.square(block.reshape(BLOCK // _STEP, _STEP)).mean(axis=1)
        self._powers.extend(powers.tolist())
        self._steps += len(powers)

    def quietest(self, start: float, end: float) -> tuple[float, float]:
        """The middle of the quietest 48 ms between two places, and its level in dBFS (-80 at the least)."""
        first, powers = self._between(start, end)
        width = min(_MEASURE, len(powers))
        smooth = np.convolve(powers, np.full(width, 1 / width), "valid")
        place = int(np.argmin(smooth))
        return (first + place + width / 2) * STEP, 10 * float(np.log10(max(smooth[place], _FLOOR)))

    def loudest(self, start: float, end: float) -> float:
        """The level of the loudest 48 ms between two places in dBFS (-80 at the least)."""
        _, powers = self._between(start, end)
        width = min(_MEASURE, len(powers))
        smooth = np.convolve(powers, np.full(width, 1 / width), "valid")
        return 10 * float(np.log10(max(smooth.max(), _FLOOR)))

    def rise(self, start: float, end: float, quiet: Stretch, voice: Stretch) -> float | None:
        """The first place in `start`..`end` that stands out from `quiet` and belongs to `voice`; None when nothing does."""
        first, louder = self._louder(start, end, quiet, voice)
        return (first + int(louder[0])) * STEP if len(louder) else None

    def fall(self, start: float, end: float, quiet: Stretch, voice: Stretch) -> float | None:
        """Where the last such place in `start`..`end` ends; None when nothing stands out."""
        first, louder = self._louder(start, end, quiet, voice)
        return (first + int(louder[-1]) + 1) * STEP if len(louder) else None

    def ringing(self, start: float, end: float) -> float:
        """By how many dB a second a room's reverberation dies away between two places; 0 where nothing does so steadily.

        A dry voice is gone within some steps, a fan stays as it is: only what falls in each third like in the others rings.
        """
        _, powers = self._between(start, end)
        third = len(powers) // 3
        if third < _MEASURE:
            return 0.0
        levels = 10 * np.log10(np.maximum(powers, _FLOOR))
        first, second, last = (float(np.mean(levels[part * third : (part + 1) * third])) for part in range(3))
        whole, slower = (first - last) / (2 * third * STEP), min(first - second, second - last) / (third * STEP)
        return whole if _RINGS[0] <= whole <= _RINGS[1] and slower >= _STEADY else 0.0

    def held(self, start: float, end: float, ringing: float) -> float:
        """The last place in `start`..`end` where the level fell clearly slower than `ringing` dB a second; `start` without one.

        A room that is left alone falls at its own rate, so up to here a voice went on, however loud the room still is after it.
        """
        beside = _SMOOTH // 2
        first, powers = self._between(start - (_HELD + beside) * STEP, end + beside * STEP)
        if len(powers) < _HELD + _SMOOTH:
            return start
        levels = 10 * np.log10(np.maximum(np.convolve(powers, np.full(_SMOOTH, 1 / _SMOOTH), "valid"), _FLOOR))
        slow = np.flatnonzero(levels[:-_HELD] - levels[_HELD:] < _SLOWER * ringing * _HELD * STEP)
        return (first + beside + _HELD + int(slow[-1]) + 0.5) * STEP if len(slow) else start

    def _louder(self, start: float, end: float, quiet: Stretch, voice: Stretch) -> tuple[int, npt.NDArray[np.intp]]:
        first, powers = self._between(start, end)
        _, silence = self._between(*quiet)
        _, speech = self._between(*voice)
        if not len(powers) or len(silence) < _MEASURE:
            return first, np.empty(0, dtype=np.intp)
        room = max(float(np.median(silence)), _FLOOR)
        return first, np.flatnonzero(powers > max(room * _CONTRAST, speech.max(initial=0.0) * _SOFTEST))

    def _between(self, start: float, end: float) -> tuple[int, npt.NDArray[np.float64]]:
        oldest = self._steps - len(self._powers)
        first = min(max(round(start / STEP), oldest), self._steps)
        last = min(max(round(end / STEP), first), self._steps)
        kept = np.fromiter(self._powers, dtype=np.float64, count=len(self._powers))
        return first, kept[first - oldest : last - oldest]
