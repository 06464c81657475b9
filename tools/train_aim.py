"""Fits what is gone after first and writes rubrics/aim.tsv.

    python -m tools.train_aim [--also FILE.jsonl ...]

Needs scikit-learn, which only the training tools do. Trained on answers whose `targets` say what their author would go after:
those of our own that bench/coverage.py calls seen, two other authors' (others.jsonl, third.jsonl), and `--also`. Where other
hands have labelled the same answers (hands.jsonl), each hand counts as much as the author. Prints how often the first choice is
an acceptable one, with the true labels, by models that never saw that author, beside the rules alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.coverage import is_unseen
from bench.scores import answers_of
from voiceprep.config import CHECKOUT, data_folder
from voiceprep.content import load_content, load_rubrics
from voiceprep.content.aiming import written
from voiceprep.core.answers.aim import FAULTS, Offer, kind_of, too_late, worth
from voiceprep.core.answers.aiming import views
from voiceprep.review.followup import question_like

DATA = CHECKOUT / "bench" / "data" / "coverage"
STRENGTH = 0.3
"""Inverse strength of the regularisation, chosen by the figures over authors from .1, .3 and 1."""
Answer = Mapping[str, Any]
Row = tuple[dict[str, float], list[tuple[bool, float]]]
"""The views of one offer; whether each hand holds it acceptable, and how much that counts."""


def offers(answer: Answer, signals: Iterable[str]) -> tuple[list[Offer], str, frozenset[str]]:
    """What may be gone after in an answer with its true labels: gaps, and its faults. Also its kind, and the labels."""
    question = question_like(load_content(answer["round"]), answer["question"])
    own = [point.target for point in question.points]
    there = frozenset([*answer["signals"], *answer["traps"]])
    gaps = [one for one in signals if one not in there and not too_late(one, there, objected=bool(answer["prior"]))]
    faults = [one for one in FAULTS if one in there]
    found = [
        Offer(one, one in FAULTS, "own" if one in own else "general", own.index(one) if one in own else 0)
        for one in (*gaps, *faults)
    ]
    return found, kind_of(own, there), there


def rows(answers: Iterable[Answer], hands: Mapping[str, Sequence[Answer]], signals: Sequence[str]) -> list[Row]:
    made: list[Row] = []
    for answer in answers:
        found, kind, there = offers(answer, signals)
        wanted = [answer["targets"], *(hand["targets"] for hand in hands.get(answer["id"], ()))]
        for offer in found:
            seen = dict(views(offer, kind, there, replies=bool(answer["prior"])))  # type: ignore[arg-type]  # a Kind
            made.append((seen, [(offer.target in each, 1 / len(wanted)) for each in wanted]))
    return made


def fit(made: Sequence[Row]) -> dict[str, float]:
    names = DictVectorizer()
    seen: csr_matrix = names.fit_transform([row for row, said in made for _ in said])
    seen.indices, seen.indptr = seen.indices.astype(np.int32), seen.indptr.astype(np.int32)
    said = [each for _, each_row in made for each in each_row]
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=400)
    model.fit(seen, [yes for yes, _ in said], sample_weight=[weight for _, weight in said])
    found = dict(zip(names.get_feature_names_out(), model.coef_[0].tolist(), strict=True))
    return found | {"gap": found["gap"] + model.intercept_[0], "fault": found["fault"] + model.intercept_[0]}


def acceptable(answers: Sequence[Answer], weights: Mapping[str, float] | None, signals: Sequence[str]) -> float:
    """Share whose best offer is a target; by the rules alone without weights."""
    hits = 0
    for answer in answers:
        found, kind, there = offers(answer, signals)

        def value(offer: Offer) -> float:
            if weights is None:
                return worth(offer, kind, there)  # type: ignore[arg-type]  # noqa: B023  # a Kind; used at once
            seen = views(offer, kind, there, replies=bool(answer["prior"]))  # type: ignore[arg-type]  # noqa: B023
            return sum(weights.get(name, 0.0) * size for name, size in seen)

        hits += max(found, key=value).target in answer["targets"]
    return hits / len(answers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", type=Path, action="append", default=[], help="more answers with targets")
    given = parser.parse_args()
    signals = [one.id for one in load_rubrics().detectors if one.kind == "signal"]
    own = [one for one in answers_of(DATA / "answers.jsonl") if one.get("targets") and not is_unseen(one["id"])]
    authors = {"own": own} | {
        path.stem: answers_of(path) for path in (DATA / "others.jsonl", DATA / "third.jsonl", *given.also)
    }
    hands: dict[str, list[Answer]] = {}
    for one in answers_of(DATA / "hands.jsonl"):
        hands.setdefault(one["id"], []).append(one)
    made = {name: rows(answers, hands, signals) for name, answers in authors.items()}
    for name, answers in authors.items():
        weights = fit([row for other, each in made.items() if other != name for row in each])
        learnt, rules = acceptable(answers, weights, signals), acceptable(answers, None, signals)
        print(f"{name}: {len(answers)} answers, by the rules {rules:.3f}, learnt from the others {learnt:.3f}")
    remarks = ("What is gone after first, see core/answers/aiming. Written by tools/train_aim.py.",)
    out = data_folder("rubrics") / "aim.tsv"
    out.write_text(written(fit([row for each in made.values() for row in each]), remarks), encoding="utf-8")


if __name__ == "__main__":
    main()
