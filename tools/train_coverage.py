"""Fits the trained part of the detectors and writes rubrics/coverage.tsv.

    python -m tools.train_coverage [--also FILE.jsonl ...]

Needs scikit-learn, which nothing else does. Trained on the two thirds of bench/data/coverage that bench/coverage.py calls seen.
Another hand's answers (others.jsonl) and those of `--also` are labelled as a whole: where the cues agree with the answer's
labels they tell which unit a label belongs to. The cues themselves are hidden from the model there, since some were written
looking at such answers and would seem better than they are. Others' (third.jsonl, unseen.jsonl) are only measured on.

Prints how well answers are heard, and their follow-ups aimed, by models that were trained without them (folds grouped by
answer): the figures to develop by. Those of bench/coverage.py on what is unseen are for the end.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from bench.coverage import asked_of, figures, followups, is_unseen
from voiceprep.config import CHECKOUT, data_folder
from voiceprep.content import building
from voiceprep.content.reading import read
from voiceprep.content.rubric_schema import SignalsFile
from voiceprep.content.trained import OWN, LexiconFile, Weights, classifier, written
from voiceprep.core.answers.classifier import (
    AnswerWeights,
    Classifier,
    Unit,
    likely_labels,
    own_view,
    shared_view,
    unit_features,
)
from voiceprep.core.answers.clauses import units
from voiceprep.core.answers.cues import heard_by_cues, unit_cues
from voiceprep.core.answers.plausible import misheard
from voiceprep.core.pack import Detector

DATA = CHECKOUT / "bench" / "data" / "coverage"
FOLDS = 5
CLAUSE_C, ANSWER_C = 10.0, 1.0
"""Inverse strength of the regularisation of both layers, chosen by cross-validation."""
THRESHOLDS = tuple(round(0.3 + 0.025 * step, 3) for step in range(13))
"""One of these is the threshold of all labels. One for each label was tried: chosen by few answers, it does worse on others."""
TOLD_APART = 1.0
"""Added to the counts by which it is told how well a feature tells a label's units from the others."""
LEAST = 0.12
"""A smaller weight of the first layer is left out: together they are most of the file, and change nothing."""

WHOLE, ALSO, ALONE, WATCHED = 1.0, 2.0, 0.3, 0.0
"""What an answer of our own counts, one of `--also`, and a clause on its own; one that is only measured counts nothing.

Ours hold more of everything than answers do that nobody wrote to hold it: the others set how likely a label is to begin with.
Clauses are there since short replies, and answers that have just begun, must be heard too.
"""

_END = re.compile(r"[.。!！?？]+$")
Array = np.ndarray[Any, Any]
Judged = tuple[dict[str, Any], frozenset[str]]
"""An answer, and the labels that were heard in it."""


@dataclass
class Examples:
    """Units with the labels that they have; `counted` is 0 where a label is not known."""

    found: list[set[str]] = field(default_factory=list)
    labels: list[Array] = field(default_factory=list)
    counted: list[Array] = field(default_factory=list)
    folds: list[int] = field(default_factory=list)
    copies: list[bool] = field(default_factory=list)
    """Made of other units: it says nothing about which features are common enough to learn from."""

    def add(self, found: set[str], labels: Array, fold: int, counted: Array | None = None, *, copy: bool = False) -> None:
        self.found.append(found)
        self.labels.append(labels)
        self.counted.append(np.ones_like(labels) if counted is None else counted)
        self.folds.append(fold)
        self.copies.append(copy)


