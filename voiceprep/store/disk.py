"""Files of a session on the disk: private, whole or not at all, and with errors that a person can act on."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voiceprep.errors import MissingError

if sys.platform != "win32":
    import fcntl

FOLDER_MODE = 0o700
FILE_MODE = 0o600

_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A session's folder may come from somebody else: a link in it, under a name of ours, must have us neither write to its target
nor show what stands there as the session's own."""
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


@contextmanager
def writing(path: Path, setting: str = "VOICEPREP_RECORDINGS") -> Iterator[None]:
    """Turn an OSError of the block into MissingError: code `disk-full` or `recordings-unwritable`.

    `setting` names what says where the file lies.
    """
    try:
        yield
    except OSError as error:
        raise refused(path, error, setting) from error


def refused(path: Path, error: OSError, setting: str = "VOICEPREP_RECORDINGS") -> MissingError:
    """The error for a write to `path` that the system refused."""
    if error.errno in _FULL:
        return MissingError(
            f"the disk is full: {path} could not be written",
            code="disk-full",
            hint="What was recorded so far is kept. Make room, then run: voiceprep sessions",
        )
    return MissingError(
        f"cannot write to {path}: {error.strerror or error}",
        code="recordings-unwritable",
        hint=f"Give yourself the right to write there, or set {setting} to another folder",
    )


def open_private(path: Path, flags: int) -> int:
    """Open for writing with mode 0600, created if it is not there. The caller closes the descriptor.

    Raises OSError, also for a link.
    """
    return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC | _NO_LINK, FILE_MODE)


def read(path: Path) -> bytes:
    """What a file of a session's folder holds. Raises OSError, also for a link, and for a pipe, which might never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_BINARY", 0) | _NO_LINK | _NO_WAIT)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
        return file.read()


class Appender:
    """A file that only grows. What was appended is in the hands of the system on return, so kill -9 loses none of it."""

    def __init__(self, path: Path, relief: Callable[[], bool] = lambda: False) -> None:
        """Open `path`, created if it is not there. `relief` makes room on a full disk, if it can. Raises OSError."""
        self.path = path
        self._relief = relief
        self._descriptor = open_private(path, os.O_WRONLY | os.O_APPEND)
        self._refusal: OSError | None = None

    def append(self, data: bytes) -> None:
        """Append all of `data`, or nothing of it. Raises MissingError, also for what the disk refused at the last `sync`."""
        with writing(self.path):
            if self._refusal:
                refusal, self._refusal = self._refusal, None
                if not self._relieved(refusal):
                    raise refusal
            try:
                append_whole(self._open(), data)
            except OSError as error:
                if not self._relieved(error):
                    raise
                append_whole(self._open(), data)

    def extend(self, size: int) -> None:
        """Append `size` zero bytes. Costs nothing however many: the file system keeps a hole. Raises MissingError."""
        with writing(self.path):
            os.ftruncate(self._open(), os.fstat(self._open()).st_size + size)

    def sync(self) -> None:
        """Have the disk hold what was appended, in case the power fails. May take long, so it is for a thread of its own."""
        try:
            os.fsync(self._open())
        except OSError as error:
            self._refusal = error

    def close(self) -> None:
        os.close(self._open())
        self._descriptor = -1

    def _relieved(self, error: OSError) -> bool:
        return error.errno in _FULL and self._relief()

    def _open(self) -> int:
        """The descriptor. A closed one must never be written to: the system may have given its number to another file."""
        if self._descriptor < 0:
            raise ValueError(f"{self.path} is closed")
        return self._descriptor


def append_whole(descriptor: int, data: bytes) -> None:
    """Append all of `data`, or nothing of it: half a line or half a sample would spoil what comes after.

    Raises OSError, with the file as long as it was before.
    """
    written = 0
    try:
        while written < len(data):
            written += os.write(descriptor, data[written:])
    except OSError:
        if written:
            os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
        raise


def append_line(path: Path, line: bytes) -> None:
    """Append a line, given without its end, to a file that only grows, and have the disk hold it. Raises OSError.

    A last line that a crash cut off is ended first, so that it costs no other.
    """
    descriptor = _own(path, os.O_RDWR | os.O_APPEND)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
        torn = size > 0 and os.read(descriptor, 1) != b"\n"
        append_whole(descriptor, (b"\n" if torn else b"") + line + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def drop_lines(path: Path, doomed: Callable[[bytes], bool]) -> None:
    """Remove the lines that `doomed` says, whole or not at all, from a file that `append_line` makes. Raises OSError.

    Who appends meanwhile waits, and then appends to what was left. A file of which nothing is left goes.
    """
    if not path.is_file():
        return
    descriptor = _own(path, os.O_RDWR)
    try:
        lines = path.read_bytes().splitlines(keepends=True)
        left = [line for line in lines if not doomed(line)]
        if not left:
            path.unlink()
        elif len(left) < len(lines):
            replace_file(path, b"".join(left))
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Write `path` so that after a crash, or a loss of power, it holds either all of `data` or what it held before.

    Two processes may do so at once: one of them comes last.
    """
    part = path.with_name(f"{path.name}.part")
    descriptor = _own(part, os.O_WRONLY)
    try:
        os.ftruncate(descriptor, 0)
        append_whole(descriptor, data)
        os.fsync(descriptor)
        if sys.platform != "win32":
            part.replace(path)  # while it is still ours
    finally:
        os.close(descriptor)
    if sys.platform == "win32":  # where an open file cannot be renamed
        part.replace(path)


def _own(path: Path, flags: int) -> int:
    """The file, open and locked: of two writers the second waits, and then opens what stands under that name by then."""
    while True:
        descriptor = open_private(path, flags)
        if sys.platform == "win32":
            return descriptor
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:  # it has just become another file, or is gone
            pass
        os.close(descriptor)


def replace_json(path: Path, document: Mapping[str, Any] | list[Any]) -> None:
    """`replace_file` with a JSON document, for people as much as for programs."""
    replace_file(path, (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", errors="replace"))
