"""All that is kept of a session besides its log: its scores, or what its take of a drill amounts to, and its review."""

from __future__ import annotations

import logging
from pathlib import Path

from voiceprep.errors import VoiceprepError
from voiceprep.intake.kept import content_of
from voiceprep.review import takes
from voiceprep.review.page import keep_review
from voiceprep.review.scoring import Document
from voiceprep.review.session_scores import basis_of, keep_scores
from voiceprep.store import drills, review_file, summary
from voiceprep.store.transcripts import read_session

_log = logging.getLogger(__name__)


def keep_results(folder: Path) -> None:
    """Judge a session that is over from its newest words, and keep what came of it. Work for a thread.

    Raises nothing: the session is kept, and all of this can be made again.
    """
    try:
        _judge(folder)
    except VoiceprepError as error:  # its round's or its drill's files are gone: it can still be reviewed
        _log.warning("no result of %s: %s", folder.name, error.code)
    except Exception:  # noqa: BLE001  (a defect here must not take a session that is kept away from its user)
        _log.exception("no result of %s", folder.name)
    keep_review(folder)


def keep_scored(folder: Path, scores: Document | None) -> None:
    """Keep what a recording was found to be worth as one answer (None: it belongs to no round), and its review.

    Raises nothing, as `keep_results`.
    """
    try:
        if scores is not None:
            review_file.update(folder, {"scores": scores, "scored_from": basis_of(folder)})
    except VoiceprepError as error:
        _log.warning("no scores of %s: %s", folder.name, error.code)
    keep_review(folder)


def keep_missing_results(folder: Path) -> None:
    """The same for a session that is over and that nobody has judged yet, or not since its words or corrections changed.

    A crash came first, or an older version held it. Whoever shows results calls this before: it costs next to nothing else.
    """
    header = drills.header_in(folder)
    if header is None or summary.read(folder) is None:
        return
    if (header.round and _unscored(folder)) or (header.drill and drills.read(folder) is None):
        keep_results(folder)


def _unscored(folder: Path) -> bool:
    """Scores that do not say what they rest on are an older version's: they stay, until somebody asks for new ones."""
    kept = review_file.kept(folder)
    basis = basis_of(folder)
    return kept.get("scores") is None or kept.get("scored_from", basis) != basis


def _judge(folder: Path) -> None:
    header, _ = read_session(folder)
    if header.drill:
        takes.keep(folder)
    elif header.round:
        keep_scores(folder, content_of(folder, header))
