"""Sessions that a crash, a kill or a full disk left unfinished are finished at the next start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from voiceprep.core.events import SessionEnded
from voiceprep.core.units import At
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.store import codec, disk, log, provisional, reserve, summary, track
from voiceprep.store.archive import remove, sessions_in, sweep
from voiceprep.store.folder import DELETED, finish, take
from voiceprep.store.locks import free

TORN = "events.torn"


@dataclass(frozen=True, slots=True)
class Recovered:
    """What became of one unfinished session.

    Attributes:
        seconds: of the candidate's recording that is there.
        message: for `unreadable`, what stands in the way; nothing in that folder was changed or lost.
    """

    id: str
    outcome: Literal["recovered", "unreadable"]
    seconds: float = 0.0
    message: str = ""


def recover(recordings: Path) -> list[Recovered]:
    """Finish every unfinished session that no process is recording any more. One bad folder never blocks the others.

    One that is only kept whole (see provisional.py) goes instead.
    """
    sweep(recordings)
    return [report for folder in _unfinished(recordings) if (report := _recover(folder))]


def _unfinished(recordings: Path) -> Iterator[Path]:
    for folder in sessions_in(recordings):
        if summary.read(folder) is None or track.leftover(folder) or provisional.is_half(folder):
            yield folder


def _recover(folder: Path) -> Recovered | None:
    """None for a session that is live, and for one that is no more."""
    try:
        lock = take(folder)
    except UsageError:
        return None
    except OSError as error:
        return Recovered(folder.name, "unreadable", message=f"it cannot be locked: {error.strerror or error}")
    try:
        if provisional.is_half(folder):
            with disk.writing(folder):
                remove(folder.rename(folder.with_name(f"{DELETED}{folder.name}")))
            return None
        reserve.clear(folder)  # on a full disk it is the room to finish in
        _end_log(folder / log.NAME)
        finish(folder)
    except VoiceprepError as error:
        return Recovered(folder.name, "unreadable", message=str(error))
    finally:
        free(lock)
    return Recovered(folder.name, "recovered", seconds=track.seconds(folder, "candidate"))


def _end_log(path: Path) -> None:
    """Make the log end with a whole line, and that line with the session's end. What was torn is kept beside it."""
    found = log.read(path)
    last = found.events[-1].at if found.events else At(0.0)
    ended = any(isinstance(event, SessionEnded) for event in found.events)
    with disk.writing(path), path.open("r+b") as file:
        file.seek(found.size)
        if torn := file.read():
            disk.replace_file(path.with_name(TORN), torn)
            file.truncate(found.size)
        file.seek(0, os.SEEK_END)
        if not found.complete:
            file.write(b"\n")
        if not ended:
            file.write(f"{codec.encode(SessionEnded(at=last, reason='interrupted'))}\n".encode())
        file.flush()
        os.fsync(file.fileno())
