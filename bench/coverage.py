"""How well the detectors hear what fair readers marked in labelled answers.

    python -m bench.coverage FILE.jsonl [--part seen|unseen|all]

The detectors are written looking at two thirds of the answers; the rest, chosen by a checksum of the id, stays unseen.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from voiceprep.content import load_rubrics
from voiceprep.core.coverage import assess_text

Part = Literal["seen", "unseen", "all"]


def is_unseen(answer_id: str) -> bool:
    """A fixed third of any data."""
    return zlib.crc32(answer_id.encode()) % 3 == 0


def run(data: Path, part: Part = "unseen") -> dict[str, Any]:
    """Micro-averaged precision, recall and F1 over signals and traps, and each label's counts."""
    answers = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines() if line.strip()]
    chosen = [answer for answer in answers if part == "all" or is_unseen(answer["id"]) == (part == "unseen")]
    detectors = load_rubrics().detectors
    hits: Counter[str] = Counter()
    false: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for answer in chosen:
        expected = {*answer["signals"], *answer["traps"]}
        heard = {item.signal for item in assess_text(answer["text"], detectors, answer["lang"])}
        hits.update(expected & heard)
        false.update(heard - expected)
        missed.update(expected - heard)
    traps = {detector.id for detector in detectors if detector.kind == "trap"}
    labels = [detector.id for detector in detectors]
    return {
        "part": part,
        "answers": len(chosen),
        "all": _figures(labels, hits, false, missed),
        "signals": _figures([label for label in labels if label not in traps], hits, false, missed),
        "traps": _figures([label for label in labels if label in traps], hits, false, missed),
        "labels": {label: _figures([label], hits, false, missed) for label in labels},
    }


def _figures(labels: Iterable[str], hits: Counter[str], false: Counter[str], missed: Counter[str]) -> dict[str, float]:
    good, bad, lost = (sum(counts[label] for label in labels) for counts in (hits, false, missed))
    return {
        "precision": round(good / (good + bad), 3) if good + bad else 0.0,
        "recall": round(good / (good + lost), 3) if good + lost else 0.0,
        "f1": round(2 * good / (2 * good + bad + lost), 3) if good + bad + lost else 0.0,
        "hits": good,
        "false": bad,
        "missed": lost,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=("seen", "unseen", "all"), default="unseen")
    given = parser.parse_args()
    print(json.dumps(run(given.data, given.part), indent=1))
