"""Recordings with bad headers, bad packets, torn ends."""

from __future__ import annotations

import io
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given

from tests.fuzz.door import answered, fuzz
from tests.fuzz.mutations import of_bytes
from voiceprep.audio import files as files_module
from voiceprep.audio.files import decode, probe

MADE = (
    *(("wav", "pcm_s16le", 16_000), ("wav", "pcm_f32le", 48_000), ("wav", "pcm_s24le", 44_100), ("flac", "flac", 16_000)),
    *(("mp3", "libmp3lame", 44_100), ("ogg", "libopus", 48_000), ("webm", "libopus", 48_000), ("mp4", "aac", 48_000)),
    *(("aiff", "pcm_s16be", 22_050), ("avi", "pcm_s16le", 16_000)),
)


@cache
def files() -> tuple[bytes, ...]:
    """A fifth of a second in every container that people bring."""
    return tuple(_file(*how) for how in MADE)


def _file(container: str, codec: str, rate: int) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format=container) as file:
        stream: Any = file.add_stream(codec, rate=rate)
        stream.layout = "mono"
        sound = (8_000 * np.sin(np.arange(rate // 5) / 20)).astype(np.int16)[None]
        frame = av.AudioFrame.from_ndarray(sound, format="s16", layout="mono")
        frame.sample_rate = rate
        resampler = av.AudioResampler(format=stream.codec_context.format, layout="mono", rate=rate)
        for each in [*resampler.resample(frame), *resampler.resample(None)]:
            file.mux(stream.encode(each))
        file.mux(stream.encode(None))
    return out.getvalue()


@given(data=of_bytes(*files()))
@fuzz(400)
def test_a_file_is_sound_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "recording"
    path.write_bytes(data)
    answered(lambda: probe(path))
    answered(lambda: _heard(path))


def _heard(path: Path) -> None:
    """Decode it as an analysis does, piece by piece."""
    seconds = 0.0
    for piece in decode(path):
        assert piece.dtype == np.float32
        assert np.isfinite(piece).all()
        seconds += len(piece) / 16_000
    assert seconds < 13 * 3_600  # what its time stamps make of some kilobytes has an end


def test_time_stamps_cannot_ask_for_weeks_of_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step forward is a pause of the recorder, each step back a clock that was set anew: together, silence without end."""
    monkeypatch.setattr(files_module, "_MOST_FILLED", 10.0)
    frames = []
    for number in range(40):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 160), np.int16), format="s16", layout="mono")
        frame.sample_rate, frame.time_base, frame.pts = 16_000, Fraction(1, 16_000), 48_000 * (number % 2)
        frames.append(frame)
    pieces = [samples for samples, _ in files_module._placed(iter(frames), Path("x"), None)]
    assert 9.0 < sum(map(len, pieces)) / 16_000 < 11.0
