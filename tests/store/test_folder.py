from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.store.samples import HEADER, names, tone
from voiceprep.audio.base import Samples
from voiceprep.core.events import AudioProgress, NoteAdded, SessionEnded
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError, MissingError, UsageError, VoiceprepError
from voiceprep.store import disk, folder, locks, log, peaks, reserve, track
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import SCHEMA
from voiceprep.store.recovery import recover

VOICES = {f"{dot}{name}{end}" for name in ("candidate", "interviewer") for dot, end in (("", ".flac"), (".peaks-", ""))}
FINAL = {"events.jsonl", "session.json", "annotations.json", "review.json"} | VOICES


def progress(at: float) -> AudioProgress:
    return AudioProgress(at=At(at), media=Media(at))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[SessionFolder]:
    live = SessionFolder.create(tmp_path / "recordings", HEADER)
    yield live
    live.close("user")


def test_a_session_from_its_start_to_its_end(session: SessionFolder) -> None:
    assert session.path.name == session.header.id == "2026-11-30T09-05-12-gpu-hm-screen"
    assert json.loads((session.path / "candidate.json").read_text()) == {"rate": 16_000, "format": "pcm_s16le", "channels": 1}
    spoken = tone(16_000 * 3 + 7)
    session.candidate.write(spoken)
    session.candidate.write_silence(500)
    session.candidate.write(spoken[:512])
    session.interviewer.write(tone(24_000, 24_000))
    session.log.append(progress(3.0))
    session.log.append(SessionEnded(at=At(4.0), reason="completed"))
    session.close("user")

    assert names(session.path) == FINAL
    samples, rate = soundfile.read(session.path / "candidate.flac", dtype="float32")
    assert rate == 16_000
    expected = np.concatenate([spoken, np.zeros(500, np.float32), spoken[:512]])
    assert len(samples) == len(expected)
    assert np.abs(samples - expected).max() <= 0.5 / 32_768 + 1e-7
    assert soundfile.info(session.path / "interviewer.flac").samplerate == 24_000
    assert json.loads((session.path / "session.json").read_text()) == {
        "schema": SCHEMA,
        "id": session.path.name,
        "title": "gpu-hm-screen, 2026-11-30 09:05",
        "round": "gpu-hm-screen",
        "persona": "hiring-manager",
        "language": "en",
        "mode": "coach",
        "started": "2026-11-30T09:05:12Z",
        "duration": round(len(expected) / 16_000, 6),
        "ended": "completed",
        "models": {"stt": "base cpu int8", "voice": "hibari"},
        "drill": "",
    }
    shape = peaks.kept(session.path, "candidate")  # taken on the way, as if the recording were decoded for it
    assert shape is not None
    assert np.array_equal(shape, peaks._decoded(session.path / "candidate.flac", lambda: None))
    assert json.loads((session.path / "annotations.json").read_text()) == []
    assert json.loads((session.path / "review.json").read_text()) == {}


def test_only_the_user_can_read_it(session: SessionFolder) -> None:
    def modes() -> set[int]:
        return {stat.S_IMODE(path.stat().st_mode) for path in session.path.iterdir()}

    session.candidate.write(tone(512))
    assert stat.S_IMODE(session.path.stat().st_mode) == 0o700
    assert modes() == {0o600}
    session.close("user")
    assert modes() == {0o600}


def test_what_is_written_is_at_once_in_the_files(session: SessionFolder) -> None:
    session.log.append(progress(1.0))
    session.candidate.write(tone(512))
    assert log.read(session.path / log.NAME).events == (progress(1.0),)
    assert (session.path / "candidate.pcm").stat().st_size == 1024


def test_close_writes_the_end_that_the_log_lacks(session: SessionFolder) -> None:
    session.log.append(progress(5.0))
    session.close("no-microphone")
    session.close("user")
    assert log.read(session.path / log.NAME).events[-1] == SessionEnded(at=At(5.0), reason="no-microphone")


def test_a_session_without_a_sample_has_no_audio_files(session: SessionFolder) -> None:
    session.close("user")
    assert names(session.path) == FINAL - VOICES


