"""Audio files of any kind as samples, and what is wrong with those that are none.

Every container goes through FFmpeg's libraries (PyAV). Nothing in a header is believed that costs memory or time: the file is
decoded frame by frame, and what could not be decoded is silence of the same length, so that times stay true.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.audio import AudioFrame, AudioStream
from av.container import InputContainer

from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.resample import Resampler
from voiceprep.audio.samples import to_mono
from voiceprep.errors import BadInputError

SUFFIXES = frozenset(
    {".wav", ".wave", ".aif", ".aiff", ".flac", ".mp3", ".m4a", ".mp4", ".mov", ".aac", ".ogg", ".oga", ".opus", ".webm"}
    | {".mka", ".mkv", ".caf", ".w64", ".au", ".wma", ".amr"}
)
"""What a path to an audio file usually ends with; any other name is opened too."""

RATES = range(1_000, 384_001)
"""Sample rates in Hz that a recording of a voice can have; a header with another one is damaged."""

MOST_CHANNELS = 64

# Only these are tried, so that a playlist, a subtitle or a text file is never "played".
_CONTAINERS = "wav,w64,aiff,caf,au,flac,mp3,aac,mov,ogg,matroska,webm,asf,amr,avi,mpegts"

_GAP = 0.1
"""Seconds: a smaller hole between time stamps is rounding."""

_LONGEST_GAP = 3600.0
"""Seconds: a larger one is a broken time stamp, not a pause of the recorder."""

_MOST_FILLED = 12 * 3600.0
"""Seconds of silence that time stamps may put into one file: some kilobytes of them could ask for weeks."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AudioFile:
    """What a file holds: `duration` in seconds of what can be decoded, `sample_rate` in Hz, `codec` by FFmpeg's name."""

    duration: float
    sample_rate: int
    channels: int
    codec: str


def probe(path: str | PathLike[str]) -> AudioFile:
    """Look into a file; a wrong or missing length in its header does not matter. Raises BadInputError."""
    path = Path(path)
    first: AudioFrame | None = None
    end = total = 0.0
    with _opened(path) as (container, stream):
        for packet in _packets(path, container, stream):
            if first is None:
                first = next(iter(_decoded(path, packet)), None)
            base = float(packet.time_base or 0)
            total += (packet.duration or 0) * base
            if packet.pts is not None:
                end = max(end, (packet.pts + (packet.duration or 0)) * base)
        if first is None:
            raise _empty(path)
        _check(path, first)
        counted = max(end - (first.time or 0.0) if end else total, first.samples / first.sample_rate)
        told = (container.duration or 0) / av.time_base
        return AudioFile(
            # A header that is about right knows better how much of the last packet is padding.
            told if abs(told - counted) < _GAP else counted,
            first.sample_rate,
            first.layout.nb_channels,
            stream.codec_context.name,
        )


def decode(path: str | PathLike[str], *, rate: int = RATE, channel: int | None = None) -> Iterator[Samples]:
    """The file's sound at `rate` Hz, piece by piece, in bounded memory. The file is opened at the first piece.

    Args:
        path: any audio file, or a video file with sound.
        rate: samples a second of what is yielded.
        channel: the one channel to take, from 0; None mixes all of them.

    Raises:
        BadInputError: it cannot be read, is no audio, or has no samples; the message names the file.
    """
    path = Path(path)
    resampler: Resampler | None = None
    anything = False
    with _opened(path) as (container, stream):
        for samples, source_rate in _placed(_frames(path, container, stream), path, channel):
            pieces = []
            if resampler is not None and resampler.source != source_rate:
                pieces.append(resampler.finish())
                resampler = None
            resampler = resampler or Resampler(source_rate, rate)
            pieces.append(resampler.feed(samples))
            for piece in pieces:
                if len(piece):
                    anything = True
                    yield piece
    rest = resampler.finish() if resampler is not None else np.empty(0, np.float32)
    if len(rest):
        yield rest
    elif not anything:
        raise _empty(path)


def read(path: str | PathLike[str], *, rate: int = RATE, channel: int | None = None) -> Samples:
    """The whole file at once, as `decode` yields it."""
    return np.concatenate(list(decode(path, rate=rate, channel=channel)))


# --- opening ------------------------------------------------------------------------------------------------------------


