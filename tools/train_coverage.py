"""Fits the trained part of the detectors and writes rubrics/coverage.tsv.

    python -m tools.train_coverage [--also FILE.jsonl ...]

Needs scikit-learn, which nothing else does. Trained on the two thirds of bench/data/coverage that bench/coverage.py calls seen.
`--also` takes labelled answers without parts, of which the seen two thirds are used: where the cues agree with the answer's
labels they tell which unit a label belongs to. The cues themselves are hidden from the model there, since they were written
looking at those answers and would seem better than they are.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from bench.coverage import asked_of, is_unseen
from voiceprep.config import CHECKOUT, data_folder
from voiceprep.content import building
from voiceprep.content.reading import read
from voiceprep.content.rubric_schema import SignalsFile
from voiceprep.content.trained import LexiconFile, Weights, classifier, written
from voiceprep.core.classifier import AnswerWeights, Classifier, Unit, likely_labels, own_view, shared_view, unit_features
from voiceprep.core.clauses import units
from voiceprep.core.cues import heard_by_cues, unit_cues
from voiceprep.core.pack import Detector

DATA = CHECKOUT / "bench" / "data" / "coverage"
FOLDS = 5
CLAUSE_C, ANSWER_C = 10.0, 1.0
"""Inverse strength of the regularisation of both layers, chosen by cross-validation."""
THRESHOLD = 0.4
THRESHOLDS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65)
"""Of these each label gets its own, by cross-validation; it is kept as a shift of the label's bias."""
IMAGINED = 20.0
"""Answers by which the choice of a threshold is held back."""
LEAST = 0.12
"""A smaller weight of the first layer is left out: together they are most of the file, and change nothing."""

WHOLE, ALSO, ALONE = 1.0, 2.0, 0.3
"""What an answer of our own counts, one of `--also`, and a clause on its own.

Ours hold more of everything than answers do that nobody wrote to hold it: the others set how likely a label is to begin with.
Clauses are there since short replies, and answers that have just begun, must be heard too.
"""

Array = np.ndarray[Any, Any]


@dataclass
class Examples:
    """Units with the labels that they have; `counted` is 0 where a label is not known."""

    found: list[set[str]] = field(default_factory=list)
    labels: list[Array] = field(default_factory=list)
    counted: list[Array] = field(default_factory=list)
    folds: list[int] = field(default_factory=list)

    def add(self, found: set[str], labels: Array, fold: int, counted: Array | None = None) -> None:
        self.found.append(found)
        self.labels.append(labels)
        self.counted.append(np.ones_like(labels) if counted is None else counted)
        self.folds.append(fold)


