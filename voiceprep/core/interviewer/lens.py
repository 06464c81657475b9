"""The same round through the eyes of another company: what it asks on top, and what it cares for first. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceprep.core.pack import Line, Point, Question, RoundPack, Tongue


@dataclass(frozen=True, slots=True)
class LensPoint:
    """A follow-up of the company's own. `rounds` are those it fits; none named: any."""

    point: Point
    rounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lens:
    """How a company looks at an answer. `weigh` are signals it wants to hear before all others, dearest first."""

    id: str
    name: dict[Tongue, str]
    looks_at: dict[Tongue, str]
    source: str
    requirements: tuple[str, ...]
    weigh: tuple[str, ...]
    remark: Line
    """Said with the greeting, so that the candidate knows whose eyes are on the answer."""
    points: tuple[LensPoint, ...]


def own_points(pack: RoundPack, lens: Lens) -> tuple[Point, ...]:
    """The company's follow-ups that fit this round."""
    return tuple(one.point for one in lens.points if not one.rounds or pack.id in one.rounds)


def through(pack: RoundPack, lens: Lens) -> RoundPack:
    """The round as this company would hold it.

    Each question gets one of the company's own follow-ups on top, in turn, so that all of them come up in a round; what is
    weighed more is asked for first; the greeting says where the company looks. No question, time or person changes.
    """
    own = own_points(pack, lens)
    questions = tuple(_question(question, own, number, lens.weigh) for number, question in enumerate(pack.questions))
    return replace(
        pack,
        opening=_greeting(pack.opening, lens.remark),
        questions=questions,
        deeper=(*(replace(point, chain=()) for point in own), *by_weight(pack.deeper, lens.weigh)),
        requirements=tuple(dict.fromkeys([*pack.requirements, *lens.requirements])),
    )


def by_weight(points: Iterable[Point], weigh: tuple[str, ...]) -> tuple[Point, ...]:
    """The points, those of weighed targets first; otherwise in their order."""
    return tuple(sorted(points, key=lambda point: weigh.index(point.target) if point.target in weigh else len(weigh)))


def _question(question: Question, own: tuple[Point, ...], number: int, weigh: tuple[str, ...]) -> Question:
    first = own[number % len(own) : number % len(own) + 1] if own else ()
    verb = question.verb
    if verb is not None:  # what the verb asks for keeps its place, after the company's own and before what it weighs
        verb = replace(verb, first=tuple(dict.fromkeys([*(point.target for point in first), *verb.first])))
    return replace(question, points=(*first, *by_weight(question.points, weigh)), verb=verb)


def _greeting(opening: Line, remark: Line) -> Line:
    """Each greeting with one of the remarks after it."""
    blank: dict[Tongue, str] = {"en": " ", "zh": ""}
    phrasings: dict[Tongue, tuple[str, ...]] = {}
    for tongue, texts in opening.phrasings.items():
        remarks = remark.phrasings[tongue]
        phrasings[tongue] = tuple(f"{text}{blank[tongue]}{remarks[n % len(remarks)]}" for n, text in enumerate(texts))
    return Line(opening.id, phrasings)
