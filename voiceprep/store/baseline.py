"""The speaker's baseline on the disk: one sample a session in baseline.json, beside the sessions' folders.

The sessions' logs are the truth. The file only spares reading them all before each session: it is made anew where it is missing
or spoiled, and samples of sessions that are gone go, too.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from voiceprep.core.baseline import Baseline, Sample, combine, measure
from voiceprep.core.events import Language
from voiceprep.core.timeline import fold
from voiceprep.core.trust import LEAST_CONFIDENCE, mean_confidence
from voiceprep.core.units import Span
from voiceprep.errors import VoiceprepError
from voiceprep.files import parse_json
from voiceprep.store import disk, log
from voiceprep.store.archive import DERIVED, sessions_in

NAME = DERIVED
SCHEMA = 1
LATEST = 40
"""Sessions that are looked at: a pace of last year is nobody's own any more."""

logger = logging.getLogger(__name__)


def baseline_of(recordings: Path, language: Language) -> Baseline | None:
    """The speaker's own figures in this language from the latest sessions, or None while too little is known.

    Brings baseline.json up to date on the way. A disk that refuses costs nothing but the time to read the logs again. Raises
    MissingError (`recordings-unreadable`) as listing the sessions does.
    """
    samples = refresh(recordings)
    return combine((sample for _, sample in sorted(samples.items(), reverse=True) if sample is not None), language)


def refresh(recordings: Path) -> dict[str, Sample | None]:
    """The samples of the latest sessions by id, None for one that tells nothing; those that the file lacks are read anew."""
    known = _read(recordings / NAME)
    folders = sorted(sessions_in(recordings), key=lambda folder: folder.name, reverse=True)[:LATEST]
    samples = {folder.name: known[folder.name] if folder.name in known else _sample(folder) for folder in folders}
    if samples != known:
        document = {"schema": SCHEMA, "sessions": {name: asdict(one) if one else None for name, one in samples.items()}}
        try:
            disk.replace_json(recordings / NAME, document)
        except OSError as error:
            logger.warning("the baseline could not be kept: %s", error.strerror)
    return samples


def _sample(folder: Path) -> Sample | None:
    """What a session shows of its speaker; None where nobody but a demonstration spoke, or its words are not to be trusted."""
    with suppress(VoiceprepError, OSError):
        found = log.read(folder / log.NAME)
        if found.header.source == "demo":
            return None
        timeline = fold(found.events)
        turns = [turn for turn in timeline.turns if turn.speaker == "candidate" and turn.trusted and turn.words]
        words = [word for turn in turns for word in turn.words]
        if mean_confidence(words) < LEAST_CONFIDENCE:
            return None
        spans = [Span(turn.start, turn.end) for turn in turns]
        speech = [region for region in timeline.speech if any(region.overlap(span) > 0 for span in spans)]
        return measure(words, speech, found.header.language)
    return None


def _read(path: Path) -> dict[str, Sample | None]:
    """What the file holds; nothing where it is missing, of another format, or spoiled: then all is read anew."""
    try:
        document: Any = parse_json(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            return {}
        return {str(name): _checked(one) if one is not None else None for name, one in document["sessions"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _checked(raw: dict[str, Any]) -> Sample:
    """Raises TypeError or ValueError for what is no sample."""
    if raw["language"] not in {"en", "zh", "mixed"}:
        raise ValueError("not a language")
    figures = {name: float(raw[name]) for name in ("seconds", "rate", "pause", "fillers")}
    return Sample(raw["language"], **figures)
