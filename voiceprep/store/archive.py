"""The sessions on the disk. The folders are all there is: no index, nothing to get out of step."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from voiceprep.core.events import Event
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.files import parse_json
from voiceprep.store import disk, log, summary
from voiceprep.store.folder import DELETED, TRASH, take
from voiceprep.store.header import Header
from voiceprep.store.locks import free
from voiceprep.store.summary import Summary
from voiceprep.store.transcripts import read_session

LATEST = "latest"
TRASH_KEPT: Seconds = 600.0
DERIVED = "baseline.json"
"""Figures of all sessions, made anew at any time (see baseline.py): when one of them is deleted, so are they."""
OWN_PACE = "own-pace.jsonl"
"""Figures of the sound check's minute (see own_pace.py): they go with the last session."""
STATEMENTS = "practice.jsonl"
"""What the user said about the practice (see practice_log.py): what was said about a session goes with it."""
SCHEDULE = "schedule.json"
"""What was practised when, likewise (see drills.py)."""
FIGURES = "progress.json"
"""A few numbers of each session, likewise (see figures.py)."""
SUGGESTIONS = 5

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
"""No separator, no leading dot: an id can name nothing outside the recordings folder."""


class Archive:
    """Lists, reads and deletes sessions. A folder that is no session, or a link to one, is not seen."""

    def __init__(self, recordings: Path) -> None:
        self.recordings = recordings

    def list(self) -> tuple[Summary, ...]:
        """Newest first. A session whose session.json is missing is told from its log; one without a usable log is left out."""
        found = [told for folder in sessions_in(self.recordings) if (told := _summary(folder))]
        return tuple(sorted(found, key=lambda told: (told.started, told.id), reverse=True))

    def find(self, wanted: str) -> Path:
        """The folder of this session; `latest` is the newest. Raises UsageError (`unknown-session`)."""
        if wanted == LATEST:
            sessions = self.list()
            if sessions:
                return self.recordings / sessions[0].id
        elif _ID.fullmatch(wanted) and is_session(self.recordings / wanted):
            return self.recordings / wanted
        raise self._unknown(wanted)

    def read(self, wanted: str) -> tuple[Header, tuple[Event, ...]]:
        """A session's header and events, in today's schema, with its newest transcript.

        Raises UsageError, or BadInputError for a log or a transcript that is bad.
        """
        return read_session(self.find(wanted))

    def delete(self, wanted: str) -> str:
        """Remove a session with its log, audio and all; returns its id.

        Raises UsageError (`unknown-session`, `session-live`) or MissingError (`recordings-unwritable`).
        """
        folder = self.find(wanted)
        with disk.writing(folder):
            lock = take(folder)
            try:
                # Renamed first: if we are stopped half-way, the next sweep knows that the rest must go.
                remove(folder.rename(folder.with_name(f"{DELETED}{folder.name}")))
            finally:
                free(lock)
        return folder.name

    def _unknown(self, wanted: str) -> UsageError:
        sessions = [told.id for told in self.list()[:SUGGESTIONS]]
        message = "there are no sessions yet" if wanted == LATEST else f"there is no session {wanted!r}"
        return UsageError(
            message,
            code="unknown-session",
            hint=f"The latest are: {', '.join(sessions)}" if sessions else "Record one with: voiceprep practice ROUND",
        )


def is_session(folder: Path) -> bool:
    """Whether this is a session's own folder, not a link to something elsewhere."""
    events = folder / log.NAME
    try:
        return not folder.is_symlink() and folder.is_dir() and events.is_file() and not events.is_symlink()
    except OSError:  # somebody else's folder: nothing of ours
        return False


def sessions_in(recordings: Path) -> Iterator[Path]:
    """The folders of all sessions, by name; none where there is no recordings folder yet.

    Raises MissingError (``recordings-unreadable``) for one that cannot be read: that is not the same as having no sessions.
    """
    try:
        names = sorted(path.name for path in recordings.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise MissingError(
            f"the recordings folder {recordings} cannot be read: {error.strerror}",
            code="recordings-unreadable",
            hint="Make it yours, or choose another with VOICEPREP_RECORDINGS",
        ) from error
    yield from (recordings / name for name in names if _ID.fullmatch(name) and is_session(recordings / name))


def sweep(recordings: Path, now: Callable[[], float] = time.time) -> None:
    """Remove what a deletion that was stopped half-way left, and what has lain in the trash for its time.

    A server may still be waiting for the rest of the trash: its user was told that it can be brought back.
    """
    for rest in recordings.glob(f"{DELETED}*"):
        with suppress(OSError, MissingError):
            remove(rest)
    for rest in recordings.glob(f"{TRASH}*"):
        with suppress(OSError, MissingError):
            if now() - rest.stat().st_mtime >= TRASH_KEPT:
                remove(rest)


def remove(doomed: Path) -> None:
    """Remove a folder that a deletion has renamed, with what was made from it, or said about it, elsewhere.

    Raises OSError, or MissingError (`grades-kept`) where all is gone but lines about it in a `practice.jsonl` that is a link.
    """
    if doomed.is_symlink():
        doomed.unlink()  # nothing of ours lies behind it
        return
    for name in (DERIVED, SCHEDULE, FIGURES):
        (doomed.parent / name).unlink(missing_ok=True)
    for path in doomed.iterdir():  # first: on a full disk it makes the room for what follows
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    session = doomed.name.removeprefix(DELETED).removeprefix(TRASH)
    if not any(sessions_in(doomed.parent)):  # who has deleted all has nothing left here
        (doomed.parent / OWN_PACE).unlink(missing_ok=True)
    statements = doomed.parent / STATEMENTS
    if not statements.is_symlink():
        with disk.writing(statements):
            disk.drop_lines(statements, lambda line: _is_about(session, line))
    doomed.rmdir()  # last, so that a sweep comes back for what a crash has left
    if statements.is_symlink() and _speaks_of(session, statements):
        raise MissingError(
            f"{session} is deleted, but not the grades that you gave it: {statements} is a link, and is not written through",
            code="grades-kept",
            hint=f"Take the lines with {session} out of the file that the link leads to",
        )


def _speaks_of(session: str, statements: Path) -> bool:
    with suppress(OSError):
        return any(_is_about(session, line) for line in statements.read_bytes().splitlines())
    return False


def _is_about(session: str, line: bytes) -> bool:
    """Whether a line of `practice.jsonl` speaks of this session; one that is torn, where the name stands in it."""
    try:
        document: Any = parse_json(line)
    except ValueError:
        return session.encode() in line
    return isinstance(document, dict) and document.get("session") == session


def _summary(folder: Path) -> Summary | None:
    with suppress(BadInputError):
        return summary.read(folder) or summary.summarize(folder, *_log(folder))
    return None


def _log(folder: Path) -> tuple[Header, tuple[Event, ...]]:
    found = log.read(folder / log.NAME)
    return found.header, found.events
