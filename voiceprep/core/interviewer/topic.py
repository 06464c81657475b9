"""How far one question has been taken, and what may be asked about it next. Values and choices, nothing is remembered here."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from voiceprep.core.answers.aim import FAULTS, SERIOUS, Kind, Layer, Offer, kind_of, worth
from voiceprep.core.answers.aiming import Aiming
from voiceprep.core.interviewer.verbs import in_order, worth_by_verb
from voiceprep.core.pack import Interjection, Persona, Point, Pushback, Question, RoundPack

BELOW_A_CLAIM = 1.0
"""What is added to the worth of a ladder whose top was claimed: it follows from what was said."""
BEHIND = 0.01
"""So much less is a point worth that gives way to another."""
GENERIC = "generic_question"
"""The trap of a question of the candidate's that the website answers,"""
ASKING = "asks-back"
"""... and the kind of a question that asks for the candidate's own: to others, only points of their own go after it."""
OF_THIS_COMPANY = "company_specific"
NORMAL = 2
"""The severity at which an interviewer asks as much as its file says."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The question that is being answered, and what has become of it."""

    question: Question
    followups: int = 0
    pushbacks: int = 0
    claimed: bool = False
    """A frame of the candidate's own was put forward,"""
    layers: int = 0
    """... and so often something was asked about it since."""
    signals: frozenset[str] = frozenset()
    """Everything that was heard since the question was asked."""
    likely: Mapping[str, float] = field(default_factory=dict)
    """How probable each signal and trap is, by the answer that showed it most."""
    targets: frozenset[str] = frozenset()
    """Signals and traps that were gone after, and kinds of objection that were raised: each at most once a question."""
    chain: tuple[Point, ...] = ()
    """What may follow the point that was asked last."""
    dry: int = 0
    """Answers to follow-ups, up to the last one, that brought nothing new."""
    told: bool = False
    """Something was said about it that can be gone after."""
    noticed: bool = False
    """The candidate was told that an answer had been given before."""
    objection: tuple[Point, ...] | None = None
    """What the reply to an objection is held against, while that is what is awaited; else None."""

    def gone_after(self, *targets: str) -> Topic:
        return replace(self, targets=self.targets | set(targets))

    def heard(self, signals: frozenset[str], likely: Mapping[str, float]) -> Topic:
        """The topic after an answer that showed these. A fault is weighed by the last one, where it is challenged."""
        most = {label: max(value, 0.0 if label in FAULTS else self.likely.get(label, 0.0)) for label, value in likely.items()}
        return replace(self, signals=self.signals | signals, likely=most or self.likely)


