"""The trained part of the detectors: what the cues of rubrics/signals.toml do not catch. Pure; tools/train_coverage.py fits it.

Two layers of logistic regression. The first sees one unit of speech (`units` in clauses.py) and says how likely each label is
there. The second sees the whole answer: each label's best units, whether the cues heard it, what else the answer holds or
lacks, and what kind of question it answers; a lecture, say, is long on mechanism and has nobody who decides.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voiceprep.core.answers.aim import FAULTS
from voiceprep.core.answers.features import Lexicon, features

EVIDENT = 0.4
"""A unit this likely to be mechanism, or teaching, counts to the share of such units."""
LONGEST = 4000.0
"""Letters of an answer beyond which its length says no more: none that was learned from was longer."""
VETOED = 0.3
"""What is left of a label's probability in a unit where a veto took its cue away: "I wouldn't get everyone in a room"."""
_SOFT = 1e-3
"""Keeps the logarithm of the odds of a certain thing finite."""
_LATEST_PLACE = 2
"""A unit's place in the answer matters up to here: first, second, later."""
MAKEUP = 12
"""How many values tell the make-up of an answer, whatever its labels."""
_CHARACTER = {"en": 1.0, "zh": 2.5, "mixed": 1.0}
"""Letters for which a character stands in each language."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer replies to: the main question, and the push-back or follow-up to it, if that is what was last said."""

    question: str = ""
    reply_to: str = ""


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """The second layer for one label: weights of `own_view`, then of the view that all labels share."""

    own: tuple[float, ...]
    shared: tuple[float, ...]
    bias: float


@dataclass(frozen=True, eq=False)
class Classifier:
    """The weights of both layers, and what features are made with.

    `clause` has for each feature its weights as (place in `labels`, weight). `questions` and `replies` are patterns of the
    kinds of question, and of push-back, that is answered, by name. `threshold` is the least probability of a label that counts
    as heard.
    """

    labels: tuple[str, ...]
    lexicon: Lexicon
    questions: Mapping[str, re.Pattern[str]]
    replies: Mapping[str, re.Pattern[str]]
    clause: Mapping[str, tuple[tuple[int, float], ...]]
    clause_bias: tuple[float, ...]
    answer: tuple[AnswerWeights, ...]
    threshold: float


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of speech, with the labels whose cues it holds, and those of which a veto took the cue away."""

    text: str
    cues: frozenset[str] = frozenset()
    vetoed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """How likely a label is in the answer, and which unit shows it best."""

    probability: float
    unit: int


def unit_features(unit: Unit, place: int | None, lexicon: Lexicon) -> set[str]:
    """What the first layer sees of a unit. `place`: its number in the answer, None where that is not known."""
    found = {
        *features(unit.text, lexicon),
        *(f"cue {label}" for label in unit.cues),
        *(f"veto {label}" for label in unit.vetoed),
    }
    if place is not None:
        found.add(f"place {min(place, _LATEST_PLACE)}")
    return found


def judge(
    classifier: Classifier, units: Sequence[Unit], heard: frozenset[str], asked: Asked, language: str
) -> dict[str, Verdict]:
    """Every label's verdict on an answer of at least one unit. `heard`: the labels that the cues alone found in it."""
    likely = likely_labels(classifier, units)
    shared = shared_view(classifier, units, likely, asked, language)
    verdicts = {}
    for index, label in enumerate(classifier.labels):
        weights = classifier.answer[index]
        total = weights.bias + _dot(weights.own, own_view(likely, index, heard=label in heard)) + _dot(weights.shared, shared)
        best = max(range(len(units)), key=lambda place, index=index: likely[place][index])  # type: ignore[misc]
        verdicts[label] = Verdict(sigmoid(total), best)
    return verdicts


def likely_labels(classifier: Classifier, units: Sequence[Unit]) -> list[tuple[float, ...]]:
    """The first layer: for each unit of an answer, in order, the probability of each label."""
    return [_likely(classifier, unit, min(place, _LATEST_PLACE)) for place, unit in enumerate(units)]


