"""From what was heard in an answer to levels. Pure, and every level can be traced to words.

The overall level is an ordinal model of the labels' probabilities: a signal never lowers it, a trap never raises it. It is then
held down by the gate: a dimension that the round turns on and that a fault has spoiled caps it, however good the rest is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from voiceprep.core.answers.clauses import Stretch
from voiceprep.core.answers.score_evidence import Weighed
from voiceprep.core.pack import Tongue

Grade = Literal[1, 2, 3, 4]
"""1 strong no hire, 2 no hire, 3 hire, 4 strong hire."""
ON_REPLY = frozenset({"instant_defence", "instant_concession"})
"""Faults of a reply to an objection: who was not attacked cannot have given in, whatever it sounds like."""
CAPPED: Grade = 2
"""The most an answer can be while a gating dimension is at level 1"""
PLAIN = 0.7
"""... for a fault that is at least this likely: what may have been misheard decides nothing alone."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing that a round judges.

    Attributes:
        core: signals that are the thing itself: one of them makes level 3.
        also: signals that belong to it.
        full: so many different signals, one of them of the core, make level 4.
        traps: faults that spoil it.
        replies: it is only judged in a reply to an objection or follow-up.
        anchors: what each level sounds like, by language, lowest first.
    """

    id: str
    title: Mapping[Tongue, str]
    core: tuple[str, ...]
    also: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    full: int = 2
    gating: bool = False
    replies: bool = False
    anchors: Mapping[Tongue, tuple[str, str, str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scale:
    """The ordinal model: weights of 0 or more by label, and where its levels part. tools/fit_scores.py makes it.

    `heard` is the least probability of a label that is said to have been heard.
    """

    signals: Mapping[str, float]
    traps: Mapping[str, float]
    cuts: tuple[float, float, float]
    heard: float = 0.35


@dataclass(frozen=True, slots=True)
class Found:
    """A signal or trap that was heard: how likely, and where in the text."""

    label: str
    likely: float
    where: Stretch


@dataclass(frozen=True, slots=True)
class Graded:
    """A dimension's level; None: nothing of it was heard. `found` and `faults` decided it, `open` are its signals not heard."""

    dimension: Dimension
    level: Grade | None
    found: tuple[Found, ...]
    faults: tuple[Found, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer amounts to.

    Attributes:
        value: the place on the ordinal scale: 1.0 to 4.0 and a bit on either side, finer than the level.
        level: 1..4.
        gate: the gating dimensions that keep the level from being higher, the worst first.
    """

    value: float
    level: Grade
    gate: tuple[str, ...]
    dimensions: tuple[Graded, ...]
    signals: tuple[Found, ...]
    traps: tuple[Found, ...]


def score(weighed: Weighed, dimensions: Sequence[Dimension], scale: Scale, *, reply: bool) -> Score:
    """The levels of an answer. `reply`: it answers an objection or a follow-up, not the question itself."""
    if not reply:
        weighed = replace(weighed, likely={label: one for label, one in weighed.likely.items() if label not in ON_REPLY})
    found = [
        Found(label, likely, weighed.where[label])
        for label, likely in weighed.likely.items()
        if likely >= scale.heard and label in weighed.where
    ]
    signals = tuple(one for one in found if one.label in scale.signals)
    traps = tuple(one for one in found if one.label in scale.traps)
    graded = tuple(grade(one, signals, traps) for one in dimensions if reply or not one.replies)
    place = place_of(weighed, scale)
    level = _level(place, scale.cuts)
    if not weighed.about:  # of none of it; a share would sink with every word that is added
        level = 1
    elif any(_spoiled(one) for one in graded):
        level = min(level, CAPPED)
    value = min(_value(place, scale.cuts), level + 0.99)
    return Score(round(value, 2), level, _gate(graded, level), graded, signals, traps)


def _spoiled(one: Graded) -> bool:
    return one.dimension.gating and one.level == 1 and any(fault.likely >= PLAIN for fault in one.faults)


def place_of(weighed: Weighed, scale: Scale) -> float:
    """Where an answer is on the scale's own axis."""
    plus = sum(weight * weighed.likely.get(label, 0.0) for label, weight in scale.signals.items())
    minus = sum(weight * weighed.likely.get(label, 0.0) for label, weight in scale.traps.items())
    return plus - minus


def grade(dimension: Dimension, signals: Sequence[Found], traps: Sequence[Found]) -> Graded:
    """One dimension: a fault alone is 1, a fault beside the thing itself 2, so is what merely belongs to it."""
    wanted = (*dimension.core, *dimension.also)
    found = tuple(one for one in signals if one.label in wanted)
    faults = tuple(one for one in traps if one.label in dimension.traps)
    heard = {one.label for one in found}
    core = not heard.isdisjoint(dimension.core)
    level: Grade | None
    if faults:
        level = 2 if core else 1
    elif not found:
        level = None
    elif not core:
        level = 2
    else:
        level = 4 if len(heard) >= dimension.full else 3
    return Graded(dimension, level, found, faults, tuple(one for one in wanted if one not in heard))


def _level(place: float, cuts: tuple[float, float, float]) -> Grade:
    above = sum(place > cut for cut in cuts)
    return (1, 2, 3, 4)[above]


def _value(place: float, cuts: tuple[float, float, float]) -> float:
    """The axis with its cuts at 2, 3 and 4; outside them as steep as beside them."""
    low, middle, high = cuts
    if place <= middle:
        return 2 + (place - low) / (middle - low)
    return 3 + (place - middle) / (high - middle)


def _gate(graded: Sequence[Graded], level: Grade) -> tuple[str, ...]:
    """Gating dimensions at or under the level, while there is a level above it; what was not heard holds nothing."""
    if level == 4:  # noqa: PLR2004  (the highest)
        return ()
    holding = [(one.level, one.dimension.id) for one in graded if one.dimension.gating and one.level and one.level <= level]
    return tuple(name for _, name in sorted(holding, key=lambda one: one[0]))
