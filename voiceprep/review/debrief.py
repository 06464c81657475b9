"""Where a passage through a loop stands, and what the committee says of it: a fold over its sessions.

Nothing is kept anywhere else. A session that is deleted takes its verdict, its label and the bar it raised with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from voiceprep.content.committee import ANYONE, BEST, WORST, Committee
from voiceprep.core.events import Event, Evidence, SessionEnded
from voiceprep.core.interviewer.loop import (
    Decision,
    Findings,
    Loop,
    Mark,
    Raised,
    Seat,
    Verdict,
    decide,
    labels_of,
    severity_after,
)
from voiceprep.core.pack import Content, Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.review.verdict import verdict_of
from voiceprep.store.header import Header
from voiceprep.store.loops import Run

State = Literal["held", "again", "deleted", "ahead"]
"""`again`: it broke off before anything could be said of it. `deleted`: a later round was held, but this one is gone."""

Read = Callable[[str], tuple[Header, Sequence[Event]]]
Load = Callable[[Header], Content]
"""The content a session was held with."""

QUOTES = 2
ADVICE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One round of a run.

    Attributes:
        severity: how hard its interviewer was, or will be.
        session: the session that counts (the latest where none does), "" where there is none.
        findings: None where there is no session.
        verdict: None unless a session counts.
    """

    number: int
    round: str
    state: State
    severity: int
    persona: str = ""
    session: str = ""
    started: str = ""
    findings: Findings | None = None
    verdict: Verdict | None = None
    labels: tuple[Raised, ...] = ()

    @property
    def mark(self) -> Mark | None:
        return self.verdict.mark if self.verdict is not None else None


def standings(loop: Loop, run: Run, read: Read, load: Load) -> tuple[Standing, ...]:
    """Every round of the loop, in order, as far as its sessions tell."""
    last = max((header.loop_round for _, header in run.sessions), default=0)
    out: list[Standing] = []
    for number, round_id in enumerate(loop.rounds, start=1):
        severity = severity_after(one.mark for one in out)
        standing = _held(loop, number, run, read, load)
        if standing is None:
            state: State = "deleted" if number < last else "ahead"
            standing = Standing(number=number, round=round_id, state=state, severity=severity)
        out.append(standing)
    return tuple(out)


def _held(loop: Loop, number: int, run: Run, read: Read, load: Load) -> Standing | None:
    """The session of this round that counts: the latest one that was held to its end, or of which enough was heard."""
    latest: Standing | None = None
    for name, head in reversed(run.at(number)):
        found, verdict, ended = _looked_at(name, head, read, load)
        counts = verdict.mark != "unheard" or ended == "completed"
        standing = Standing(
            number=number,
            round=head.round,
            state="held" if counts else "again",
            severity=head.severity,
            persona=head.persona,
            session=name,
            started=head.started,
            findings=found,
            verdict=verdict if counts else None,
            labels=labels_of(loop, head.round, found) if counts else (),
        )
        if counts:
            return standing
        latest = latest or standing
    return latest


def _looked_at(name: str, head: Header, read: Read, load: Load) -> tuple[Findings, Verdict, str]:
    """A session's findings, verdict and the reason of its end. One that cannot be read, or whose round is gone, is unheard."""
    try:
        _, events = read(name)
        found, verdict = verdict_of(head, events, load(head))
    except VoiceprepError as error:
        return Findings(doubts=(error.message,)), Verdict("unheard", ("doubts",)), ""
    return found, verdict, next((event.reason for event in reversed(events) if isinstance(event, SessionEnded)), "")


def next_seat(run: Run, places: Sequence[Standing]) -> tuple[Seat, str, int] | None:
    """The seat, the round and the severity of what is held next; None once all are held.

    A round that is missing in the middle (its session was deleted) comes before those after it.
    """
    for number, place in enumerate(places):
        if place.state != "held":
            severity = severity_after(one.mark for one in places[:number])
            return Seat(run.loop, run.id, place.number), place.round, severity
    return None


