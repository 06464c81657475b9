"""Whether a text can be scored at all. Pure: by what kinds of words and neighbours the detectors were trained with.

A recogniser that heard noise writes words, but not words that stand beside each other; a hand on the keyboard not even those.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from voiceprep.core.answers.classifier import Classifier
from voiceprep.core.answers.features import NUMBER, english_words
from voiceprep.core.text import HANZI

Doubt = Literal["empty", "short", "unknown", "loop", "poor"]
LEAST = 6.0
"""Words (a Chinese character counts as half a word) under which nothing can be said of an answer."""
KNOWN_WORDS = 0.55
"""Share of the words that must be known,"""
KNOWN_PAIRS = {"latin": 0.1, "han": 0.22}
"""... and of the pairs of neighbours. Of answers at least 0.12 and 0.28 are, of their words in any order 0.2 and 0.1."""
LOOP_FROM, LOOP = 24, 0.15
"""A text of so many words with so small a share of different ones is a loop."""
_HAN = re.compile(f"[{HANZI}]+")
_WORTH = 0.5


def doubt(text: str, classifier: Classifier) -> Doubt | None:
    """Why this text cannot be scored, or None."""
    words = english_words(_HAN.sub(" ", text))
    runs = _HAN.findall(text)
    characters = [character for run in runs for character in run]
    amount = len(words) + _WORTH * len(characters)
    if not amount:
        return "empty" if not re.search(r"\w", text) else "unknown"
    if amount < LEAST:
        return "short"
    if amount >= LOOP_FROM and len({*words, *characters}) < LOOP * (len(words) + len(characters)):
        return "loop"
    seen = classifier.clause
    fillers = classifier.lexicon.fillers
    plain = [_number(word, classifier) for word in words if word not in fillers]
    known = sum(word in seen or word in {NUMBER, "'s"} for word in plain) + sum(one in seen for one in characters)
    pairs = [f"{one} {two}" for one, two in pairwise(plain)]
    han = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    together = sum(pair in seen for pair in (*pairs, *han))
    if known < KNOWN_WORDS * (len(plain) + len(characters)):
        return "unknown"
    if together < KNOWN_PAIRS["latin"] * len(pairs) + KNOWN_PAIRS["han"] * len(han):
        return "unknown"
    return None


def _number(word: str, classifier: Classifier) -> str:
    return NUMBER if word[0].isdigit() or word in classifier.lexicon.numbers else word
