"""How well the ledger tells a contradiction from two things that differ: labelled pairs, and answers that hold none.

    python -m bench.consistency [--part seen|unseen|all] [--show]

Each pair is one story in two turns. Half of the pairs, chosen by a checksum of the id, was not run while the rules were tuned.
`longer` are pairs of longer spoken answers, parted likewise. `false_alarms` counts what the ledger finds in whole answers of
other data, which contradict nothing, when each of their sentences is taken for a turn: more comparisons than an interview has.
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
LONGER = DATA.with_name("longer.tsv")


def is_unseen(pair_id: str) -> bool:
    """A fixed half."""
    return zlib.crc32(f"c:{pair_id}".encode()) % 2 == 0


def run(data: Path = DATA, part: Part = "unseen") -> dict[str, Any]:
    """Precision and recall of "differs" over the pairs, by language and by kind, and false alarms in ordinary answers."""
    verdicts = _verdicts(data, part)
    return {
        "part": part,
        "pairs": len(verdicts),
        "all": _figures(verdicts),
        "languages": {lang: _figures([v for v in verdicts if v[0]["lang"] == lang]) for lang in ("en", "zh", "mixed")},
        "kinds": {
            kind: _figures([v for v in verdicts if v[0]["kind"] == kind]) for kind in ("figure", "date", "decider", "name")
        },
        "longer": _figures(_verdicts(LONGER, part)),
        "false_alarms": false_alarms(),
    }


def _verdicts(data: Path, part: Part) -> list[tuple[dict[str, str], bool]]:
    rows = [row for row in load(data) if part == "all" or is_unseen(row["id"]) == (part == "unseen")]
    return [(row, bool(differences(row))) for row in rows]


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
    parser.add_argument("--part", choices=("seen", "unseen", "all"), default="unseen")
    parser.add_argument("--show", action="store_true", help="print the pairs that went wrong; not for the unseen part")
    arguments = parser.parse_args()
    print(json.dumps(run(part=arguments.part), ensure_ascii=False, indent=2))
    if arguments.show:
        for row in [*load(DATA), *load(LONGER)]:
            wrong = bool(differences(row)) != (row["label"] == "differs")
            if wrong and not is_unseen(row["id"]):
                print("\t".join(row.values()))


if __name__ == "__main__":
    main()
