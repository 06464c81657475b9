"""Whether talk about nothing raises a score: answers with padding before them and after them, and each said twice.

    python -m bench.padding [FILE.jsonl] [--every N] [--bare] [--pads FILE.json]

The pads are in bench/data/scores/padding.json, by kind: plain talk, and what somebody who knows the rubric would try; those of
padding_fresh.json are another hand's, and nothing was mended looking at them. `--bare` takes all marks away, as a recogniser
that writes none does.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.scores import answers_of
from voiceprep.review.scoring import Scorer

FOLDER = Path(__file__).parent / "data"
ANSWERS = FOLDER / "coverage" / "third.jsonl"
PADS = FOLDER / "scores" / "padding.json"
MARKS = re.compile(r"[,;:?!.，；：？！。、…]+(?=\s|$)|[，；：？！。、…]")
"""A point inside of a number stays."""


def run(data: Path = ANSWERS, every: int = 1, *, bare: bool = False, pads: Path = PADS) -> dict[str, Any]:
    """How many scores rose or fell by a level, and dimensions that rose; of every n-th answer of the file."""
    scorer = Scorer()
    answers = answers_of(data)[::every]
    tries, raised, lowered = 0, Counter[str](), Counter[str]()
    dimensions: Counter[str] = Counter()
    examples: list[str] = []
    for answer in answers:
        before = _scored(scorer, answer, _text(answer["text"], bare=bare))
        for kind, where, text in padded(answer, bare=bare, pads=pads):
            after = _scored(scorer, answer, text)
            tries += 1
            if _level(after) > _level(before):
                raised[kind] += 1
                examples.append(f"{answer['id']}: {kind} {where}, {_level(before)} to {_level(after)}")
            lowered[kind] += _level(after) < _level(before)
            dimensions[kind] += _rose(before, after)
    return {
        "answers": len(answers),
        "tries": tries,
        "raised": sum(raised.values()),
        "lowered": sum(lowered.values()),
        "dimensions_raised": sum(dimensions.values()),
        "by_kind": dict(raised),
        "lowered_by_kind": {kind: count for kind, count in lowered.items() if count},
        "dimensions_by_kind": {kind: count for kind, count in dimensions.items() if count},
        "examples": examples[:20],
    }


def padded(answer: Mapping[str, Any], *, bare: bool = False, pads: Path = PADS) -> Iterator[tuple[str, str, str]]:
    """Each padding of an answer: its kind, where it stands, and the whole text."""
    own = _text(answer["text"], bare=bare)
    for pad in json.loads(pads.read_text(encoding="utf-8"))["en" if answer["lang"] == "en" else "zh"]:
        text = _text(pad["text"], bare=bare)
        yield pad["kind"], "after", f"{own} {text}"
        yield pad["kind"], "before", f"{text} {own}"
    yield "twice", "", f"{own} {own}"


def without_marks(text: str) -> str:
    """The text with blanks in the place of its marks, of the same length."""
    return MARKS.sub(lambda found: " " * len(found[0]), text)


def _text(text: str, *, bare: bool) -> str:
    return " ".join(without_marks(text).split()) if bare else text


def _scored(scorer: Scorer, answer: Mapping[str, Any], text: str) -> dict[str, Any]:
    return scorer.text(answer["round"], answer["question"] or "", answer["prior"] or "", answer["lang"], text)


def _level(scored: Mapping[str, Any]) -> int:
    return scored["overall"]["level"] if scored["overall"] else 0


def _rose(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """Dimensions that rose. From nothing heard to a fault that was heard is no rise."""
    was = {one["id"]: one["level"] or 1 for one in before["dimensions"]}
    return sum((one["level"] or 0) > was.get(one["id"], 1) for one in after["dimensions"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=ANSWERS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every n-th answer")
    parser.add_argument("--bare", action="store_true", help="without marks")
    parser.add_argument("--pads", type=Path, default=PADS, help="other pads")
    given = parser.parse_args()
    print(json.dumps(run(given.data, given.every, bare=given.bare, pads=given.pads), indent=1, ensure_ascii=False))
