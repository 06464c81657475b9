"""How well scores agree with labelled answers: levels, and which of two answers to the same question is the better one.

    python -m bench.scores [FILE.jsonl] [--part seen|unseen|all]

Items are `{id, round, question, lang, prior, text}` with a `level` 1..4; a `pair` groups answers to the same question;
`signals` and `traps` are compared where they are given. Of our own answers a third, by a checksum of the pair, was kept unseen
while everything was made; it is what is reported without `--part`.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from bench.coverage import figures
from voiceprep.content import load_rubrics
from voiceprep.review.scoring import Scorer

Part = Literal["seen", "unseen", "all"]
DATA = Path(__file__).parent / "data" / "scores" / "answers.jsonl"
LEVELS = 4


def answers_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def group_of(answer: Mapping[str, Any]) -> str:
    return str(answer.get("pair") or answer["id"])


def is_unseen(answer: Mapping[str, Any]) -> bool:
    """A fixed third, pairs kept together."""
    return zlib.crc32(group_of(answer).encode()) % 3 == 0


def run(data: Path = DATA, part: Part | None = None) -> dict[str, Any]:
    """Agreement of levels, rank order of pairs, and each label's counts. Of our own answers the unseen third, of others all."""
    part = part or ("unseen" if data == DATA else "all")
    chosen = [one for one in answers_of(data) if part == "all" or is_unseen(one) == (part == "unseen")]
    scorer = Scorer()
    began = time.process_time()
    scored = {
        one["id"]: scorer.text(one["round"], one["question"] or "", one["prior"] or "", one["lang"], one["text"])
        for one in chosen
    }
    spent = time.process_time() - began
    levels: dict[str, int | None] = {name: (one["overall"] or {}).get("level") for name, one in scored.items()}
    values = {name: (one["overall"] or {}).get("value", 0.0) for name, one in scored.items()}
    rated = [one for one in chosen if levels[one["id"]] is not None]
    languages = sorted({one["lang"] for one in chosen})
    return {
        "part": part,
        "answers": len(chosen),
        "not_scored": len(chosen) - len(rated),
        "cpu_ms_per_answer": round(1000 * spent / len(chosen), 2) if chosen else None,
        "levels": agreement([one["level"] for one in rated], [levels[one["id"]] for one in rated]),
        "languages": {
            lang: agreement(
                [one["level"] for one in rated if one["lang"] == lang],
                [levels[one["id"]] for one in rated if one["lang"] == lang],
            )
            for lang in languages
        },
        "pairs": pairs(chosen, levels, values),
        "any_two": ranks(combinations(chosen, 2), levels, values),
        "labels": _labels(chosen, scored),
    }


def agreement(truth: Sequence[int], guessed: Sequence[int | None]) -> dict[str, Any]:
    """Exact share, mean absolute error, and kappa with squared weights; the table has a row for each true level."""
    n = len(truth)
    if not n:
        return {"n": 0}
    counts = Counter(zip(truth, guessed, strict=True))
    every = range(1, LEVELS + 1)
    rows, columns = Counter(truth), Counter(guessed)
    observed = sum((a - (b or 0)) ** 2 * count for (a, b), count in counts.items())
    chance = sum((a - b) ** 2 * rows[a] * columns[b] for a in every for b in every) / n
    return {
        "n": n,
        "exact": round(sum(a == b for a, b in zip(truth, guessed, strict=True)) / n, 3),
        "mae": round(sum(abs(a - (b or 0)) for a, b in zip(truth, guessed, strict=True)) / n, 3),
        "kappa": round(1 - observed / chance, 3) if chance else None,
        "table": [[counts[a, b] for b in every] for a in every],
    }


def pairs(answers: Iterable[Mapping[str, Any]], levels: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Any]:
    """Rank order of answers to the same question."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for one in answers:
        groups.setdefault(str(one.get("pair") or (one["round"], one["question"], one["prior"])), []).append(one)
    return ranks((two for group in groups.values() for two in combinations(group, 2)), levels, values)


def ranks(
    couples: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]], levels: Mapping[str, Any], values: Mapping[str, float]
) -> dict[str, Any]:
    """Of the couples with different true levels, the share whose better one has the higher level, and the higher value."""
    n = by_level = tied = by_value = 0
    wrong: list[str] = []
    for one, two in couples:
        if one["level"] == two["level"]:
            continue
        better, worse = (one, two) if one["level"] > two["level"] else (two, one)
        high, low = levels[better["id"]] or 0, levels[worse["id"]] or 0
        n += 1
        by_level += high > low
        tied += high == low
        by_value += values[better["id"]] > values[worse["id"]]
        if high <= low:
            wrong.append(f"{better['id']} {high} {worse['id']} {low}")
    share = {"by_level": by_level, "tied": tied, "by_value": by_value}
    return {"n": n} | {name: round(count / n, 3) if n else None for name, count in share.items()} | {"not_above": wrong[:12]}


def _labels(answers: Sequence[Mapping[str, Any]], scored: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Signals and traps against the labels of the answers that have them."""
    labelled = [one for one in answers if "signals" in one]
    if not labelled:
        return {}
    heard = {
        one["id"]: frozenset(item["id"] for kind in ("signals", "traps") for item in scored[one["id"]][kind])
        for one in labelled
    }
    names = [one.id for one in load_rubrics().detectors]
    return {"all": figures(labelled, heard, names)} | {name: figures(labelled, heard, [name]) for name in names}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=DATA)
    parser.add_argument("--part", choices=("seen", "unseen", "all"), help="of our own answers the unseen, else all")
    given = parser.parse_args()
    print(json.dumps(run(given.data, given.part), indent=1, ensure_ascii=False))
