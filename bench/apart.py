"""Whether interviewers can be told apart blind: who speaks, guessed from five lines by what half of their lines taught.

    python -m bench.apart

A naive Bayes over features of style: words (Chinese: characters) and their neighbours, how a line begins and ends, its length.
What a line is about is taken out as far as can be: words that only a few interviewers use count for nothing.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from voiceprep.content import load_rounds
from voiceprep.core.pack import Line, Point, RoundPack, Tongue
from voiceprep.core.text import HANZI

LINES = 5
DRAWS = 20
"""So many times five unseen lines are drawn of each persona."""
DOUBT = 5000.0
"""So many features of anybody's are added to what is known of each."""
SHARED = 4
"""A word that personas of so many rounds use tells of style, not of topic."""
BLANK = "_"
TONGUES: tuple[Tongue, ...] = ("en", "zh")
_TOKEN = re.compile(rf"[a-z']+|[{HANZI}]|[.,?!:;，。？！：；、]")


def run(seed: int = 1, **_: Any) -> dict[str, Any]:
    """Returns for each language ``{"accuracy", "chance", "words_too", "confusion": {persona: {guessed: draws}}}``.

    `accuracy` is from style alone; `words_too` leaves the topic in.
    """
    return {
        tongue: told_apart(tongue, seed) | {"words_too": accuracy(guessed(_said(tongue), seed, style_only=False))}
        for tongue in TONGUES
    }


def told_apart(tongue: Tongue, seed: int = 1) -> dict[str, Any]:
    """How often the speaker is guessed by style alone, and who is taken for whom."""
    said = _said(tongue)
    confusion = guessed(said, seed, style_only=True)
    return {
        "accuracy": accuracy(confusion),
        "chance": round(1 / len(said), 3),
        "confusion": confusion,
    }


def _said(tongue: Tongue) -> dict[str, list[str]]:
    return {pack.persona.id: sorted(set(lines_of(pack, tongue))) for pack in load_rounds().values()}


def accuracy(confusion: Mapping[str, Mapping[str, int]]) -> float:
    right = sum(row.get(persona, 0) for persona, row in confusion.items())
    return round(right / sum(sum(row.values()) for row in confusion.values()), 3)


def lines_of(pack: RoundPack, tongue: Tongue) -> Iterator[str]:
    """Everything this interviewer may say while asking, every phrasing of it."""
    for line in _spoken(pack):
        yield from line.phrasings[tongue]


def _spoken(pack: RoundPack) -> Iterator[Line]:
    for question in pack.questions:
        yield question.line
        yield from _points(question.points)
    for pushback in pack.pushbacks:
        yield pushback.line
        yield from _points(pushback.points)
    yield from _points((*pack.deeper, *pack.challenges))
    yield from (one.line for one in pack.interjections)
    yield from (answer.line for answer in pack.answers)
    yield from (pack.invite, pack.unknown_answer, pack.more, pack.closing)


def _points(points: Sequence[Point]) -> Iterator[Line]:
    for point in points:
        yield point.line
        yield from _points(point.chain)


# --- the guess ----------------------------------------------------------------------------------------------------------


def guessed(said: Mapping[str, Sequence[str]], seed: int, *, style_only: bool) -> dict[str, dict[str, int]]:
    """Who was taken for whom, over DRAWS draws of LINES unseen lines of each persona."""
    luck = random.Random(seed)
    allowed = habits(said) if style_only else None
    learnt: dict[str, Counter[str]] = {}
    unseen: dict[str, list[str]] = {}
    for persona, lines in said.items():
        mixed = luck.sample(list(lines), len(lines))
        half = len(mixed) // 2
        learnt[persona] = Counter(feature for text in mixed[:half] for feature in features(text, allowed))
        unseen[persona] = mixed[half:]
    everyone = sum(learnt.values(), Counter[str]())
    weights = {persona: _weights(counts, everyone) for persona, counts in learnt.items()}
    confusion: dict[str, dict[str, int]] = {}
    for persona, lines in unseen.items():
        guesses: Counter[str] = Counter()
        for _ in range(DRAWS):
            heard = [
                feature for text in luck.sample(lines, LINES) for feature in features(text, allowed) if feature in everyone
            ]
            guesses[max(weights, key=lambda who: sum(weights[who][feature] for feature in heard))] += 1
        confusion[persona] = dict(guesses.most_common())
    return confusion


def _weights(counts: Counter[str], everyone: Counter[str]) -> dict[str, float]:
    """How much each feature speaks for one persona. Who was heard less is doubted more: what all say stands in for the rest."""
    share, own = DOUBT / everyone.total(), counts.total() + DOUBT
    return {feature: math.log((counts[feature] + share * count) / own) for feature, count in everyone.items()}


def habits(said: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Words and characters that many personas use: what is left of a line when its topic is taken out."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for persona, lines in said.items():
        for token in {token for text in lines for token in _TOKEN.findall(text.casefold())}:
            users[token].add(persona)
    return frozenset(token for token, who in users.items() if len(who) >= SHARED)


def features(text: str, allowed: frozenset[str] | None) -> Iterator[str]:
    """Tokens, pairs of neighbours, how it begins and ends, and how long it is. Tokens that are not allowed are blanks."""
    tokens = [token if allowed is None or token in allowed else BLANK for token in _TOKEN.findall(text.casefold())]
    yield from (token for token in tokens if token != BLANK)
    yield from (f"{left} {right}" for left, right in pairwise(tokens) if BLANK not in {left, right})
    if tokens:
        yield f"first {tokens[0]}"
        yield f"last {' '.join(tokens[-2:])}"
    yield f"long {min(8, len(tokens) // 4)}"
    yield f"sentences {min(4, len(re.findall(r'[.?!。？！]', text)))}"


if __name__ == "__main__":
    print(json.dumps(run(), indent=1, ensure_ascii=False))
