"""Filled pauses (um, uh, 嗯, 呃) in the sound itself: steady voice that stands alone.

A speaker who fills a pause holds one sound: the spectrum hardly moves and the voice stays on, for a fifth of a second and
more (Goto et al. 1999), mostly with a short silence before it, after it, or both. Long vowels of words look alike; so each
sound gets log-odds, and what the recogniser wrote at that place decides with them (core/listening/filled_pauses.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import HeldSound
from voiceprep.core.units import Seconds
from voiceprep.speech.fillers.frames import STEP, WINDOW, Floats, Frames, frames_of

CHUNK: Seconds = 10.0
"""A stream is searched in pieces of this length ..."""
CONTEXT: Seconds = 2.5
"""... with so much of what is around them: as much as anything that is found there depends on."""

SHORTEST: Seconds = 0.2
LONGEST: Seconds = 2.0
"""A steadier sound than this is a tone, a hum, music."""
_HOLE = 5
"""Frames that a sound may waver for: where the vowel of "um" closes to its nasal."""
_VOICED = 0.55
_STEADY = 9.0
"""Most change of the spectrum, dB, inside a sound. Half the frames of connected speech are above 6."""
_SOFTEST = 25.0
"""dB under the loud frames of the last and next two seconds that a sound may be."""
_QUIET = 22.0
"""... and that a frame must be to count as silence."""
_AROUND = (2, 15)
"""Frames from the sound at which the silence next to it is looked for: 20 to 150 ms."""
_WIDEST_PITCH = 9.0
"""Semitones that the voice may move inside a sound. Held sounds keep to half of it; intonation and tones go beyond."""
_EDGE = 0.01
"""Seconds by which a frame's own place is later than its first sample."""

_BIAS = -2.5
_WEIGHTS = {"change": -1.9, "before": 1.4, "after": 2.2, "alone": 1.2, "colour": -1.2}
"""Logistic regression on `evidence_of`, fitted on rendered answers with known fillers, clean and under noise, and on fluent
recordings. `bench fillers` tells how it does on voices and sentences it was not fitted to."""
LEAST = -4.0
"""Log-odds under which no text could make a filled pause of a sound: such sounds are not even mentioned."""


def held_sounds(samples: Samples) -> list[HeldSound]:
    """The held sounds of one stretch of speech, shape (n,) at RATE, for instance of a voiced region that has just ended.

    What lies before and after it counts as silence.
    """
    frames = frames_of(samples)
    loud = _loud(frames.level)
    found = (_sound(frames, loud, first, last) for first, last in _runs(frames, loud))
    return [sound for sound in found if sound is not None and sound.odds >= LEAST]


class HeldSounds:
    """The held sounds of a stream of any length, in bounded memory, whatever the sizes of the pieces it comes in."""

    def __init__(self) -> None:
        self._found: list[HeldSound] = []
        self._kept: list[Samples] = []
        self._size = 0
        self._start: Seconds = 0.0  # where what is kept begins
        self._done: Seconds = 0.0  # sounds that begin before this place were looked for

    def feed(self, samples: Samples) -> None:
        """Take the next samples, shape (n,) at RATE."""
        self._kept.append(samples)
        self._size += len(samples)
        whole = round((CHUNK + 2 * CONTEXT) * RATE)
        while self._size >= whole:
            joint = np.concatenate(self._kept)
            self._search(joint[:whole], until=self._start + CHUNK + CONTEXT)
            self._kept = [joint[round(CHUNK * RATE) :]]
            self._size = len(self._kept[0])
            self._start += CHUNK

    def flush(self) -> tuple[HeldSound, ...]:
        """The stream ended: everything that was found, in order."""
        if self._size:
            self._search(np.concatenate(self._kept), until=float("inf"))
            self._kept, self._size = [], 0
        return tuple(self._found)

    def _search(self, samples: Samples, until: Seconds) -> None:
        for sound in held_sounds(samples):
            start = sound.start + self._start
            if self._done <= start < until:
                self._found.append(HeldSound(start, sound.end + self._start, sound.odds))
        self._done = until


def evidence_of(frames: Frames, loud: Floats, first: int, last: int) -> dict[str, float]:
    """What the frames from `first` up to `last` show, all near 0..1.

    `change` of the spectrum, silence `before` and `after`, both of them (`alone`), and how far the `colour` is from um and 嗯.
    """
    near, far = _AROUND
    floor = float(loud[first]) - _QUIET

    def silence(begin: int, end: int) -> float:
        around = frames.level[max(begin, 0) : max(end, 0)]
        return float((around < floor).mean()) if len(around) else 1.0

    before, after = silence(first - far, first - near), silence(last + near, last + far)
    return {
        "change": float(frames.change[first:last].mean()) - 5.0,
        "before": before,
        "after": after,
        "alone": before * after,
        "colour": abs(float(frames.darkness[first:last].mean()) - 13.0) / 5.0,
    }


def _sound(frames: Frames, loud: Floats, first: int, last: int) -> HeldSound | None:
    start, end = first * STEP + _EDGE, (last - 1) * STEP + WINDOW / RATE - _EDGE
    if not SHORTEST <= end - start <= LONGEST or _pitch_range(frames, first, last) > _WIDEST_PITCH:
        return None
    evidence = evidence_of(frames, loud, first, last)
    return HeldSound(start, end, _BIAS + sum(_WEIGHTS[name] * value for name, value in evidence.items()))


def _runs(frames: Frames, loud: Floats) -> Iterator[tuple[int, int]]:
    """First and last (exclusive) frame of each stretch of steady voice, short wavering included."""
    steady = (_median(frames.change) < _STEADY) & (frames.voicing > _VOICED) & (frames.level > loud - _SOFTEST)
    places = np.flatnonzero(steady)
    if not len(places):
        return
    breaks = np.flatnonzero(np.diff(places) > _HOLE + 1)
    for first, last in zip(np.r_[0, breaks + 1], np.r_[breaks, len(places) - 1], strict=True):
        yield int(places[first]), int(places[last]) + 1


def _loud(level: Floats) -> Floats:
    """How loud the speech around each frame is: of every fifth of a second, the 95th percentile of the four seconds around."""
    step, reach = round(0.2 / STEP), round(2.0 / STEP)
    around = [np.percentile(level[max(0, place - reach) : place + reach], 95) for place in range(0, len(level), step)]
    return np.repeat(np.asarray(around, np.float32), step)[: len(level)]


def _pitch_range(frames: Frames, first: int, last: int) -> float:
    """Semitones between the 10th and the 90th percentile of the pitch, octave errors folded."""
    pitch = frames.pitch[first:last][frames.voicing[first:last] > _VOICED]
    folded = (pitch - np.median(pitch) + 6) % 12 - 6
    low, high = np.percentile(folded, (10, 90))
    return float(high - low)


def _median(values: Floats) -> npt.NDArray[np.float32]:
    """Over five frames: one jump is not a change of sound."""
    if not len(values):
        return values
    padded = np.pad(values, 2, mode="edge")
    middle: Floats = np.median(np.lib.stride_tricks.sliding_window_view(padded, 5), axis=1)
    return middle
