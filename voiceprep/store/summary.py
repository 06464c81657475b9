"""`session.json`: a session in a few lines, for lists. It only repeats what the log and the audio say, and can be rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from voiceprep.core.events import Event, Language, SessionEnded
from voiceprep.core.timeline import fold
from voiceprep.store import codec, disk, track
from voiceprep.store.header import Header

NAME = "session.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One session of the archive.

    Attributes:
        title: what lists call it.
        drill: id of the drill that it is a take of, or ""; `round` is then "".
        started: UTC, ISO-8601.
        duration: seconds of the candidate's recording.
        ended: the reason of its `SessionEnded`, or "" while it runs.
    """

    schema: int
    id: str
    title: str
    round: str
    persona: str
    language: Language
    mode: str
    started: str
    duration: float
    ended: str
    models: dict[str, str]
    drill: str = ""


def summarize(folder: Path, header: Header, events: Sequence[Event]) -> Summary:
    """What the log and the audio say. The folder's name is the session's id: a user may have renamed it."""
    ended = next((event.reason for event in reversed(events) if isinstance(event, SessionEnded)), "")
    return Summary(
        schema=header.schema,
        id=folder.name,
        title=header.title,
        round=header.round,
        persona=header.persona,
        language=header.language,
        mode=header.mode,
        started=header.started,
        duration=round(track.seconds(folder, "candidate") or fold(events, compared=False).duration, codec.DECIMALS),
        ended=ended,
        models=header.models,
        drill=header.drill,
    )


def write(folder: Path, summary: Summary) -> None:
    """Write session.json: the session is final from then on. Raises OSError."""
    disk.replace_json(folder / NAME, codec.adapter(Summary).dump_python(summary))


def read(folder: Path) -> Summary | None:
    """The folder's session.json, or None where there is none that can be used (it is then rebuilt)."""
    try:
        summary = codec.adapter(Summary).validate_json(disk.read(folder / NAME), strict=True)
    except (OSError, ValidationError):
        return None
    return summary if summary.id == folder.name else None
