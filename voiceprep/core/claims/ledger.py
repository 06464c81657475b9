"""The consistency ledger: what the candidate claimed, where, and what was later told otherwise. Pure: a fold over events.

Precision is everything here: to be told wrongly of a contradiction is worse than not to be told of one. So two claims are only
held against each other across turns, inside one story, about the same subject under the same conditions; and a later figure
that repeats any earlier one of its unit is never one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from voiceprep.core.answers.answering import Answering, Awaited
from voiceprep.core.claims.facts import Fact, Kind, facts
from voiceprep.core.claims.measures import Quantity
from voiceprep.core.claims.same import differ, same_subject
from voiceprep.core.claims.subjects import GENERIC
from voiceprep.core.events import Event, TurnStarted, Word, WordsCommitted
from voiceprep.core.pack import Told
from voiceprep.core.text import placed
from voiceprep.core.units import Media

LEAST_CONFIDENCE = 0.6
"""Differences that are less certain than this are not told."""
DOUBTFUL_WORD = 0.4
"""A claim with a word that the recogniser trusted less is held against nothing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the candidate: its verbatim quote with its place in the recording, in the turn that answered `question`.

    `again`: the claim that the interviewer asked for a second time, when this turn answers that.
    """

    kind: Kind
    fact: Fact
    quote: str
    start: Media
    end: Media
    turn: int
    question: str
    trusted: bool = True
    again: str = ""

    @property
    def key(self) -> str:
        """Names this claim within its session."""
        return f"{self.turn}.{self.kind}.{self.fact.value.start}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Two claims that do not agree. `confidence` 0..1; `why` says what is not the same, in a plain sentence."""

    kind: Kind
    first: Claim
    second: Claim
    confidence: float
    why: str

    def document(self) -> dict[str, Any]:
        """As plain values, times in media seconds: what exports and `--json` show."""
        return {
            "kind": self.kind,
            "why": self.why,
            "confidence": round(self.confidence, 2),
            "first": _plain(self.first),
            "second": _plain(self.second),
        }


def _plain(claim: Claim) -> dict[str, Any]:
    return {
        "quote": claim.quote,
        "start": round(claim.start, 3),
        "end": round(claim.end, 3),
        "turn": claim.turn,
        "question": claim.question,
    }


@dataclass(slots=True)
class _Turn:
    to: Awaited
    words: list[Word] = field(default_factory=list)
    trusted: bool = True


class Ledger:
    """Listens to the log and keeps the claims of each turn of the candidate. Only words of record count."""

    def __init__(self) -> None:
        self._turns: dict[int, _Turn] = {}
        self._answering = Answering()
        self._known: dict[int, tuple[int, tuple[Claim, ...]]] = {}

    def remember(self, earlier: Sequence[Told]) -> None:
        """Turns of the sessions before this one of the same round; their claims have turns below 0, and places elsewhere."""
        for number, told in enumerate(earlier, start=-len(earlier)):
            self._turns[number] = _Turn(Awaited(question=told.question, text=told.asked), list(told.words), told.trusted)

    def handle(self, event: Event) -> None:
        self._answering.handle(event)
        match event:
            case TurnStarted(speaker="candidate"):
                self._turn(event.turn)
            case WordsCommitted():
                turn = self._turn(event.turn)
                turn.words += event.words
                turn.trusted = turn.trusted and event.trusted

    def _turn(self, number: int) -> _Turn:
        return self._turns.setdefault(number, _Turn(self._answering.of(number)))

    def claims(self) -> tuple[Claim, ...]:
        """Everything that was claimed so far, in order."""
        return tuple(claim for number in sorted(self._turns) for claim in self._of(number))

    def _of(self, number: int) -> tuple[Claim, ...]:
        turn = self._turns[number]
        length, known = self._known.get(number, (-1, ()))
        if length != len(turn.words):
            known = tuple(_claims(number, turn))
            self._known[number] = (len(turn.words), known)
        return known

    def ask_again(self) -> tuple[Claim, ...]:
        """Claims worth asking for a second time, the most checkable first: one of each subject, none that was asked again."""
        claims = self.claims()
        asked = {turn.to.again for turn in self._turns.values()} | {self._answering.now.again}
        seen: set[tuple[str, frozenset[str]]] = set()
        chosen: list[Claim] = []
        for claim in sorted(claims, key=_worth, reverse=True):
            subject = (claim.kind, claim.fact.about)
            if claim.question and claim.trusted and _worth(claim) > 0 and claim.key not in asked and subject not in seen:
                seen.add(subject)
                chosen.append(claim)
        return tuple(chosen)

    def differences(self) -> tuple[Difference, ...]:
        """What was told differently within this session, in order of the later claim."""
        return tuple(_differences(self.claims()))