class Trainer:
    def __init__(self, detectors: Sequence[Detector], lexicon: LexiconFile) -> None:
        self.detectors = detectors
        self.lexicon_file = lexicon
        self.labels = tuple(one.id for one in detectors)
        blank = {label: AnswerWeights((), (), 0.0) for label in self.labels}
        self.blank = classifier(lexicon, Weights(self.labels, THRESHOLDS[0], (0.0,) * len(self.labels), blank, {}))

    def fit(
        self, clauses: Sequence[dict[str, Any]], own: Sequence[dict[str, Any]], also: Sequence[dict[str, Any]]
    ) -> tuple[Weights, dict[str, list[Judged]]]:
        """The weights, and by kind of data what is heard in answers by weights that were made without them."""
        examples = self._examples(clauses, own, also)
        folds = np.array(examples.folds)
        partial = [self._first_layer(examples, np.flatnonzero(folds != fold)) for fold in range(FOLDS)]
        kinds = {
            "own": (own, WHOLE),
            "beginnings": ([*map(_beginning, own)], WHOLE),
            "also, cues hidden": (also, ALSO),
            "also": (also, WATCHED),
            "clauses": ([*map(_alone, clauses)], ALONE),
        }
        whole = [(kind, answer, count) for kind, (answers, count) in kinds.items() for answer in answers]
        views = np.array([self._views(partial[_fold(one["id"])], one, cues="hidden" not in kind) for kind, one, _ in whole])
        truth = np.array([self._truth([*one["signals"], *one["traps"]]) for _, one, _ in whole])
        counts = np.array([count for _, _, count in whole])
        likely = self._out_of_fold(views, truth, counts, np.array([_fold(one["id"]) for _, one, _ in whole]))
        spoken = np.array([kind != "clauses" for kind, _, _ in whole])
        weights = self._first_layer(examples, np.arange(len(folds)))
        weights.answer = self._second_layer(views, truth, counts)
        weights.threshold = _threshold(likely[spoken], truth[spoken], counts[spoken])
        heard = [
            self._heard(row, weights.threshold, replies=bool(one.get("prior")))
            for row, (_, one, _) in zip(likely, whole, strict=True)
        ]
        judged = {
            kind: [(one, found) for (of, one, _), found in zip(whole, heard, strict=True) if of == kind]
            for kind in ("own", "also, cues hidden", "also")
        }
        return weights, judged

    def _heard(self, likely: Array, threshold: float, *, replies: bool) -> frozenset[str]:
        found = {label: float(one) for label, one in zip(self.labels, likely, strict=True) if one >= threshold}
        return frozenset(found) - misheard(found, self.detectors, replies=replies)

    def report(self, judged: list[Judged]) -> dict[str, Any]:
        """Needs a weights file that can be read, since followups are asked for by the packs."""
        rows = [answer for answer, _ in judged]
        heard = {answer["id"]: found for answer, found in judged}
        languages = sorted({answer["lang"] for answer in rows})
        return {
            "answers": len(rows),
            "all": figures(rows, heard, self.labels),
            "languages": {
                lang: figures([a for a in rows if a["lang"] == lang], heard, self.labels)["f1"] for lang in languages
            },
            "followups": followups(rows, heard),
            "labels": {label: figures(rows, heard, [label]) for label in self.labels},
        }

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
            for place in range(0, len(answer["parts"]) - 1, 2):
                text, both = _run_together(answer["parts"][place : place + 2], answer["lang"])
                found = self._found(text, answer["lang"], place)
                examples.add(found, self._truth(both), _fold(answer["id"]), copy=True)
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
        vectorizer.fit([sorted(examples.found[row]) for row in rows if not examples.copies[row]])
        matrix = normalize(vectorizer.transform([sorted(examples.found[row]) for row in rows]))
        names = vectorizer.get_feature_names_out()
        bias = np.full(len(self.labels), -8.0)
        pairs: dict[str, list[tuple[int, float]]] = {name: [] for name in names}
        for index in range(len(self.labels)):
            labels = np.array([examples.labels[row][index] for row in rows])
            counted = np.array([examples.counted[row][index] for row in rows]) > 0
            if labels[counted].sum() > 1:
                bias[index], values = _unit_weights(matrix[counted], labels[counted])
                for column in np.flatnonzero(np.abs(values) >= LEAST):
                    pairs[names[column]].append((index, float(values[column])))
        clause = {name: tuple(weights) for name, weights in pairs.items()}  # those without weight still count as seen
        return Weights(self.labels, THRESHOLDS[0], tuple(map(float, bias)), {}, clause)

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
            THRESHOLDS[0],
        )
        text, lang = answer["text"].replace("’", "'"), answer["lang"]
        stretches = [text[start:end] for start, end in units(text)]
        parts = self._units(stretches, lang) if cues else [Unit(one) for one in stretches]
        heard = heard_by_cues(text, self.detectors, lang) if cues else {}
        likely = likely_labels(model, parts)
        shared = shared_view(model, parts, likely, asked_of(answer), lang)
        return [[*own_view(likely, index, heard=label in heard), *shared] for index, label in enumerate(self.labels)]

    def _second_layer(self, views: Array, truth: Array, counts: Array) -> dict[str, AnswerWeights]:
        layer = {}
        for index, label in enumerate(self.labels):
            model = _answer_model(views[:, index], truth[:, index], counts)
            values = tuple(map(float, model.coef_[0]))
            layer[label] = AnswerWeights(values[:OWN], values[OWN:], float(model.intercept_[0]))
        return layer

    def _out_of_fold(self, views: Array, truth: Array, counts: Array, folds: Array) -> Array:
        """Each label's probability in each answer, by a second layer that has not seen it either."""
        likely = np.zeros(truth.shape)
        for index in range(len(self.labels)):
            for fold in range(FOLDS):
                here, there = folds == fold, folds != fold
                model = _answer_model(views[there, index], truth[there, index], counts[there])
                likely[here, index] = model.predict_proba(views[here, index])[:, 1]
        return likely


