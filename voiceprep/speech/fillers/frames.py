"""What a voice does from moment to moment: loudness, voicing, pitch and how fast its spectrum changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import RATE, Samples

HOP = 160
"""Samples from one frame to the next: 10 ms."""
STEP = HOP / RATE
"""Seconds from one frame to the next."""
WINDOW = 640
"""Samples of one frame: 40 ms, two periods of the lowest voice."""

_SIZE = 1024
_PITCH = (65.0, 400.0)
"""Hz: men's lowest to women's highest in talk."""
_BANDS = 20
_RANGE = (100.0, 3800.0)
"""Hz: what a telephone carries too."""
_DARK = 700.0
"""Hz: hums and the vowel of "um" are strong below."""
_REACH = 2
"""Change is measured between the frames so many before and after: over 40 ms."""
_FLOOR = 1e-8

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frames:
    """Features of n frames, each of shape (n,); frame i is about the 40 ms that begin `i * STEP` seconds in.

    Attributes:
        level: dBFS, -80 at the least.
        voicing: 0..1, how periodic the sound is.
        pitch: semitones above 55 Hz; of no meaning where voicing is low.
        change: dB a band by which the spectrum's shape differs between 20 ms before and 20 ms after.
        darkness: dB by which the bands under 700 Hz are stronger than those above: i, u over 18, a under 9, um, 嗯 between.
    """

    level: Floats
    voicing: Floats
    pitch: Floats
    change: Floats
    darkness: Floats


def frames_of(samples: Samples) -> Frames:
    """The frames of `samples`, shape (k,) at RATE; none where it is shorter than one window."""
    count = max(0, (len(samples) - WINDOW) // HOP + 1)
    if count == 0:
        none = np.empty(0, np.float32)
        return Frames(none, none, none, none, none)
    cut = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[: count * HOP : HOP]
    cut = cut - cut.mean(axis=1, keepdims=True)
    power = np.abs(np.fft.rfft(cut * _HANN, _SIZE)) ** 2
    level = 10 * np.log10(np.maximum((cut**2).mean(axis=1), _FLOOR))
    voicing, pitch = _pitch(power)
    bands = 10 * np.log10(power @ _MEL + _FLOOR * _SIZE)
    darkness = bands[:, :_LOW].mean(axis=1) - bands[:, _LOW:].mean(axis=1)
    return Frames(level, voicing, pitch, _change(bands), darkness)


def _pitch(power: Floats) -> tuple[Floats, Floats]:
    """Autocorrelation, corrected for the window's own (Boersma 1993). Octaves are settled for the shorter period."""
    correlation = np.fft.irfft(power)[:, : _LAGS[-1] + 2]
    correlation = correlation / np.maximum(correlation[:, :1], _FLOOR) / _OWN
    searched = correlation[:, _LAGS]
    best = np.argmax(searched * _PREFER, axis=1)
    rows = np.arange(len(power))
    lag = _LAGS[best]
    left, middle, right = (correlation[rows, lag + offset] for offset in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(np.abs(bend) > _FLOOR, 0.5 * (left - right) / np.where(bend == 0, 1.0, bend), 0.0)
    return np.clip(middle, 0.0, 1.0), 12 * np.log2(RATE / (lag + np.clip(shift, -0.5, 0.5)) / 55.0)


def _change(bands: Floats) -> Floats:
    shape = bands - bands.mean(axis=1, keepdims=True)
    padded = np.pad(shape, ((_REACH, _REACH), (0, 0)), mode="edge")
    moved: Floats = np.sqrt(((padded[2 * _REACH :] - padded[: -2 * _REACH]) ** 2).mean(axis=1))
    return moved


def _mel_bands() -> tuple[Floats, int]:
    """Triangular bands, shape (_SIZE // 2 + 1, _BANDS), and how many of them lie under 700 Hz."""
    lowest, highest = (np.log10(1 + hertz / 700) for hertz in _RANGE)
    edges = 700 * (np.logspace(lowest, highest, _BANDS + 2) - 1)
    hertz = np.fft.rfftfreq(_SIZE, 1 / RATE)[:, None]
    rising = (hertz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz) / (edges[2:] - edges[1:-1])
    bands = np.maximum(0.0, np.minimum(rising, falling)).astype(np.float32)
    return bands, int((edges[1:-1] < _DARK).sum())


_HANN = np.hanning(WINDOW).astype(np.float32)
_LAGS = np.arange(int(RATE / _PITCH[1]), int(RATE / _PITCH[0]) + 1)
_OWN = np.fft.irfft(np.abs(np.fft.rfft(_HANN, _SIZE)) ** 2)[: _LAGS[-1] + 2]
_OWN = np.maximum(_OWN / _OWN[0], 0.05).astype(np.float32)
_PREFER = 1.0 - 0.1 * np.log2(_LAGS / _LAGS[0]) / np.log2(_LAGS[-1] / _LAGS[0])
_PREFER = _PREFER.astype(np.float32)
_MEL, _LOW = _mel_bands()
