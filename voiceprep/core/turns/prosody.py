"""What the sound of an ending says about whether the speaker has finished. Pure: the sound is measured in speech/endpoint."""

from __future__ import annotations

import math
from dataclasses import dataclass

from voiceprep.core.events import Ending, Language
from voiceprep.core.units import Seconds

_MOST, _LEAST = 1.0, -2.0
"""Bounds of the verdict. It pleads for speaking with less force than for waiting: to cut in is worse than to be late, and on
real speech a long steady vowel is the surest of the cues, while a sinking voice is only a hint."""
_BASE = 0.14
"""What an ending without any peculiarity says."""
_PLAIN_VOWEL, _EDGE = 0.12, 0.02
"""Seconds: a last vowel up to this long is nothing unusual, and how softly that limit is drawn."""
_STEADY = -5.4
"""Log-odds for each second beyond it."""
_USUAL_PITCH, _USUAL_LEVEL = -1.5, -1.0
"""Where stretches of speech end on the average, finished or not: what is not known counts as this, and says nothing."""
_FAR_PITCH, _FAR_LEVEL = 5.0, 6.0
"""Semitones and dB from there beyond which more says hardly more: an error of measuring must not decide."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """Log-odds for each semitone and for each dB above the usual end.

    Fitted on pauses and endings that the project's voices spoke (`bench endings`), with a ridge that keeps them small.
    """

    pitch: float
    level: float


_ENGLISH = _Weights(pitch=-0.15, level=-0.10)
_MANDARIN = _Weights(pitch=-0.10, level=-0.20)
"""The tone of the last words moves their pitch, so less is made of it, and more of the level."""


def finality(ending: Ending | None, language: Language) -> float:
    """Log-odds (natural) that the speaker has finished, not only paused: -2 <= verdict <= 1, 0 when nothing is known.

    Speech that sinks to the bottom of the speaker's pitch and level sounds finished; a voice that is held up, or a long steady
    vowel ("um", 嗯, a drawn-out last word), keeps the floor. Smooth in everything it is given.

    Which way the pitch last moved has no say. In Mandarin that is the tone of the last word; in English a fall closes clauses
    as often as answers, and a rise closes questions: the voices and recordings it was tried on contradict each other.
    """
    if ending is None:
        return 0.0
    weights = _ENGLISH if language == "en" else _MANDARIN
    score = _BASE + _STEADY * _soft_excess(ending.steady)
    if ending.pitch is not None:
        score += weights.pitch * _squeezed(ending.pitch - _USUAL_PITCH, _FAR_PITCH)
    if ending.level is not None:
        score += weights.level * _squeezed(ending.level - _USUAL_LEVEL, _FAR_LEVEL)
    return _squeezed(score, _MOST if score > 0 else -_LEAST)


def _soft_excess(steady: Seconds) -> Seconds:
    """What the last vowel has beyond a plain one, without a corner where that begins."""
    beyond = (steady - _PLAIN_VOWEL) / _EDGE
    return _EDGE * (max(beyond, 0.0) + math.log1p(math.exp(-abs(beyond))))


def _squeezed(value: float, bound: float) -> float:
    """`value` itself near 0, and never beyond `bound`."""
    return bound * math.tanh(value / bound)