def _unit_weights(matrix: csr_matrix, labels: Array) -> tuple[float, Array]:
    """Bias and weights of one label in the first layer: the mean of two models.

    One takes all features as equal; the other trusts those more that tell the label's units apart by themselves (their log
    ratio of counts, as in naive Bayes). The first is better on what is like the training data, the second on another hand's.
    """
    with_, without = (
        (TOLD_APART + np.asarray(matrix[labels == value].sum(axis=0)).ravel()) / (2 * TOLD_APART + (labels == value).sum())
        for value in (1, 0)
    )
    trusted = 0.5 + 0.5 * np.abs(np.log(with_ / without))
    plain = LogisticRegression(C=CLAUSE_C, solver="liblinear", random_state=0).fit(matrix, labels)
    scaled = LogisticRegression(C=CLAUSE_C, solver="liblinear", random_state=0).fit(matrix @ diags(trusted), labels)
    bias = (plain.intercept_[0] + scaled.intercept_[0]) / 2
    return float(bias), (plain.coef_[0] + scaled.coef_[0] * trusted) / 2


def _answer_model(views: Array, truth: Array, counts: Array) -> LogisticRegression:
    used = counts > 0
    model = LogisticRegression(C=ANSWER_C, solver="liblinear", random_state=0)
    return model.fit(views[used], truth[used], sample_weight=counts[used])


def _threshold(likely: Array, truth: Array, counts: Array) -> float:
    """The one that is best for the micro-averaged F1 of all labels."""
    weight = counts[:, None]

    def f1(threshold: float) -> float:
        found = likely >= threshold
        return 2 * float((weight * (found & (truth > 0))).sum()) / float((weight * found).sum() + (weight * truth).sum())

    return max(THRESHOLDS, key=f1)


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


def _run_together(parts: Sequence[dict[str, Any]], lang: str) -> tuple[str, set[str]]:
    """Parts as a recogniser gives them that sets no marks and no capitals, with all their labels."""
    joint = "" if lang == "zh" else " "
    return joint.join(_END.sub("", part["text"]).lower() for part in parts), {
        label for part in parts for label in part["labels"]
    }


def _alone(clause: dict[str, Any]) -> dict[str, Any]:
    """A clause as an answer of its own."""
    return {"id": clause["id"], "lang": clause["lang"], "text": clause["text"], "signals": clause["labels"], "traps": []}


def _fold(name: str) -> int:
    return zlib.crc32(f"fold {name}".encode()) % FOLDS


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _seen(path: Path) -> list[dict[str, Any]]:
    return [item for item in _lines(path) if not is_unseen(item["id"])]


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
    also = [answer for path in (DATA / "others.jsonl", *given.also) for answer in _lines(path)]
    trainer = Trainer(building.detectors(signals), lexicon)
    weights, judged = trainer.fit(clauses, own, also)
    counts = f"{len(clauses)} clauses, {len(own)} answers in parts, {len(also)} answers as a whole"
    given.out.write_text(
        written(
            weights,
            ["Written by tools/train_coverage.py for core/answers/classifier.py, do not edit.", f"From {counts}."],
        ),
        encoding="utf-8",
    )
    report: dict[str, Any] = {"threshold": weights.threshold}
    report |= {kind: trainer.report(answers) for kind, answers in judged.items() if answers}
    report |= {"weights": f"{given.out}: {given.out.stat().st_size} bytes from {counts}"}
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
