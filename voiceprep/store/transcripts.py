"""Later transcripts of a session, beside its log: the log keeps the first one for good, the newest is what readers get.

`transcript-002.jsonl` is the second transcript of a session (the log holds the first), `transcript-003.jsonl` the third. Undo
renames the newest to end in `.undone`: nothing that was written down is ever lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from voiceprep.core.events import Event
from voiceprep.core.redecoded import Decoded, redecoded
from voiceprep.errors import BadInputError, UsageError
from voiceprep.files import parse_json
from voiceprep.store import codec, disk, log
from voiceprep.store.header import Header

SCHEMA = 1
_NAME = re.compile(r"transcript-(\d{3,})\.jsonl(\.undone)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A later transcript. `made`: UTC, ISO-8601; `model`: as the header of a log names the recogniser."""

    model: str
    made: str
    decoded: tuple[Decoded, ...]


def read_session(folder: Path) -> tuple[Header, tuple[Event, ...]]:
    """A session as its readers want it: with its newest transcript. Raises BadInputError (`bad-log`, `bad-transcript`)."""
    found = log.read(folder / log.NAME)
    file = newest(folder)
    if file is None:
        return found.header, found.events
    transcript = read(file)
    models = found.header.models | {"stt": transcript.model}
    return replace(found.header, models=models), redecoded(found.events, transcript.decoded)


def newest(folder: Path) -> Path | None:
    """The transcript that is in force, or None: that of the log is."""
    numbers = [int(name[1]) for file in _files(folder) if (name := _NAME.fullmatch(file.name)) and not name[2]]
    return folder / f"transcript-{max(numbers):03}.jsonl" if numbers else None


def add(folder: Path, transcript: Transcript) -> Path:
    """Keep a transcript; it is in force from then on. Raises MissingError."""
    numbers = [int(name[1]) for file in _files(folder) if (name := _NAME.fullmatch(file.name))]
    path = folder / f"transcript-{max(numbers, default=1) + 1:03}.jsonl"
    head = {"schema": SCHEMA, "model": transcript.model, "made": transcript.made}
    rows = (codec.rounded(codec.adapter(Decoded).dump_python(each)) for each in transcript.decoded)
    text = "".join(f"{json.dumps(each, ensure_ascii=False, allow_nan=False)}\n" for each in (head, *rows))
    with disk.writing(folder):
        disk.replace_file(path, text.encode("utf-8", errors="replace"))
    return path


def undo(folder: Path) -> Path | None:
    """Put the transcript before the newest in force; returns that, None for the log's own.

    Raises UsageError (`nothing-to-undo`) or MissingError.
    """
    file = newest(folder)
    if file is None:
        raise UsageError(
            f"{folder.name} has not been decoded again", code="nothing-to-undo", hint="Its transcript is the first one"
        )
    with disk.writing(folder):
        file.rename(file.with_name(f"{file.name}.undone"))
    return newest(folder)


def read(file: Path) -> Transcript:
    """Raises BadInputError (`bad-transcript`)."""
    try:
        head, *rows = disk.read(file).decode("utf-8").splitlines()
        told = parse_json(head)
        if told["schema"] != SCHEMA:
            raise BadInputError(f"{file} was made by a newer voiceprep", code="bad-transcript", hint="Update voiceprep")
        for row in rows:
            parse_json(row)  # which knows no infinity, as pydantic does
        decoded = tuple(codec.adapter(Decoded).validate_json(row, strict=True) for row in rows)
        return Transcript(model=str(told["model"]), made=str(told["made"]), decoded=decoded)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInputError(
            f"{file} cannot be read", code="bad-transcript", hint="Take it back with: voiceprep redecode ID --undo"
        ) from error


def _files(folder: Path) -> Sequence[Path]:
    with suppress(OSError):
        return [file for file in folder.iterdir() if file.name.startswith("transcript-") and not file.is_symlink()]
    return []
