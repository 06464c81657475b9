"""Fits the weights of rubrics/endings.toml to the seen two thirds of bench/data/endings, and writes them there.

    python -m tools.fit_endings [--dry]

Two logistic regressions over the same cues: ends against all other pauses (`odds`), whole clauses against broken ones
(`round`). Both classes weigh the same, so that what comes out is a log likelihood ratio, and not how many of each were written.
Weights are held at what a cue claims, as firmly as serves answers left out in turn.
"""

from __future__ import annotations

import argparse
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.text_endings import Point, own_points
from voiceprep.content import load_rubrics
from voiceprep.core.pack import Endings
from voiceprep.core.turns.ending import cues_heard

FILE = Path(__file__).parents[1] / "rubrics" / "endings.toml"
FOLDS = 6
STRENGTHS = (3.0, 10.0, 30.0)
"""How firmly weights are held. The weakest is not weak: who wrote the answers wrote the cues too, so both look better here than
on anyone else's words."""
CLAIMS = {
    "odds": {"thinking": -2.5, "held": -2.0, "open": -1.0, "closer": 3.0},
    "round": {"thinking": -3.0, "held": -3.0, "closer": 1.5},
}
"""Where weights are held: at what a cue's kind claims, at 0 without one."""
SETTLED = 1e-6
Floats = npt.NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry", action="store_true", help="print the weights and write nothing")
    dry = parser.parse_args().dry
    points = list(own_points(unseen=False))
    endings = load_rubrics().endings
    names, cues = _matrix(points, endings)
    shares = _shares(points)
    fitted = {}
    for target, positive in (("odds", [p.label == "end" for p in points]), ("round", [p.label != "broken" for p in points])):
        wanted = np.array(positive, dtype=float)
        claims = np.array([0.0, *(CLAIMS[target].get(cue.kind or "", 0.0) for cue in endings.cues)])
        losses = {s: _left_out(cues, wanted, shares, points, claims, s) for s in STRENGTHS}
        strength = min(losses, key=lambda s: losses[s])
        fitted[target] = _fit(cues, wanted, shares, claims, strength)
        print(f"{target}: strength {strength}, log loss left out {losses[strength]:.3f}")
    for name, odds, whole, count in zip(["base", *names], fitted["odds"], fitted["round"], cues.sum(axis=0), strict=True):
        print(f"{name:18} odds {odds:+.2f} round {whole:+.2f} in {count:.0f} points")
    if not dry:
        FILE.write_text(_written(FILE.read_text(encoding="utf-8"), names, fitted), encoding="utf-8")


def _matrix(points: Sequence[Point], endings: Endings) -> tuple[list[str], Floats]:
    """The cues' ids, and one row a point: 1 for the base, then 1 for each cue heard."""
    names = [cue.id for cue in endings.cues]
    rows = []
    for point in points:
        heard = {cue.id for cue in cues_heard(point.text, point.language, endings)}
        rows.append([1.0, *(float(name in heard) for name in names)])
    return names, np.array(rows)


def _shares(points: Sequence[Point]) -> Floats:
    """The ways in which one pause may be written share its weight."""
    keys = [(point.answer, re.sub(r"\W", "", point.text.lower())) for point in points]
    counts = Counter(keys)
    return np.array([1 / counts[key] for key in keys])


def _fit(cues: Floats, wanted: Floats, shares: Floats, claims: Floats, strength: float) -> Floats:
    """Newton's method for a logistic regression with balanced classes. The base is free."""
    total = shares.sum()
    weights = np.where(wanted > 0, shares / shares[wanted > 0].sum(), shares / shares[wanted == 0].sum()) * total / 2
    hold = np.full(cues.shape[1], strength)
    hold[0] = 1e-3
    beta = claims.copy()
    for _ in range(30):
        chance = 1 / (1 + np.exp(-cues @ beta))
        slope = cues.T @ (weights * (wanted - chance)) - hold * (beta - claims)
        bend = (cues * (weights * chance * (1 - chance))[:, None]).T @ cues + np.diag(hold)
        step = np.linalg.solve(bend, slope)
        beta += step
        if np.abs(step).max() < SETTLED:
            break
    return beta


def _left_out(cues: Floats, wanted: Floats, shares: Floats, points: Sequence[Point], claims: Floats, strength: float) -> float:
    """Balanced log loss on answers that were left out of the fit."""
    folds = np.array([zlib.crc32(f"fold {point.answer}".encode()) % FOLDS for point in points])
    loss = np.zeros(len(points))
    for fold in range(FOLDS):
        out = folds == fold
        logit = cues[out] @ _fit(cues[~out], wanted[~out], shares[~out], claims, strength)
        loss[out] = np.logaddexp(0, np.where(wanted[out] > 0, -logit, logit))
    sides = [np.average(loss[side], weights=shares[side]) for side in (wanted > 0, wanted == 0)]
    return float(np.mean(sides))


def _written(text: str, names: Sequence[str], fitted: dict[str, Floats]) -> str:
    """The file with its numbers replaced, and nothing else."""
    for target, weights in fitted.items():
        for place, name, weight in zip(range(len(weights)), ["", *names], weights, strict=True):
            head, key = (r"\[last_words\]", f"base_{target}") if place == 0 else (rf"\[last_words\.cues\.{name}\]", target)
            text, count = re.subn(rf"({head}\n(?:(?!\[)[^\n]*\n)*?{key} = )[^\n]+", rf"\g<1>{weight:.2f}", text)
            assert count == 1, f"{FILE.name} has no place for {key} of {name or 'the base'}"
    return text


if __name__ == "__main__":
    main()