def test_sessions_of_one_second_have_folders_of_their_own(tmp_path: Path) -> None:
    live = [SessionFolder.create(tmp_path, replace(HEADER, round="")) for _ in range(3)]
    for each in live:
        each.close("user")
    base = "2026-11-30T09-05-12-recording"
    assert names(tmp_path) == {base, f"{base}-2", f"{base}-3"}


@pytest.mark.parametrize("gone", [".trash-", ".deleted-"])
def test_what_is_deleted_keeps_its_name(tmp_path: Path, gone: str) -> None:
    base = "2026-11-30T09-05-12-recording"
    (tmp_path / f"{gone}{base}").mkdir()
    live = SessionFolder.create(tmp_path, replace(HEADER, round=""))
    live.close("user")
    assert live.header.id == f"{base}-2"


def test_case_106_a_round_name_cannot_lead_out_of_the_recordings(tmp_path: Path) -> None:
    live = SessionFolder.create(tmp_path / "recordings", replace(HEADER, round="../../Etc/passwd: 面试"))
    live.close("user")
    assert names(tmp_path / "recordings") == {"2026-11-30T09-05-12-etc-passwd"}


def test_samples_are_clipped_and_what_is_no_number_is_silence(session: SessionFolder) -> None:
    session.candidate.write(np.array([0.0, 2.0, -2.0, np.nan, np.inf, 0.5], np.float32))
    assert np.fromfile(session.path / "candidate.pcm", "<i2").tolist() == [0, 32_767, -32_768, 0, 32_767, 16_384]


def test_samples_that_were_16_bit_come_back_exactly(session: SessionFolder) -> None:
    given = np.arange(-32_768, 32_768, dtype=np.int16)
    session.candidate.write(given.astype(np.float32) / np.float32(32_768))
    session.close("user")
    kept, _ = soundfile.read(session.path / "candidate.flac", dtype="int16")
    assert np.array_equal(kept, given)


def test_case_044_hours_of_silence_cost_nothing_while_recording(session: SessionFolder) -> None:
    session.candidate.write(tone(512))
    session.candidate.write_silence(3600 * 16_000)
    session.candidate.write(tone(512))
    pcm = (session.path / "candidate.pcm").stat()
    assert pcm.st_size == 2 * (3600 * 16_000 + 1024)
    assert pcm.st_blocks * 512 < 1_000_000


