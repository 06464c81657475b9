"""How well signals and traps are heard in labelled answers, and whether the next question goes after what matters.

    python -m bench.coverage FILE.jsonl [--part seen|unseen|all] [--cues]

Everything was developed looking at two thirds of the answers; the rest, chosen by a checksum of the id, stays unseen. `--cues`
measures the cues alone, without the trained part.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from voiceprep.content import load_content, load_rubrics
from voiceprep.content.loader import round_ids
from voiceprep.core.answers.aim import FAULTS
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.coverage import assess_text, likelihoods
from voiceprep.core.pack import Detector
from voiceprep.review.followup import choose, question_like

Part = Literal["seen", "unseen", "all"]
DATA = Path(__file__).parent / "data" / "coverage" / "answers.jsonl"


def is_unseen(answer_id: str) -> bool:
    """A fixed third of any data."""
    return zlib.crc32(answer_id.encode()) % 3 == 0


def asked_of(answer: Mapping[str, Any]) -> Asked:
    return Asked(answer.get("question") or "", answer.get("prior") or "")


def run(data: Path = DATA, part: Part | None = None, *, cues: bool = False) -> dict[str, Any]:
    """Micro-averaged precision, recall and F1 over signals and traps, by language, and each label's counts.

    Without a `part`, the unseen third of our own answers, and all of any others.
    """
    part = part or ("unseen" if data == DATA else "all")
    answers = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines() if line.strip()]
    chosen = [answer for answer in answers if part == "all" or is_unseen(answer["id"]) == (part == "unseen")]
    detectors = load_rubrics().detectors
    if cues:
        detectors = tuple(replace(detector, trained=None) for detector in detectors)
    began = time.process_time()
    heard = {answer["id"]: _heard(answer, detectors) for answer in chosen}
    spent = time.process_time() - began
    traps = {detector.id for detector in detectors if detector.kind == "trap"}
    labels = [detector.id for detector in detectors]
    languages = sorted({answer["lang"] for answer in chosen})
    by_label = {label: figures(chosen, heard, [label]) for label in labels}
    return {
        "part": part,
        "answers": len(chosen),
        "cpu_ms_per_answer": round(1000 * spent / len(chosen), 2) if chosen else None,
        "macro_f1": _macro(by_label),
        "all": figures(chosen, heard, labels),
        "signals": figures(chosen, heard, [label for label in labels if label not in traps]),
        "traps": figures(chosen, heard, [label for label in labels if label in traps]),
        "languages": {
            lang: figures([answer for answer in chosen if answer["lang"] == lang], heard, labels) for lang in languages
        },
        "followups": followups(chosen, heard, {answer["id"]: _likely(answer, detectors) for answer in chosen}),
        "labels": by_label,
    }


def _heard(answer: Mapping[str, Any], detectors: Sequence[Detector]) -> frozenset[str]:
    return frozenset(item.signal for item in assess_text(answer["text"], detectors, answer["lang"], asked_of(answer)))


def _likely(answer: Mapping[str, Any], detectors: Sequence[Detector]) -> Mapping[str, float]:
    return likelihoods(answer["text"], detectors, answer["lang"], asked_of(answer))


def figures(
    answers: Iterable[Mapping[str, Any]], heard: Mapping[str, frozenset[str]], labels: Iterable[str]
) -> dict[str, float]:
    counts: Counter[str] = Counter()
    counted = set(labels)
    for answer in answers:
        expected, found = {*answer["signals"], *answer["traps"]} & counted, heard[answer["id"]] & counted
        counts.update(hits=len(expected & found), false=len(found - expected), missed=len(expected - found))
    good, bad, lost = counts["hits"], counts["false"], counts["missed"]
    return {
        "precision": round(good / (good + bad), 3) if good + bad else 0.0,
        "recall": round(good / (good + lost), 3) if good + lost else 0.0,
        "f1": round(2 * good / (2 * good + bad + lost), 3) if good + bad + lost else 0.0,
        "support": good + lost,
        "hits": good,
        "false": bad,
        "missed": lost,
    }


def _macro(labels: Mapping[str, Mapping[str, float]]) -> float | None:
    """The mean F1 of the labels that the answers have."""
    scores = [figures["f1"] for figures in labels.values() if figures["support"]]
    return round(sum(scores) / len(scores), 3) if scores else None


def followups(
    answers: Iterable[Mapping[str, Any]],
    heard: Mapping[str, frozenset[str]],
    likely: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Any]:
    """Of the first replies to answers with labelled targets: how many go after one of them, and why others do not.

    `heard` and `likely` by the answer's id: the labels, and how probable each is.
    """
    known = set(round_ids())
    aimed = [answer for answer in answers if answer.get("targets") and answer["round"] in known]
    contents = {name: load_content(name) for name in {answer["round"] for answer in aimed}}
    hits: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    for answer in aimed:
        content, targets = contents[answer["round"]], answer["targets"]
        question = question_like(content, answer["question"])
        truth = frozenset([*answer["signals"], *answer["traps"]])
        asked = question, answer["prior"] or "", answer["lang"], answer["text"]
        target = choose(content, *asked, heard[answer["id"]], (likely or {}).get(answer["id"], {})).target
        hits["all"] += (right := target in targets)
        hits[answer["lang"]] += right
        if not right:
            misses[_miss(target, answer, heard[answer["id"]])] += 1
        hits["true labels"] += choose(content, *asked, truth).target in targets
    count = Counter(answer["lang"] for answer in aimed)

    def share(name: str, of: int) -> float | None:
        return round(hits[name] / of, 3) if of else None

    return {
        "answers": len(aimed),
        "acceptable": share("all", len(aimed)),
        "acceptable_with_true_labels": share("true labels", len(aimed)),
        "languages": {lang: share(lang, count[lang]) for lang in sorted(count)},
        "misses": dict(sorted(misses.items())),
    }


def _miss(target: str, answer: Mapping[str, Any], heard: frozenset[str]) -> str:
    """Why a reply misses: what was misheard (the first three), or the choice itself."""
    if target in answer["signals"]:
        return "asked for what was there"
    if target in FAULTS:
        return "another fault was due, or a gap" if target in answer["traps"] else "challenged what was not there"
    faults = {*answer["targets"]} & {*answer["traps"]}
    return "the fault to challenge was not heard" if faults and not faults & heard else "another gap was due, or a fault"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=DATA)
    parser.add_argument("--part", choices=("seen", "unseen", "all"), help="of our own answers the unseen, else all")
    parser.add_argument("--cues", action="store_true", help="the cues alone")
    given = parser.parse_args()
    print(json.dumps(run(given.data, given.part, cues=given.cues), indent=1, ensure_ascii=False))
