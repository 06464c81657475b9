"""A disk that is full before, during and after a session: a real one, of a few MB."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.room import Room, speech, wav
from tests.fakes.table import of_kind
from tests.store.samples import HEADER, names
from voiceprep import config
from voiceprep.audio.base import Block
from voiceprep.audio.source_file import FileSource
from voiceprep.core.events import EdgeFailed, Event, SessionEnded, WordsCommitted
from voiceprep.errors import MissingError
from voiceprep.live.plan import Plan
from voiceprep.live.practice import practise
from voiceprep.store import reserve
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder
from voiceprep.store.recovery import recover


@pytest.fixture
def disk_of(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts a disk of so many KB."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(size: int) -> Path:
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", place], capture_output=True, check=False)
        if made.returncode:
            pytest.skip("only root may mount a small disk here")
        return place

    yield mount
    subprocess.run(["umount", place], check=False, capture_output=True)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept back, and what a session needs, in the measure of a small disk."""
    monkeypatch.setattr(reserve, "PIECES", (200_000, 50_000))
    monkeypatch.setattr(reserve, "LEAST", 300_000)


def codes(events: list[Event]) -> list[str]:
    return [event.code for event in of_kind(events, EdgeFailed)]


def fill(disk: Path) -> None:
    """Somebody else's file takes all that is left."""
    with (disk / "somebody-elses").open("ab", buffering=0) as file:
        for size in (65_536, 4_096):
            while shutil.disk_usage(disk).free >= size:
                file.write(bytes(size))


class Filling(FileSource):
    """The disk becomes full after so many blocks of the recording."""

    disk: Path
    after = 60

    async def blocks(self) -> Any:
        number = 0
        async for block in super().blocks():
            number += 1
            if number == self.after:
                fill(self.disk)
            yield block


def test_a_session_does_not_begin_on_a_disk_that_is_nearly_full(disk_of: Callable[[int], Path]) -> None:
    disk = disk_of(20_000)
    with pytest.raises(MissingError, match="nearly full") as raised:
        SessionFolder.create(disk, HEADER)
    assert raised.value.code == "disk-full"
    assert "VOICEPREP_RECORDINGS" in raised.value.hint
    assert names(disk) == set()


async def test_it_is_told_before_a_model_is_loaded(disk_of: Callable[[int], Path], tmp_path: Path) -> None:
    places = config.Places(home=tmp_path, recordings=disk_of(20_000))
    told: list[str] = []
    with pytest.raises(MissingError, match="nearly full"):
        await practise(Plan("gpu-hm-screen"), config.load({}), places, lambda *_: pytest.fail("it began"), told.append)
    assert told == []


def test_what_an_hour_takes_is_told_in_minutes(disk_of: Callable[[int], Path]) -> None:
    assert "about 15 minutes" in reserve.check(disk_of(97_657) / "not-there-yet")


def test_room_is_kept_back_and_given_back(tmp_path: Path) -> None:
    live = SessionFolder.create(tmp_path, HEADER)
    kept = [path.stat() for path in sorted(live.path.glob(".reserve-*"))]
    assert [stat.st_blocks * 512 >= size for stat, size in zip(kept, reserve.PIECES, strict=True)] == [True, True]
    assert {stat.st_mode & 0o777 for stat in kept} == {0o600}
    live.close("user")
    assert list(live.path.glob(".reserve-*")) == []


@pytest.mark.usefixtures("small")
async def test_full_in_the_middle_the_recording_outlives_the_rest_and_the_session_ends_well(
    disk_of: Callable[[int], Path], tmp_path: Path
) -> None:
    disk = disk_of(2_000)
    said = speech((1.0, True), (1.0, False), (1.5, True), (0.5, False))
    source = Filling(wav(tmp_path / "mic.wav", said), "fast")
    source.disk = disk
    events = await Room(disk, source).run()
    assert codes(events) == ["disk-full"]
    assert "make room" in of_kind(events, EdgeFailed)[0].message
    assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")
    assert sum(len(event.words) for event in of_kind(events, WordsCommitted)) >= 4
    folder = next(path for path in disk.iterdir() if path.is_dir())
    sound, _ = soundfile.read(folder / "candidate.flac", dtype="float32")
    assert len(sound) == len(said)  # to the last sample
    assert np.abs(sound - said).max() < 1e-3
    heard = soundfile.info(folder / "interviewer.flac").duration
    assert heard < events[-1].at - 1.5  # given up for it


@pytest.mark.usefixtures("small")
async def test_full_for_good_the_session_ends_and_says_why(disk_of: Callable[[int], Path], tmp_path: Path) -> None:
    """The reserve for the recording is used up; that of the log carries it to its end."""
    disk = disk_of(2_000)
    source = Filling(wav(tmp_path / "mic.wav", speech((25.0, True), (1.0, False))), "fast")
    source.disk = disk
    room = Room(disk, source)
    try:
        events = await room.run()
    except MissingError as error:  # no room for FLAC: told, and left for the next start
        assert error.code == "disk-full"  # noqa: PT017 - whether it fits is the disk's business
        await asyncio.to_thread(lambda: subprocess.run(["mount", "-o", "remount,size=9m", disk], check=True))
        (found,) = recover(disk)
        assert found.outcome == "recovered"
        events = list(Archive(disk).read("latest")[1])
    assert codes(events) == ["disk-full", "disk-full"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="disk-full")
    assert of_kind(events, WordsCommitted)
    seconds = soundfile.info(room.folder.path / "candidate.flac").duration
    assert 1.9 + 200_000 / 32_000 - 1.0 < seconds < 25.0


@pytest.mark.usefixtures("small")
def test_a_crash_on_a_full_disk_is_recovered_on_it(disk_of: Callable[[int], Path]) -> None:
    disk = disk_of(1_000)
    live = SessionFolder.create(disk, HEADER)
    live.candidate.write(np.full(64_000, 0.25, dtype=np.float32))
    live._close_files()
    live._lock.release()
    fill(disk)
    (found,) = recover(disk)
    assert (found.outcome, found.seconds) == ("recovered", 4.0)
    assert not list(live.path.glob(".reserve-*"))


async def test_a_disk_that_breaks_ends_the_session_with_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", speech((3.0, True), (1.0, False))), "fast"))
    track, blocks = room.folder.candidate, 0
    write = track.write

    def broken(samples: Block) -> None:
        nonlocal blocks
        blocks += 1
        if blocks > 50:
            raise MissingError("cannot write: Input/output error", code="recordings-unwritable")
        write(samples)  # type: ignore[arg-type]

    monkeypatch.setattr(track, "write", broken)
    events = await room.run()
    assert codes(events) == ["recordings-unwritable"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="recordings-unwritable")
    assert soundfile.info(room.folder.path / "candidate.flac").frames == 50 * 512
