"""Figures of each session, kept beside the sessions with a digest of the files they were made from.

A log of an hour is megabytes, and what a trend needs of it is a few numbers. Only numbers and ids are kept here, and all of it
can be made again: torn, taken away, or from another version, it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from voiceprep.errors import MissingError
from voiceprep.files import parse_json
from voiceprep.store import codec, corrections, disk, log, review_file, summary, transcripts
from voiceprep.store.archive import FIGURES, sessions_in

MADE_FROM = (log.NAME, summary.NAME, review_file.NAME, corrections.NAME)
"""The files of a session that figures are made from, and the transcript in force: scores may wait to be made of them again."""

T = TypeVar("T")


def figures(
    recordings: Path,
    schema: int,
    kind: type[T],
    make: Callable[[Path], T | None],
    settle: Callable[[Path], None] = lambda _: None,
) -> dict[str, T]:
    """What `make` finds in each session, by its folder's name; anew only where a file of the session has changed since.

    Args:
        recordings: the folder of all sessions.
        schema: raised whenever `kind` or `make` changes: what was kept before is then made again.
        kind: a dataclass of numbers and ids.
        make: None where the session is not over, or cannot be read; it is asked again the next time.
        settle: called before `make`, and may write the session's files: what is made of them is not made again for that.

    Raises MissingError where the folder cannot be read.
    """
    known = _read(recordings, schema, kind)
    found: dict[str, tuple[str, T]] = {}
    for folder in sessions_in(recordings):
        digest, before = digest_of(folder), known.get(folder.name)
        if before is not None and before[0] == digest:
            found[folder.name] = before
            continue
        settle(folder)
        digest = digest_of(folder)
        if (made := make(folder)) is not None:
            found[folder.name] = (digest, made)
    if found != known:
        _write(recordings, schema, found)
    return {name: made for name, (_, made) in found.items()}


def digest_of(folder: Path) -> str:
    """Changes when one of the files does: size, time, and which file it is."""
    stamps = []
    newest = transcripts.newest(folder)
    for name in (*MADE_FROM, *([newest.name] if newest else [])):
        with suppress(OSError):
            stat = (folder / name).stat()
            stamps.append(f"{name} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}")
    return hashlib.sha256("; ".join(stamps).encode()).hexdigest()[:32]


def _read(recordings: Path, schema: int, kind: type[T]) -> dict[str, tuple[str, T]]:
    try:
        document = parse_json((recordings / FIGURES).read_bytes())
        if document["schema"] != schema:
            return {}
        adapter = codec.adapter(kind)
        return {name: (row["digest"], adapter.validate_python(row["figures"])) for name, row in document["sessions"].items()}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError, ValidationError):
        return {}


def _write(recordings: Path, schema: int, found: Mapping[str, tuple[str, Any]]) -> None:
    sessions = {name: {"digest": digest, "figures": asdict(made)} for name, (digest, made) in sorted(found.items())}
    with suppress(MissingError), disk.writing(recordings):  # a folder that cannot be written to: made again the next time
        disk.replace_json(recordings / FIGURES, {"schema": schema, "sessions": sessions})
