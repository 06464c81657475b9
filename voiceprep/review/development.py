"""How somebody develops over sessions: one point for each, from its review. What the progress figure draws."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from voiceprep.errors import VoiceprepError
from voiceprep.review.questions import dimensions_of
from voiceprep.review.results import keep_missing_results, keep_results
from voiceprep.review.trend import readiness
from voiceprep.store import summary
from voiceprep.store.archive import sessions_in
from voiceprep.store.review_file import kept

HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPoint:
    """One session of a round, in numbers. None: not measured.

    Attributes:
        level: of the whole, 1..4, or the mean of its scored answers.
        dimensions: levels by dimension.
        flags_per_hour: warnings and fails an hour of recording.
        narration: the narration rate, in `unit`.
        survived: follow-ups in a row that a claim survived, as a mean over the questions that were followed up.
    """

    session: str
    started: str
    round: str
    level: float | None
    dimensions: Mapping[str, float]
    flags_per_hour: float | None
    narration: float | None
    unit: str
    fillers_per_minute: float | None
    survived: float | None


def development(recordings: Path) -> tuple[SessionPoint, ...]:
    """Every session of a round that is over, oldest first. One without a review gets it now; one that is spoiled is left out.

    Raises MissingError where the folder cannot be read.
    """
    found = [point for folder in sessions_in(recordings) if (point := _point(folder)) is not None]
    return tuple(sorted(found, key=lambda point: (point.started, point.session)))


def _point(folder: Path) -> SessionPoint | None:
    if summary.read(folder) is None:  # it is still running
        return None
    keep_missing_results(folder)
    document = kept(folder)
    if "facts" not in document:
        keep_results(folder)
        document = kept(folder)
    with suppress(KeyError, TypeError, ValueError, AttributeError, VoiceprepError):  # review.json of another program
        return _told(folder, document)
    return None


def _told(folder: Path, document: Mapping[str, Any]) -> SessionPoint | None:
    facts, measures = document["facts"], document["measures"]
    if not facts["round"]:
        return None
    grave = sum(flag["level"] in {"warning", "fail"} for flag in document["flags"])
    threads = [float(thread["survived"]) for thread in document["threads"] if thread["asked"]]
    return SessionPoint(
        session=folder.name,
        started=str(facts["started"]),
        round=str(facts["round"]),
        level=readiness(folder),
        dimensions=dimensions_of(folder),
        flags_per_hour=grave * HOUR / facts["duration"] if facts["duration"] else None,
        narration=_number(measures["rates"]["narration"]),
        unit=str(measures["rates"]["unit"]),
        fillers_per_minute=_number(measures["fillers_per_minute"]),
        survived=fmean(threads) if threads else None,
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
