"""Fits the scale of scores and writes rubrics/scoring/scale.toml.

    python -m tools.fit_scores [--also FILE.jsonl ...]

Needs scipy, which nothing else does but training. Fitted on the two thirds of bench/data/scores that bench/scores.py calls
seen, and on all of `--also`, labelled answers of another hand. It is an ordinal logistic model of what `weigh` in
core/answers/score_evidence finds: every signal has a weight of 0 or more, every trap one of 0 or less, drawn to 1 and 2,
since there are more weights than a few hundred answers can tell. So more evidence never lowers a level and a fault never
raises it.

Prints the agreement out of fold: for answers that the weights have not seen, folds grouped by pair.
"""

from __future__ import annotations

import argparse
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]  # it ships no types

from bench.scores import DATA, agreement, answers_of, group_of, is_unseen
from voiceprep.config import data_folder
from voiceprep.content import load_rubrics
from voiceprep.content.reading import read
from voiceprep.content.scoring import BreaksFile, MatterFile, matter_of
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.score_evidence import weigh

FOLDS = 5
HELD = 0.6
"""How strongly weights are drawn to what was expected, chosen out of fold among 0.1, 0.3, 0.6, 1 and 3."""
EXPECTED = {"signal": 1.0, "trap": 2.0}
HEARD = 0.35
Array = np.ndarray[Any, Any]


def fit(views: Array, levels: Array, signs: Array, expected: Array) -> tuple[Array, Array]:
    """Weights of 0 or more, and the three cuts."""
    signed = views * signs

    def cost(values: Array) -> float:
        weights, cuts = values[:-3], _cuts(values)
        above = 1 / (1 + np.exp(-np.clip((signed @ weights)[:, None] - cuts, -40, 40)))
        steps = np.hstack([np.ones((len(levels), 1)), above, np.zeros((len(levels), 1))])
        rows = np.arange(len(levels))
        likely = steps[rows, levels - 1] - steps[rows, levels]
        return float(-np.log(np.maximum(likely, 1e-9)).sum() + HELD * ((weights - expected) ** 2).sum())

    bounds = [(0.0, None)] * len(signs) + [(None, None)] * 3
    found = minimize(cost, np.r_[expected, -1.0, 1.0, 1.0], method="L-BFGS-B", bounds=bounds)
    return found.x[:-3], _cuts(found.x)


def _cuts(values: Array) -> Array:
    return np.cumsum(np.r_[values[-3], np.exp(values[-2:])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="labelled answers of another hand, all of them used")
    parser.add_argument("--out", type=Path, default=data_folder("rubrics") / "scoring" / "scale.toml")
    given = parser.parse_args()
    own = [one for one in answers_of(DATA) if not is_unseen(one)]
    also = [one for path in given.also for one in answers_of(path)]
    answers = own + also
    detectors = load_rubrics().detectors
    folder = data_folder("rubrics") / "scoring"
    file, problems = read(folder / "matter.toml", MatterFile)
    breaks, more = read(folder / "breaks.toml", BreaksFile)
    if file is None or breaks is None:
        raise SystemExit("\n".join(map(str, [*problems, *more])))
    matter = matter_of(file, breaks)
    names = [one.id for one in detectors]
    kinds: dict[str, str] = {one.id: one.kind for one in detectors}
    seen = [
        weigh(one["text"], detectors, one["lang"], Asked(one["question"] or "", one["prior"] or ""), matter) for one in answers
    ]
    views = np.array([[each.likely.get(name, 0.0) for name in names] for each in seen])
    levels = np.array([one["level"] for one in answers])
    signs = np.array([1.0 if kinds[name] == "signal" else -1.0 for name in names])
    expected = np.array([EXPECTED[kinds[name]] for name in names])
    folds = np.array([zlib.crc32(f"fold {group_of(one)}".encode()) % FOLDS for one in answers])
    guessed = np.zeros(len(answers), int)
    for fold in range(FOLDS):
        weights, cuts = fit(views[folds != fold], levels[folds != fold], signs, expected)
        guessed[folds == fold] = 1 + ((views[folds == fold] * signs @ weights)[:, None] > cuts).sum(axis=1)
    weights, cuts = fit(views, levels, signs, expected)
    found = dict(zip(names, (round(float(one), 2) for one in weights), strict=True))
    given.out.write_text(_written(found, kinds, [round(float(one), 2) for one in cuts], len(own), len(also)), encoding="utf-8")
    split = {"own": range(len(own)), "also": range(len(own), len(answers))}
    report = {
        kind: agreement([int(levels[at]) for at in places], [int(guessed[at]) for at in places])
        for kind, places in split.items()
        if len(places)
    }
    print(json.dumps({"out of fold": report}, indent=1))


def _written(weights: dict[str, float], kinds: dict[str, str], cuts: list[float], own: int, also: int) -> str:
    lines = [
        "# Written by tools/fit_scores.py, do not edit: the ordinal scale of core/answers/score.py.",
        f"# From {own} own answers and {also} of another hand. Signals add, traps take away, each times its probability.",
        "",
        f"cuts = {cuts}",
        f"heard = {HEARD}",
    ]
    for title, kind in (("signals", "signal"), ("traps", "trap")):
        lines += ["", f"[{title}]", *(f"{name} = {weight}" for name, weight in weights.items() if kinds[name] == kind)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
