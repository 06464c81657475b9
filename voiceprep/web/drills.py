"""REST: drills, what came of takes, and how all of it develops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from voiceprep.config import Places
from voiceprep.content import interviewer, round_ids
from voiceprep.content.drill_content import TakePlan
from voiceprep.content.drills import load_drills
from voiceprep.core.drills.pack import Drill
from voiceprep.core.pack import Tongue
from voiceprep.errors import UsageError
from voiceprep.live.drill import new_take, retake, taken_up
from voiceprep.review import trend
from voiceprep.review.questions import schedule_of
from voiceprep.review.take_documents import comparison_document, result_document, result_in, suggestion_document
from voiceprep.review.takes import compare, kept_takes, suggest, take_before
from voiceprep.store.codec import rounded
from voiceprep.store.drills import Kept
from voiceprep.store.practice_log import MOST_MINUTES, Overruled, TimeSpent, state
from voiceprep.store.schedule import Due, Grade, drill_item
from voiceprep.web.protocol import Hello
from voiceprep.web.services import AnId, Served

router = APIRouter(prefix="/api", tags=["drills"])

SUGGESTIONS = 3


class Spent(BaseModel):
    """Time that was prepared outside of the program; `round` is what it was aimed at, or ""."""

    model_config = ConfigDict(extra="forbid")
    minutes: Annotated[float, Field(gt=0.0, le=MOST_MINUTES, allow_inf_nan=False)]
    what: str = Field(default="", max_length=500)
    round: str = Field(default="", max_length=200)


class Rating(BaseModel):
    """How a take went in the user's own view: it decides when the drill is due."""

    model_config = ConfigDict(extra="forbid")
    grade: Grade


@router.get("/drills")
def drills(served: Served) -> dict[str, Any]:
    """Every drill, those that are due first."""
    recordings = served.places.recordings
    last = {kept.result.drill: kept for kept in kept_takes(recordings)}
    due, now = schedule_of(recordings), datetime.now(UTC)
    rows = [_row(one, last.get(one.id), due, now) for one in load_drills().values()]
    rows.sort(key=lambda row: (not row["is_due"], row["due"] or "", row["id"]))
    questions = [_question(one, now) for item, one in due.items() if item.startswith("question:")]
    return {"drills": rows, "questions": sorted(questions, key=lambda row: row["due"])}


@router.get("/sessions/{session}/take")
def take(session: AnId, served: Served, lang: Tongue | None = None) -> dict[str, Any]:
    """What came of a take of a drill: each thing asked for and measured, against the take before, and what to hold next.

    `lang`: in which it is told; else as it was told after the take.
    """
    recordings = served.places.recordings
    folder = served.archive.find(session)
    known = kept_takes(recordings)
    mine = next((one for one in known if one.session == folder.name), None)
    if mine is None:
        raise UsageError("that session is no take of a drill", code="no-such-take")
    before, shipped = take_before(known, mine), load_drills()
    if lang is not None:
        mine = _told(lang, mine, shipped.get(mine.result.drill))
        before = _told(lang, before, shipped.get(before.result.drill)) if before is not None else None
    compared = compare(before, mine) if before is not None and mine.complete else None
    due, every = schedule_of(recordings), list(shipped.values())
    following = suggest(every, known, due, datetime.now(UTC), but=mine.result.drill)
    return {
        "session": mine.session,
        "drill": mine.result.drill,
        "result": result_document(mine),
        "comparison": comparison_document(compared) if compared is not None else None,
        "next": [suggestion_document(one) for one in following[:SUGGESTIONS]],
    }


@router.post("/sessions/{session}/rating")
def rate(session: AnId, rating: Rating, served: Served) -> dict[str, Any]:
    """The user's own grade of a take."""
    recordings = served.places.recordings
    folder = served.archive.find(session)
    mine = next((one for one in kept_takes(recordings) if one.session == folder.name), None)
    if mine is None:
        raise UsageError("that session is no take of a drill", code="no-such-take")
    item = drill_item(mine.result.drill)
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    state(recordings, Overruled(at=moment, session=folder.name, item=item, grade=rating.grade))
    standing = schedule_of(recordings).get(item)
    return {"due": standing.due if standing is not None else None}


@router.get("/progress")
def progress(served: Served) -> dict[str, Any]:
    """How takes, rules and rounds develop, what is due, and where the time went. Times in seconds."""
    rounds_of = {name: drill.rounds for name, drill in load_drills().items()}
    found = trend.progress(served.places.recordings, rounds_of)
    document: dict[str, Any] = rounded(asdict(found))
    for rule, plain in zip(found.rules, document["rules"], strict=True):
        for point, row in zip(rule.points, plain["points"], strict=True):
            row["rate"] = None if point.rate is None else round(point.rate, 3)
    document["ledger"]["total"] = round(found.ledger.total, 3)
    return {"schema": 1} | document


@router.post("/progress/time")
def time_spent(spent: Spent, served: Served) -> dict[str, Any]:
    """Note time that was prepared elsewhere."""
    if spent.round and spent.round not in round_ids():
        raise UsageError(f"there is no round {spent.round!r}", code="unknown-round")
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    state(served.places.recordings, TimeSpent(at=moment, minutes=spent.minutes, what=spent.what, round=spent.round))
    return {"noted": spent.minutes}


def take_plan(places: Places, hello: Hello) -> TakePlan | None:
    """The take that a page's hello asks for; None: it asks for no drill.

    Raises UsageError (`unknown-drill`, `unknown-prompt`, `no-take`).
    """
    if hello.drill is None:
        return None
    match hello.take:
        case "again":
            return retake(places, hello.drill)
        case "resume":
            return taken_up(places, hello.drill)
        case _:
            return new_take(places, hello.drill, hello.prompt)


def _told(tongue: Tongue, kept: Kept, drill: Drill | None) -> Kept:
    return replace(kept, result=result_in(tongue, kept.result, drill))


def _row(one: Drill, kept: Kept | None, due: Mapping[str, Due], now: datetime) -> dict[str, Any]:
    standing = due.get(drill_item(one.id))
    who = interviewer(one.persona)
    return {
        "id": one.id,
        "title": dict(one.title),
        "interviewer": {"id": who.id, "name": dict(who.name), "role": dict(who.role)} if who is not None else None,
        "goal": dict(one.goal),
        "rounds": list(one.rounds),
        "requirements": list(one.requirements),
        "budget": one.budget,
        "limit": one.limit,
        "prompts": len(one.prompts),
        "due": standing.due if standing is not None else None,
        "is_due": standing is not None and standing.is_due(now),
        "takes": standing.reviews if standing is not None else 0,
        "last": (
            {"session": kept.session, "started": kept.started, "passed": kept.result.passed, "complete": kept.complete}
            if kept is not None
            else None
        ),
    }


def _question(one: Due, now: datetime) -> dict[str, Any]:
    round_id, _, question = one.item.removeprefix("question:").partition("/")
    return {"round": round_id, "question": question, "due": one.due, "is_due": one.is_due(now), "grade": one.grade}