@contextmanager
def _opened(path: Path) -> Iterator[tuple[InputContainer, AudioStream]]:
    _check_readable(path)
    try:
        # "file:" keeps a name such as "http:x.wav" from being taken for an address.
        container = av.open(
            f"file:{path.absolute()}", metadata_errors="ignore", container_options={"format_whitelist": _CONTAINERS}
        )
    except (av.FFmpegError, OSError, ValueError) as error:
        raise BadInputError(
            f"{path} is not an audio file that can be read",
            code="not-audio",
            hint="Use wav, aiff, flac, mp3, m4a, ogg, opus, webm or mp4",
        ) from error
    with container:
        if not container.streams.audio:
            raise BadInputError(f"{path} has no sound in it", code="no-audio-track", hint="Choose a file with an audio track")
        yield container, container.streams.audio[0]


def _check_readable(path: Path) -> None:
    try:
        if not path.exists():
            raise BadInputError(f"{path} does not exist", code="no-such-file", hint="Check the name of the file")
        if not path.is_file():
            kind = "a folder" if path.is_dir() else "a device or a pipe"
            raise BadInputError(f"{path} is {kind}, not an audio file", code="not-a-file", hint="Name a file")
        with path.open("rb") as file:
            if not file.read(1):
                raise BadInputError(f"{path} is empty (0 bytes)", code="empty-file", hint="Record or copy it again")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInputError(f"{path} cannot be read: {reason}", code="unreadable-file") from error


def _empty(path: Path) -> BadInputError:
    return BadInputError(
        f"{path} has not one sample of sound that can be decoded", code="no-samples", hint="Record or copy it again"
    )


def _check(path: Path, frame: AudioFrame, channel: int | None = None) -> None:
    channels = frame.layout.nb_channels
    if frame.sample_rate not in RATES:
        raise BadInputError(f"{path} claims {frame.sample_rate:,} samples a second: its header is damaged", code="bad-rate")
    if not 0 < channels <= MOST_CHANNELS:
        raise BadInputError(f"{path} claims {channels} channels: its header is damaged", code="bad-channels")
    if channel is not None and not 0 <= channel < channels:
        raise BadInputError(f"{path} has {channels} channel(s), there is no channel {channel}", code="no-such-channel")


# --- decoding -----------------------------------------------------------------------------------------------------------


def _packets(path: Path, container: InputContainer, stream: AudioStream) -> Iterator[av.Packet[AudioStream]]:
    try:
        yield from container.demux(stream)
    except (av.FFmpegError, OSError) as error:
        _log.warning("%s breaks off: %s", path.name, error.strerror)


def _decoded(path: Path, packet: av.Packet[AudioStream]) -> list[AudioFrame]:
    try:
        return list(packet.decode())
    except (av.FFmpegError, OSError) as error:
        _log.debug("%s: a damaged place is skipped: %s", path.name, error.strerror)
        return []


def _frames(path: Path, container: InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    for packet in _packets(path, container, stream):
        yield from _decoded(path, packet)


def _placed(frames: Iterator[AudioFrame], path: Path, channel: int | None) -> Iterator[tuple[Samples, int]]:
    """Mono sound with its rate; a hole between the frames' time stamps comes out as silence of the same length."""
    place: float | None = None
    filled = 0.0
    for frame in frames:
        _check(path, frame, channel)
        rate = frame.sample_rate
        stamp = frame.time
        if place is None or stamp is None:
            place = stamp if place is None else place
        elif _GAP < stamp - place < min(_LONGEST_GAP, _MOST_FILLED - filled):
            missing = round((stamp - place) * rate)
            filled += stamp - place
            yield from ((np.zeros(min(rate, missing - done), np.float32), rate) for done in range(0, missing, rate))
            place = stamp
        elif abs(stamp - place) > _GAP:
            place = stamp  # a clock that was set anew: from here on it is believed again
        yield to_mono(_array(frame), channel), rate
        if place is not None:
            place += frame.samples / rate


def _array(frame: AudioFrame) -> npt.NDArray[Any]:
    """The frame's samples, shape ``(channels, n)``, still on their own scale."""
    channels = frame.layout.nb_channels
    if frame.format.name == "s64":  # the one format that PyAV does not turn into an array
        return np.frombuffer(bytes(frame.planes[0]), np.int64)[: frame.samples * channels].reshape(-1, channels).T
    sound: npt.NDArray[Any] = frame.to_ndarray()
    return sound if frame.format.is_planar else sound.reshape(-1, channels).T