def likeliest_labels(classifier: Classifier, unit: Unit) -> tuple[float, ...]:
    """The first layer: of each label the highest probability in this unit, wherever in an answer it might stand."""
    return tuple(map(max, *(_likely(classifier, unit, place) for place in range(_LATEST_PLACE + 1))))


def own_view(likely: Sequence[Sequence[float]], index: int, *, heard: bool) -> list[float]:
    """What the second layer sees of one label: log odds of its best unit, of the second best and of any; the cues; the sum."""
    ordered = sorted((unit[index] for unit in likely), reverse=True)
    none = math.prod(1 - one for one in ordered)
    second = ordered[1] if len(ordered) > 1 else 0.0
    return [_log_odds(ordered[0]), _log_odds(second), _log_odds(1 - none), 2.0 * heard, sum(ordered)]


def shared_view(
    classifier: Classifier, units: Sequence[Unit], likely: Sequence[Sequence[float]], asked: Asked, language: str
) -> list[float]:
    """What the second layer sees of the answer as a whole: all labels' best units, its make-up, and what it answers."""
    labels = classifier.labels
    best = [0.15 * _log_odds(max(unit[index] for unit in likely)) for index in range(len(labels))]
    count = len(units)
    asking = sum(unit.text.endswith(("?", "？")) for unit in units)
    length = min(LONGEST, sum(len(unit.text) + 1 for unit in units) * _CHARACTER[language])
    mechanism, teaching, headline = (labels.index(label) for label in ("tech_only", "lecture", "structure_headline"))
    makeup = [
        asking / 3,
        asking / count,
        math.log(length) - 6,
        sum(unit[mechanism] > EVIDENT for unit in likely) / count,
        sum(unit[teaching] > EVIDENT for unit in likely) / count,
        likely[0][headline],
        math.log(count),
        *_substance(classifier, likely),
    ]
    return [*best, *makeup, *_asked_view(classifier, asked)]


def _substance(classifier: Classifier, likely: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """How much of the answer shows anything, and how much of it a fault: who says much of substance seldom also dodges."""
    faults = [index for index, label in enumerate(classifier.labels) if label in FAULTS]
    signals = [index for index, label in enumerate(classifier.labels) if label not in FAULTS]

    def amount(labels: Sequence[int]) -> float:
        return sum(1 - math.prod(1 - unit[index] for unit in likely) for index in labels)

    def density(labels: Sequence[int]) -> float:
        return sum(max((unit[index] for index in labels), default=0.0) for unit in likely) / len(likely)

    shown = amount(signals)
    return math.log1p(shown), math.log1p(amount(faults)), shown / len(likely), density(signals), density(faults)


@lru_cache(maxsize=256)
def _asked_view(classifier: Classifier, asked: Asked) -> tuple[float, ...]:
    return (
        *(float(bool(kind.search(asked.question))) for kind in classifier.questions.values()),
        float(bool(asked.reply_to)),
        *(float(bool(kind.search(asked.reply_to))) for kind in classifier.replies.values()),
    )


@lru_cache(maxsize=4096)
def _likely(classifier: Classifier, unit: Unit, place: int) -> tuple[float, ...]:
    """The first layer's probability of each label. Remembered: of a growing answer only the last unit is new."""
    found = unit_features(unit, place, classifier.lexicon) & classifier.clause.keys()
    totals = [0.0] * len(classifier.labels)
    for name in found:
        for index, weight in classifier.clause[name]:
            totals[index] += weight
    norm = math.sqrt(len(found)) or 1.0
    return tuple(
        sigmoid(total / norm + bias) * (VETOED if label in unit.vetoed else 1.0)
        for label, total, bias in zip(classifier.labels, totals, classifier.clause_bias, strict=True)
    )


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))


def _log_odds(probability: float) -> float:
    return math.log((probability + _SOFT) / (1 - probability + _SOFT))


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))
