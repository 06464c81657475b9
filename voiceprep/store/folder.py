"""The folder of a session that is being recorded."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

from filelock import BaseFileLock, Timeout

from voiceprep.core.events import SessionEnded
from voiceprep.core.units import At
from voiceprep.errors import UsageError
from voiceprep.store import disk, log, peaks, reserve, summary, track
from voiceprep.store.header import Header, id_of
from voiceprep.store.locks import acquire, free, lock_in
from voiceprep.store.log import EventLog
from voiceprep.store.track import RATES, Track, TrackName

LOCK = ".lock"
DELETED = ".deleted-"
TRASH = ".trash-"
"""Before the name of a session that is deleted, and of one that is to be had back for a while (see web/trash.py)."""
SYNC_EVERY = 1.0
"""Seconds between two writes through to the disk: what a loss of power can cost."""


class SessionFolder:
    """A live session's log and tracks. It is locked, so that no other process takes it for a crashed one.

    Attributes:
        path: the folder.
        header: as written, with the session's id.
        log: the event log.
        candidate: what the microphone heard.
        interviewer: what the interviewer's voice said.
    """

    def __init__(self, path: Path, header: Header, lock: BaseFileLock) -> None:
        """Use `create`. Raises OSError."""
        self.path = path
        self.header = header
        self._reserve = reserve.Reserve(path)
        # The candidate's voice outlives everything else: the interviewer's can be rendered again.
        self.candidate = Track(path, "candidate", RATES["candidate"], self._reserve.for_recording)
        self.interviewer = Track(path, "interviewer", RATES["interviewer"])
        # The log comes last: a folder without one is no session yet, and recovery leaves it alone.
        self.log = EventLog(path / log.NAME, header, self._reserve.for_log)
        self._reserve.allocate()
        self._lock = lock
        self._files = [self.log.file, self.candidate.file, self.interviewer.file]
        self._syncer = Syncer(self._files)
        self._closed = False

    @classmethod
    def create(cls, recordings: Path, header: Header) -> SessionFolder:
        """Make the folder of a new session. Its id is made from `header`, whose own id is replaced.

        Raises MissingError: `recordings-unwritable` or `disk-full`.
        """
        reserve.check(recordings)
        with disk.writing(recordings):
            recordings.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
            path = _new_folder(recordings, id_of(header))
        lock = lock_of(path)
        try:
            with disk.writing(path):
                lock.acquire()
                return cls(path, replace(header, id=path.name), lock)
        except Exception:
            free(lock)
            _remove_start(path)
            raise

    @property
    def short(self) -> bool:
        """Whether the disk is full, and the session lives on what was kept back for that."""
        return self._reserve.used

    def keep(self, name: str, data: bytes) -> None:
        """Write a file that belongs to the session, private like the rest of it. Raises MissingError."""
        with disk.writing(self.path):
            disk.replace_file(self.path / name, data)

    def close(self, ended: str) -> None:
        """Finish the session: FLAC for both tracks, checked, then session.json. Once; a second call does nothing.

        `ended` is the reason in case the log has no `SessionEnded` yet; it then gets one. Takes seconds for a long session, so
        call it from a thread. Raises MissingError or VoiceprepError when the disk refuses; what was recorded stays as it
        is, and the next start's recovery finishes it.
        """
        if self._closed:
            return
        self._closed = True
        self._reserve.free()
        try:
            if not isinstance(self.log.last, SessionEnded):
                self.log.append(SessionEnded(at=self.log.last.at if self.log.last else At(0.0), reason=ended))
            self._close_files()
            finish(self.path)
        finally:
            self._close_files()
            free(self._lock)

    def _close_files(self) -> None:
        if self._syncer.stop():
            for file in self._files:
                file.close()


def finish(folder: Path) -> None:
    """Make a recorded folder final: tracks to FLAC, the small files, and session.json last, as the sign that all is done.

    Each step may be repeated, so a crash in between costs nothing. Raises BadInputError, MissingError or VoiceprepError.
    """
    found = log.read(folder / log.NAME)
    reserve.clear(folder)
    for pcm in track.leftover(folder):
        _seal(pcm)
    with disk.writing(folder):
        track.tidy(folder)
        for name, empty in (("annotations.json", []), ("review.json", {})):
            if not (folder / name).exists():
                disk.replace_json(folder / name, empty)
        summary.write(folder, summary.summarize(folder, found.header, found.events))


def _seal(pcm: Path) -> None:
    """A raw track as FLAC, and its shape beside it, for which its samples are not read once more."""
    if pcm.stat().st_size < track.SAMPLE_BYTES:
        track.seal(pcm)
        return
    shape = peaks.Shape(track.read_sidecar(pcm).rate)
    track.seal(pcm, shape.take)
    peaks.keep(pcm.parent, cast("TrackName", pcm.stem), shape.pairs())


def lock_of(folder: Path) -> BaseFileLock:
    """The lock that a live session holds."""
    return lock_in(folder, LOCK)


def take(folder: Path) -> BaseFileLock:
    """The folder's lock, taken. Raises UsageError (`session-live`) where somebody else holds it."""
    lock = lock_of(folder)
    if Path(lock.lock_file).is_symlink():  # none of ours is: it came with a folder from elsewhere
        Path(lock.lock_file).unlink()
    try:
        acquire(lock)
    except Timeout as error:
        raise UsageError(
            f"session {folder.name} is still running", code="session-live", hint="End it first, then try again"
        ) from error
    return lock


def is_running(folder: Path) -> bool:
    """Whether a live session holds it."""
    try:
        if (folder / LOCK).is_file():
            free(take(folder))
    except UsageError:
        return True
    except OSError:  # somebody else's disk: nobody can hold a session there
        return False
    return False


def _new_folder(recordings: Path, wanted: str) -> Path:
    """A folder that nobody else has: two sessions may start within one second.

    What is deleted keeps its name: else it could not be brought back, nor what has its name be deleted.
    """
    for number in count(1):
        path = recordings / (wanted if number == 1 else f"{wanted}-{number}")
        if any(path.with_name(f"{gone}{path.name}").exists() for gone in (DELETED, TRASH)):
            continue
        with suppress(FileExistsError):
            path.mkdir(mode=disk.FOLDER_MODE)
            break
    return path


def _remove_start(path: Path) -> None:
    """Leave nothing of a session that could not start, as far as the disk lets us: what it refused before is what we report."""
    with suppress(OSError):
        for file in path.iterdir():
            file.unlink()
        path.rmdir()


class Syncer:
    """Writes through to the disk in a thread of its own: on a busy disk one call can take a second, which no voice can wait."""

    def __init__(self, files: list[disk.Appender]) -> None:
        self._files = files
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="voiceprep-sync", daemon=True)
        self._thread.start()

    def stop(self) -> bool:
        """End the thread. True the first time: the caller may now close the files."""
        if self._stopped.is_set():
            return False
        self._stopped.set()
        self._thread.join()
        return True

    def _run(self) -> None:
        while not self._stopped.wait(SYNC_EVERY):
            for file in self._files:
                file.sync()
