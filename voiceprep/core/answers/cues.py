"""What the cues of rubrics/signals.toml hear in an answer. Pure: patterns over what was recognised.

A cue is looked for in a sentence, its veto in the clauses that it touches: "there are trade-offs, obviously, but I gave up two
weeks" has a veto in its first clause and evidence in its last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from voiceprep.core.answers.clauses import CLAUSE_END, Stretch, pieces, sentences
from voiceprep.core.events import Language
from voiceprep.core.pack import Detector, Tongue

OPENING = 3
"""An opening that gives the shape of an answer comes within its first sentences, after "okay, so"."""
_START_CHARACTERS = 240


def tongues(language: Language) -> tuple[Tongue, ...]:
    """The languages whose cues are tried."""
    return ("en", "zh") if language == "mixed" else (language,)


def heard_by_cues(text: str, detectors: Sequence[Detector], language: Language) -> dict[str, Stretch]:
    """The signals and traps that cues alone find, each with its first evidence."""
    whole = list(sentences(text))
    opening = [(start, min(end, _START_CHARACTERS)) for start, end in whole[:OPENING] if start < _START_CHARACTERS]
    found: dict[str, Stretch] = {}
    for detector in detectors:
        hits: list[Stretch] = []
        for start, end in opening if detector.scope == "start" else whole:
            hits += [(start + first, start + last) for first, last in cue_hits(text[start:end], detector, language)]
            if len(hits) >= detector.least:
                found[detector.id] = hits[0]
                break
    heard = set(found)
    return {one.id: found[one.id] for one in detectors if one.id in heard and _holds(one, heard)}


@dataclass(frozen=True, slots=True)
class UnitCues:
    """The cues in one unit of an answer by label: where they are, and which labels lost one to a veto."""

    hits: dict[str, tuple[Stretch, ...]]
    vetoed: frozenset[str]


def unit_cues(texts: Sequence[str], detectors: Sequence[Detector], language: Language) -> list[UnitCues]:
    """The cues in each unit of an answer, in order. What belongs to an opening counts only there."""
    found = []
    for place, text in enumerate(texts):
        here = [one for one in detectors if place < OPENING or one.scope != "start"]
        searched = {one.id: _search(text, one, language) for one in here}
        hits = {label: stretches for label, (stretches, _) in searched.items() if stretches}
        found.append(
            UnitCues(hits, frozenset(label for label, (_, vetoed) in searched.items() if vetoed and label not in hits))
        )
    return found


def _holds(detector: Detector, heard: set[str]) -> bool:
    return heard.issuperset(detector.needs) and heard.isdisjoint(detector.unless_heard)


def cue_hits(sentence: str, detector: Detector, language: Language) -> tuple[Stretch, ...]:
    """The stretches of whole clauses that hold a cue, one for each clause a cue begins in, in order."""
    return _search(sentence, detector, language)[0]


@lru_cache(maxsize=16384)
def _search(sentence: str, detector: Detector, language: Language) -> tuple[tuple[Stretch, ...], bool]:
    """The hits in a sentence, and whether a veto took one away.

    Remembered, since a growing answer is assessed again and again and only its last sentence is new.
    """
    clauses = list(pieces(sentence, CLAUSE_END))
    hits: dict[int, Stretch] = {}
    vetoed = False
    for tongue in tongues(language):
        for cue in detector.cues.get(tongue, ()):
            for match in cue.pattern.finditer(sentence):
                first, stretch = _stretch(match.span(), clauses)
                if cue.unless is not None and cue.unless.search(sentence[slice(*stretch)]):
                    vetoed = True
                else:
                    hits.setdefault(first, stretch)
    return tuple(hits[first] for first in sorted(hits)), vetoed


def _stretch(match: Stretch, clauses: Sequence[Stretch]) -> tuple[int, Stretch]:
    """The clauses that a match touches: the first one's number, and the place from its start to the last one's end."""
    first = max(0, bisect_right(clauses, match[0], key=_start) - 1)
    last = max(first, bisect_right(clauses, max(match[0], match[1] - 1), key=_start) - 1)
    return first, (clauses[first][0], clauses[last][1])


def _start(piece: Stretch) -> int:
    return piece[0]
