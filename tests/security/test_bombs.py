"""Sound that claims to be much, or is much: the time it takes is that of what is there, and memory does not grow with it."""

from __future__ import annotations

import struct
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from voiceprep.audio import files
from voiceprep.audio.base import RATE
from voiceprep.errors import BadInputError

MINUTES = 10


def heard(path: Path) -> int:
    """How many samples come out of it; 0 where it is refused as bad."""
    with suppress(BadInputError):
        return sum(len(piece) for piece in files.decode(path))
    return 0


def riff(claimed: int, data: bytes) -> bytes:
    """A WAV file that says it holds `claimed` bytes of sound."""
    form = struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)
    return (
        b"RIFF"
        + struct.pack("<I", claimed)
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + b"data"
        + struct.pack("<I", claimed)
        + data
    )


@pytest.mark.parametrize("claimed", [2**31, 2**32 - 1, 0])
def test_a_tiny_file_that_claims_hours_has_what_it_has(tmp_path: Path, claimed: int) -> None:
    path = tmp_path / "claims.wav"
    path.write_bytes(riff(claimed, np.full(RATE, 1_000, "<i2").tobytes()))
    assert heard(path) <= RATE


@pytest.mark.parametrize(("name", "claim"), [("webm", b"\x44\x89\x88" + struct.pack(">d", 1e12)), ("flac", b"\xff" * 5)])
def test_a_container_that_lies_about_its_length(tmp_path: Path, name: str, claim: bytes) -> None:
    """A WebM whose duration is thirty years, a FLAC with 2**36 samples."""
    path = tmp_path / f"lies.{name}"
    if name == "flac":
        soundfile.write(path, np.zeros(RATE, np.float32), RATE, format="FLAC", subtype="PCM_16")
        data = bytearray(path.read_bytes())
        data[21] |= 0x0F
        data[22:26] = claim[:4]
        path.write_bytes(data)
    else:
        path.write_bytes(
            b"\x1a\x45\xdf\xa3\x80" + b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff\x15\x49\xa9\x66\x8b" + claim
        )
    assert heard(path) <= 2 * RATE


def test_much_in_a_small_file_is_read_in_small_pieces(tmp_path: Path) -> None:
    """Silence packs well: ten minutes of it are a hundredth of what they unpack to."""
    path = tmp_path / "bomb.flac"
    with soundfile.SoundFile(path, "w", RATE, 1, "PCM_16", format="FLAC") as file:
        minute = np.zeros(60 * RATE, np.int16)
        for _ in range(MINUTES):
            file.write(minute)
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    samples = sum(len(piece) for piece in files.decode(path))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert samples == pytest.approx(MINUTES * 60 * RATE, rel=0.001)
    assert most < 8_000_000
