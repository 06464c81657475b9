"""Files of every kind, good and bad: the collected cases, and what can be made here."""

from __future__ import annotations

import csv
import errno
import os
import struct
import tracemalloc
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import noise
from voiceprep.audio import files
from voiceprep.audio.base import RATE, Samples
from voiceprep.errors import BadInputError

CASES = Path(__file__).parents[2] / "../shared/cases/audio"


@dataclass(frozen=True, slots=True)
class Case:
    file: str
    duration: float | None
    sample_rate: int
    channels: int

    def __str__(self) -> str:
        return self.file


def cases() -> list[Case]:
    manifest = CASES / "manifest.tsv"
    if not manifest.exists():
        return []
    with manifest.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))

    def number(text: str) -> float | None:
        return float(text) if text.replace(".", "", 1).isdigit() else None

    return [
        Case(row["file"], number(row["duration_s"]), int(number(row["sample_rate"]) or 0), int(number(row["channels"]) or 0))
        for row in rows
    ]


REFUSED = {
    "malformed/ps_awful.wav": "bad-rate",
    "malformed/ps_bad.wav": "not-audio",
    "malformed/ps_null.wav": "no-samples",
    "malformed/pydub_empty.wav": "no-samples",
    "malformed/scipy_test-44100Hz-2ch-32bit-float-be.wav": "not-audio",
    "malformed/scipy_test-44100Hz-le-1ch-4bytes-early-eof-no-data.wav": "not-audio",
    "malformed/scipy_test-44100Hz-le-1ch-4bytes-incomplete-chunk.wav": "not-audio",
    "derived/zero_bytes.wav": "empty-file",
}
ALL = cases()
GOOD = [case for case in ALL if case.file not in REFUSED]
needs_cases = pytest.mark.skipif(
    not ALL, reason="the collected audio cases are not beside this checkout (../shared/cases/audio)"
)


@needs_cases
@pytest.mark.parametrize("case", GOOD or [None], ids=str)
def test_collected_file(case: Case) -> None:
    info = files.probe(CASES / case.file)
    sound = files.read(CASES / case.file)
    assert (info.sample_rate, info.channels) == (case.sample_rate, case.channels)
    assert sound.dtype == np.float32
    assert sound.ndim == 1
    assert np.isfinite(sound).all()
    assert np.abs(sound).max() <= 1.0
    assert len(sound) / RATE == pytest.approx(info.duration, abs=0.05)
    if case.duration is not None:
        # The collector's own figure counts an mp3's priming as sound.
        assert info.duration == pytest.approx(case.duration, abs=0.11)


@needs_cases
@pytest.mark.parametrize("name", REFUSED)
def test_case_038_a_collected_file_that_must_be_refused(name: str) -> None:
    for use in (files.probe, files.read):
        with pytest.raises(BadInputError) as caught:
            use(CASES / name)
        assert caught.value.code == REFUSED[name]
        assert caught.value.exit_code == 4
        assert name in caught.value.message


@needs_cases
def test_a_truncated_file_gives_what_is_there() -> None:
    whole, part = (files.read(CASES / name) for name in ("en_libri_1995.wav", "derived/libri_truncated_mid_data.wav"))
    assert len(part) == (100_001 - 44) // 2
    np.testing.assert_array_equal(part, whole[: len(part)])


@needs_cases
@pytest.mark.parametrize("name", ["en_ami_meeting_float32_dev.wav", "zh_float32_24k.wav"])
def test_case_031_and_033_float_stays_float(name: str) -> None:
    original, _ = soundfile.read(CASES / name, dtype="float32")
    assert rms(files.read(CASES / name)) == pytest.approx(rms(original), rel=0.01)


def rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))


# --- made here ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "options", "step"),
    [
        (".wav", {"subtype": "PCM_U8"}, 2**-7),
        (".wav", {"subtype": "PCM_16"}, 2**-15),
        (".wav", {"subtype": "PCM_24"}, 2**-23),
        (".wav", {"subtype": "PCM_32"}, 2**-24),
        (".wav", {"subtype": "FLOAT"}, 2**-24),
        (".wav", {"subtype": "DOUBLE"}, 2**-24),
        (".wav", {"subtype": "PCM_16", "format": "WAVEX"}, 2**-15),
        (".wav", {"subtype": "PCM_16", "format": "RF64"}, 2**-15),
        (".aiff", {"subtype": "PCM_16"}, 2**-15),
        (".aiff", {"subtype": "FLOAT"}, 2**-24),
        (".flac", {"subtype": "PCM_16"}, 2**-15),
        (".au", {"subtype": "PCM_16"}, 2**-15),
    ],
    ids=str,
)
def test_case_032_every_width_has_the_same_scale(tmp_path: Path, suffix: str, options: dict[str, str], step: float) -> None:
    path = tmp_path / f"sound{suffix}"
    sound = noise(0.5)
    soundfile.write(path, sound, RATE, **options)
    np.testing.assert_allclose(files.read(path), sound, atol=step)


