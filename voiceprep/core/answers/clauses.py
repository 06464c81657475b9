"""Where sentences and clauses of spoken text begin and end. Pure: patterns over what was recognised.

A recogniser may give no punctuation at all, so a clause also ends before a conjunction. The cuts depend on nothing that comes
later than the next one: when an answer grows, all but its last stretch stay as they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from voiceprep.core.text import ONE_HANZI

Stretch = tuple[int, int]
"""From and to, as places in the text."""

CLAUSE_END = re.compile(
    r"[,;:，；、：?!？！。…]+|\.(?!\d)|\s(?=(?:and|but|so|because|which|whereas|although)\s)|(?=但是|可是|所以|因为|然后|不过|而且|结果)"
)
CLAUSE_MARK = re.compile(r"[,;:，；、：]+")
SENTENCE_END = re.compile(r"[?!？！。…]+|\.(?!\d)")
_LONG = 300
"""Characters; longer sentences do not occur in speech, only missing full stops."""
_UNIT = {False: 170, True: 60}
"""The longest unit, in characters, of Latin and of Chinese text."""


def sentences(text: str) -> Iterator[Stretch]:
    """Sentences; what a recogniser left unpunctuated is cut where a clause ends, always at the same places."""
    for start, end in pieces(text, SENTENCE_END):
        begin = start
        while end - begin > _LONG:
            cut = CLAUSE_END.search(text, begin + _LONG // 2, begin + _LONG)
            stop = max(cut.end(), begin + 1) if cut else begin + _LONG
            yield from _trimmed(text, begin, stop)
            begin = stop
        yield from _trimmed(text, begin, end)


def units(text: str) -> Iterator[Stretch]:
    """Stretches that hold about one thought each: sentences, and the longer ones cut again at the ends of clauses."""
    for start, end in sentences(text):
        sentence = text[start:end]
        limit = _UNIT[len(ONE_HANZI.findall(sentence)) > 0.3 * len(sentence)]
        begin = start
        if end - start > limit:
            for _, stop in pieces(sentence, CLAUSE_END):
                if start + stop - begin >= limit / 2 and end - start - stop > limit / 4:
                    yield from _trimmed(text, begin, start + stop)
                    begin = start + stop
        yield from _trimmed(text, begin, end)


def pieces(text: str, ends: re.Pattern[str]) -> Iterator[Stretch]:
    """The stretches between ends, end marks included, without the blanks around them, none empty."""
    start = 0
    for match in ends.finditer(text):
        if match.end() > start:
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[Stretch]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield left, right
