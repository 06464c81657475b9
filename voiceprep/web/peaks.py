"""The shape of a recording, for a waveform: loudest and lowest sample of each hundredth of a second, kept beside the audio."""

from __future__ import annotations

import io
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]

from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.store import disk, track
from voiceprep.store.track import TrackName

A_SECOND = 100
"""Pairs of peaks for a second of sound."""
MOST_POINTS = 4_000
FULL = 127
MINUTE = 60

Pairs = npt.NDArray[np.int8]
"""Shape (n, 2): the lowest and the highest sample of each hundredth of a second, -127..127."""


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


def pairs_of(folder: Path, name: TrackName) -> Pairs:
    """The whole shape of a track: from its file, or computed (about a second for an hour) and kept there.

    Raises UsageError (`no-such-audio`) or BadInputError (`bad-audio`).
    """
    audio = track.audio(folder, name)
    if audio is None:
        raise UsageError(f"there is no recording of the {name} in this session", code="no-such-audio")
    kept = folder / f".peaks-{name}.npy"
    with suppress(OSError, ValueError):
        if kept.stat().st_mtime_ns >= audio.stat().st_mtime_ns and not kept.is_symlink():
            found = np.load(kept, allow_pickle=False)
            if found.dtype == np.int8 and found.ndim == 2 and found.shape[1] == 2:  # noqa: PLR2004 - pairs
                return np.asarray(found, np.int8)
    pairs = _computed(audio)
    data = io.BytesIO()
    np.save(data, pairs)
    with suppress(OSError, MissingError):  # a folder that cannot be written to: it is computed again the next time
        disk.replace_file(kept, data.getvalue())
    return pairs


def _computed(audio: Path) -> Pairs:
    try:
        with soundfile.SoundFile(audio) as file:
            step = file.samplerate // A_SECOND
            blocks = file.blocks(blocksize=step * A_SECOND * MINUTE, dtype="int16")
            shapes = [_shape(block, step) for block in blocks]
    except (soundfile.SoundFileError, OSError) as error:
        raise BadInputError(f"{audio.name} cannot be decoded", code="bad-audio") from error
    return np.concatenate(shapes) if shapes else np.zeros((0, 2), np.int8)


def _shape(block: npt.NDArray[np.int16], step: int) -> Pairs:
    padded = np.concatenate((block, np.zeros(-len(block) % step, np.int16))).reshape(-1, step)
    scaled = np.stack((padded.min(axis=1), padded.max(axis=1)), axis=1).astype(np.int32) * FULL
    return (scaled / 32_768).round().astype(np.int8)
