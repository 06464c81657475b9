"""How well the last words tell the end of an answer from a pause inside it.

    python -m bench.text_endings [FILE.jsonl]

Without a file: the unseen third of bench/data/endings, whose other two thirds the weights were fitted to. With labelled answers
(`id`, `lang`, `text`): each is over at its end, goes on after its earlier sentences, and was cut once inside each long one.
Whether a pause after a whole sentence is the end is often not to be known from the text; then odds near 0 are right.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench.coverage import is_unseen
from voiceprep.content import load_rubrics
from voiceprep.core.events import Language
from voiceprep.core.pack import Endings
from voiceprep.core.text import HANZI
from voiceprep.core.turns.ending import LastWords, ending

Label = Literal["end", "sentence", "broken"]
"""The answer is over; it goes on after a whole sentence; it goes on after part of one, or after a hesitation."""
OWN = Path(__file__).parent / "data" / "endings"
LANGUAGES: tuple[Language, ...] = ("en", "zh", "mixed")
BINS = 5
_PAUSE = re.compile(r"\s*([|/])(?=\s)\s*")
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=\S)|(?<=[。？！])")
_CUT_WORDS = 6
"""A sentence with fewer words (or twice as many Chinese characters) is not cut."""


@dataclass(frozen=True, slots=True)
class Point:
    """A pause: the text of the answer up to it, as one recogniser or another may write it."""

    answer: str
    language: Language
    text: str
    label: Label


def run(data: Path | None = None) -> dict[str, Any]:
    """Per language: areas under the curve, balanced log loss, reliability of the odds."""
    points = list(own_points(unseen=True) if data is None else answer_points(data))
    endings = load_rubrics().endings
    by_language: dict[str, list[Point]] = {name: [point for point in points if point.language == name] for name in LANGUAGES}
    parts = [("all", points), *by_language.items()]
    return {
        "points": dict(Counter(point.label for point in points)),
        "rows": [_figures(name, part, endings) for name, part in parts if part],
        "reliability": _reliability(points, endings),
        "kinds": _kinds(points, endings),
    }


# --- pauses ---------------------------------------------------------------------------------------------------------------


def own_points(*, unseen: bool) -> Iterator[Point]:
    """The project's own answers, where pauses are marked by hand (see the files' heads), in every way of writing them."""
    for language in LANGUAGES:
        lines = (OWN / f"{language}.txt").read_text(encoding="utf-8").splitlines()
        for answer in (line for line in lines if line and not line.startswith("#")):
            name = f"{language}-{zlib.crc32(answer.encode()):08x}"
            if is_unseen(name) == unseen:
                for text, label in _pauses(answer, language):
                    yield from (Point(name, language, written, label) for written in _written(text, label, language))


def answer_points(path: Path) -> Iterator[Point]:
    """Pauses of whole answers that nobody marked: after every sentence, and at one place inside each long one."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            answer = json.loads(line)
            yield from _unmarked(answer["id"], answer["lang"], answer["text"])


def _pauses(answer: str, language: Language) -> Iterator[tuple[str, Label]]:
    said = ""
    parts = _PAUSE.split(answer)
    for part, mark in zip(parts[::2], [*parts[1::2], ""], strict=True):
        said += part if not said or (language == "zh") else f" {part}"
        yield said, {"|": "sentence", "/": "broken", "": "end"}[mark]  # type: ignore[misc]  # a literal looked up


def _written(text: str, label: Label, language: Language) -> Iterator[str]:
    """As it stands, and as recognisers write it.

    That is: lower case without the last mark, a full stop after a broken clause, Chinese with commas alone or with nothing.
    """
    yield text
    yield text.lower().rstrip(" .,!?，。？！、")
    if label == "broken":
        yield text.rstrip(" ,，、") + ("。" if language == "zh" else ".")
    if language != "en":
        yield re.sub(r"[。？！](?=.)", "，", text).rstrip(" ，。？！、")
        yield re.sub(r"[，。？！、]", "", text)


def _unmarked(name: str, language: Language, text: str) -> Iterator[Point]:
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    said = ""
    for number, sentence in enumerate(sentences, start=1):
        units = re.findall(rf"[{HANZI}]|[^\s{HANZI}]+\s*", sentence)
        least = _CUT_WORDS * (2 if language == "zh" else 1)
        if len(units) >= least:
            # A fixed place, neither the first words nor the last.
            place = 2 + zlib.crc32(sentence.encode()) % (len(units) - 3)
            yield Point(name, language, (said + "".join(units[:place])).rstrip(" ,.，。、"), "broken")
        said += sentence + ("" if language == "zh" else " ")
        yield Point(name, language, said.strip(), "end" if number == len(sentences) else "sentence")


# --- figures --------------------------------------------------------------------------------------------------------------


def _figures(name: str, points: Sequence[Point], endings: Endings) -> dict[str, Any]:
    judged = [(ending(point.text, point.language, endings), point.label) for point in points]

    def odds(label: Label) -> list[float]:
        return [words.odds for words, of in judged if of == label]

    whole = [words.roundness for words, label in judged if label != "broken"]
    broken = [words.roundness for words, label in judged if label == "broken"]
    return {
        "language": name,
        "ends": len(odds("end")),
        "end_vs_sentence": auc(odds("end"), odds("sentence")),
        "end_vs_broken": auc(odds("end"), odds("broken")),
        "end_vs_pause": auc(odds("end"), odds("sentence") + odds("broken")),
        "roundness": auc(whole, broken),
        "log_loss": round(_log_loss(judged), 3),
    }


def auc(high: Sequence[float], low: Sequence[float]) -> float | None:
    """How often one of `high` exceeds one of `low`, ties counted half; None where either is empty."""
    if not high or not low:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in high for b in low)
    return round(wins / (len(high) * len(low)), 3)


def _log_loss(judged: Sequence[tuple[LastWords, Label]]) -> float:
    """With ends and pauses weighted alike: 0.693 says nothing, less says something, more misleads."""
    ends = [math.log1p(math.exp(-words.odds)) for words, label in judged if label == "end"]
    others = [math.log1p(math.exp(words.odds)) for words, label in judged if label != "end"]
    return (sum(ends) / max(1, len(ends)) + sum(others) / max(1, len(others))) / 2


def _reliability(points: Sequence[Point], endings: Endings) -> list[dict[str, Any]]:
    """Pauses in five equal parts by their odds: what was said on average, and the log likelihood ratio that was found."""
    judged = sorted((ending(point.text, point.language, endings).odds, point.label == "end") for point in points)
    ends = sum(end for _, end in judged)
    prior = math.log(max(1, ends) / max(1, len(judged) - ends))
    rows = []
    for number in range(BINS):
        part = judged[number * len(judged) // BINS : (number + 1) * len(judged) // BINS]
        hits = sum(end for _, end in part)
        found = math.log((hits + 0.5) / (len(part) - hits + 0.5)) - prior
        said = sum(odds for odds, _ in part) / max(1, len(part))
        rows.append({"points": len(part), "ends": hits, "said": round(said, 2), "found": round(found, 2)})
    return rows


def _kinds(points: Sequence[Point], endings: Endings) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for point in points:
        counts.setdefault(point.label, Counter())[ending(point.text, point.language, endings).kind] += 1
    return {label: dict(kinds) for label, kinds in counts.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    print(json.dumps(run(parser.parse_args().data), indent=1))
