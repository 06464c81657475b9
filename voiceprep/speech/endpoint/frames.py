"""Pitch, level and colour of a stretch of sound, in frames of 16 ms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from swift_f0 import SwiftF0

from voiceprep.audio.base import RATE, Samples

HOP = 256
"""Samples from one frame to the next: the pitch network's own step."""
STEP = HOP / RATE
"""Seconds of a frame."""

_LOWEST, _HIGHEST = 60.0, 500.0
"""Hz: no adult's speaking voice leaves this range, and what is outside it is an octave error or music."""
_CONFIDENT = 0.5
"""The network's own threshold between voiced and unvoiced."""
_WINDOW = 512
"""Samples a spectrum is taken of."""
_BANDS = 18
_BAND_EDGES = (150.0, 4000.0)
"""Hz: where vowels differ."""
_DARK = 1e-9
"""Power that is added to every band, so that silence has a colour too."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Frames:
    """One row a frame. All arrays have n rows."""

    pitch: Values
    """Semitones above 1 Hz (12 an octave), NaN where there is no pitch. Shape (n,)."""
    level: Values
    """dBFS of the 32 ms around the frame's beginning. Shape (n,)."""
    colour: Values
    """dB of each band against the frame's mean: how a vowel sounds, whatever its loudness. Shape (n, bands)."""

    def __len__(self) -> int:
        return len(self.level)


def analyse(samples: Samples) -> Frames:
    """Measure mono samples at RATE, shape (n,), n >= HOP. About 9 ms of processor time a second of sound."""
    found = _network().detect(samples, RATE, fmin=_LOWEST, fmax=_HIGHEST)
    # at the edge of the range the network answers with the edge itself
    inside = (found.confidence >= _CONFIDENT) & (found.pitch_hz > _LOWEST * 1.02) & (found.pitch_hz < _HIGHEST * 0.98)
    pitch = np.where(inside, 12 * np.log2(np.maximum(found.pitch_hz, 1.0)), np.nan)
    return Frames(pitch, np.asarray(found.loudness_db, dtype=np.float64), _colours(samples, len(pitch)))


def _colours(samples: Samples, count: int) -> Values:
    padded = np.pad(samples, (_WINDOW // 2, _WINDOW))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::HOP][:count]
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), axis=1)))
    bands = 10 * np.log10(power @ _filters() + _DARK)
    centred: Values = bands - bands.mean(axis=1, keepdims=True)
    return centred


@cache
def _filters() -> Values:
    """Triangles, evenly spaced on a logarithmic scale. Shape (window / 2 + 1, bands)."""
    places = np.fft.rfftfreq(_WINDOW, 1 / RATE)[:, np.newaxis]
    edges = np.geomspace(*_BAND_EDGES, _BANDS + 2)
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    triangles = np.minimum((places - low) / (middle - low), (high - places) / (high - middle))
    rows: Values = np.maximum(triangles, 0.0)
    return rows


@cache
def _network() -> SwiftF0:
    # one thread that sleeps between calls: the recogniser needs the cores more
    return SwiftF0(threads=1, spin=False)
