"""A stretch of a recording's shape in as many pieces as a page has room for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voiceprep.core.units import Seconds
from voiceprep.store.peaks import A_SECOND, Pairs

MOST_POINTS = 4_000


@dataclass(frozen=True, slots=True)
class Peaks:
    """A stretch of the shape: `low[k]` and `high[k]` are of the k-th of as many equal pieces of `start`..`end`, in seconds."""

    start: Seconds
    end: Seconds
    duration: Seconds
    low: tuple[int, ...]
    high: tuple[int, ...]


def cut(pairs: Pairs, start: Seconds, end: Seconds | None, points: int) -> Peaks:
    """At most `points` pieces of `start`..`end` (None: to the end), each with the extremes of all that is in it."""
    duration = len(pairs) / A_SECOND
    last = duration if end is None else min(end, duration)
    first = max(0.0, min(start, last))
    inside = pairs[int(first * A_SECOND) : max(int(first * A_SECOND), round(last * A_SECOND))]
    count = min(points, MOST_POINTS, len(inside))
    if not count:
        return Peaks(first, last, duration, (), ())
    edges = np.linspace(0, len(inside), count, endpoint=False).astype(np.intp)
    low = np.minimum.reduceat(inside[:, 0], edges)
    high = np.maximum.reduceat(inside[:, 1], edges)
    return Peaks(first, last, duration, tuple(low.tolist()), tuple(high.tolist()))