def ledger_of(events: Iterable[Event]) -> Ledger:
    """The ledger of a log, or of any beginning of one."""
    ledger = Ledger()
    for event in events:
        ledger.handle(event)
    return ledger


def _claims(number: int, turn: _Turn) -> Iterator[Claim]:
    text, offsets = placed(turn.words)
    for fact in facts(text, turn.to.text):
        first, last = bisect_right(offsets, fact.start) - 1, bisect_right(offsets, fact.end - 1) - 1
        said = turn.words[bisect_right(offsets, fact.value.start) - 1 : bisect_right(offsets, fact.value.end - 1)]
        trusted = turn.trusted and min((word.confidence for word in said), default=0.0) >= DOUBTFUL_WORD
        span = turn.words[first].start, turn.words[last].end
        yield Claim(fact.kind, fact, text[fact.start : fact.end], *span, number, turn.to.question, trusted, turn.to.again)


_WORTH: dict[Kind, float] = {"figure": 3.0, "decider": 2.0, "date": 2.0, "name": 1.0, "reason": 0.0}


def _worth(claim: Claim) -> float:
    fact = claim.fact
    if not fact.about or fact.elliptic or fact.corrected or fact.under & {"told", "offset"}:
        return 0.0
    worth = _WORTH[claim.kind]
    return worth and worth - 0.01 * claim.turn  # turns of an earlier part of the round are negative


def _differences(claims: Sequence[Claim]) -> Iterator[Difference]:
    told: set[tuple[str, str]] = set()
    for second in claims:
        for first in claims:
            if first.turn >= second.turn or first.kind != second.kind or (first.key, second.key) in told:
                continue
            found = compare(first, second)
            if found and found.confidence >= LEAST_CONFIDENCE and not repeats(second, first, claims):
                told.add((first.key, second.key))
                yield found
                break


def compare(first: Claim, second: Claim, *, apart: bool = False) -> Difference | None:
    """How two claims differ, or None. `apart`: they are not of one session, so that only a clear subject counts."""
    if not (first.trusted and second.trusted) or second.fact.corrected or first.kind != second.kind:
        return None
    linked = bool(second.again) and second.again == first.key and not apart
    one_story = not apart and bool(first.question) and first.question == second.question
    if not (linked or one_story or apart or (first.question and second.question)):
        return None
    same = same_subject(first.fact, second.fact, linked=linked, one_story=one_story)
    why = differ(first.fact, second.fact, first.quote, second.quote) if same else ""
    return Difference(first.kind, first, second, same, why) if why else None


def repeats(second: Claim, first: Claim, claims: Sequence[Claim], *, apart: bool = False) -> bool:
    """Whether the later claim says what some other earlier one of its kind said: then it is no new figure, date or name.

    `apart`: all of `claims` are of an earlier session, whatever their turns and questions.
    """
    return any(
        (apart or (other.turn < second.turn and other.question in {first.question, second.question}))
        and other is not first
        and other.kind == second.kind
        and _unit(other) == _unit(second)
        and _may_be_one(other, second)
        and not differ(other.fact, second.fact, other.quote, second.quote)
        for other in claims
    )


def _may_be_one(other: Claim, second: Claim) -> bool:
    a, b, plain = other.fact.about, second.fact.about, GENERIC | {_unit(second)}
    return bool(a & b) or a <= plain or b <= plain


def _unit(claim: Claim) -> str:
    value = claim.fact.value
    return value.unit if isinstance(value, Quantity) else ""
