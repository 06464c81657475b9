"""Plans the session in which a round goes on that broke off: it is held as it was, and names the session before it."""

from __future__ import annotations

from pathlib import Path

from voiceprep.core.interviewer.loop import Seat
from voiceprep.errors import UsageError
from voiceprep.live.practice import Plan
from voiceprep.store.archive import Archive
from voiceprep.store.broken_off import ANEW, where_stopped
from voiceprep.store.header import Header

THROUGH = frozenset({"completed", "user", "audio-ended"})
"""How a session ends that nothing broke off."""


def plan_to_go_on(recordings: Path, session: str) -> tuple[Plan, Header]:
    """The plan for it, and the header of the session that broke off.

    Raises UsageError (`unknown-session`, `not-broken-off`, `nothing-left`), or BadInputError for a log that is bad.
    """
    archive = Archive(recordings)
    folder = archive.find(session)
    header, _ = archive.read(folder.name)
    ended = next((one.ended for one in archive.list() if one.id == folder.name), "")
    if not header.round or header.demonstration or not ended or ended in THROUGH:
        raise UsageError(f"session {folder.name} is no round that broke off", code="not-broken-off", hint=ANEW)
    where_stopped(recordings, folder.name)  # that nothing is left of it is told before a model is loaded
    seat = Seat(header.loop, header.loop_run, header.loop_round) if header.loop else None
    plan = Plan(
        header.round,
        seat=seat,
        severity=header.severity,
        lens=header.lens,
        question=header.question,
        resumes=folder.name,
    )
    return plan, header


def broken_off(recordings: Path, round_id: str) -> str:
    """The last session of this round, if it broke off. Raises UsageError (`not-broken-off`)."""
    last = next((one for one in Archive(recordings).list() if one.round == round_id and one.ended), None)
    if last is None or last.ended in THROUGH:
        what = f"there is no session of {round_id}" if last is None else f"the last session of {round_id} did not break off"
        raise UsageError(what, code="not-broken-off", hint=f"Begin the round: voiceprep practice {round_id}")
    return last.id
