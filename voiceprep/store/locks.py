"""Locks that lie in the folder they guard. Of a folder that goes away meanwhile they leave nothing."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock

from voiceprep.core.units import Seconds
from voiceprep.store import disk


def lock_in(folder: Path, name: str) -> BaseFileLock:
    """Not yet taken. The system frees it when its process dies."""
    return FileLock(folder / name, mode=disk.FILE_MODE, thread_local=False)


def acquire(lock: BaseFileLock, timeout: Seconds = 0.0) -> None:
    """Take it. Raises Timeout where somebody else holds it, FileNotFoundError where its folder is gone.

    The library makes a folder that is not there, and so would bring back the name of a session that was deleted while
    somebody waited for its lock: whoever undoes the deletion could not have the name again.
    """
    folder = Path(lock.lock_file).parent
    before = folder.stat()
    lock.acquire(timeout=timeout)
    if os.path.samestat(before, folder.stat()):
        return
    free(lock)
    with suppress(OSError):
        folder.rmdir()
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))


def free(lock: BaseFileLock) -> None:
    """Release a lock and leave no file of it."""
    with suppress(OSError):
        Path(lock.lock_file).unlink(missing_ok=True)
    lock.release()
