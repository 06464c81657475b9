"""The speaker's baseline on the disk: one sample a session in baseline.json, beside the sessions' folders.

The sessions' logs are the truth. The file only spares reading them all before each session: it is made anew where it is missing
or spoiled, and samples of sessions that are gone go, too.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from voiceprep.core.events import Language
from voiceprep.core.listening.baseline import Baseline, Sample, combine, measure
from voiceprep.core.listening.trust import LEAST_CONFIDENCE, mean_confidence
from voiceprep.core.timeline import fold
from voiceprep.core.units import Span
from voiceprep.errors import VoiceprepError
from voiceprep.files import parse_json
from voiceprep.store import disk, log, own_pace, summary, transcripts
from voiceprep.store.archive import DERIVED, sessions_in

NAME = DERIVED
SCHEMA = 2
"""2: each sample with the state of the files that it was read from."""
LATEST = 40
"""Sessions that are looked at: a pace of last year is nobody's own any more."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Read:
    """What a session tells, and the state of the files that told it."""

    stamp: str
    sample: Sample | None


def baseline_of(recordings: Path, language: Language) -> Baseline | None:
    """The speaker's own figures in this language, or None while too little is known.

    From the latest sessions, and then from the minutes of the sound check: they stand alone before the first session, and are
    outweighed by every minute that is spoken in one.

    Brings baseline.json up to date on the way. A disk that refuses costs nothing but the time to read the logs again. Raises
    MissingError (`recordings-unreadable`) as listing the sessions does.
    """
    sessions = [sample for _, sample in sorted(refresh(recordings).items(), reverse=True) if sample is not None]
    return combine([*sessions, *(minute.sample for minute in own_pace.minutes(recordings, language))], language)


def refresh(recordings: Path) -> dict[str, Sample | None]:
    """The samples of the latest sessions by id, None for one that tells nothing; those that the file lacks are read anew."""
    known = _read(recordings / NAME)
    over = [folder for folder in sessions_in(recordings) if (folder / summary.NAME).is_file()]  # another may be running
    found: dict[str, _Read] = {}
    for folder in sorted(over, key=lambda folder: folder.name, reverse=True)[:LATEST]:
        stamp, old = _stamp(folder), known.get(folder.name)
        found[folder.name] = old if old is not None and old.stamp == stamp else _Read(stamp, _sample(folder))
    if found != known:
        try:
            disk.replace_json(recordings / NAME, {"schema": SCHEMA, "sessions": {k: asdict(one) for k, one in found.items()}})
        except OSError as error:
            logger.warning("the baseline could not be kept: %s", error.strerror)
    return {name: one.sample for name, one in found.items()}


def _stamp(folder: Path) -> str:
    """Changes when the session's words do."""
    stamps = []
    for file in (folder / log.NAME, transcripts.newest(folder)):
        with suppress(OSError):
            if file is not None:
                stat = file.stat()
                stamps.append(f"{file.name} {stat.st_size} {stat.st_mtime_ns}")
    return "; ".join(stamps)


def _sample(folder: Path) -> Sample | None:
    """What a session shows of its speaker; None where nobody but a demonstration spoke, or its words are not to be trusted."""
    with suppress(VoiceprepError, OSError):
        header, events = transcripts.read_session(folder)
        if header.demonstration:
            return None
        timeline = fold(events)
        turns = [turn for turn in timeline.turns if turn.speaker == "candidate" and turn.trusted and turn.words]
        words = [word for turn in turns for word in turn.words]
        if mean_confidence(words) < LEAST_CONFIDENCE:
            return None
        spans = [Span(turn.start, turn.end) for turn in turns]
        speech = [region for region in timeline.speech if any(region.overlap(span) > 0 for span in spans)]
        return measure(words, speech, header.language)
    return None


def _read(path: Path) -> dict[str, _Read]:
    """What the file holds; nothing where it is missing, of another format, or spoiled: then all is read anew."""
    try:
        document: Any = parse_json(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            return {}
        return {
            str(name): _Read(str(one["stamp"]), own_pace.sample_of(one["sample"]) if one["sample"] is not None else None)
            for name, one in document["sessions"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
