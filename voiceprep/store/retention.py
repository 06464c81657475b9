"""How long sessions are kept, and what goes with one that is deleted: everything that holds words of it.

Nothing expires unless the user says after how many days (`keep_days`). A session with a star is kept whatever its age.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from voiceprep.config import Places
from voiceprep.errors import VoiceprepError
from voiceprep.store import log, own_pace
from voiceprep.store.annotations import Annotations
from voiceprep.store.archive import Archive
from voiceprep.store.loops import runs
from voiceprep.store.summary import Summary

ANALYSES = "analyses"
"""Where in the cache an analysis that broke off has left the words it had got to."""


def delete(places: Places, wanted: str) -> str:
    """Delete a session for good, and the words of it that the cache holds; returns its id. Raises as `Archive.delete`."""
    gone = Archive(places.recordings).delete(wanted)
    forget_words(places.cache)
    return gone


def forget_words(cache: Path) -> None:
    """Remove the words of analyses that broke off: all of them, for nobody can tell which recording became which session.

    It costs the time to write them down again. An analysis that is running goes on.
    """
    for file in (cache / ANALYSES).glob("*.jsonl"):
        with suppress(OSError):
            file.unlink()


def expired(recordings: Path, days: int, now: datetime | None = None) -> tuple[Summary, ...]:
    """The finished sessions that are older than so many days (0: none), oldest first, those to be kept left out.

    Old is what began so long ago and has not been touched since: an old session that was put here yesterday is not. A round of
    a loop is as old as the last round of that passage, for its verdict rests on all of them.
    """
    if days <= 0:
        return ()
    before = _before(days, now)
    young = {name for run in runs(recordings) if _moment(run.latest) >= before for name, _ in run.sessions}
    old = (one for one in Archive(recordings).list() if one.ended and one.id not in young and _moment(one.started) < before)
    found = [one for one in old if _untouched(recordings / one.id, before) and not _kept(recordings / one.id)]
    return tuple(reversed(found))


def expire(places: Places, days: int, now: datetime | None = None) -> Iterator[Summary]:
    """Delete what has expired, and tell each session. What cannot be deleted is left for the next time."""
    if days > 0:
        with suppress(VoiceprepError):
            own_pace.forget_before(places.recordings, _before(days, now).isoformat(timespec="seconds"))
    for session in expired(places.recordings, days, now):
        with suppress(VoiceprepError):
            delete(places, session.id)
            yield session


def _before(days: int, now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)) - timedelta(days=days)


def _moment(started: str) -> datetime:
    """A header's moment; one that nobody can read is now, so that nothing is deleted for it."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _untouched(folder: Path, before: datetime) -> bool:
    try:
        return datetime.fromtimestamp((folder / log.NAME).stat().st_mtime, UTC) < before
    except OSError:
        return False


def _kept(folder: Path) -> bool:
    """Whether the user has starred anything in it. Where that cannot be read, it is kept."""
    try:
        return any(each.kind == "star" for each in Annotations(folder).history().annotations)
    except VoiceprepError:
        return True
