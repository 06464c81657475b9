"""Anyone's recordings as takes: ends and pauses are known from what is audible."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from bench.stt import Item
from bench.truth import THINKING, Stretch, Take
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.units import Seconds

FRAME = RATE // 100
JOIN: Seconds = 0.2
"""Shorter silences are articulation."""
CLICK: Seconds = 0.05
FAINT = 0.003
"""Root mean square of a frame below which nothing is heard, in a recording that is silent where nobody speaks."""


def recorded(items: Iterable[Item]) -> list[Take]:
    """Recordings as takes: sounds and silences are known from what is audible. One without a sound is left out."""
    takes = []
    for item in items:
        spans = audible(item.samples)
        if spans:
            sounds = tuple(Stretch(start, end, "phrase") for start, end in spans)
            pauses = tuple(
                Stretch(a.end, b.start, "hesitation" if b.start - a.end >= THINKING[0] * RATE else "sentence")
                for a, b in pairwise(sounds)
            )
            takes.append(Take(item.name, item.language, (), (), item.samples, sounds, pauses, "recorded"))
    return takes


def audible(samples: Samples) -> list[tuple[int, int]]:
    """Stretches (first sample, one beyond the last) that can be heard above the recording's own noise."""
    if not len(samples):
        return []
    frames = np.pad(samples, (0, -len(samples) % FRAME)).reshape(-1, FRAME)
    level = np.sqrt(np.mean(np.square(frames, dtype=np.float64), axis=1))
    noise, speech = np.quantile(level, 0.05), np.quantile(level, 0.95)
    threshold = max(FAINT, min(4 * noise, 0.15 * speech))
    spans: list[tuple[int, int]] = []
    for frame in np.flatnonzero(level >= threshold):
        start, end = int(frame) * FRAME, min((int(frame) + 1) * FRAME, len(samples))
        if spans and start - spans[-1][1] < JOIN * RATE:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [_trimmed(samples, span, threshold) for span in spans if span[1] - span[0] >= CLICK * RATE]


def _trimmed(samples: Samples, span: tuple[int, int], threshold: float) -> tuple[int, int]:
    """To the sample: a frame's mean may be reached by its first half."""
    loud = np.flatnonzero(np.abs(samples[span[0] : span[1]]) >= threshold)
    return (span[0] + int(loud[0]), span[0] + int(loud[-1]) + 1)
