"""The last step of every engine: one rate, one level, no silence before the first word."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import soxr  # type: ignore[import-untyped]  # it ships no types

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.errors import VoiceprepError

VERSION = 1
"""Part of every key of the cache: raised when this module changes what is heard."""

LEAD = 0.020
"""Seconds of silence left before the first sound: enough for its attack, too short to be felt as waiting."""
TAIL = 0.120
"""Seconds left after the last sound, so that a word's end fades."""
QUIET = 10 ** (-27 / 10)
"""Power, against that of the speech, below which a frame is silence: breath and hum are, a soft consonant is not."""
EMPTY = 1e-3
"""A peak below this is no speech."""
LOUDNESS = 10 ** (-21 / 20)
"""Root mean square of the sounding parts, so that engines do not differ in loudness: -21 dBFS."""
PEAK = 10 ** (-3 / 20)
"""No sample is beyond -3 dBFS."""
KNEE = 0.6
"""Share of the peak from which samples are bent instead of cut, for the few that loudness drives beyond it."""
FRAME = 480
"""Samples of the frames that loudness is measured on: 20 ms."""
EDGE = 120
"""Samples of the frames that the ends are looked for in: 5 ms."""


def finish(samples: Samples, rate: float, engine: str) -> Samples:
    """Speech of any rate and level as `Utterance.samples`: at VOICE_RATE, trimmed, even in loudness, at most -3 dBFS.

    Raises VoiceprepError (``voice-failed``) when there is nothing to hear in it.
    """
    if rate != VOICE_RATE and samples.size:
        samples = soxr.resample(samples, rate, VOICE_RATE, quality="HQ")
    peak = float(np.max(np.abs(samples), initial=0.0))
    if not np.isfinite(peak) or peak < EMPTY:
        raise VoiceprepError(f"the voice {engine} gave no sound", code="voice-failed", hint="try another setting of voice")
    samples = _trimmed(samples / peak)
    samples = _limited(samples * (LOUDNESS / _loudness(samples)))
    return np.ascontiguousarray(samples, dtype=np.float32)


def _trimmed(samples: Samples) -> Samples:
    power = _power(samples, EDGE)
    sounding = np.flatnonzero(power > _loudness(samples) ** 2 * QUIET) * EDGE
    first = max(0, int(sounding[0]) - int(LEAD * VOICE_RATE))
    return samples[first : int(sounding[-1]) + EDGE + int(TAIL * VOICE_RATE)]


def _loudness(samples: Samples) -> float:
    """Root mean square of the frames within 30 dB of the loudest: pauses do not make a voice louder."""
    power = _power(samples, FRAME)
    return float(np.sqrt(np.mean(power[power > np.max(power) * 1e-3])))


def _power(samples: Samples, frame: int) -> npt.NDArray[np.float32]:
    """Mean square of each frame, the last one padded with silence."""
    squares = np.pad(samples, (0, -samples.size % frame)).reshape(-1, frame) ** 2
    power: npt.NDArray[np.float32] = np.mean(squares, axis=1, dtype=np.float32)
    return power


def _limited(samples: Samples) -> Samples:
    """Samples above the knee are bent towards the peak, never cut flat."""
    knee = PEAK * KNEE
    beyond = np.abs(samples) > knee
    if not beyond.any():
        return samples
    room = PEAK - knee
    bent = np.sign(samples) * (knee + room * np.tanh((np.abs(samples) - knee) / room))
    return np.where(beyond, bent, samples)