class Trainer:
    def __init__(self, detectors: Sequence[Detector], lexicon: LexiconFile) -> None:
        self.detectors = detectors
        self.lexicon_file = lexicon
        self.labels = tuple(one.id for one in detectors)
        blank = {label: AnswerWeights((), (), 0.0) for label in self.labels}
        self.blank = classifier(lexicon, Weights(self.labels, THRESHOLD, (0.0,) * len(self.labels), blank, {}))

    def fit(self, clauses: Sequence[dict[str, Any]], own: Sequence[dict[str, Any]], also: Sequence[dict[str, Any]]) -> Weights:
        examples = self._examples(clauses, own, also)
        folds = np.array(examples.folds)
        partial = [self._first_layer(examples, np.flatnonzero(folds != fold)) for fold in range(FOLDS)]
        whole = [*own, *map(_beginning, own), *also, *map(_alone, clauses)]
        hidden = {answer["id"] for answer in also}
        views = [self._views(partial[_fold(one["id"])], one, cues=one["id"] not in hidden) for one in whole]
        truth = np.array([self._truth([*one["signals"], *one["traps"]]) for one in whole])
        counts = np.array([ALSO if one["id"] in hidden else WHOLE if "question" in one else ALONE for one in whole])
        weights = self._first_layer(examples, np.arange(len(folds)))
        weights.answer = self._second_layer(views, truth, counts)
        spoken = np.flatnonzero(counts != ALONE)
        groups = np.array([_fold(one["id"]) for one in whole])
        self._calibrate(weights.answer, np.array(views)[spoken], truth[spoken], counts[spoken], groups[spoken])
        return weights

    # --- units ----------------------------------------------------------------------------------------------------------

    def _examples(
        self, clauses: Sequence[dict[str, Any]], own: Sequence[dict[str, Any]], also: Sequence[dict[str, Any]]
    ) -> Examples:
        examples = Examples()
        for clause in clauses:
            labels = self._truth(clause["labels"])
            counted = np.ones_like(labels)
            if "own_decision" in clause["labels"] and "star_action" not in clause["labels"]:
                counted[self.labels.index("star_action")] = 0  # out of its story, a decision may or may not be its action
            examples.add(self._found(clause["text"], clause["lang"], None), labels, _fold(clause["id"]), counted)
        for answer in own:
            for place, part in enumerate(answer["parts"]):
                found = self._found(part["text"], answer["lang"], place)
                examples.add(found, self._truth(part["labels"]), _fold(answer["id"]))
        for answer in also:
            self._guess(examples, answer)
        return examples

    def _guess(self, examples: Examples, answer: dict[str, Any]) -> None:
        """Labels for the units of an answer that is labelled as a whole: where its cues are, as far as they are right."""
        has = self._truth([*answer["signals"], *answer["traps"]])
        text = answer["text"].replace("’", "'")
        stretches = [text[start:end] for start, end in units(text)]
        hits = [self._truth(one.hits) for one in unit_cues(stretches, self.detectors, answer["lang"])]
        for place, (stretch, cues) in enumerate(zip(stretches, hits, strict=True)):
            labels = has * cues
            counted = np.where((has > 0) & (labels == 0), 0.0, 1.0)  # it is somewhere in the answer, perhaps here
            found = unit_features(Unit(stretch), place, self.blank.lexicon)
            examples.add(found, labels, _fold(answer["id"]), counted)

    def _found(self, text: str, lang: str, place: int | None) -> set[str]:
        plain = text.replace("’", "'")
        before = [""] * (place or 0)
        return unit_features(self._units([*before, plain], lang)[-1], place, self.blank.lexicon)

    def _units(self, stretches: Sequence[str], lang: Any) -> list[Unit]:
        cues = unit_cues(stretches, self.detectors, lang)
        return [Unit(text, frozenset(one.hits), one.vetoed) for text, one in zip(stretches, cues, strict=True)]

    def _truth(self, labels: Iterable[str]) -> Array:
        row = np.zeros(len(self.labels))
        row[[self.labels.index(label) for label in labels]] = 1
        return row

    # --- layers ---------------------------------------------------------------------------------------------------------

    def _first_layer(self, examples: Examples, rows: Array) -> Weights:
        vectorizer = CountVectorizer(analyzer=lambda found: found, binary=True, min_df=2)
        matrix = normalize(vectorizer.fit_transform([sorted(examples.found[row]) for row in rows]))
        names = vectorizer.get_feature_names_out()
        bias = np.full(len(self.labels), -8.0)
        pairs: dict[str, list[tuple[int, float]]] = {name: [] for name in names}
        for index in range(len(self.labels)):
            labels = np.array([examples.labels[row][index] for row in rows])
            counted = np.array([examples.counted[row][index] for row in rows]) > 0
            if labels[counted].sum() > 1:
                model = LogisticRegression(C=CLAUSE_C, solver="liblinear", random_state=0).fit(matrix[counted], labels[counted])
                bias[index] = model.intercept_[0]
                for column in np.flatnonzero(np.abs(model.coef_[0]) >= LEAST):
                    pairs[names[column]].append((index, float(model.coef_[0][column])))
        clause = {name: tuple(weights) for name, weights in pairs.items()}  # those without weight still count as seen
        return Weights(self.labels, THRESHOLD, tuple(map(float, bias)), {}, clause)

    def _views(self, weights: Weights, answer: dict[str, Any], *, cues: bool) -> list[list[float]]:
        """For each label what the second layer sees of an answer, by a first layer that has not seen it."""
        model = Classifier(
            self.labels,
            self.blank.lexicon,
            self.blank.questions,
            self.blank.replies,
            weights.clause,
            weights.clause_bias,
            (),
            THRESHOLD,
        )
        text, lang = answer["text"].replace("’", "'"), answer["lang"]
        stretches = [text[start:end] for start, end in units(text)]
        parts = self._units(stretches, lang) if cues else [Unit(one) for one in stretches]
        heard = heard_by_cues(text, self.detectors, lang) if cues else {}
        likely = likely_labels(model, parts)
        shared = shared_view(model, parts, likely, asked_of(answer), lang)
        return [[*own_view(likely, index, heard=label in heard), *shared] for index, label in enumerate(self.labels)]

    def _second_layer(self, views: Sequence[list[list[float]]], truth: Array, counts: Array) -> dict[str, AnswerWeights]:
        layer = {}
        for index, label in enumerate(self.labels):
            model = LogisticRegression(C=ANSWER_C, max_iter=2000, random_state=0)
            model.fit(np.array([view[index] for view in views]), truth[:, index], sample_weight=counts)
            own = len(views[0][0]) - len(self.labels) - 6 - len(self.blank.questions) - 1 - len(self.blank.replies)
            values = tuple(map(float, model.coef_[0]))
            layer[label] = AnswerWeights(values[:own], values[own:], float(model.intercept_[0]))
        return layer

    def _calibrate(self, layer: dict[str, AnswerWeights], views: Array, truth: Array, counts: Array, groups: Array) -> None:
        """Move each label's bias so that THRESHOLD is where its F1 is best on answers that its weights have not seen.

        Grouped by answer. A rare label's best threshold is luck: some imagined answers, as many right as wrong, hold it back.
        """
        for index, label in enumerate(self.labels):
            likely = np.zeros(len(truth))
            for fold in range(FOLDS):
                here, there = groups == fold, groups != fold
                model = LogisticRegression(C=ANSWER_C, max_iter=2000, random_state=0)
                model.fit(views[there, index], truth[there, index], sample_weight=counts[there])
                likely[here] = model.predict_proba(views[here, index])[:, 1]
            usual = _f1_terms(likely >= THRESHOLD, truth[:, index], counts)

            def gain(threshold: float, likely: Array = likely, index: int = index, usual: tuple[float, float] = usual) -> float:
                right, all_ = _f1_terms(likely >= threshold, truth[:, index], counts)
                return (right + usual[0] / usual[1] * IMAGINED) / (all_ + IMAGINED) - IMAGINED * abs(
                    threshold - THRESHOLD
                ) * 1e-3

            best = max(THRESHOLDS, key=gain)
            old = layer[label]
            layer[label] = AnswerWeights(old.own, old.shared, old.bias - _log_odds(best) + _log_odds(THRESHOLD))


