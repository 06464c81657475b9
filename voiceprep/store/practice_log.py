"""What the user says about the practice, beside the sessions: how a take went in their own view, and time spent elsewhere.

`practice.jsonl` grows by one line a statement, and holds nothing that was said in a session; what is said there about a session
goes when that is deleted. A line that a crash tore, or that nobody can read, is passed over.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from voiceprep.files import parse_json
from voiceprep.store import codec, disk
from voiceprep.store.archive import STATEMENTS
from voiceprep.store.schedule import Grade

NAME = STATEMENTS
MOST_MINUTES = 24 * 60.0
"""Of preparation in one statement: a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruled:
    """The user grades an item of a session, whatever was measured. `at`: when, UTC, ISO-8601."""

    at: str
    session: str
    item: str
    grade: Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """So many minutes of preparation outside of the program. `round` is what it was aimed at, or "": nothing in particular."""

    at: str
    minutes: float
    what: str
    round: str = ""


Statement = Overruled | TimeSpent
KINDS: dict[str, type[Overruled | TimeSpent]] = {"Overruled": Overruled, "TimeSpent": TimeSpent}


def state(recordings: Path, said: Statement) -> None:
    """Append a statement. Raises MissingError where the disk refuses."""
    line = json.dumps({"kind": type(said).__name__} | asdict(said), ensure_ascii=False)
    with disk.writing(recordings / NAME):
        recordings.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
        disk.append_line(recordings / NAME, line.encode("utf-8", errors="replace"))


def statements(recordings: Path) -> tuple[Statement, ...]:
    """All that was said, oldest first; none where there is no file."""
    try:
        lines = (recordings / NAME).read_bytes().splitlines()
    except OSError:
        return ()
    return tuple(said for line in lines if (said := _read(line)) is not None)


def _read(line: bytes) -> Statement | None:
    try:
        document: Any = parse_json(line)
        kind = KINDS[document.pop("kind")]
        said = codec.adapter(kind).validate_json(json.dumps(document), strict=True)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
    return None if isinstance(said, TimeSpent) and not 0.0 <= said.minutes <= MOST_MINUTES else said
