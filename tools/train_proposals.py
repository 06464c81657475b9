"""Fits the judge of proposals and writes rubrics/proposals.tsv.

    python -m tools.train_proposals

Needs scikit-learn, which only the training tools do. Trained on bench/data/proposals.tsv: sentences that propose, bound or do
neither, written for it or taken from the first five batches of bench/data/pacing_jumps.toml; those after them are only measured
on (`voiceprep bench pacing`). Prints how well whole beginnings of a batch are judged without having seen that batch: a
figure to develop by, and better than the truth, since some sentences were written after what was missed at first (.93 and .91).
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from bench.pacing import DATA, JUMPS, read_batches
from voiceprep.config import data_folder
from voiceprep.content.proposals import written
from voiceprep.content.reading import read
from voiceprep.content.trained import LexiconFile, lexicon
from voiceprep.core.answers.clauses import sentences
from voiceprep.core.answers.cues import OPENING
from voiceprep.core.answers.features import Lexicon, features
from voiceprep.core.answers.proposing import PLACES, ProposalJudge

SENTENCES = DATA.with_name("proposals.tsv")
STRENGTH = 10.0
"""Inverse strength of the regularisation, and ..."""
THRESHOLDS = (0.4, 0.5)
"""... the least probability of each place: both chosen by cross-validation over batches."""
SEEN_IN = 3
"""Fewer sentences than this say nothing about a feature."""
LEAST = 0.05
"""Smaller weights are left out."""
_MARKS = re.compile(r"[,;:，；、：?!？！。….]+")


@dataclass(frozen=True, slots=True)
class Labelled:
    label: str
    batch: str
    text: str


def fit(rows: list[Labelled], words: Lexicon) -> ProposalJudge:
    """Each sentence is learned twice: as written, and as a recogniser gives it that sets no marks and no capitals."""
    texts = [form for row in rows for form in (row.text, _MARKS.sub(" ", row.text).strip().lower())]
    labels = np.repeat([row.label for row in rows], 2)
    vectorizer = CountVectorizer(analyzer=lambda found: found, binary=True, min_df=SEEN_IN)
    matrix = normalize(vectorizer.fit_transform([sorted(features(text, words)) for text in texts]))
    models = [
        LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0).fit(matrix, labels == place) for place in PLACES
    ]
    table = np.stack([model.coef_[0] for model in models], axis=1)
    weights = {
        # A feature without weight still counts as seen: the length of a sentence is what is known of it.
        str(name): tuple(float(one) if abs(one) >= LEAST else 0.0 for one in row)
        for name, row in zip(vectorizer.get_feature_names_out(), table, strict=True)
    }
    return ProposalJudge(words, weights, tuple(float(model.intercept_[0]) for model in models), THRESHOLDS)


def figures(rows: list[Labelled], words: Lexicon) -> dict[str, float]:
    """Precision and recall over the beginnings of the batches that were learned from, each by a judge without its batch."""
    hit = false = missed = 0
    for batch, kinds in read_batches(JUMPS).items():
        others = [row for row in rows if row.batch != batch]
        if len(others) == len(rows):
            continue
        judge = fit(others, words)
        for text, wanted in ((text, kind == "jumps") for kind in kinds for texts in kinds[kind].values() for text in texts):
            opening = [text[start:end] for start, end in sentences(text)][:OPENING]
            jump = any(map(judge.proposes, opening)) and not any(map(judge.bounds, opening))
            hit, false, missed = hit + (jump and wanted), false + (jump and not wanted), missed + (wanted and not jump)
    return {"precision": round(hit / (hit + false), 3), "recall": round(hit / (hit + missed), 3)}


def main() -> None:
    file, problems = read(data_folder("rubrics") / "lexicon.toml", LexiconFile)
    if file is None:
        raise SystemExit("\n".join(map(str, problems)))
    words = lexicon(file)
    with SENTENCES.open(encoding="utf-8", newline="") as lines:
        rows = [Labelled(*cells) for cells in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    out = data_folder("rubrics") / "proposals.tsv"
    counts = {label: len(list(group)) for label, group in groupby(sorted(row.label for row in rows))}
    told = ", ".join(f"{count} {label}" for label, count in counts.items())
    remarks = ["Written by tools/train_proposals.py for core/answers/proposing.py, do not edit.", f"From sentences: {told}."]
    out.write_text(written(fit(rows, words), remarks), encoding="utf-8")
    print(json.dumps({"sentences": counts, "bytes": out.stat().st_size, "unseen batches": figures(rows, words)}, indent=1))


if __name__ == "__main__":
    main()
