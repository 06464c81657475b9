"""Where a round broke off, for the session in which it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from voiceprep.core.interviewer.broken_off import goes_on, stopped_at
from voiceprep.core.pack import Content, Stopped
from voiceprep.errors import BadInputError, UsageError
from voiceprep.store import log
from voiceprep.store.archive import Archive

ANEW = "Begin the round anew"


def where_stopped(recordings: Path, session: str) -> Stopped:
    """Where the round of this session broke off; sessions that it had taken up itself are counted in, as far as they are kept.

    Raises UsageError (`unknown-session`, `nothing-left`), or BadInputError where the log of this session itself is bad.
    """
    archive = Archive(recordings)
    part = log.read(archive.find(session) / log.NAME)  # as it was heard then: a later transcript changes no session after it
    parts, seen = [part.events], {session}
    while part.header.resumes and part.header.resumes not in seen:
        seen.add(part.header.resumes)
        try:
            part = log.read(archive.find(part.header.resumes) / log.NAME)
        except (UsageError, BadInputError):  # deleted, damaged or newer: what was asked in it is forgotten
            break
        parts.append(part.events)
    found: Stopped | None = None
    for events in reversed(parts):
        found = stopped_at(events, found)
    if found is None:
        raise UsageError(
            f"nothing is left of the round of session {session}, or nothing had been asked in it",
            code="nothing-left",
            hint=ANEW,
        )
    return found


def taken_up(content: Content, stopped: Stopped) -> Content:
    """The round from where it broke off. Raises UsageError (`round-changed`)."""
    if not goes_on(content.round, stopped):
        raise UsageError("the question at which the round broke off is not in it any more", code="round-changed", hint=ANEW)
    return replace(content, round=replace(content.round, stopped=stopped))
