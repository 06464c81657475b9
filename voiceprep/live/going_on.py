"""Plans the session in which a round goes on that broke off: it is held as it was, and names the session before it."""

from __future__ import annotations

from pathlib import Path

from voiceprep.core.interviewer.loop import Seat
from voiceprep.errors import UsageError
from voiceprep.live.plan import Plan
from voiceprep.store.archive import Archive
from voiceprep.store.broken_off import ANEW, where_stopped
from voiceprep.store.drills import header_in
from voiceprep.store.header import Header

THROUGH = frozenset({"completed", "user", "audio-ended"})
"""How a session ends that nothing broke off."""


def broke_off(header: Header, ended: str) -> bool:
    """Whether a session is a round that an interviewer of ours held with the user, and that broke off."""
    return _held(header) and bool(ended) and ended not in THROUGH


def _held(header: Header) -> bool:
    return bool(header.round) and not header.demonstration and not header.analysed


def plan_to_go_on(recordings: Path, session: str) -> tuple[Plan, Header]:
    """The plan for it, and the header of the session that broke off.

    Raises UsageError (`unknown-session`, `not-broken-off`, `gone-on`, `nothing-left`), or BadInputError for a log that is bad.
    """
    archive = Archive(recordings)
    folder = archive.find(session)
    header, _ = archive.read(folder.name)
    kept = archive.list()
    if not broke_off(header, next((one.ended for one in kept if one.id == folder.name), "")):
        raise UsageError(f"session {folder.name} is no round that broke off", code="not-broken-off", hint=ANEW)
    for one in kept:
        later = header_in(recordings / one.id) if one.round == header.round and one.id != folder.name else None
        if later is not None and later.resumes == folder.name:
            raise UsageError(
                f"session {folder.name} was gone on with already, in session {one.id}",
                code="gone-on",
                hint=f"Go on with {one.id}" if broke_off(later, one.ended) else ANEW,
            )
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
    """The last session in which the user was held this round, if it broke off. Raises UsageError (`not-broken-off`).

    One question taken again, a demonstration or a recording that was analysed since is not that round.
    """
    last = None
    for one in Archive(recordings).list():
        if one.round == round_id and one.ended:
            header = header_in(recordings / one.id)
            if header is None or (_held(header) and not header.question):  # one that cannot be read is told by who reads it
                last = one
                break
    if last is None or last.ended in THROUGH:
        what = f"there is no session of {round_id}" if last is None else f"the last session of {round_id} did not break off"
        raise UsageError(what, code="not-broken-off", hint=f"Begin the round: voiceprep practice {round_id}")
    return last.id
