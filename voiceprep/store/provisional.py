"""A session that is only kept whole: of a recording that was sent in, or of one that is gone through once more.

Who sent it still has the recording, so an analysis that broke off leaves nothing. A mark in its folder says so as long as it is
not whole, for the next start where the process was killed. What the user wrote beside it meanwhile keeps it all the same.
"""

from __future__ import annotations

from pathlib import Path

from voiceprep.store import corrections, disk
from voiceprep.store.annotations import NAME as NOTES

NAME = ".only-whole"


def mark(folder: Path) -> None:
    """This session is gone if it does not become whole. Laid after what it is begun with. Raises OSError."""
    disk.replace_file(folder / NAME, b"")


def whole(folder: Path) -> None:
    """All of it is there: from now on it is a session like any other. Raises OSError."""
    (folder / NAME).unlink(missing_ok=True)


def is_half(folder: Path) -> bool:
    """Whether it never became whole, and nothing in it is the user's own."""
    try:
        since = (folder / NAME).lstat().st_mtime_ns
    except OSError:
        return False
    own = [path for name in (NOTES, corrections.NAME) if (path := folder / name).exists()]
    return not (folder / NAME).is_symlink() and all(path.stat().st_mtime_ns <= since for path in own)
