"""REST: loops, all rounds of one company; and the round of one that a page asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from fastapi import APIRouter

from voiceprep.content.committee import load_committee
from voiceprep.content.loops import load_loop, loop_ids
from voiceprep.core.interviewer.loop import Seat
from voiceprep.core.pack import Tongue
from voiceprep.errors import UsageError
from voiceprep.live.passages import packs_of, passage_of
from voiceprep.live.plan import Plan
from voiceprep.review import debrief_documents as documents
from voiceprep.review.debrief import debrief, next_seat
from voiceprep.store import loops
from voiceprep.web.protocol import Hello
from voiceprep.web.services import AnId, Served, Services

router = APIRouter(prefix="/api", tags=["loops"])


@router.get("/loops")
def every_loop(served: Served) -> dict[str, Any]:
    """The loops there are, and the passages through them that were begun."""
    known = [load_loop(name) for name in loop_ids()]
    begun = loops.runs(served.places.recordings)
    return {"loops": [documents.loop_row(one) for one in known], "runs": [documents.run_row(run) for run in begun]}


@router.get("/loops/{run}")
def standing(run: AnId, served: Served, lang: Literal["en", "zh"] = "en") -> dict[str, Any]:
    """Where a passage stands, and what the committee says so far."""
    tongue: Tongue = lang
    passage, found, places = passage_of(served.places.recordings, run)
    made = debrief(passage, places, load_committee(), tongue)
    return {
        "status": documents.status_document(found, made, next_seat(passage, places)),
        "debrief": documents.document(found, made, packs_of(places), load_committee(), tongue),
    }


def next_of(served: Services, hello: Hello) -> Plan:
    """The round that comes next in the loop that a hello names: its first where none was begun, or it is begun anew.

    Raises UsageError (`unknown-loop`, `loop-over`).
    """
    recordings, wanted = served.places.recordings, hello.loop or ""
    known = {name for run in loops.runs(recordings) for name in (run.id, run.loop)}
    if hello.anew or wanted not in known:
        found = load_loop(wanted)
        seat, round_id, severity = Seat(found.id, loops.new_run(found.id, datetime.now(UTC)), 1), found.rounds[0], 0
    else:
        passage, found, places = passage_of(recordings, wanted)
        following = next_seat(passage, places)
        if following is None:
            raise UsageError("every round of this loop was held", code="loop-over", hint="Look at what the committee says")
        seat, round_id, severity = following
    return Plan(round=round_id, seat=seat, severity=severity, lens=found.lens)