def test_a_conversion_in_many_chunks_keeps_every_sample(session: SessionFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(track, "CHUNK", 1000)
    spoken = tone(12_345)
    session.candidate.write(spoken)
    session.close("user")
    kept, _ = soundfile.read(session.path / "candidate.flac", dtype="float32")
    assert np.abs(kept - spoken).max() < 1e-4


def test_audio_that_does_not_come_back_equal_is_not_thrown_away(
    session: SessionFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.candidate.write(tone(512))
    before = (session.path / "candidate.pcm").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(track, "_same", lambda pcm, flac, samples: False)
        with pytest.raises(VoiceprepError) as raised:
            session.close("user")
    assert raised.value.code == "audio-not-kept"
    assert (session.path / "candidate.pcm").read_bytes() == before
    assert names(session.path) == {f"{name}.{end}" for name in ("candidate", "interviewer") for end in ("pcm", "json")} | {
        "events.jsonl"
    }
    (report,) = recover(session.path.parent)
    assert report.outcome == "recovered"
    assert names(session.path) == FINAL - {"interviewer.flac", ".peaks-interviewer"}


def test_a_live_session_is_locked_and_a_closed_one_is_not(session: SessionFolder) -> None:
    with pytest.raises(UsageError) as raised:
        folder.take(session.path)
    assert raised.value.code == "session-live"
    session.close("user")
    locks.free(folder.take(session.path))


def test_writing_after_the_end_is_a_defect(session: SessionFolder) -> None:
    session.close("user")
    with pytest.raises(ValueError, match="closed"):
        session.log.append(progress(1.0))


@pytest.mark.parametrize("place", ["a file", "a file/recordings"])
def test_recordings_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").touch()
    with pytest.raises(MissingError) as raised:
        SessionFolder.create(tmp_path / place, HEADER)
    assert raised.value.code == "recordings-unwritable"
    assert "a file" in raised.value.message
    assert "VOICEPREP_RECORDINGS" in raised.value.hint


def test_a_start_that_fails_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        if path.name == "events.jsonl":
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(disk, "replace_file", full)
    with pytest.raises(MissingError) as raised:
        SessionFolder.create(tmp_path, HEADER)
    assert raised.value.code == "disk-full"
    assert not names(tmp_path)


def test_a_header_that_cannot_be_kept_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        SessionFolder.create(tmp_path, replace(HEADER, seed="7"))  # type: ignore[arg-type]  # the mistake is the test
    assert not names(tmp_path)


def test_a_line_that_fits_only_half_is_taken_back(session: SessionFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    session.log.append(progress(1.0))
    real = os.write
    room = [20]

    def nearly_full(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = real(descriptor, data[: room[0]])
        room[0] -= written
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", nearly_full)
        with pytest.raises(MissingError) as raised:
            session.log.append(progress(2.0))
    assert raised.value.code == "disk-full"
    session.log.append(progress(3.0))
    assert log.read(session.path / log.NAME).events == (progress(1.0), progress(3.0))


def test_the_disk_is_made_to_hold_it_while_the_session_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = {name: threading.Event() for name in ("events.jsonl", "candidate.pcm", "interviewer.pcm")}
    recorder = threading.current_thread()

    def sync(file: disk.Appender) -> None:
        assert threading.current_thread() is not recorder
        synced[file.path.name].set()

    monkeypatch.setattr(folder, "SYNC_EVERY", 0.001)
    monkeypatch.setattr(disk.Appender, "sync", sync)
    live = SessionFolder.create(tmp_path, HEADER)
    try:
        assert all(seen.wait(30) for seen in synced.values())
    finally:
        live.close("user")


def test_a_disk_that_refuses_in_the_background_is_told_at_the_next_write(
    session: SessionFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", broken)
        session.candidate.file.sync()
    with pytest.raises(MissingError, match="Input/output error"):
        session.candidate.write(tone(512))
    session.candidate.write(tone(512))
    assert session.candidate.samples == 512


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A real disk of 1 MB, and nothing kept back on it (tests/faults/test_full_disk.py has the reserve)."""
    monkeypatch.setattr(reserve, "PIECES", ())
    monkeypatch.setattr(reserve, "LEAST", 0)
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk here")
    yield place
    subprocess.run(["umount", place], check=True)


def noise(samples: int) -> Samples:
    return np.random.default_rng(1).uniform(-1, 1, samples).astype(np.float32)


def test_case_099_a_full_disk_is_told_and_what_was_recorded_stays(small_disk: Path) -> None:
    live = SessionFolder.create(small_disk, HEADER)
    sound = noise(10_000)

    def speak_on() -> None:
        for _ in range(100):
            live.candidate.write(sound)

    with pytest.raises(MissingError) as raised:
        speak_on()
    assert raised.value.code == "disk-full"
    kept = live.candidate.samples
    assert kept >= 400_000
    with pytest.raises(MissingError) as at_close:
        live.close("disk-full")
    assert at_close.value.code == "disk-full"
    pcm = live.path / "candidate.pcm"
    assert pcm.stat().st_size == 2 * kept

    # The user makes room: the next start finishes the session.
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    (report,) = recover(small_disk)
    assert (report.outcome, report.seconds) == ("recovered", kept / 16_000)
    assert names(live.path) == FINAL - {"interviewer.flac", ".peaks-interviewer"}


def test_a_disk_too_small_for_the_conversion_keeps_the_raw_audio(small_disk: Path) -> None:
    live = SessionFolder.create(small_disk, HEADER)
    live.candidate.write(noise(300_000))
    live.log.append(NoteAdded(at=At(1.0), media=Media(1.0), text="still here"))
    with pytest.raises(MissingError) as raised:
        live.close("user")
    assert raised.value.code == "disk-full"
    assert (live.path / "candidate.pcm").stat().st_size == 600_000
    assert "candidate.flac.part" not in names(live.path)
    assert len(log.read(live.path / log.NAME).events) == 2
