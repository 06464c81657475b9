"""How loud a span is, where its sound ends, and where it can be split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import RATE, Samples

_STEP = RATE // 10
_SILENT = 10 ** (-70 / 10)
"""Power of -70 dBFS: speech whispered across a room is louder; digital silence and dither are not."""
_BELOW_SPEECH = 10 ** (-30 / 10)
"""Sound 30 dB under the loud parts of a span is not speech."""


def is_silent(samples: Samples) -> bool:
    """Whether no tenth of a second reaches -70 dBFS. An empty span is silent."""
    return bool(_powers(samples).max(initial=0.0) < _SILENT)


def audible_until(samples: Samples) -> int:
    """The sample after the last tenth of a second that is as loud as speech in this span; 0 when nothing is."""
    powers = _powers(samples)
    limit = max(float(np.percentile(powers, 95)) * _BELOW_SPEECH, _SILENT) if len(powers) else _SILENT
    loud = np.flatnonzero(powers > limit)
    return min((int(loud[-1]) + 1) * _STEP, len(samples)) if len(loud) else 0


def places(samples: Samples, shares: Sequence[float]) -> list[float]:
    """Where these shares (0..1) of the audible sound have passed, in seconds: times for words that have none."""
    powers = _powers(samples)
    limit = max(float(np.percentile(powers, 95)) * _BELOW_SPEECH, _SILENT) if len(powers) else _SILENT
    loud = np.flatnonzero(powers > limit)
    if not len(loud):
        return [0.0 for _ in shares]
    steps = [min(int(share * len(loud)), len(loud) - 1) for share in shares]
    return [(int(loud[step]) + share * len(loud) - step) * _STEP / RATE for share, step in zip(shares, steps, strict=True)]


def windows(samples: Samples, limit: int) -> Iterator[tuple[int, int]]:
    """First and last (exclusive) sample of the parts of a span, none longer than `limit`, split where it is quietest."""
    start = 0
    while len(samples) - start > limit:
        end = start + _quiet_place(samples[start : start + limit])
        yield start, end
        start = end
    if start < len(samples):
        yield start, len(samples)


def _quiet_place(samples: Samples) -> int:
    """The middle of the quietest tenth of a second within the last 5 s."""
    first = max(len(samples) - 5 * RATE, 0)
    return first + int(np.argmin(_powers(samples[first:]))) * _STEP + _STEP // 2


def _powers(samples: Samples) -> npt.NDArray[np.float32]:
    """Mean power of each tenth of a second, the last one shorter."""
    whole = len(samples) // _STEP * _STEP
    powers = np.square(samples[:whole].reshape(-1, _STEP)).mean(axis=1)
    return powers if whole == len(samples) else np.append(powers, np.square(samples[whole:]).mean()).astype(np.float32)
