"""Room that is kept back on the disk, so that a full one costs nothing that was said.

A session allocates it at its start. When the disk is full, the first piece lets the recording go on for a few minutes while the
user is told and makes room; the second is the log's alone, and carries it to its end.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from voiceprep.errors import MissingError
from voiceprep.store import disk

NAME = ".reserve"
PIECES = (6_000_000, 1_000_000)
"""Bytes. The first holds three minutes of the candidate's voice."""
LEAST = 32_000_000
"""Bytes that must be free for a session to begin: a few minutes of both voices, and the reserve."""
HOUR = 400_000_000
"""Bytes that an hour takes while it is recorded and made into FLAC at its end."""


class Reserve:
    """The pieces of one session, allocated for real."""

    def __init__(self, folder: Path) -> None:
        self._left = [folder / f"{NAME}-{number}" for number in range(len(PIECES))]
        self.used = False
        """Whether the disk was full, and the session lives on what was kept back."""

    def allocate(self) -> None:
        """Take the room. Raises OSError where the disk has none."""
        for path, size in zip(self._left, PIECES, strict=True):
            _allocate(path, size)

    def for_recording(self) -> bool:
        """Free the first piece. False where it is gone already, or cannot be freed."""
        return len(self._left) == len(PIECES) > 0 and self._give()

    def for_log(self) -> bool:
        """Free the next piece, the last one as well. False where none is left."""
        return bool(self._left) and self._give()

    def free(self) -> None:
        """The session is over: nothing need be kept back any more."""
        while self._left and _removed(self._left.pop(0)):
            pass

    def _give(self) -> bool:
        self.used = True
        return _removed(self._left.pop(0))


def clear(folder: Path) -> None:
    """Remove the reserve that a crash left behind."""
    for path in folder.glob(f"{NAME}-*"):
        _removed(path)


def check(recordings: Path, besides: int = 0) -> str:
    """Whether a session has room to begin, `besides` so many bytes. Returns a sentence where an hour may not fit, else "".

    Raises MissingError (`disk-full`) where not even a few minutes would fit.
    """
    try:
        there = next(path for path in (recordings, *recordings.absolute().parents) if path.exists())
        free = max(0, shutil.disk_usage(there).free - besides)
    except OSError:  # a file system that does not tell: the first write will
        return ""
    if free < LEAST:
        raise MissingError(
            f"the disk is nearly full: {free / 1e6:.0f} MB are free for {recordings}, and a session needs {LEAST / 1e6:.0f} MB",
            code="disk-full",
            hint="Make room, or choose a folder on another disk with VOICEPREP_RECORDINGS",
        )
    if free < HOUR:
        return f"only {free / 1e6:.0f} MB are free for recordings: room for about {60 * free / HOUR:.0f} minutes"
    return ""


def _allocate(path: Path, size: int) -> None:
    descriptor = disk.open_private(path, os.O_WRONLY | os.O_TRUNC)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, size)
        else:
            disk.append_whole(descriptor, os.urandom(size))  # no zeros: a file system may keep those for nothing
    finally:
        os.close(descriptor)


def _removed(path: Path) -> bool:
    with suppress(OSError):
        path.unlink(missing_ok=True)
        return True
    return False
