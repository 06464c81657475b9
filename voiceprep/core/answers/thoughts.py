"""Where one thought ends and the next begins, also in speech that was written down without marks. Pure.

A recogniser under load writes few marks. Where they are missing an answer is cut by how often sentences began and ended with
the words on both sides of a place, and by nothing further away: whatever is put before an answer, or after it, leaves its own
cuts where they were, so that it is weighed in the same stretches. Where there are marks, `clauses.units` goes by them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from voiceprep.core.answers.clauses import CLAUSE_MARK, SENTENCE_END, Stretch, pieces, units
from voiceprep.core.text import HANZI, is_hanzi

HAN = 3
"""So many letters of Latin text a Chinese character is worth."""
BARE = 120
"""Letters a mark of more than which a sentence is without marks,"""
NEAR = 60
"""... and how far around a place no likelier one may be, if it is to be a cut."""
LEAST = -1.5
"""Log odds of a sentence's end under which nothing is cut."""
BLANK = 2.0
"""Added to them where a recogniser left a blank between two characters, as it does at pauses."""
_TOKEN = re.compile(rf"[{HANZI}]|[^\s{HANZI}]+")
_EDGE = ["|"]


@dataclass(frozen=True, eq=False)
class Breaks:
    """How often sentences part at certain words: log odds by feature (`around`), and `bias` where there is none."""

    weights: Mapping[str, float]
    bias: float


def thoughts(text: str, breaks: Breaks, apart: re.Pattern[str], opens: re.Pattern[str]) -> Iterator[Stretch]:
    """Stretches of about one thought each.

    Where no marks part it from the rest, what matches `apart` stands by itself, and `opens` is how a stretch begins.
    """
    for start, end in pieces(text, SENTENCE_END):
        sentence = text[start:end]
        if _reach(sentence)[-1] <= BARE * (1 + len(CLAUSE_MARK.findall(sentence))):
            found: Iterable[Stretch] = units(sentence)
        else:
            found = _cut(sentence, breaks, apart, opens)
        yield from ((start + first, start + last) for first, last in found)


def around(tokens: Sequence[str], place: int) -> list[str]:
    """What is seen of a place before `tokens[place]`: three tokens before it, four after it, in runs."""
    before = [*_EDGE * 3, *map(_plain, tokens[max(0, place - 3) : place])][-3:]
    after = [*map(_plain, tokens[place : place + 4]), *_EDGE * 4][:4]
    seen = [
        f"+{after[0]}",
        f"+{after[0]} {after[1]}",
        f"+{' '.join(after[:3])}",
        f"+_ {after[1]}",
        f"+_ _ {after[2]}",
        f"-{before[2]}",
        f"-{before[1]} {before[2]}",
        f"-{before[1]} _",
        f"{before[2]} + {after[0]}",
    ]
    return [*seen, f"+{' '.join(after)}", f"-{' '.join(before)}"] if is_hanzi(after[0][0]) else seen


def tokens_of(text: str) -> list[re.Match[str]]:
    """Words of Latin text, Chinese characters one by one."""
    return list(_TOKEN.finditer(text))


def _plain(token: str) -> str:
    return "#" if token[0].isdigit() else token.casefold()


def _reach(text: str) -> list[int]:
    """How far each place is from the beginning, in letters."""
    return list(accumulate((HAN if is_hanzi(one) else 1 for one in text), initial=0))


@lru_cache(maxsize=64)
def _cut(sentence: str, breaks: Breaks, apart: re.Pattern[str], opens: re.Pattern[str]) -> tuple[Stretch, ...]:
    """Cuts at places that are likelier than all around them, and at what stands apart or opens a stretch."""
    reach = _reach(sentence)
    whole = [found.span() for found in apart.finditer(sentence)]
    begun = [found.span() for found in opens.finditer(sentence)]
    held = [*whole, *begun]
    places = [(at, odds) for at, odds in _odds(sentence, breaks) if not any(first <= at <= last for first, last in held)]
    # The text's own ends hold off what is near to them, as they do when they are no ends: something stands before, or after.
    rivals = [(0, math.inf), *places, (len(sentence), math.inf)]
    cuts = [
        at for at, odds in places if not any(other > odds and abs(reach[there] - reach[at]) < NEAR for there, other in rivals)
    ]
    fixed = [*(edge for span in whole for edge in span), *(first for first, _ in begun)]
    edges = sorted({0, *cuts, *fixed, len(sentence)})
    found = (_trimmed(sentence, first, last) for first, last in pairwise(edges))
    return tuple(one for one in found if one[0] < one[1])


def _odds(sentence: str, breaks: Breaks) -> Iterator[tuple[int, float]]:
    found = tokens_of(sentence)
    tokens = [one[0] for one in found]
    for place in range(1, len(found)):
        odds = breaks.bias + sum(breaks.weights.get(name, 0.0) for name in around(tokens, place))
        apart = found[place].start() > found[place - 1].end()
        if apart and is_hanzi(tokens[place][0]) and is_hanzi(tokens[place - 1][-1]):
            odds += BLANK
        if odds > LEAST:
            yield found[place].start(), odds


def _trimmed(text: str, start: int, end: int) -> Stretch:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
