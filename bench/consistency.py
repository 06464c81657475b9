"""How well the ledger tells a contradiction from two things that differ: labelled pairs, and answers that hold none.

    python -m bench.consistency [--part seen|unseen|all] [--show]

Each pair is one story in two turns. Half of the pairs, chosen by a checksum of the id, was not run while the rules were tuned.
`false_alarms` counts what the ledger finds between real-looking answers of other data that contradict nothing: two turns of one
question each, the answer cut in two.
"""

from __future__ import annotations

import argparse
import csv
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from voiceprep.core.clauses import sentences
from voiceprep.core.events import QuestionAsked, TurnStarted, Word, WordsCommitted
from voiceprep.core.ledger import Difference, Ledger
from voiceprep.core.units import At, Media

Part = Literal["seen", "unseen", "all"]
DATA = Path(__file__).parent / "data" / "consistency" / "pairs.tsv"
ANSWERS = Path(__file__).parent / "data" / "coverage" / "answers.jsonl"
LEAST_WORDS = 40


def is_unseen(pair_id: str) -> bool:
    """A fixed half."""
    return zlib.crc32(f"c:{pair_id}".encode()) % 2 == 0


def run(data: Path = DATA, part: Part = "unseen") -> dict[str, Any]:
    """Precision and recall of "differs" over the pairs, by language and by kind, and false alarms in ordinary answers."""
    rows = [row for row in load(data) if part == "all" or is_unseen(row["id"]) == (part == "unseen")]
    verdicts = [(row, bool(differences(row))) for row in rows]
    return {
        "part": part,
        "pairs": len(rows),
        "all": _figures(verdicts),
        "languages": {lang: _figures([v for v in verdicts if v[0]["lang"] == lang]) for lang in ("en", "zh", "mixed")},
        "kinds": {
            kind: _figures([v for v in verdicts if v[0]["kind"] == kind]) for kind in ("figure", "date", "decider", "name")
        },
        "false_alarms": false_alarms(),
    }


def load(data: Path) -> list[dict[str, str]]:
    with data.open(encoding="utf-8", newline="") as file:
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


def _figures(verdicts: Sequence[tuple[dict[str, str], bool]]) -> dict[str, float]:
    counts = Counter((row["label"] == "differs", found) for row, found in verdicts)
    good, bad, lost = counts[True, True], counts[False, True], counts[True, False]
    return {
        "precision": round(good / (good + bad), 3) if good + bad else 0.0,
        "recall": round(good / (good + lost), 3) if good + lost else 0.0,
        "hits": good,
        "false": bad,
        "missed": lost,
    }


def false_alarms() -> dict[str, int]:
    """Answers cut in two turns of one story, and neighbours joined into one: nothing in the first may be found to differ."""
    answers = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines() if line.strip()]
    cut = [halves for answer in answers if (halves := _halves(answer["text"]))]
    strangers = list(pairwise(answer["text"] for answer in answers))
    return {
        "answers": len(cut),
        "found": sum(bool(told([("", first), ("", second)]).differences()) for first, second in cut),
        "unrelated_pairs": len(strangers),
        "found_there": sum(bool(told([("", first), ("", second)]).differences()) for first, second in strangers),
    }


def _halves(text: str) -> tuple[str, str] | None:
    ends = [end for _, end in sentences(text)]
    if len(ends) < 2:
        return None
    middle = ends[len(ends) // 2 - 1]
    return text[:middle], text[middle:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("seen", "unseen", "all"), default="unseen")
    parser.add_argument("--show", action="store_true", help="print the pairs that went wrong; not for the unseen part")
    arguments = parser.parse_args()
    print(json.dumps(run(part=arguments.part), ensure_ascii=False, indent=2))
    if arguments.show:
        for row in load(DATA):
            wrong = bool(differences(row)) != (row["label"] == "differs")
            if wrong and not is_unseen(row["id"]):
                print("\t".join(row.values()))


if __name__ == "__main__":
    main()
