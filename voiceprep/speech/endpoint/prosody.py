"""How an utterance ends, measured on its sound: pitch and level against the speaker's own, and how long the last vowel is."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.core.events import Ending
from voiceprep.speech.endpoint.frames import HOP, STEP, Frames, Values, analyse

_KEPT = 2.0
"""Seconds of sound that are looked at: the ending, the lull after it, and what the pitch network wants to see around them."""
_LOOK_BACK = 1.2
_LATEST = 0.9
"""Seconds since the last voiced sound after which nothing that is still here is an ending."""
_MEMORY = 40.0
"""Seconds of voiced speech by which a speaker is known: whoever becomes tired or excited is followed."""
_KNOWN = 0.6
"""Seconds of voiced speech without which nobody can say what is low or soft for this speaker."""
_SOFTEST, _SILENCE = 28.0, -75.0
"""dB under the loudest frame, and dBFS, below which sound is the room's."""
_SLOPE, _PITCH, _LEVEL = 0.3, 0.4, 0.8
"""Seconds before the end over which the pitch's change, the pitch and the level are measured."""
_LAST, _BEFORE = 0.2, 0.35
"""Seconds at the end, and before those, that the fall of the level is measured between."""
_FEWEST = 6
"""Voiced frames without which no change of pitch is believed."""
_SHORTEST = 3
"""Voiced frames in a row without which a pitch is a stray one."""
_LEAP, _STRAY = 3.0, 12.0
"""Semitones from one frame to the next, and from the median of what is looked at, that only an octave error makes."""
_STEADY_PITCH, _STEADY_LEVEL, _STEADY_COLOUR = 1.0, 9.0, 5.0
"""Semitones, dB, and dB of each band, by which a steady vowel wavers."""
_SETTLED = 4
"""Frames of a vowel's fading end that are not held to that."""

_Mask = npt.NDArray[np.bool_]


class Prosody:
    """Follows one speaker. Deterministic: the same blocks and the same questions at the same places give the same endings.

    `feed` only keeps the block, which takes microseconds. The measuring is done when `ending` is asked.
    """

    def __init__(self) -> None:
        self._blocks: deque[Samples] = deque(maxlen=round(_KEPT * RATE / BLOCK))
        self._unheard = 0
        """Blocks since `ending` was last asked: the speaker is learned from each sound once."""
        self._pitches: deque[float] = deque(maxlen=round(_MEMORY / STEP))
        self._levels: deque[float] = deque(maxlen=round(_MEMORY / STEP))

    def feed(self, block: Samples) -> None:
        """Take the next BLOCK samples at RATE, shape (BLOCK,). Raises ValueError for another shape."""
        if block.shape != (BLOCK,):
            raise ValueError(f"prosody takes blocks of {BLOCK} samples, not {block.shape}")
        self._blocks.append(np.nan_to_num(block, posinf=1.0, neginf=-1.0).astype(np.float32))
        self._unheard += 1

    def ending(self) -> Ending | None:
        """How the last stretch of speech ended, asked in the lull right after it; None when nothing voiced was heard.

        Takes about 20 ms of processor time.
        """
        if not self._blocks:
            return None
        frames = analyse(np.concatenate(self._blocks))
        voiced = _voiced(frames)
        self._learn(frames, voiced)
        last = np.flatnonzero(voiced)
        if not len(last) or (len(frames) - last[-1]) * STEP > _LATEST:
            return None
        end = int(last[-1]) + 1
        voiced[: max(0, end - round(_LOOK_BACK / STEP))] = False
        return self._measured(frames, voiced, end)

    def _learn(self, frames: Frames, voiced: _Mask) -> None:
        fresh = voiced.copy()
        fresh[: max(0, len(frames) - self._unheard * BLOCK // HOP)] = False
        self._unheard = 0
        self._pitches.extend(frames.pitch[fresh].tolist())
        self._levels.extend(frames.level[fresh].tolist())

    def _measured(self, frames: Frames, voiced: _Mask, end: int) -> Ending:
        places = np.flatnonzero(voiced)
        moving, sung, spoken = (places[places >= end - round(length / STEP)] for length in (_SLOPE, _PITCH, _LEVEL))
        known = len(self._pitches) * STEP >= _KNOWN
        steady = bool(len(sung) >= _FEWEST)
        return Ending(
            pitch_change=_change(frames.pitch[moving]) if len(moving) >= _FEWEST else None,
            pitch=float(np.median(frames.pitch[sung]) - np.median(self._pitches)) if known and steady else None,
            level=float(frames.level[spoken].mean() - np.mean(self._levels)) if known else None,
            level_fall=_fall(frames.level, end),
            steady=round(_steady(frames, voiced, end) * STEP, 3),
        )


def _voiced(frames: Frames) -> _Mask:
    """Frames whose pitch is believed: loud enough, in a row without leaps, and in this stretch's own octave."""
    heard = np.isfinite(frames.pitch) & (frames.level > max(float(frames.level.max()) - _SOFTEST, _SILENCE))
    if not heard.any():
        return heard
    heard &= np.abs(np.nan_to_num(frames.pitch) - np.median(frames.pitch[heard])) < _STRAY
    joined = heard[1:] & heard[:-1] & (np.abs(np.diff(np.nan_to_num(frames.pitch))) < _LEAP)
    begins = np.concatenate(([0], np.flatnonzero(~joined) + 1, [len(frames)]))
    for first, after in pairwise(begins.tolist()):
        if after - first < _SHORTEST:
            heard[first:after] = False
    return heard


def _change(pitch: Values) -> float:
    """Semitones from the first to the last third, by medians: one stray frame changes nothing."""
    third = len(pitch) // 3
    return float(np.median(pitch[-third:]) - np.median(pitch[:third]))


def _fall(level: Values, end: int) -> float:
    last = max(0, end - round(_LAST / STEP))
    before = level[max(0, last - round(_BEFORE / STEP)) : last]
    return _loudness(before) - _loudness(level[last:end]) if len(before) else 0.0


def _loudness(level: Values) -> float:
    """Level of the mean power, dB."""
    return 10 * float(np.log10(np.mean(10 ** (level / 10))))


def _steady(frames: Frames, voiced: _Mask, end: int) -> int:
    """How many frames back from the end the voice is one unchanging sound."""
    first = end - 1
    while first > 0 and voiced[first - 1]:
        later = slice(first, min(first + 8, end))
        same = (
            abs(frames.pitch[first - 1] - np.median(frames.pitch[later])) < _STEADY_PITCH
            and abs(frames.level[first - 1] - np.median(frames.level[later])) < _STEADY_LEVEL
            and np.sqrt(np.mean(np.square(frames.colour[first - 1] - frames.colour[later].mean(axis=0)))) < _STEADY_COLOUR
        )
        if not same and end - first >= _SETTLED:
            break
        first -= 1
    return end - first
