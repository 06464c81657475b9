"""The shape of a recording, for a waveform: lowest and loudest sample of each hundredth of a second, kept beside the audio.

It is taken while a track becomes FLAC, when its samples pass by anyhow; a track without one is decoded once more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]

from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.store import disk, track
from voiceprep.store.track import Pcm, TrackName

A_SECOND = 100
"""Pairs of peaks for a second of sound."""
FULL = 127
MINUTE = 60

Pairs = npt.NDArray[np.int8]
"""Shape (n, 2): the lowest and the highest sample of each hundredth of a second, -127..127."""


class Shape:
    """Takes the samples of a track at `rate` samples a second, piece by piece."""

    def __init__(self, rate: int) -> None:
        self._step = _step(rate)
        self._rest: Pcm = np.zeros(0, np.int16)
        self._pairs: list[Pairs] = []

    def take(self, samples: Pcm) -> None:
        """The next samples, shape (n,)."""
        joined = np.concatenate((self._rest, samples))
        whole = len(joined) // self._step * self._step
        self._rest = joined[whole:]
        self._add(joined[:whole])

    def pairs(self) -> Pairs:
        """The shape of all that was taken; silence fills its last hundredth."""
        if len(self._rest):
            self._add(np.concatenate((self._rest, np.zeros(self._step - len(self._rest), np.int16))))
            self._rest = self._rest[:0]
        return np.concatenate(self._pairs) if self._pairs else np.zeros((0, 2), np.int8)

    def _add(self, samples: Pcm) -> None:
        pieces = samples.reshape(-1, self._step)
        scaled = np.stack((pieces.min(axis=1), pieces.max(axis=1)), axis=1).astype(np.int32) * FULL
        self._pairs.append((scaled / 32_768).round().astype(np.int8))


def kept(folder: Path, name: TrackName) -> Pairs | None:
    """The shape of a track as it is kept beside it; None where there is none of this recording."""
    file, audio = _file(folder, name), track.audio(folder, name)
    with suppress(OSError, soundfile.SoundFileError):
        if audio is not None and file.stat().st_mtime_ns >= audio.stat().st_mtime_ns and not file.is_symlink():
            pairs = np.frombuffer(file.read_bytes(), np.int8)
            of = soundfile.info(audio)
            if len(pairs) == 2 * -(-of.frames // _step(of.samplerate)):
                return pairs.reshape(-1, 2)
    return None


def keep(folder: Path, name: TrackName, pairs: Pairs) -> None:
    """Keep the shape of a finished track. A folder that cannot be written to has none: it is computed again the next time."""
    with suppress(OSError, MissingError):
        disk.replace_file(_file(folder, name), pairs.tobytes())


def pairs_of(folder: Path, name: TrackName, between: Callable[[], None] = lambda: None) -> Pairs:
    """The whole shape of a track: from its file, or decoded (one to two CPU seconds for an hour) and kept there.

    `between`: called after each minute of sound; what it raises breaks it off.

    Raises UsageError (`no-such-audio`) or BadInputError (`bad-audio`).
    """
    audio = track.audio(folder, name)
    if audio is None:
        raise UsageError(f"there is no recording of the {name} in this session", code="no-such-audio")
    if (known := kept(folder, name)) is not None:
        return known
    pairs = _decoded(audio, between)
    keep(folder, name, pairs)
    return pairs


def _decoded(audio: Path, between: Callable[[], None]) -> Pairs:
    try:
        with soundfile.SoundFile(audio) as file:
            shape = Shape(file.samplerate)
            for block in file.blocks(blocksize=file.samplerate * MINUTE, dtype="int16"):
                shape.take(block)
                between()
    except (soundfile.SoundFileError, OSError) as error:
        raise BadInputError(f"{audio.name} cannot be decoded", code="bad-audio") from error
    return shape.pairs()


def _step(rate: int) -> int:
    """Samples of a hundredth of a second."""
    return max(1, rate // A_SECOND)


def _file(folder: Path, name: TrackName) -> Path:
    return folder / f".peaks-{name}"
