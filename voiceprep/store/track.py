"""One voice of a session on the disk: raw PCM16 while it is recorded, FLAC once the session is over.

Raw PCM is what survives a crash whole: it has no header to be finished and no block to be closed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]

from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.errors import BadInputError, VoiceprepError
from voiceprep.files import parse_json
from voiceprep.store import disk

TrackName = Literal["candidate", "interviewer"]
RATES: dict[TrackName, int] = {"candidate": RATE, "interviewer": VOICE_RATE}

SAMPLE_BYTES = 2
FULL_SCALE = 32_768
CHUNK = 1 << 18
"""Samples that a conversion holds in memory at a time."""

Pcm = npt.NDArray[np.int16]


class Track:
    """Takes the samples of one voice, at `rate` samples a second."""

    def __init__(self, folder: Path, name: TrackName, rate: int, relief: Callable[[], bool] = lambda: False) -> None:
        """Start a track. `relief`: see Appender. Raises OSError."""
        self.rate = rate
        self.samples = 0
        pcm = folder / f"{name}.pcm"
        # The sidecar comes first: PCM without it could not be played.
        disk.replace_json(_sidecar(pcm), {"rate": rate, "format": "pcm_s16le", "channels": 1})
        self.file = disk.Appender(pcm, relief)

    @property
    def seconds(self) -> float:
        """How long the track is."""
        return self.samples / self.rate

    def write(self, samples: Samples) -> None:
        """Append samples, shape (n,), clipped to -1..1. Raises MissingError (`disk-full`, ...): none of them is then kept."""
        self.file.append(_to_pcm(samples).tobytes())
        self.samples += len(samples)

    def write_silence(self, samples: int) -> None:
        """Append so many samples of silence, at no cost however many. Raises MissingError."""
        self.file.extend(samples * SAMPLE_BYTES)
        self.samples += samples


def _to_pcm(samples: Samples) -> Pcm:
    scaled: Samples = np.rint(np.nan_to_num(samples, posinf=1.0, neginf=-1.0) * np.float32(FULL_SCALE))
    return np.asarray(np.clip(scaled, -FULL_SCALE, FULL_SCALE - 1), dtype="<i2")


@dataclass(frozen=True, slots=True)
class Sidecar:
    """How to read a PCM file."""

    rate: int


def _sidecar(pcm: Path) -> Path:
    return pcm.with_suffix(".json")


def read_sidecar(pcm: Path) -> Sidecar:
    """Raises BadInputError (`bad-sidecar`)."""
    path = _sidecar(pcm)
    try:
        document: Any = parse_json(disk.read(path))
        rate = document["rate"]
        known = document["format"] == "pcm_s16le" and document["channels"] == 1 and isinstance(rate, int) and rate > 0
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadInputError(f"{path} does not say how {pcm.name} was recorded", code="bad-sidecar") from error
    if not known:
        raise BadInputError(f"{path} tells of audio that this version cannot read", code="bad-sidecar")
    return Sidecar(rate)


def leftover(folder: Path) -> list[Path]:
    """The raw tracks that wait for conversion. A link is none: what it leads to is no recording of ours."""
    return [path for name in RATES if (path := folder / f"{name}.pcm").is_file() and not path.is_symlink()]


def tidy(folder: Path) -> None:
    """Remove sidecars whose raw track has become FLAC: a crash may have come in between. Raises OSError."""
    for name in RATES:
        pcm = folder / f"{name}.pcm"
        if not pcm.exists():
            _sidecar(pcm).unlink(missing_ok=True)


def seal(pcm: Path, look: Callable[[Pcm], None] = lambda _: None) -> None:
    """Turn a raw track into FLAC beside it, check it sample by sample, and only then remove the raw file.

    Memory stays bounded. A track without a sample leaves no file, since FLAC cannot hold none. Half a sample at the end, torn
    by a crash, is dropped. May be called again after a crash at any point of it. `look`: is shown all samples, in order.

    Raises MissingError (`disk-full`, ...), BadInputError (`bad-sidecar`) or VoiceprepError (`audio-not-kept`); the raw track
    is then still there.
    """
    with disk.writing(pcm):
        samples = pcm.stat().st_size // SAMPLE_BYTES
        if samples:
            rate = read_sidecar(pcm).rate
            part = pcm.with_suffix(".flac.part")
            try:
                _convert(pcm, part, rate, samples, look)
                part.replace(pcm.with_suffix(".flac"))
            finally:
                part.unlink(missing_ok=True)
        pcm.unlink()
        _sidecar(pcm).unlink(missing_ok=True)


def _convert(pcm: Path, part: Path, rate: int, samples: int, look: Callable[[Pcm], None]) -> None:
    descriptor = disk.open_private(part, os.O_RDWR | os.O_TRUNC)
    try:
        if not (_encoded(pcm, part, rate, look) and _same(pcm, part, samples)):
            # libsndfile does not say why. A full disk will refuse us as well, with an OSError that tells.
            os.lseek(descriptor, 0, os.SEEK_END)
            disk.append_whole(descriptor, bytes(CHUNK))
            raise VoiceprepError(
                f"{pcm} could not be turned into FLAC",
                code="audio-not-kept",
                hint="The raw recording is kept; the next start tries again",
            )
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _encoded(pcm: Path, part: Path, rate: int, look: Callable[[Pcm], None]) -> bool:
    try:
        with soundfile.SoundFile(part, "w", rate, 1, "PCM_16", format="FLAC") as flac:
            for chunk in _chunks(pcm):
                flac.write(chunk)
                look(chunk)
    except soundfile.SoundFileError:
        return False
    return True


def _same(pcm: Path, flac: Path, samples: int) -> bool:
    """Whether the FLAC file decodes to exactly the samples of the raw file."""
    try:
        with soundfile.SoundFile(flac) as decoded:
            return decoded.frames == samples and all(
                np.array_equal(decoded.read(len(chunk), dtype="int16"), chunk) for chunk in _chunks(pcm)
            )
    except soundfile.SoundFileError:
        return False


def _chunks(pcm: Path) -> Iterator[Pcm]:
    with pcm.open("rb") as raw:
        while len(data := raw.read(CHUNK * SAMPLE_BYTES)) >= SAMPLE_BYTES:
            yield np.frombuffer(data[: len(data) // SAMPLE_BYTES * SAMPLE_BYTES], dtype="<i2")


def audio(folder: Path, name: TrackName) -> Path | None:
    """The finished recording of this voice, or None: nothing was recorded, or it is not finished."""
    path = folder / f"{name}.flac"
    return path if path.is_file() and not path.is_symlink() else None


def seconds(folder: Path, name: TrackName) -> float:
    """Length of this voice's recording, finished or raw; 0.0 where there is none."""
    flac, pcm = audio(folder, name), folder / f"{name}.pcm"
    try:
        if flac:
            return float(soundfile.info(flac).duration)
        return pcm.lstat().st_size // SAMPLE_BYTES / read_sidecar(pcm).rate
    except (soundfile.SoundFileError, OSError, BadInputError):
        return 0.0
