"""What labelled answers teach about what is gone after first. Pure: a linear model over what is offered and what was heard.

The rules (core/answers/aim) are one of its views: it learnt from answers of several hands, with what each would have asked
next, when those rules hold and when something else is better.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from voiceprep.core.answers.aim import DOUBTED_FAULT, FAULTS, NOT_WEIGHED, REMEDIES, Kind, Offer, worth

MOST_SIGNALS, MOST_FAULTS, LAST_PLACE = 12, 3, 4
"""More than these make no difference any more."""
AMONG = 0.7
"""How large a view is that one of many stands for: the less, the more of them must agree."""


@dataclass(frozen=True, slots=True)
class Aiming:
    """The weights, by name of the view."""

    weights: Mapping[str, float]

    def chance(
        self, offer: Offer, kind: Kind, heard: Collection[str], *, replies: bool, likely: Mapping[str, float] = NOT_WEIGHED
    ) -> float:
        """How probably a good interviewer would go after this now, 0..1; chances of several offers need not add up to 1.

        `heard`, `likely`: as for `aim.worth`. `replies`: it was an objection that the answer replies to.
        """
        log_odds = sum(self.weights.get(name, 0.0) * value for name, value in views(offer, kind, heard, replies=replies))
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
        if offer.target not in likely:
            return chance
        return chance * (likely[offer.target] ** DOUBTED_FAULT if offer.present else 1 - likely[offer.target])


def views(offer: Offer, kind: Kind, heard: Collection[str], *, replies: bool) -> Iterator[tuple[str, float]]:
    """What the model sees of one offer: the names of its views and their values, each about 0 to 3."""
    target, what, own = offer.target, "fault" if offer.present else "gap", offer.layer == "own"
    faults = [fault for fault in FAULTS if fault in heard]
    yield what, 1.0
    yield target, 1.0
    yield f"{target} in a {kind}", 1.0
    yield f"{target} {'replying' if replies else 'first'}", 1.0
    yield "by rule", worth(replace(offer, layer="own" if own else "general", place=0), kind, heard) / 4
    for label in sorted(heard):  # a sum of floats depends on its order, and a set has none
        yield f"{target} after {label}", AMONG
    yield f"{target}, signals", min(len(heard) - len(faults), MOST_SIGNALS) / 4
    yield f"{target}, faults", len(faults) / 1.5
    yield f"{what} beside {min(len(faults), MOST_FAULTS)}", 1.0
    if not heard:
        yield f"{target} after nothing", 1.0
    for fault in faults:
        if target in REMEDIES[fault]:
            yield "remedy" if target == REMEDIES[fault][0] else "other remedy", 1.0
            yield f"{target} cures {fault}", 1.0
    if own:
        yield "own", 1.0
        yield f"own, place {min(offer.place, LAST_PLACE)}", 1.0
        yield f"{target}, own", AMONG
