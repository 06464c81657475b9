"""The weights of the judge of proposals: rubrics/proposals.tsv, which tools/train_proposals.py writes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from voiceprep.content.problems import Problem, shown
from voiceprep.core.answers.features import Lexicon
from voiceprep.core.answers.proposing import PLACES, ProposalJudge

FORMAT = "1"
SCALE = 100
"""Weights are whole numbers in the file: this many for 1.0."""


def read_judge(path: Path, lexicon: Lexicon) -> tuple[ProposalJudge | None, list[Problem]]:
    """Read a weights file. `lexicon`: the one that it was trained with."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return None, [Problem(shown(path), "", None, f"cannot be read: {error}")]
    head: dict[str, tuple[float, ...]] = {}
    weights: dict[str, tuple[float, ...]] = {}
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("# "):
            try:
                _take(line.split("\t"), head, weights)
            except (ValueError, OverflowError) as error:
                return None, [Problem(shown(path), "", number, f"is not a line of weights: {error}")]
    if lacking := {"format", "thresholds", "bias"} - head.keys():
        return None, [Problem(shown(path), "", None, f"lacks {', '.join(sorted(lacking))}")]
    return ProposalJudge(lexicon, weights, head["bias"], head["thresholds"]), []


def _take(cells: list[str], head: dict[str, tuple[float, ...]], weights: dict[str, tuple[float, ...]]) -> None:
    match cells:
        case ["format", version]:
            if version != FORMAT:
                raise ValueError(f"format {version}, not {FORMAT}")
            head["format"] = ()
        case ["thresholds" | "bias" as name, *values]:
            head[name] = _row(values)
        case ["feature", name, *values]:
            weights[name] = _row(values)
        case _:
            raise ValueError(f"begins with {cells[0]!r}")


def _row(values: list[str]) -> tuple[float, ...]:
    if len(values) != len(PLACES):
        raise ValueError(f"{len(values)} values, not {len(PLACES)}")
    return tuple(int(value) / SCALE for value in values)


def written(judge: ProposalJudge, remarks: Iterable[str]) -> str:
    """The text of a weights file."""
    lines = [f"# {remark}" for remark in remarks]
    lines.append(f"format\t{FORMAT}")
    rows = [("thresholds", judge.thresholds), ("bias", judge.bias)]
    rows += [(f"feature\t{name}", judge.weights[name]) for name in sorted(judge.weights)]
    lines += ["\t".join([name, *(str(round(value * SCALE)) for value in values)]) for name, values in rows]
    return "\n".join(lines) + "\n"
