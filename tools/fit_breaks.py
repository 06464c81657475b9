"""Fits where sentences part in speech without marks and writes rubrics/scoring/breaks.toml.

    python -m tools.fit_breaks

Needs scikit-learn, as tools/train_coverage.py does. A logistic model of whether a sentence ends before a word, by the words on
both sides (core/answers/thoughts.py). Its truth is the marks of the answers under bench/data: the seen thirds of our own, and
others.jsonl. Prints precision and recall on unseen.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.coverage import is_unseen as unheard
from bench.padding import ANSWERS, FOLDER, without_marks
from bench.scores import DATA, answers_of, is_unseen
from voiceprep.config import data_folder
from voiceprep.core.answers.clauses import SENTENCE_END
from voiceprep.core.answers.thoughts import LEAST, around, tokens_of

OFTEN = 3
"""A feature that was seen less often is left out, and so is"""
SMALL = 0.05
"""... one of less weight."""
STRENGTH = 1.0


def texts() -> Iterator[str]:
    """Answers with marks that may be learned from."""
    for one in answers_of(FOLDER / "coverage" / "answers.jsonl"):
        if not unheard(one["id"]):
            yield ("" if one["lang"] == "zh" else " ").join(part["text"] for part in one["parts"])
    yield from (one["text"] for one in answers_of(DATA) if not is_unseen(one))
    yield from (one["text"] for one in answers_of(FOLDER / "coverage" / "others.jsonl"))


def places(text: str) -> list[tuple[list[str], bool]]:
    """What is seen at each place between two words, and whether a sentence ends there. Nothing of a text without marks."""
    found = tokens_of(without_marks(text))
    tokens = [one[0] for one in found]
    gaps = (text[before.end() : after.start()] for before, after in pairwise(found))
    ends = [bool(SENTENCE_END.search(gap)) for gap in gaps]
    return [(around(tokens, place), end) for place, end in enumerate(ends, start=1)] if any(ends) else []


def main() -> None:
    seen = list(chain.from_iterable(map(places, texts())))
    vectors = DictVectorizer(dtype=np.float32)
    table = vectors.fit_transform(dict.fromkeys(names, 1.0) for names, _ in seen)
    often = np.asarray((table > 0).sum(axis=0)).ravel() >= OFTEN
    names = np.array(vectors.feature_names_)[often]
    model = LogisticRegression(C=STRENGTH, l1_ratio=1.0, solver="liblinear", max_iter=300)
    model.fit(table[:, often], [end for _, end in seen])
    pairs = zip(names, model.coef_[0], strict=True)
    weights = {str(name): round(float(one), 2) for name, one in pairs if abs(one) >= SMALL}
    bias = round(float(model.intercept_[0]), 2)
    lines = [
        "# Written by tools/fit_breaks.py, do not edit: log odds of a sentence's end, for core/answers/thoughts.py.",
        "# Words after the place (+), before it (-), on both sides (a + b); _ is any word, # a figure, | the text's edge.",
        "",
        f"bias = {bias}",
        "",
        "[weights]",
        *(f"{json.dumps(name, ensure_ascii=False)} = {weights[name]}" for name in sorted(weights)),
    ]
    out = data_folder("rubrics") / "scoring" / "breaks.toml"
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = list(chain.from_iterable(places(one["text"]) for one in answers_of(ANSWERS)))
    said = [bias + sum(weights.get(name, 0.0) for name in around_) > LEAST for around_, _ in told]
    right = sum(end and one for (_, end), one in zip(told, said, strict=True))
    ends = sum(end for _, end in told)
    print(json.dumps({"weights": len(weights), "precision": round(right / sum(said), 2), "recall": round(right / ends, 2)}))


if __name__ == "__main__":
    main()
