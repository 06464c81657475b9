"""How well the ledger tells a contradiction from two things that differ: labelled pairs, and answers that hold none.

    python -m bench.consistency [--show]

Each pair is one story in two turns. `pairs` and `longer` are halved by a checksum of the id: the unseen half was not run while
the rules were tuned by the other. `late` was written to break them, and then tuned by; `blind` came after that and was run once
before its one fault was mended. `false_alarms` counts what is found in whole answers of other data, which contradict nothing,
when each of their sentences is taken for a turn: more comparisons than an interview has.
"""

from __future__ import annotations

import argparse
import csv
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from voiceprep.core.answers.clauses import sentences
from voiceprep.core.claims.ledger import Difference, Ledger
from voiceprep.core.events import QuestionAsked, TurnStarted, Word, WordsCommitted
from voiceprep.core.units import At, Media

DATA = Path(__file__).parent / "data" / "consistency"
SETS = ("pairs", "longer", "late", "blind")
HALVED = ("pairs", "longer")
ANSWERS = Path(__file__).parent / "data" / "coverage" / "answers.jsonl"


def is_unseen(pair_id: str) -> bool:
    """A fixed half."""
    return zlib.crc32(f"c:{pair_id}".encode()) % 2 == 0


def run() -> dict[str, Any]:
    """Precision and recall of "differs" for each set of pairs, for all by language and by kind, and false alarms."""
    judged = [(name, row, bool(differences(row))) for name in SETS for row in load(name)]
    groups = [(name, part) for name in SETS for part in (("seen", "unseen") if name in HALVED else ("all",))]
    return {
        "sets": [{"set": name, "part": part, **_figures(_part(judged, name, part))} for name, part in groups],
        "languages": [
            {"lang": lang, **_figures((row, found) for _, row, found in judged if row["lang"] == lang)}
            for lang in ("en", "zh", "mixed")
        ],
        "kinds": [
            {"kind": kind, **_figures((row, found) for _, row, found in judged if row["kind"] == kind)}
            for kind in ("figure", "date", "decider", "name")
        ],
        "false_alarms": false_alarms(),
    }


Verdict = tuple[dict[str, str], bool]
"""A labelled pair, and whether a difference was found in it."""


def _part(judged: Sequence[tuple[str, dict[str, str], bool]], name: str, part: str) -> Iterator[Verdict]:
    for of, row, found in judged:
        if of == name and (part == "all" or is_unseen(row["id"]) == (part == "unseen")):
            yield row, found


def load(name: str) -> list[dict[str, str]]:
    """The pairs of a set: id, lang, label (`differs` or `agrees`), kind, and what was asked and answered first and second."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def differences(row: dict[str, str]) -> tuple[Difference, ...]:
    """What the ledger finds between the two answers of a pair."""
    return told([(row["asked_first"], row["first"]), (row["asked_second"], row["second"])]).differences()


def told(turns: Sequence[tuple[str, str]]) -> Ledger:
    """A ledger of one story: (what was asked, what was answered), turn by turn."""
    ledger = Ledger()
    for number, (asked, answer) in enumerate(turns, 1):
        at, media = At(60.0 * number), Media(60.0 * number)
        ledger.handle(QuestionAsked(at=at, question="story", text=asked, of=f"s{number}"))
        ledger.handle(TurnStarted(at=at, speaker="candidate", turn=2 * number, media=media))
        ledger.handle(WordsCommitted(at=at, words=tuple(_words(answer, media)), turn=2 * number))
    return ledger


def _words(text: str, media: Media) -> Iterator[Word]:
    place = float(media)
    piece = ""
    for char, following in pairwise([*text, " "]):
        piece += char
        joins = char.isascii() and following.isascii() and not following.isspace() and not char.isspace()
        if not joins and piece.strip():
            yield Word(piece.strip(), Media(place), Media(place + 0.3), 0.9)
            place, piece = place + 0.3, ""


def _figures(verdicts: Iterable[Verdict]) -> dict[str, float]:
    counts = Counter((row["label"] == "differs", found) for row, found in verdicts)
    good, bad, lost = counts[True, True], counts[False, True], counts[True, False]
    return {
        "pairs": sum(counts.values()),
        "precision": round(good / (good + bad), 3) if good + bad else 0.0,
        "recall": round(good / (good + lost), 3) if good + lost else 0.0,
        "hits": good,
        "false": bad,
        "missed": lost,
    }


def false_alarms(data: Path = ANSWERS) -> dict[str, int]:
    """Answers that contradict nothing, told as if each sentence were a turn of its own: `found` of them are accused of it."""
    answers = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {"answers": len(answers), "found": sum(bool(apart(answer).differences()) for answer in answers)}


def apart(answer: dict[str, Any]) -> Ledger:
    """The ledger of an answer, sentence by sentence, all of one story."""
    text = answer["text"]
    asked = answer.get("prior") or answer.get("question") or ""
    parts = [text[start:end] for start, end in sentences(text)]
    return told([(asked if number == 0 else "", part) for number, part in enumerate(parts)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print the pairs that went wrong, unseen ones left out")
    shown = parser.parse_args().show
    print(json.dumps(run(), ensure_ascii=False, indent=2))
    for name in SETS if shown else ():
        for row in load(name):
            hidden = name in HALVED and is_unseen(row["id"])
            if not hidden and bool(differences(row)) != (row["label"] == "differs"):
                print("\t".join(row.values()))


if __name__ == "__main__":
    main()