def _f1_terms(found: Array, truth: Array, counts: Array) -> tuple[float, float]:
    """Twice the hits, and hits and misses and false ones as F1 counts them: their quotient is F1."""
    right = 2.0 * float(counts[found & (truth > 0)].sum())
    return right, max(1.0, float(counts[found].sum() + counts[truth > 0].sum()))


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def _beginning(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer when only a part of it has been said. What the whole amounts to cannot be known yet."""
    parts = answer["parts"][: 1 + zlib.crc32(answer["id"].encode()) % len(answer["parts"])]
    shown = {label for part in parts for label in part["labels"]}
    joint = "" if answer["lang"] == "zh" else " "
    return answer | {
        "text": joint.join(part["text"] for part in parts),
        "signals": [label for label in answer["signals"] if label in shown],
        "traps": [label for label in answer["traps"] if label in shown],
    }


def _alone(clause: dict[str, Any]) -> dict[str, Any]:
    """A clause as an answer of its own."""
    return {"id": clause["id"], "lang": clause["lang"], "text": clause["text"], "signals": clause["labels"], "traps": []}


def _fold(name: str) -> int:
    return zlib.crc32(f"fold {name}".encode()) % FOLDS


def _seen(path: Path) -> list[dict[str, Any]]:
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [item for item in items if not is_unseen(item["id"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="labelled answers without parts")
    parser.add_argument("--out", type=Path, default=data_folder("rubrics") / "coverage.tsv")
    given = parser.parse_args()
    signals, problems = read(data_folder("rubrics") / "signals.toml", SignalsFile)
    lexicon, more = read(data_folder("rubrics") / "lexicon.toml", LexiconFile)
    if signals is None or lexicon is None:
        raise SystemExit("\n".join(map(str, problems + more)))
    clauses, own = _seen(DATA / "clauses.jsonl"), _seen(DATA / "answers.jsonl")
    also = [answer for path in given.also for answer in _seen(path)]
    weights = Trainer(building.detectors(signals), lexicon).fit(clauses, own, also)
    counts = f"{len(clauses)} clauses, {len(own)} answers in parts, {len(also)} answers as a whole"
    given.out.write_text(
        written(
            weights, ["Written by tools/train_coverage.py: weights of core/classifier.py, do not edit.", f"From {counts}."]
        ),
        encoding="utf-8",
    )
    print(f"{given.out}: {given.out.stat().st_size} bytes from {counts}")


if __name__ == "__main__":
    main()
