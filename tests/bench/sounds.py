"""Sounds for tests of the bench: tones that swell and fade, so that their audible part is shorter than they are."""

from __future__ import annotations

import numpy as np

from bench.truth import Sound, Stretch, Take, Text
from voiceprep.audio.base import RATE, Samples


def tone(seconds: float, fade: float = 0.05) -> Samples:
    """Silence to loud and back: the first and last samples are too faint to hear."""
    count = round(seconds * RATE)
    place = np.arange(count)
    ramp = np.minimum(1.0, np.minimum(place, place[::-1]) / (fade * RATE)) ** 2
    return (0.3 * ramp * np.sign(np.sin(2 * np.pi * 220 * place / RATE + 0.1))).astype(np.float32)


def text(*holds: str) -> Text:
    sounds = tuple(Sound(f"s{number}") for number in range(len(holds) + 1))
    return Text("t", "en", ("q1",), (), sounds, holds)  # type: ignore[arg-type]  # tests state kinds as words


def plain_take(*pieces: float | tuple[str, float], name: str = "t", condition: str = "clean") -> Take:
    """Loud stretches (seconds) and pauses (kind, seconds), exact to the sample, with nothing before and 0.1 s after."""
    sounds: list[Stretch] = []
    pauses: list[Stretch] = []
    parts: list[Samples] = []
    at = 0
    for piece in pieces:
        loud = isinstance(piece, float)
        kind, seconds = ("phrase", piece) if isinstance(piece, float) else piece
        end = at + round(seconds * RATE)
        (sounds if loud else pauses).append(Stretch(at, end, kind))
        parts.append(np.full(end - at, 0.3 if loud else 0.0, np.float32))
        at = end
    parts.append(np.zeros(RATE // 10, np.float32))
    return Take(name, "en", ("q1",), (), np.concatenate(parts), tuple(sounds), tuple(pauses), condition)
