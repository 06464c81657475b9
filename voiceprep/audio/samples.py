"""What every way in and out does to samples: one scale, one channel, no value that is not a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import Samples

PCM16_SCALE = 32_768


def clean(values: npt.NDArray[np.floating[Any]]) -> Samples:
    """Floats of any shape as float32 in -1..1, in which NaN and infinity are silence: one of them would poison every filter."""
    finite = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    sound: Samples = np.clip(finite, -1.0, 1.0).astype(np.float32)
    return sound


def to_float(values: npt.NDArray[Any]) -> Samples:
    """Samples of any width, integer or float, on the scale -1..1. 8-bit ones are unsigned, as WAV has them."""
    if values.dtype.kind == "f":
        return clean(values)
    if values.dtype.kind == "u":
        middle = (np.iinfo(values.dtype).max + 1) // 2
        return ((values.astype(np.float64) - middle) / middle).astype(np.float32)
    return (values / -float(np.iinfo(values.dtype).min)).astype(np.float32)


def to_mono(values: npt.NDArray[Any], channel: int | None = None) -> Samples:
    """One channel of `values` (shape ``(channels, n)``), or the mean of all, shape ``(n,)``."""
    if channel is not None:
        return to_float(values[channel])
    mixed: Samples = to_float(values).mean(axis=0, dtype=np.float32)
    return mixed


def from_pcm16(data: bytes) -> Samples:
    """Little-endian 16-bit PCM as floats. Raises ValueError for an odd number of bytes."""
    return to_float(np.frombuffer(data, dtype="<i2"))


def to_pcm16(samples: Samples) -> npt.NDArray[np.int16]:
    """Floats as 16-bit PCM; what is louder than full scale is clipped, never wrapped."""
    scaled = np.rint(clean(samples) * PCM16_SCALE)
    return np.clip(scaled, -PCM16_SCALE, PCM16_SCALE - 1).astype(np.int16)
