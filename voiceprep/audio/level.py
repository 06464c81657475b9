"""How loud, how clean, how clipped: what can be said of sound without understanding it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.core.units import Seconds

SILENCE = -120.0
"""dBFS of exact zeros, and the least that is ever told."""

FULL_SCALE = 0.999
"""From here on a sample counts as clipped: a converter's largest value, whatever its width."""

MIN_CLIPPED = 3
"""Clipped samples of one block that cannot be a lone peak."""

SPEECH_MARGIN = 10.0
"""dB above the noise from which a block is taken for speech where nobody listens for words."""

LOW_LEVEL = -45.0
"""dBFS of speech under which a recogniser and the voice detector begin to miss it. Usual speech lies at -30 to -18."""

HUM_MARGIN = 15.0
"""dB by which the mains' tones stand out of what lies beside them when they are a hum."""
HUM_LEVEL = -65.0
"""dBFS under which a hum disturbs nobody."""
MAINS = (50.0, 60.0)
HARMONICS = 5


def dbfs(samples: Samples) -> float:
    """Level of a piece of sound, at least `SILENCE`. A full-scale sine has -3."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    return _decibels(power)


def _decibels(power: float) -> float:
    return max(SILENCE, 10 * float(np.log10(power))) if power > 0 else SILENCE


@dataclass(frozen=True, slots=True)
class Measured:
    """A piece of sound in numbers. Levels in dBFS.

    `level` is that of speech alone, `noise` that of what lies under it; both are `SILENCE` where there is none. `zeros` says
    that not one sample differs from zero. `voiced` is in seconds. `hum` is the level of the mains' tones, `SILENCE` where they
    do not stand out.
    """

    level: float
    peak: float
    noise: float
    clipped_share: float
    zeros: bool
    voiced: Seconds
    hum: float

    @property
    def snr(self) -> float:
        """How far speech stands out of the noise, in dB; 0 without speech."""
        return self.level - self.noise if self.voiced > 0 else 0.0


def measure(samples: Samples, voiced: Sequence[tuple[Seconds, Seconds]] | None = None) -> Measured:
    """Measure sound at `RATE`. `voiced` says where speech is, in seconds; without it what stands out of the noise is taken."""
    levels = _levels(samples)
    heard = levels[levels > SILENCE]
    noise = float(np.percentile(heard, 10)) if len(heard) else SILENCE
    speech = levels > noise + SPEECH_MARGIN if voiced is None else _within(voiced, len(levels))
    if voiced is not None and (rest := levels[~speech & (levels > SILENCE)]).size:
        noise = float(np.median(rest))
    loud = levels[speech]
    return Measured(
        level=_decibels(float(np.mean(10 ** (loud / 10)))) if len(loud) else SILENCE,
        peak=_decibels(float(np.max(np.abs(samples))) ** 2) if len(samples) else SILENCE,
        noise=noise,
        clipped_share=float(np.mean(np.abs(samples) >= FULL_SCALE)) if len(samples) else 0.0,
        zeros=not samples.any(),
        voiced=round(float(np.count_nonzero(speech)) * BLOCK / RATE, 3),
        hum=_hum(samples),
    )


def _levels(samples: Samples) -> npt.NDArray[np.float64]:
    """Level of each whole block, shape (blocks,)."""
    whole = samples[: len(samples) - len(samples) % BLOCK].reshape(-1, BLOCK)
    power = np.mean(np.square(whole, dtype=np.float64), axis=1)
    levels: npt.NDArray[np.float64] = np.maximum(SILENCE, 10 * np.log10(np.maximum(power, 1e-12)))
    return levels


def _within(spans: Sequence[tuple[Seconds, Seconds]], blocks: int) -> npt.NDArray[np.bool_]:
    inside = np.zeros(blocks, np.bool_)
    for start, end in spans:
        inside[round(start * RATE / BLOCK) : round(end * RATE / BLOCK)] = True
    return inside


def _hum(samples: Samples) -> float:
    """Level of the mains' tones in the quietest second, where they stand out of it."""
    seconds = samples[: len(samples) - len(samples) % RATE].reshape(-1, RATE)
    seconds = seconds[seconds.any(axis=1)]
    if not len(seconds):
        return SILENCE
    quietest = seconds[np.argmin(np.mean(np.square(seconds), axis=1))].astype(np.float64)
    window = np.hanning(RATE)
    power = np.abs(np.fft.rfft(quietest * window)) ** 2 * 2 / np.sum(window**2) / RATE  # of each band of 1 Hz
    best = SILENCE
    for mains in MAINS:
        tones = beside = 0.0
        for tone in (round(mains * k) for k in range(1, HARMONICS + 1)):
            tones += float(np.sum(power[tone - 2 : tone + 3]))
            beside += float(np.sum(power[tone - 10 : tone - 5]) + np.sum(power[tone + 6 : tone + 11])) / 2
        if tones > beside * 10 ** (HUM_MARGIN / 10):
            best = max(best, _decibels(tones))
    return best if best > HUM_LEVEL else SILENCE


Notice = Literal["clipping", "quiet"]

CLIPPED_BLOCKS = 5
"""Clipped blocks in a row of `CLIPPED_AMONG` after which it is no lone shout."""
CLIPPED_AMONG = 300
"""Blocks, about ten seconds."""
QUIET_AFTER = 300
"""Voiced blocks, about ten seconds, before speech is called quiet."""


class LevelWatch:
    """Looks on while somebody speaks, and says once when the microphone clips, once when it is too quiet."""

    def __init__(self) -> None:
        self._clipped: list[int] = []
        self._blocks = 0
        self._voiced = 0
        self._power = 0.0
        self._told: set[Notice] = set()

    def feed(self, samples: Samples, *, voiced: bool) -> Notice | None:
        """The next block, which is speech or not."""
        self._blocks += 1
        if np.count_nonzero(np.abs(samples) >= FULL_SCALE) >= MIN_CLIPPED:
            self._clipped = [*(at for at in self._clipped if at > self._blocks - CLIPPED_AMONG), self._blocks]
        if voiced:
            self._voiced += 1
            self._power += float(np.mean(np.square(samples, dtype=np.float64)))
        if len(self._clipped) >= CLIPPED_BLOCKS:
            return self._once("clipping")
        if self._voiced >= QUIET_AFTER and _decibels(self._power / self._voiced) < LOW_LEVEL:
            return self._once("quiet")
        return None

    def _once(self, notice: Notice) -> Notice | None:
        if notice in self._told:
            return None
        self._told.add(notice)
        return notice
