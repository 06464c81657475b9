"""How well signals and traps are heard in labelled answers, and whether the next question goes after what matters.

    python -m bench.coverage FILE.jsonl [--part seen|unseen|all] [--cues]

Everything was developed looking at two thirds of the answers; the rest, chosen by a checksum of the id, stays unseen. `--cues`
measures the cues alone, without the trained part.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from voiceprep.content import load_content, load_rubrics
from voiceprep.content.loader import round_ids
from voiceprep.core.classifier import Asked
from voiceprep.core.coverage import assess_text, on_topic
from voiceprep.core.director import Choice, Director, Heard
from voiceprep.core.pack import Detector, Question, tongue_of

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
    heard = {answer["id"]: _heard(answer, detectors) for answer in chosen}
    traps = {detector.id for detector in detectors if detector.kind == "trap"}
    labels = [detector.id for detector in detectors]
    languages = sorted({answer["lang"] for answer in chosen})
    return {
        "part": part,
        "answers": len(chosen),
        "all": _figures(chosen, heard, labels),
        "signals": _figures(chosen, heard, [label for label in labels if label not in traps]),
        "traps": _figures(chosen, heard, [label for label in labels if label in traps]),
        "languages": {
            lang: _figures([answer for answer in chosen if answer["lang"] == lang], heard, labels) for lang in languages
        },
        "followups": _followups(chosen, heard),
        "labels": {label: _figures(chosen, heard, [label]) for label in labels},
    }


def _heard(answer: Mapping[str, Any], detectors: Sequence[Detector]) -> frozenset[str]:
    return frozenset(item.signal for item in assess_text(answer["text"], detectors, answer["lang"], asked_of(answer)))


def _figures(
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
        "hits": good,
        "false": bad,
        "missed": lost,
    }


def _followups(answers: Iterable[Mapping[str, Any]], heard: Mapping[str, frozenset[str]]) -> dict[str, Any]:
    """Of the first replies to answers with labelled targets: how many go after one of them, and how many there were."""
    known = set(round_ids())
    asked = hit = perfect = 0
    for answer in answers:
        if not answer.get("targets") or answer["round"] not in known:
            continue
        asked += 1
        hit += _first(answer, heard[answer["id"]]).target in answer["targets"]
        truth = frozenset([*answer["signals"], *answer["traps"]])
        perfect += _first(answer, truth).target in answer["targets"]
    return {
        "answers": asked,
        "acceptable": round(hit / asked, 3) if asked else None,
        "acceptable_with_true_labels": round(perfect / asked, 3) if asked else None,
    }


def _first(answer: Mapping[str, Any], heard: frozenset[str]) -> Choice:
    """What the director says to the answer, as the reply to the question of its round that is most like the one asked."""
    content = load_content(answer["round"])
    pack = content.round
    text = f"{answer['question']} {answer['prior'] or ''}"

    def likeness(question: Question) -> int:
        return on_topic(text, question, "mixed")

    best = max(pack.questions, key=likeness)
    rest = [question for question in pack.questions if question.id != best.id]
    first = replace(best, section=pack.sections[0].id)
    director = Director(replace(pack, questions=(first, *rest)), content.endings, tongue_of(answer["lang"]), seed=1)
    director.open()
    return director.reply(Heard(answer["text"], heard), elapsed=60.0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=DATA)
    parser.add_argument("--part", choices=("seen", "unseen", "all"), help="of our own answers the unseen, else all")
    parser.add_argument("--cues", action="store_true", help="the cues alone")
    given = parser.parse_args()
    print(json.dumps(run(given.data, given.part, cues=given.cues), indent=1, ensure_ascii=False))
