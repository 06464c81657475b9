"""Gathers what is exported from a session's folder."""

from __future__ import annotations

from voiceprep.core.timeline import fold
from voiceprep.exporters.subject import Subject
from voiceprep.intake.backing import backings_of, flagged
from voiceprep.review.page import review_of
from voiceprep.store.archive import Archive


def subject_of(archive: Archive, session: str) -> Subject:
    """All of a session that a format may show.

    Raises UsageError (`unknown-session`), or BadInputError for a log or an intake that is bad.
    """
    folder = archive.find(session)
    header, events = archive.read(folder.name)
    claims = backings_of(folder, header, events)
    return Subject(
        header=header,
        timeline=flagged(fold(events), claims),
        events=events,
        claims=claims,
        folder=folder,
        review=review_of(folder),
    )
