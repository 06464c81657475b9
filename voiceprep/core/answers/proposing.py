"""Whether a sentence proposes something, or bounds the problem, or does neither. Pure; tools/train_proposals.py fits it.

Two logistic regressions over what the detectors' first layer sees of a clause. What proposes has no words of its own (a ledger
and a parking garage both may), but what tells of the past, asks, assumes or stalls has, and so has the form: an order, "you'd",
每个. Only sentences are judged: which of them count, and in what order, is the rule's business.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from voiceprep.core.answers.classifier import sigmoid
from voiceprep.core.answers.features import Lexicon, features

PLACES = ("proposes", "bounds")
"""What is told apart from all the rest, in the order in which weights are listed."""


@dataclass(frozen=True, eq=False)
class ProposalJudge:
    """`weights` has for each feature one value for each of `PLACES`; so have `bias`, and `thresholds`: least probabilities."""

    lexicon: Lexicon
    weights: Mapping[str, tuple[float, ...]]
    bias: tuple[float, ...]
    thresholds: tuple[float, ...]

    def proposes(self, sentence: str) -> bool:
        return self._is(sentence, "proposes")

    def bounds(self, sentence: str) -> bool:
        """Whether it asks, assumes, restates, or says what has to be known first."""
        return self._is(sentence, "bounds")

    def _is(self, sentence: str, what: str) -> bool:
        place = PLACES.index(what)
        return _likely(self, sentence)[place] >= self.thresholds[place]


@lru_cache(maxsize=1024)
def _likely(judge: ProposalJudge, sentence: str) -> tuple[float, ...]:
    """The probability of each of `PLACES`. Remembered: of a growing answer only the last sentence is new."""
    seen = [judge.weights[name] for name in features(sentence, judge.lexicon) if name in judge.weights]
    norm = math.sqrt(len(seen)) or 1.0
    totals = [math.fsum(each[place] for each in seen) / norm + judge.bias[place] for place in range(len(PLACES))]
    return tuple(sigmoid(total) for total in totals)
