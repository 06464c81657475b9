"""What is most worth going after in an answer. Pure: tables of worth, and how the rest of the answer shifts it.

A fault that was heard is challenged before anything that is missing is asked for, unless it is a slight one. Of what is
missing, that comes first whose lack the heard faults point at (a customer's wish taken as an order: what is the problem?),
then what the kind of question calls for: a story without a lesson, a plan without a measure, a motive that fits any company.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["story", "motive", "case"]
Layer = Literal["own", "deeper", "general"]
"""Whose point it is: the question's own, the round's, or one that fits any round."""

FAULTS: Mapping[str, float] = {
    "instant_concession": 15,
    "instant_defence": 14,
    "bluff": 13,
    "fence_sitting": 13,
    "order_taker": 12.5,
    "quit_after_admission": 12,
    "instant_yes": 12.7,
    "lecture": 12,
    "over_clarify": 11.5,
    "need_more_data": 11.5,
    "generic_question": 11,
    "solution_jump": 11,
    "too_clean": 11,
    "joint_meeting": 10.4,
    "feature_parity": 10,
    "tech_only": 7.6,
    "cop_out": 7.8,
    "vague_magnitude": 4.5,
}
"""What the challenge of each fault is worth. From 10 on it comes before anything that is missing."""
SERIOUS = 9.0
"""What a fault is worth that is challenged at once."""
MISSING: Mapping[str, float] = {
    "metric": 5.5,
    "decision_owner": 4.8,
    "tradeoff": 4.5,
    "stakeholders": 4.3,
    "validation": 4.0,
    "number": 3.2,
    "recommendation": 3.0,
    "clarifying_question": 2.0,
    "product_call": 2.0,
    "abuse_guard": 1.8,
    "conflict_process": 1.8,
    "own_decision": 1.5,
    "options": 1.9,
    "assumption": 1.8,
}
"""What it is worth to ask for a signal that is missing in the answer to a case: design, judgement, plan."""
STORY: Mapping[str, float] = {
    "own_decision": 5.6,
    "learning": 5.15,
    "tradeoff": 5.3,
    "metric": 5.0,
    "decision_owner": 4.0,
    "stakeholders": 4.0,
    "validation": 3.8,
    "number": 3.8,
    "real_conflict": 3.5,
    "conflict_process": 2.5,
    "star_situation": 2.5,
}
MOTIVE: Mapping[str, float] = {
    "company_specific": 7.0,
    "own_decision": 6.0,
    "learning": 5.0,
    "tradeoff": 4.0,
    "metric": 3.0,
}
_TABLES: Mapping[Kind, Mapping[str, float]] = {"story": STORY, "motive": MOTIVE, "case": MISSING}
REMEDIES: Mapping[str, tuple[str, ...]] = {
    "instant_concession": ("rescope", "tradeoff"),
    "instant_defence": ("tradeoff", "restates_objection", "own_decision"),
    "bluff": ("boundary_admission",),
    "fence_sitting": ("recommendation",),
    "order_taker": ("clarifying_question", "product_call"),
    "quit_after_admission": ("boundary_reasoning",),
    "instant_yes": ("deadline_challenge", "tradeoff"),
    "lecture": ("own_decision", "recommendation"),
    "over_clarify": ("recommendation",),
    "need_more_data": ("recommendation",),
    "generic_question": ("company_specific",),
    "solution_jump": ("clarifying_question", "metric"),
    "too_clean": ("real_conflict", "tradeoff"),
    "joint_meeting": ("named_actions", "own_decision", "recommendation"),
    "feature_parity": ("product_call", "clarifying_question"),
    "tech_only": ("product_call", "metric", "stakeholders"),
    "cop_out": ("decision_owner",),
    "vague_magnitude": ("metric", "number"),
}
"""The signals whose lack makes a fault one."""
REMEDY = (2.5, 1.2)
"""What is added to the first of them, and to the others."""
_LAYERS: Mapping[Layer, tuple[float, float]] = {"own": (0.8, 0.1), "deeper": (0.4, 0.05), "general": (-0.2, 0.0)}
"""What it counts whose point it is, and how much less with each place further down: a pack's order is a judgement, too."""
NOT_WEIGHED: Mapping[str, float] = {}
DOUBTED_FAULT = 0.25
"""Power of its probability by which a fault is worth less. A gap is worth less in proportion to how likely it was filled."""
_LEAST = 1.0
"""What a signal is worth that the kind of question does not call for: it is asked for when nothing better is left."""
_OPENERS: Mapping[Kind, str] = {"story": "own_decision", "motive": "company_specific", "case": "recommendation"}
"""Who has said nothing at all is asked for the answer itself, or what the question wants first."""
_STORY_SIGNS = frozenset({"real_conflict", "star_situation", "star_action", "star_result"})
_STORY_ENOUGH = 2
_OPENER = 8.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A point that could be asked: its target, whether that is a fault that was heard, whose it is and its place there."""

    target: str
    present: bool
    layer: Layer
    place: int = 0


def kind_of(wanted: Sequence[str], heard: Collection[str]) -> Kind:
    """What kind of answer is due, by the targets of the question's own points and by what the answer turned out to be."""
    if wanted and wanted[0] == "company_specific" and "metric" not in wanted[1:2]:
        return "motive"
    told = max(len(_STORY_SIGNS & set(wanted)), len(_STORY_SIGNS & set(heard)))
    if wanted[:1] == ["own_decision"] or "real_conflict" in wanted or told >= _STORY_ENOUGH:
        return "story"
    return "case"


def too_late(target: str, heard: Collection[str], *, objected: bool) -> bool:
    """Whether asking for this signal makes no sense any more: to bound a problem that was answered, to repeat no objection."""
    if target == "restates_objection":
        return not objected
    return target == "clarifying_question" and "recommendation" in heard


def worth(offer: Offer, kind: Kind, heard: Collection[str], likely: Mapping[str, float] = NOT_WEIGHED) -> float:
    """How much it is worth to go after this, given the signals and traps that were heard in the turn.

    `likely`: how probable each of them is. What was heard with doubt is challenged less gladly, and what was not heard but
    may well have been said is asked for less gladly.
    """
    value = _worth(offer, kind, heard)
    if offer.target not in likely:
        return value
    return value * (likely[offer.target] ** DOUBTED_FAULT if offer.present else 1 - likely[offer.target])


def _worth(offer: Offer, kind: Kind, heard: Collection[str]) -> float:
    first, step = _LAYERS[offer.layer]
    rank = max(first - step * offer.place, -1.0)
    if offer.present:
        if offer.target == "too_clean" and kind != "story":
            return FAULTS["joint_meeting"] - 1 + rank  # what made it so clean is the better question
        return FAULTS.get(offer.target, _LEAST) + rank
    if not heard and (offer.layer == "own" or offer.target == _OPENERS[kind]):
        return _OPENER + rank
    remedied = (
        REMEDY[REMEDIES[fault].index(offer.target) > 0]
        for fault in REMEDIES
        if fault in heard and offer.target in REMEDIES[fault]
    )
    return _TABLES[kind].get(offer.target, _LEAST) + max(remedied, default=0.0) + rank
