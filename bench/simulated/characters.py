"""Simulated candidates as they are written: bench/data/simulated/<id>.toml, bound to what was asked by kind or target.

A saying is marked like the answers of the other benches (bench/truth.py): `|` a place to think, `{um}` a filler. One that
begins with `@number,metric` answers what goes after these alone.
"""

from __future__ import annotations

import random
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.truth import Text, parse
from voiceprep.core.events import Language, MoveKind
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError

DATA = Path(__file__).parent.parent / "data" / "simulated"
ASKS = "your-questions"
"""The kind of what is asked while the candidate may ask."""
UNMARKED: tuple[MoveKind, ...] = ("question", "move_on")
"""Moves that raise a question: they go after nothing in particular."""
TONGUES: tuple[Tongue, ...] = ("en", "zh")
_AIMED = re.compile(r"@(?P<targets>[a-z_,]+) ")
IDS = (
    "strong",
    "lecturing",
    "bluffing",
    "silent",
    "rambling",
    "over-asking",
    "conceding",
    "gibberish",
    "repeating",
    "hostile",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the candidate has heard: the line, and what the log knows about it."""

    text: str
    move: MoveKind
    target: str
    question: str
    """Id of the main question, or "" while the candidate may ask."""
    kind: str
    """Kind of that question, or ASKS."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Sayings by language, and what they answer; an empty field fits anything."""

    id: str
    questions: frozenset[str]
    kinds: frozenset[str]
    targets: frozenset[str]
    moves: frozenset[str]
    says: dict[Tongue, tuple[str, ...]]

    def fit(self, asked: Asked) -> int | None:
        """How closely this answers it, the larger the closer; None: not at all."""
        if (asked.kind == ASKS) != (ASKS in self.kinds):
            return None
        target = "" if asked.move in UNMARKED else asked.target
        checks = ((self.questions, asked.question, 8), (self.targets, target, 4), (self.kinds, asked.kind, 2))
        if any(wanted and found not in wanted for wanted, found, _ in (*checks, (self.moves, asked.move, 1))):
            return None
        return sum(weight for wanted, _, weight in checks if wanted) + bool(self.moves)


@dataclass(frozen=True, slots=True)
class Character:
    """Who is sent in. `before` is the silence before an answer, `thinking` that at a marked place, each least and most."""

    id: str
    about: str
    before: tuple[Seconds, Seconds]
    thinking: tuple[Seconds, Seconds]
    pace: dict[Tongue, float]
    """Words (zh: characters) a second."""
    answers: tuple[Answer, ...]
    joined: int = 1
    """An answer to a main question is so many sayings long."""


class Chooser:
    """Says what fits what was asked most closely and was said least; the same seed says the same."""

    def __init__(self, character: Character, language: Language, seed: int) -> None:
        self._character = character
        self._language: Language = language
        self._luck = random.Random(zlib.crc32(f"{seed}:{character.id}:{language}".encode()))
        self._used: Counter[str] = Counter()

    def next(self, asked: Asked) -> Text:
        """What is said now: one saying, or several as one answer."""
        long = asked.move in UNMARKED and asked.kind != ASKS
        return _joined([self._one(asked) for _ in range(self._character.joined if long else 1)])

    def _one(self, asked: Asked) -> Text:
        """Raises BadInputError where the character has nothing to say to it: a file without an answer for all."""
        fitting = [(fit, answer) for answer in self._character.answers if (fit := answer.fit(asked)) is not None]
        tongue: Tongue = "zh" if self._language == "zh" else "en"
        if self._language == "mixed" and self._luck.random() < MIXED_SHARE:
            tongue = "zh"
        sayings = [
            (self._used[text.id], -fit, number, text)
            for fit, answer in fitting
            for number, text in enumerate(texts_of(answer, tongue))
        ]
        if not sayings:
            raise BadInputError(f"{self._character.id} has no answer to {asked}", code="bad-candidate")
        chosen = min(sayings, key=lambda each: each[:3])[3]
        self._used[chosen.id] += 1
        return chosen

    def between(self, low: float, high: float) -> float:
        return self._luck.uniform(low, high)


MIXED_SHARE = 0.4
"""Of the answers in a mixed session, how many are given in Chinese."""


def _joined(texts: list[Text]) -> Text:
    """Several sayings as one, a breath between them."""
    first = texts[0]
    sounds, holds = list(first.sounds), list(first.holds)
    for text in texts[1:]:
        sounds += text.sounds
        holds += ["sentence", *text.holds]
    return replace(first, id="+".join(text.id for text in texts), sounds=tuple(sounds), holds=tuple(holds))


def texts_of(answer: Answer, tongue: Tongue) -> list[Text]:
    """Every saying of an answer, as the benches speak it."""
    return [
        Text(f"{answer.id}-{tongue}-{number}", tongue, tuple(answer.questions), tuple(answer.targets), *parse(saying))
        for number, saying in enumerate(answer.says[tongue])
    ]


@lru_cache(maxsize=32)
def load_character(character_id: str) -> Character:
    """Read one. Raises BadInputError naming the file and what is wrong with it."""
    path = DATA / f"{character_id}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Character(
            id=character_id,
            about=data["about"],
            before=_range(data["before"]),
            thinking=_range(data.get("thinking", [2.0, 8.0])),
            pace={"en": float(data["pace"]["en"]), "zh": float(data["pace"]["zh"])},
            answers=tuple(
                answer for number, row in enumerate(data["answers"]) for answer in _answers(f"{character_id}-{number}", row)
            ),
            joined=int(data.get("joined", 1)),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"{path} is not a simulated candidate: {error!r}", code="bad-candidate") from error


def _range(pair: list[float]) -> tuple[Seconds, Seconds]:
    low, high = pair
    if not 0 < low <= high:
        raise ValueError(f"not a range of seconds: {pair}")
    return float(low), float(high)


def _answers(name: str, row: dict[str, Any]) -> Iterator[Answer]:
    """The sayings of a row; those that begin with `@target,target` answer these alone."""
    unknown = row.keys() - {"questions", "kinds", "targets", "moves", *TONGUES}
    if unknown:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    questions, kinds, targets, moves = (frozenset(row.get(key, ())) for key in ("questions", "kinds", "targets", "moves"))
    groups: dict[str, dict[Tongue, list[str]]] = {}
    for tongue in TONGUES:
        for saying in row.get(tongue, ()):
            found = _AIMED.match(saying)
            text = saying[found.end() :] if found else saying
            parse(text)
            groups.setdefault(found["targets"] if found else "", {}).setdefault(tongue, []).append(text)
    for number, (aimed, says) in enumerate(groups.items()):
        wanted = frozenset(aimed.split(",")) if aimed else targets
        given: dict[Tongue, tuple[str, ...]] = {tongue: tuple(says.get(tongue, ())) for tongue in TONGUES}
        yield Answer(f"{name}.{number}", questions, kinds, wanted, moves, given)
