"""Which claims were asked about, and what was said that backs them up. A function of the log: no model judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from voiceprep.core.answers.answering import Answering
from voiceprep.core.events import (
    Event,
    Evidence,
    FlagRaised,
    TurnAssessed,
    TurnEnded,
    TurnStarted,
    WordsCommitted,
)
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.timeline import Timeline
from voiceprep.core.units import At, Media
from voiceprep.intake.claims import Claim
from voiceprep.intake.intake import Intake
from voiceprep.intake.kept import kept
from voiceprep.intake.lexicon import Lexicon, load_lexicon
from voiceprep.store.header import Header

Verdict = Literal["backed", "not-backed", "open", "not-asked"]
"""`open`: it was asked about, but too little was heard to judge: no follow-up was answered, or the words are in doubt."""

RULE = "claim_not_backed"
ANSWERS = 2
"""An answer and one to a follow-up: nobody is held to have nothing behind a claim after one breath."""
_NOWHERE = Media(0.0)
_NEVER = At(0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backing:
    """What became of one claim.

    Attributes:
        at: session time of the end of that last answer.
        start, end: from the first to the last answer about it, media seconds; both 0 where there was none.
        heard: what backs it up, best first, with verbatim quotes.
        note: what the review says about it, or "".
    """

    claim: Claim
    verdict: Verdict
    start: Media = _NOWHERE
    end: Media = _NOWHERE
    at: At = _NEVER
    heard: tuple[Evidence, ...] = ()
    note: str = ""


def backings_of(folder: Path, header: Header, events: Iterable[Event]) -> tuple[Backing, ...]:
    """The same for a session on the disk; none where nothing was taken in for it. Raises BadInputError (`bad-intake`)."""
    intake = kept(folder)
    return () if intake is None else backings(intake, events, tongue_of(header.language))


def flagged(timeline: Timeline, claims: Sequence[Backing]) -> Timeline:
    """The timeline with a flag for each claim that was not backed up: its words, and where the answers about it are."""
    raised = (
        FlagRaised(
            at=each.at, rule=RULE, level="notice", start=each.start, end=each.end, advice=each.note, evidence=each.claim.text
        )
        for each in claims
        if each.verdict == "not-backed"
    )
    return replace(timeline, flags=tuple(sorted((*timeline.flags, *raised), key=lambda flag: flag.at)))


@dataclass(slots=True)
class _Answer:
    about: str
    start: Media
    end: Media
    at: At = _NEVER
    words: int = 0
    trusted: bool = True
    evidence: tuple[Evidence, ...] = ()


def backings(intake: Intake, events: Iterable[Event], tongue: Tongue, lexicon: Lexicon | None = None) -> tuple[Backing, ...]:
    """Each claim with what became of it in this session, most worth probing first."""
    lexicon = lexicon or load_lexicon()
    answers = list(_answers(events))
    substance = frozenset(lexicon.file.backing.substance)
    note = getattr(lexicon.file.backing, tongue)
    return tuple(_backing(claim, [a for a in answers if a.about == claim.id], substance, note) for claim in intake.claims)


def _backing(claim: Claim, answers: Sequence[_Answer], substance: frozenset[str], note: str) -> Backing:
    given = [answer for answer in answers if answer.words]
    if not given:
        return Backing(claim=claim, verdict="open" if answers else "not-asked")
    start, end = given[0].start, Media(max(answer.end for answer in given))
    heard = tuple(item for answer in given for item in answer.evidence if item.signal in substance)
    if heard:
        return Backing(claim=claim, verdict="backed", start=start, end=end, heard=heard)
    at = At(max(answer.at for answer in given))
    judged = len(given) >= ANSWERS and all(answer.trusted for answer in given)
    return Backing(
        claim=claim, verdict="not-backed" if judged else "open", start=start, end=end, at=at, note=note if judged else ""
    )


def _answers(events: Iterable[Event]) -> Iterator[_Answer]:
    """The candidate's turns, each with the question that it is about."""
    answering = Answering()
    turns: dict[int, _Answer] = {}
    for event in events:
        answering.handle(event)
        match event:
            case TurnStarted(speaker="candidate"):
                turns[event.turn] = _Answer(answering.of(event.turn).question, event.media, event.media)
            case TurnEnded(speaker="candidate") if event.turn in turns:
                turns[event.turn].end = Media(max(turns[event.turn].start, event.media))
                turns[event.turn].at = event.at
            case TurnAssessed() if event.turn in turns:
                turns[event.turn].evidence = event.evidence
            case WordsCommitted() if event.turn in turns:
                turns[event.turn].words += len(event.words)
                turns[event.turn].trusted = turns[event.turn].trusted and event.trusted
            case _:
                pass
    yield from turns.values()