@dataclass(frozen=True, slots=True)
class Step:
    """A point that may be asked now, with what then may follow it, and why."""

    point: Point
    after: tuple[Point, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Demands:
    """How much an interviewer asks for: follow-ups to a question, and the share of them that are objections."""

    least: int
    most: int
    pushback_share: float


def demands_of(persona: Persona) -> Demands:
    """What this persona asks for.

    Each step above the normal severity means a follow-up more and half as many objections again. Below it the least stays.
    """
    step = persona.severity - NORMAL
    least = persona.followups[0] + max(0, step)
    share = min(1.0, max(0.0, persona.pushback_share * (1 + step / 2)))
    return Demands(least, max(least, persona.followups[1] + step), share)


def steps(topic: Topic, pack: RoundPack, fits: Callable[[Point], bool], *, deeper: bool) -> Iterator[Step]:
    """What may be asked next, most wanted first. `deeper` allows what fits any question.

    A frame that was claimed is taken down layer by layer, but what the answer itself left out comes before that.
    """
    points = in_order(topic.question.points, topic.question.verb)
    faults, missing = _ranked(topic, pack, points, fits, deeper=deeper)
    yield from faults
    yield from _down(topic.chain, "one layer deeper")
    if topic.claimed and topic.followups and topic.layers < pack.framework.layers:
        yield from _down(_ladder(topic, points, fits, pack.framework.layers), "a frame was claimed: does it hold")
    yield from missing


def _ranked(
    topic: Topic, pack: RoundPack, points: tuple[Point, ...], fits: Callable[[Point], bool], *, deeper: bool
) -> tuple[list[Step], list[Step]]:
    """What fits the answer, the most worth first: faults to challenge at once, and everything else.

    Right after a main answer a slight fault gives way to what is missing; later every fault is challenged where it was heard.
    """
    aimed = list(_aimed(topic, pack, points, deeper=deeper))
    if _learnt(topic, pack) is not None:
        return [], [step for _, step in sorted(aimed, key=lambda each: -each[0])]
    first = next((point for point in points[:1] if point.when == "missing" and fits(point)), None)
    aimed = sorted(_own_first(aimed, first, pack), key=lambda each: -each[0])
    at_once = [step for value, step in aimed if step.point.when == "present" and (value >= SERIOUS or topic.followups)]
    return at_once, [step for _, step in aimed if step not in at_once]


def _learnt(topic: Topic, pack: RoundPack) -> Aiming | None:
    """What was learnt about what is gone after first: it knows answers, not how a question goes on after that.

    A question after what is only of this company is the pack's: hardly any answer that was learnt from is to such a one.
    """
    theirs = OF_THIS_COMPANY not in topic.signals and any(point.target == OF_THIS_COMPANY for point in topic.question.points)
    return pack.aiming if topic.signals and not topic.followups and not theirs else None


def _aimed(topic: Topic, pack: RoundPack, points: tuple[Point, ...], *, deeper: bool) -> Iterator[tuple[float, Step]]:
    """Every point outside the chains, with what it is worth to go after it."""
    kind = kind_of([point.target for point in topic.question.points], topic.signals)
    said, learnt = sum(signal not in FAULTS for signal in topic.signals), _learnt(topic, pack)
    layers: list[tuple[Layer, tuple[Point, ...]]] = [("own", (*(topic.objection or ()), *points)), ("deeper", pack.challenges)]
    layers += [("deeper", pack.deeper), ("general", pack.general)]
    for layer, offered in layers:
        for place, point in enumerate(offered):
            present = point.when == "present"
            if present and point.after_objection and topic.objection is None:
                continue
            if layer == "general" and point.target == GENERIC and topic.question.kind != ASKING:
                continue
            if present or layer == "own" or deeper:
                value = _value(Offer(point.target, present, layer, place), kind, topic, pack)
                if learnt is None and not present:
                    value += worth_by_verb(topic.question.verb, point.target, said)
                # The ladder that a fault breaks into goes on afterwards.
                after = (*point.chain, *topic.chain) if present else point.chain
                yield value, Step(point, after, _REASONS[layer, present])
    for place, point in enumerate(points):
        if point.target in topic.signals:  # the claim was made: see whether it holds, layer by layer
            for step in _down(point.chain, f"one layer below {point.target}"):
                below = Offer(step.point.target, step.point.when == "present", "deeper", place)
                yield _value(below, kind, topic, pack), step


def _value(offer: Offer, kind: Kind, topic: Topic, pack: RoundPack) -> float:
    if (learnt := _learnt(topic, pack)) is None:
        return worth(offer, kind, topic.signals, topic.likely)
    return learnt.chance(offer, kind, topic.signals, replies=topic.objection is not None, likely=topic.likely)


def _own_first(aimed: Sequence[tuple[float, Step]], first: Point | None, pack: RoundPack) -> Iterator[tuple[float, Step]]:
    """The same, but what fits any round is worth less than `first`, the question's first point, while that is missing."""
    limit = next((value for value, step in aimed if step.point is first), math.inf)
    for value, step in aimed:
        gives_way = step.point.when == "missing" and step.point is not first and step.point in pack.general
        yield (min(value, limit - BEHIND) if gives_way else value), step


_REASONS: Mapping[tuple[Layer, bool], str] = {
    ("own", True): "heard in the answer",
    ("own", False): "not heard in the answer",
    ("deeper", True): "heard in the answer",
    ("deeper", False): "not heard yet",
    ("general", True): "heard in the answer",
    ("general", False): "not heard yet",
}


def _down(chain: tuple[Point, ...], reason: str) -> Iterator[Step]:
    """The layers of a chain from the top, each with those below it."""
    for index, point in enumerate(chain):
        yield Step(point, (*point.chain, *chain[index + 1 :]), reason)


def _ladder(topic: Topic, points: tuple[Point, ...], fits: Callable[[Point], bool], layers: int) -> tuple[Point, ...]:
    """The ladder that takes a claim down: with enough layers left, best the one below what was claimed, or worth most."""
    ladders = [(point, *point.chain) for point in points if point.when == "missing" and point.chain]
    kind = kind_of([point.target for point in topic.question.points], topic.signals)

    def merit(ladder: tuple[Point, ...]) -> tuple[int, float]:
        fitting = [point for point in ladder if fits(point)]
        first = Offer(fitting[0].target, fitting[0].when == "present", "own") if fitting else None
        value = worth(first, kind, topic.signals, topic.likely) if first is not None else 0.0
        return min(layers, len(fitting)), value + BELOW_A_CLAIM * (ladder[0].target in topic.signals)

    return max(ladders, key=merit, default=())


def pushback_due(topic: Topic, pack: RoundPack, heard: Collection[str], fits: Callable[[Pushback], bool]) -> Pushback | None:
    """The objection that the answer calls for, if there is one."""
    for pushback in pack.pushbacks:
        if pushback.kind in topic.targets or not _belongs(pushback, topic):
            continue
        wanted = [point.target for point in pushback.points if point.when == "missing"]
        if wanted and topic.signals.issuperset(wanted):
            continue  # the answer has met this objection already
        if _triggered(pushback, topic, heard) and fits(pushback):
            return pushback
    return None


def may_break_in(one: Interjection, topic: Topic, heard: Collection[str]) -> bool:
    """Whether this sentence fits into an answer that has shown these signals and traps."""
    if not _belongs(one, topic) or any(signal in heard or signal in topic.signals for signal in one.unless):
        return False
    return _triggered(one, topic, heard) and not (one.target in one.faults and one.target in topic.targets)


def _belongs(one: Pushback | Interjection, topic: Topic) -> bool:
    question = topic.question
    return (not one.questions or question.id in one.questions) and (not one.sections or question.section in one.sections)


def _triggered(one: Pushback | Interjection, topic: Topic, heard: Collection[str]) -> bool:
    """A fault that was challenged already calls for nothing more."""
    return not one.when or any(w in heard and not (w in one.faults and w in topic.targets) for w in one.when)


def faults_of(pack: RoundPack) -> frozenset[str]:
    """The traps that this round challenges anywhere."""
    points = [*pack.challenges, *(p for question in pack.questions for p in question.points)]
    points += [point for pushback in pack.pushbacks for point in pushback.points]
    challenged = {rung.target for point in points for rung in (point, *point.chain) if rung.when == "present"}
    breaking: tuple[Pushback | Interjection, ...] = (*pack.pushbacks, *pack.interjections)
    for one in breaking:
        challenged.update(one.faults)
    return frozenset(challenged)
