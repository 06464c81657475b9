"""The weights of what is gone after first: rubrics/aim.tsv, which tools/train_aim.py writes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from voiceprep.content.problems import Problem, shown
from voiceprep.core.answers.aiming import Aiming

FORMAT = "1"
SCALE = 100
"""Weights are whole numbers in the file: this many for 1.0."""
MOST = 100_000
"""No weight is as large as this: it would be no odds that anybody can reckon with."""


def read_aiming(path: Path) -> tuple[Aiming | None, list[Problem]]:
    """Read a weights file. Its views are any text: one that the core does not make weighs nothing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return None, [Problem(shown(path), "", None, f"cannot be read: {error}")]
    if f"format\t{FORMAT}" not in lines:
        return None, [Problem(shown(path), "", None, f"is not of format {FORMAT}")]
    weights: dict[str, float] = {}
    for number, line in enumerate(lines, 1):
        if not line or line.startswith(("# ", "format\t")):
            continue
        name, _, value = line.partition("\t")
        try:
            weights[name] = _weight(value)
        except ValueError as error:
            return None, [Problem(shown(path), "", number, f"is not a line of weights: {error}")]
    return Aiming(weights), []


def _weight(value: str) -> float:
    if abs(weight := int(value)) > MOST:
        raise ValueError(f"{weight} is beyond {MOST}")
    return weight / SCALE


def written(weights: dict[str, float], remarks: Iterable[str]) -> str:
    """The text of a weights file; what rounds to nothing is left out."""
    rows = {name: round(value * SCALE) for name, value in weights.items()}
    lines = [*(f"# {remark}" for remark in remarks), f"format\t{FORMAT}"]
    return "\n".join([*lines, *(f"{name}\t{value}" for name, value in sorted(rows.items()) if value)]) + "\n"
