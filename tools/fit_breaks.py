"""Learns from answers where sentences part, and which words say nothing of a topic; writes rubrics/scoring/breaks.toml.

    python -m tools.fit_breaks

Needs scikit-learn, as tools/train_coverage.py does. A logistic model of whether a sentence ends before a word, by the words on
both sides (core/answers/thoughts.py). Its truth is the marks of the answers under bench/data: the seen thirds of our own, and
others.jsonl. Prints precision and recall on third.jsonl. Words that come up in a share of the same answers, and in most
rounds, are the `everyday` ones.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from bench.coverage import is_unseen as unheard
from bench.padding import ANSWERS, FOLDER, without_marks
from bench.scores import DATA, answers_of, is_unseen
from voiceprep.config import data_folder
from voiceprep.content.reading import read
from voiceprep.content.scoring import MatterFile
from voiceprep.core.answers.clauses import SENTENCE_END
from voiceprep.core.answers.score_evidence import stems
from voiceprep.core.answers.thoughts import LEAST, around, tokens_of
from voiceprep.core.text import is_hanzi

OFTEN = 3
"""A feature that was seen less often is left out, and so is"""
SMALL = 0.05
"""... one of less weight."""
STRENGTH = 1.0
ANYWHERE = 0.015
"""The share of the answers of its language that has an everyday word,"""
ROUNDS = 6
"""... and the rounds that have it, of nine."""


def answers() -> Iterator[dict[str, Any]]:
    """Answers with marks that may be learned from."""
    for one in answers_of(FOLDER / "coverage" / "answers.jsonl"):
        if not unheard(one["id"]):
            yield one | {"text": ("" if one["lang"] == "zh" else " ").join(part["text"] for part in one["parts"])}
    yield from (one for one in answers_of(DATA) if not is_unseen(one))
    yield from answers_of(FOLDER / "coverage" / "others.jsonl")


def everyday(matter: MatterFile) -> list[str]:
    """Beginnings of words that people use whatever they talk about."""
    rounds: defaultdict[str, list[str]] = defaultdict(list)
    total = Counter[bool]()
    for one in answers():
        total.update({True: one["lang"] != "en", False: one["lang"] != "zh"})
        for stem in stems(one["text"], frozenset(matter.small.zh)):
            rounds[stem].append(one["round"])
    return sorted(
        stem
        for stem, found in rounds.items()
        if len(set(found)) >= ROUNDS and len(found) >= ANYWHERE * total[is_hanzi(stem[0])]
    )


def places(text: str) -> list[tuple[list[str], bool]]:
    """What is seen at each place between two words, and whether a sentence ends there. Nothing of a text without marks."""
    found = tokens_of(without_marks(text))
    tokens = [one[0] for one in found]
    gaps = (text[before.end() : after.start()] for before, after in pairwise(found))
    ends = [bool(SENTENCE_END.search(gap)) for gap in gaps]
    return [(around(tokens, place), end) for place, end in enumerate(ends, start=1)] if any(ends) else []


def main() -> None:
    folder = data_folder("rubrics") / "scoring"
    matter, problems = read(folder / "matter.toml", MatterFile)
    if matter is None:
        raise SystemExit("\n".join(map(str, problems)))
    seen = list(chain.from_iterable(map(places, (one["text"] for one in answers()))))
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
        "# Beginnings of words, and pairs of characters, that answers have whatever they are about.",
        f"everyday = {json.dumps(everyday(matter), ensure_ascii=False)}",
        "",
        "[weights]",
        *(f"{json.dumps(name, ensure_ascii=False)} = {weights[name]}" for name in sorted(weights)),
    ]
    (folder / "breaks.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = list(chain.from_iterable(places(one["text"]) for one in answers_of(ANSWERS)))
    said = [bias + sum(weights.get(name, 0.0) for name in around_) > LEAST for around_, _ in told]
    right = sum(end and one for (_, end), one in zip(told, said, strict=True))
    ends = sum(end for _, end in told)
    print(json.dumps({"weights": len(weights), "precision": round(right / sum(said), 2), "recall": round(right / ends, 2)}))


if __name__ == "__main__":
    main()
