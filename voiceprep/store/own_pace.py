"""The sound check's minute at one's own pace: what is known of a speaker before the first session. Figures alone, no words.

`own-pace.jsonl` lies beside the sessions' folders and only grows, one line a minute. A line that a crash tore, or that nobody
can read, is passed over. The file goes with the last session that is deleted, or when the user says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from voiceprep.core.events import Language
from voiceprep.core.listening.baseline import Sample
from voiceprep.files import parse_json
from voiceprep.store import disk
from voiceprep.store.archive import OWN_PACE as NAME

LATEST = 3
"""Minutes of a language that are looked at: the others are of another day."""
MOST = {"seconds": 86_400.0, "rate": 10_000.0, "pause": 60.0, "fillers": 1_000.0}
"""What a sample's figures can be at most, far beyond anybody's: one line must not outweigh all others."""


@dataclass(frozen=True, slots=True)
class Minute:
    """What a minute showed, and when it was spoken (UTC, ISO-8601)."""

    at: str
    sample: Sample


def keep(recordings: Path, minute: Minute) -> None:
    """Append a minute. Raises MissingError where the disk refuses."""
    line = json.dumps({"at": minute.at} | asdict(minute.sample), ensure_ascii=False)
    with disk.writing(recordings / NAME):
        recordings.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
        disk.append_line(recordings / NAME, line.encode())


def minutes(recordings: Path, language: Language) -> tuple[Minute, ...]:
    """The latest minutes in this language, the latest first; none where there is no file."""
    mine = [minute for minute in _all(recordings) if minute.sample.language == language]
    return tuple(reversed(mine[-LATEST:]))


def forget(recordings: Path, language: Language | None = None) -> bool:
    """Remove those in this language, or all. Returns whether there were any. Raises MissingError where the disk refuses."""
    if language is not None:
        return _keep_only(recordings, lambda minute: minute.sample.language != language)
    with disk.writing(recordings / NAME):
        there = (recordings / NAME).is_file()
        (recordings / NAME).unlink(missing_ok=True)
        return there


def forget_before(recordings: Path, moment: str) -> None:
    """Remove those spoken before this moment (ISO-8601). Raises MissingError where the disk refuses."""
    _keep_only(recordings, lambda minute: minute.at >= moment)


def _keep_only(recordings: Path, stays: Callable[[Minute], bool]) -> bool:
    """Write the file anew with these alone. Returns whether any went."""
    known = list(_all(recordings))
    kept = [minute for minute in known if stays(minute)]
    if len(kept) == len(known):
        return False
    if not kept:
        return forget(recordings)
    text = "".join(json.dumps({"at": each.at} | asdict(each.sample)) + "\n" for each in kept)
    with disk.writing(recordings / NAME):
        disk.replace_file(recordings / NAME, text.encode())
    return True


def _all(recordings: Path) -> Iterator[Minute]:
    try:
        lines = (recordings / NAME).read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        if (minute := _read(line)) is not None:
            yield minute


def _read(line: bytes) -> Minute | None:
    try:
        raw: Any = parse_json(line)
        datetime.fromisoformat(raw["at"])  # or it would never expire
        return Minute(raw["at"], sample_of(raw))
    except (ValueError, KeyError, TypeError):
        return None


def sample_of(raw: dict[str, Any]) -> Sample:
    """Raises KeyError, TypeError or ValueError for what is no sample, or one of nobody who lives."""
    if raw["language"] not in {"en", "zh", "mixed"}:
        raise ValueError("not a language")
    return Sample(raw["language"], **{name: _figure(raw[name], most) for name, most in MOST.items()})


def _figure(value: Any, most: float) -> float:
    """A text or a truth value is no number, and a whole one may be too large to become a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("not a number")
    if not 0 <= value <= most:  # nor is NaN
        raise ValueError("out of range")
    return float(value)
