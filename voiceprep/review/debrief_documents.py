"""Loops as documents: where a passage stands, and the committee's page. For programs and for the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voiceprep.content.committee import Committee
from voiceprep.core.events import Evidence
from voiceprep.core.interviewer.loop import Findings, Loop, Seat
from voiceprep.core.pack import RoundPack, Tongue
from voiceprep.review.debrief import Debrief, Standing
from voiceprep.store.loops import Run

Packs = Mapping[str, RoundPack]
"""Rounds by their ids."""
Following = tuple[Seat, str, int] | None
"""The seat, round and severity of what is held next."""


def loop_row(loop: Loop) -> dict[str, Any]:
    """A loop in a list."""
    return {
        "id": loop.id,
        "title": dict(loop.title),
        "rounds": list(loop.rounds),
        "lens": loop.lens,
        "labels": [{"id": label.id, "name": dict(label.name)} for label in loop.labels],
        "requirements": list(loop.requirements),
        "source": loop.source,
    }


def run_row(run: Run) -> dict[str, Any]:
    """A passage that was begun, in a list."""
    sessions = [{"id": name, "round": head.round, "number": head.loop_round} for name, head in run.sessions]
    return {"run": run.id, "loop": run.loop, "started": run.started, "latest": run.latest, "sessions": sessions}


def status_document(loop: Loop, made: Debrief, following: Following) -> dict[str, Any]:
    """`loop status --json`."""
    return {
        "schema": 1,
        "loop": loop.id,
        "run": made.run.id,
        "started": made.run.started,
        "rounds": [_place(place) for place in made.standings],
        "blocked": bool(made.blocking),
        "decision": made.decision,
        "next": (
            {"number": following[0].number, "round": following[1], "severity": following[2]} if following is not None else None
        ),
    }


def _place(place: Standing) -> dict[str, Any]:
    return {
        "number": place.number,
        "round": place.round,
        "state": place.state,
        "severity": place.severity,
        "session": place.session,
        "started": place.started,
        "mark": place.mark,
        "because": list(place.verdict.because) if place.verdict is not None else [],
        "labels": [raised.label.id for raised in place.labels],
        "measures": _measures(place.findings) if place.findings is not None else None,
    }


def _measures(found: Findings) -> dict[str, Any]:
    survival = found.survival
    return {
        "coverage": round(found.coverage, 3),
        "survival": None if survival is None else round(survival, 3),
        "followups": len(found.replies),
        "answered": sum(reply.answered for reply in found.replies),
        "shown": [_evidence(item) for item in found.shown],
        "fault_rate": round(found.fault_rate, 3),
        "faults": [_evidence(item) for item in found.faults],
        "missing": list(found.missing),
        "alarms": [{"rule": flag.rule, "start": flag.start, "end": flag.end} for flag in found.alarms],
        "doubts": list(found.doubts),
    }


def document(loop: Loop, made: Debrief, packs: Packs, words: Committee, tongue: Tongue) -> dict[str, Any]:
    """`loop debrief --json`."""
    return {
        "schema": 1,
        "loop": loop.id,
        "run": made.run.id,
        "language": tongue,
        "decision": made.decision,
        "text": words.decisions[made.decision][tongue],
        "notes": [
            {
                "number": note.standing.number,
                "round": note.standing.round,
                "session": note.standing.session,
                "interviewer": {"id": note.standing.persona, "name": interviewer_of(note.standing, packs, tongue)},
                "mark": note.standing.mark,
                "sentence": note.sentence,
                "evidence": [_evidence(item) for item in note.evidence],
            }
            for note in made.notes
        ],
        "blocking": [
            {
                "label": raised.label.id,
                "name": raised.label.name[tongue],
                "round": place.round,
                "session": place.session,
                "evidence": [_evidence(item) for item in raised.evidence],
                "alarms": [{"rule": flag.rule, "start": flag.start, "end": flag.end} for flag in raised.alarms],
            }
            for place, raised in made.blocking
        ],
        "practise": list(made.practise),
        "rounds": [_place(place) for place in made.standings],
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {"signal": item.signal, "quote": item.quote, "start": round(item.start, 3), "end": round(item.end, 3)}


def interviewer_of(place: Standing, packs: Packs, tongue: Tongue) -> str:
    """Who asked in this round, and what it is called."""
    pack = packs.get(place.round)
    return f"{pack.persona.name[tongue]}, {pack.title[tongue]}" if pack is not None else place.persona