# --- the committee -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """What one interviewer wrote: one sentence, and the words it rests on."""

    standing: Standing
    sentence: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Debrief:
    """The committee's page."""

    run: Run
    standings: tuple[Standing, ...]
    notes: tuple[Note, ...]
    blocking: tuple[tuple[Standing, Raised], ...]
    decision: Decision
    practise: tuple[str, ...]
    """What to do next, the most urgent first."""


def debrief(run: Run, places: tuple[Standing, ...], committee: Committee, tongue: Tongue) -> Debrief:
    """What the committee says of a run, in `tongue`."""
    held = [place for place in places if place.verdict is not None]
    blocking = tuple((place, raised) for place in held for raised in place.labels)
    return Debrief(
        run=run,
        standings=places,
        notes=tuple(note_on(place, committee, tongue) for place in held),
        blocking=blocking,
        decision=decide([place.mark for place in places], blocked=bool(blocking)),
        practise=_practise(held, blocking, committee, tongue),
    )


def note_on(place: Standing, committee: Committee, tongue: Tongue) -> Note:
    """What the interviewer of one round writes down."""
    found = place.findings or Findings()
    mark = place.mark or "unheard"
    best, worst = best_of(found), worst_of(found, place.labels)
    voice = committee.notes.get(place.persona, committee.notes[ANYONE])
    texts = voice[mark][tongue]
    text = texts[zlib.crc32(place.session.encode()) % len(texts)]
    fallback = committee.page["alarm" if found.alarms else "depth"]
    named = {
        BEST: committee.have[best.signal][tongue] if best else fallback[tongue],
        WORST: committee.lack[worst][tongue] if worst else fallback[tongue],
    }
    for slot, name in named.items():
        text = text.replace(slot, name)
    evidence: list[Evidence] = []
    if mark in {"strong", "hold"} and best:
        evidence.append(best)
    if mark in {"hold", "weak"} and worst:
        evidence += quotes_for(worst, found)
    return Note(place, text[:1].upper() + text[1:], tuple(evidence[:QUOTES]))


def best_of(found: Findings) -> Evidence | None:
    """The most valuable thing that was heard."""
    by_signal = {item.signal: item for item in found.shown}
    wanted = [by_signal[signal] for signal in found.wanted if signal in by_signal]
    return next(iter(wanted or found.shown), None)


def worst_of(found: Findings, labels: Sequence[Raised] = ()) -> str:
    """The gravest: what a label was given for, then the fault met most often, then what was asked for in vain. "" for none."""
    for raised in labels:
        for item in raised.evidence:
            return item.signal
    counts: dict[str, int] = {}
    for fault in found.faults:
        counts[fault.signal] = counts.get(fault.signal, 0) + 1
    if counts:
        return max(counts, key=lambda fault: counts[fault])
    in_vain = [reply.target for reply in found.replies if not reply.answered and reply.target in found.missing]
    return next(iter([*in_vain, *found.missing]), "")


def quotes_for(worst: str, found: Findings) -> list[Evidence]:
    """The words that show a fault, or what was said when something was asked for and did not come."""
    faults = [fault for fault in found.faults if fault.signal == worst]
    return faults or [reply.said for reply in found.replies if reply.target == worst and not reply.answered]


def _practise(
    held: Sequence[Standing], blocking: Sequence[tuple[Standing, Raised]], committee: Committee, tongue: Tongue
) -> tuple[str, ...]:
    """Labels first, then the worst of the weakest rounds, each piece of advice once."""
    advice = [raised.label.practise[tongue] for _, raised in blocking]
    order: dict[Mark, int] = {"weak": 0, "hold": 1, "strong": 2, "unheard": 3}
    by_mark = sorted(held, key=lambda one: order[one.mark or "unheard"])
    worst = [worst_of(place.findings) for place in by_mark if place.findings is not None]
    advice += [committee.practise[fault][tongue] for fault in worst if fault]
    return tuple(dict.fromkeys(advice))[:ADVICE]