def encode(path: Path, codec: str, sound: Samples) -> None:
    """Write mono sound at 48 kHz."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=48_000)
        assert isinstance(stream, av.AudioStream)
        stream.layout = "mono"
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=48_000, frame_size=stream.frame_size or 960)
        frame = av.AudioFrame.from_ndarray(sound[None, :], format="fltp", layout="mono")
        frame.sample_rate = 48_000
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))


@pytest.mark.parametrize(
    ("suffix", "codec"),
    [
        (".mp3", "libmp3lame"),
        (".m4a", "aac"),
        (".mp4", "aac"),
        (".ogg", "vorbis"),
        (".opus", "libopus"),
        (".webm", "libopus"),
    ],
)
def test_lossy_containers(tmp_path: Path, suffix: str, codec: str) -> None:
    path = tmp_path / f"sound{suffix}"
    time = np.arange(2 * 48_000) / 48_000
    tone = (0.3 * np.sin(2 * np.pi * 440 * time)).astype(np.float32)
    if codec == "vorbis":  # FFmpeg here only reads it
        soundfile.write(path, tone, 48_000, format="OGG", subtype="VORBIS")
    else:
        encode(path, codec, tone)
    assert files.probe(path).duration == pytest.approx(2.0, abs=0.05)
    sound = files.read(path)
    assert len(sound) / RATE == pytest.approx(2.0, abs=0.05)
    assert rms(sound[RATE // 2 : RATE]) == pytest.approx(0.3 / np.sqrt(2), rel=0.05)
    spectrum = np.abs(np.fft.rfft(sound[RATE // 2 : RATE // 2 + RATE]))
    assert int(np.argmax(spectrum)) == 440


def test_two_channels_are_mixed_or_taken_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "two.wav"
    left, right = noise(0.3, seed=1), noise(0.3, seed=2)
    soundfile.write(path, np.stack((left, right), axis=1), RATE, subtype="PCM_16")
    np.testing.assert_allclose(files.read(path), (left + right) / 2, atol=2**-15)
    np.testing.assert_array_equal(files.read(path, channel=0), left)
    np.testing.assert_array_equal(files.read(path, channel=1), right)
    with pytest.raises(BadInputError, match=r"two\.wav has 2 channel\(s\), there is no channel 2"):
        files.read(path, channel=2)


def test_what_is_no_number_is_silence(tmp_path: Path) -> None:
    path = tmp_path / "broken.wav"
    sound = noise(0.2)
    broken = sound.copy()
    broken[100], broken[200], broken[300] = np.nan, np.inf, -np.inf
    soundfile.write(path, broken, RATE, subtype="FLOAT")
    sound[[100, 200, 300]] = 0
    np.testing.assert_array_equal(files.read(path), sound)


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
def test_resampling_keeps_length_level_and_pitch(tmp_path: Path, rate: int) -> None:
    path = tmp_path / "tone.wav"
    time = np.arange(rate) / rate
    soundfile.write(path, 0.5 * np.sin(2 * np.pi * 1_000 * time), rate, subtype="PCM_16")
    sound = files.read(path)
    assert len(sound) == pytest.approx(RATE, abs=1)
    assert rms(sound) == pytest.approx(0.5 / np.sqrt(2), rel=0.01)
    np.testing.assert_allclose(
        sound[4_000:12_000], 0.5 * np.sin(2 * np.pi * 1_000 * np.arange(4_000, 12_000) / RATE), atol=1e-3
    )


def test_a_streamed_header_without_a_length(tmp_path: Path) -> None:
    path = tmp_path / "streamed.wav"
    sound = noise(1.0)
    soundfile.write(path, sound, RATE, subtype="PCM_16")
    data = bytearray(path.read_bytes())
    data[4:8] = data[40:44] = b"\xff" * 4
    path.write_bytes(data)
    assert files.probe(path).duration == pytest.approx(1.0)
    np.testing.assert_array_equal(files.read(path), sound)


def test_a_hole_between_time_stamps_becomes_silence(tmp_path: Path) -> None:
    """As a page's recorder leaves one while the machine sleeps: what follows must not move forward."""
    path = tmp_path / "hole.mka"
    sound = noise(0.5)
    with av.open(str(path), "w", format="matroska") as container:
        stream = container.add_stream("pcm_s16le", rate=RATE)
        stream.layout = "mono"
        for start in (0, 3 * RATE):
            frame = av.AudioFrame.from_ndarray(np.rint(sound * 32_768).astype(np.int16)[None, :], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    heard = files.read(path)
    assert len(heard) / RATE == pytest.approx(3.5, abs=0.01)
    assert files.probe(path).duration == pytest.approx(3.5, abs=0.01)
    np.testing.assert_array_equal(heard[: RATE // 2], sound)
    assert not heard[RATE // 2 : 3 * RATE - 20].any()
    np.testing.assert_array_equal(heard[-RATE // 2 :], sound)


def wav_header(*, channels: int = 1, rate: int = RATE, bits: int = 16, size: int = 0) -> bytes:
    step = channels * bits // 8
    fmt = struct.pack("<HHIIHH", 1, channels, rate, rate * step & 0xFFFFFFFF, step & 0xFFFF, bits)
    return (
        b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack("<I", 16) + fmt + b"data" + struct.pack("<I", size)
    )


BAD = {
    "empty.wav": (b"", "empty-file", "is empty"),
    "notes.txt": (b"these are my notes\n" * 50, "not-audio", "not an audio file"),
    "notes.wav": (b"these are my notes\n" * 50, "not-audio", "not an audio file"),
    "list.m3u8": (b"#EXTM3U\n#EXTINF:10,\nother.wav\n", "not-audio", "not an audio file"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + b"0" * 200, "not-audio", "not an audio file"),
    "header.wav": (wav_header(), "no-samples", "not one sample"),
    "half.wav": (wav_header(size=100)[:20], "not-audio", "not an audio file"),
    "fast.wav": (wav_header(rate=1_092_676, size=200) + b"\1" * 200, "bad-rate", "1,092,676"),
    "slow.wav": (wav_header(rate=7, size=200) + b"\1" * 200, "bad-rate", "7 samples a second"),
    "wide.wav": (wav_header(channels=200, size=4_000) + b"\1" * 4_000, "bad-channels", "200 channels"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_plain_words(tmp_path: Path, name: str) -> None:
    data, code, words = BAD[name]
    path = tmp_path / name
    path.write_bytes(data)
    for use in (files.probe, files.read):
        with pytest.raises(BadInputError) as caught:
            use(path)
        assert caught.value.code == code
        assert str(path) in caught.value.message
        assert words in caught.value.message


def test_a_film_without_sound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "silent.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        container.mux(stream.encode(av.VideoFrame(32, 32, "yuv420p")))
        container.mux(stream.encode(None))
    with pytest.raises(BadInputError, match="has no sound in it") as caught:
        files.probe(path)
    assert caught.value.code == "no-audio-track"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.wav"
    os.mkfifo(fifo)
    for path, code in [
        (tmp_path / "none.wav", "no-such-file"),
        (tmp_path, "not-a-file"),
        (fifo, "not-a-file"),
        (tmp_path / ("x" * 5_000), "unreadable-file"),
    ]:
        with pytest.raises(BadInputError) as caught:
            files.probe(path)
        assert caught.value.code == code


def test_a_file_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.wav"
    soundfile.write(path, noise(0.1), RATE)

    def refuse(*_: object, **__: object) -> None:  # root, who runs the tests here and there, may read everything
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadInputError, match=r"secret\.wav cannot be read: Permission denied") as caught:
        files.probe(path)
    assert caught.value.code == "unreadable-file"


def test_a_name_that_looks_like_an_address_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "http:session.wav"
    soundfile.write(path, noise(0.1), RATE, subtype="PCM_16")
    assert len(files.read(path)) == RATE // 10


def test_a_long_file_is_never_in_memory_at_once(tmp_path: Path) -> None:
    path = tmp_path / "long.flac"
    with soundfile.SoundFile(path, "w", 48_000, 1, "PCM_16") as out:
        for _ in range(5 * 60):
            out.write(np.zeros(48_000, np.float32))
    tracemalloc.start()
    try:
        total = sum(len(piece) for piece in files.decode(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 5 * 60 * RATE
    assert peak < 4_000_000  # the samples themselves are 19 MB


def test_a_huge_length_in_the_header_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "boast.wav"
    path.write_bytes(wav_header(size=0x7FFFFFF0) + b"\1\0" * 1_000)
    assert files.probe(path).duration == pytest.approx(1_000 / RATE)
    assert len(files.read(path)) == 1_000


def test_a_file_can_be_left_half_way(tmp_path: Path) -> None:
    path = tmp_path / "left.wav"
    soundfile.write(path, noise(5.0), RATE, subtype="PCM_16")
    pieces = files.decode(path)
    assert list(islice(pieces, 2))
    path.unlink()
    pieces.close()  # type: ignore[attr-defined]  # a generator, though the signature promises an iterator only
