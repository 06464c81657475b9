"""Is this the end of the answer? What its last words say, and nothing else: not its length, its silence or its melody.

Two numbers come out, since two questions are asked of a pause. Is the clause complete (`roundness`)? And do answers end like
this more often than they go on (`odds`)? A complete sentence in the middle of an answer is round, and says little of the end.

A recogniser writes a full stop where speech broke off, drops "um" and often leaves Chinese without any mark: so words decide,
and marks are one weak cue among many. Cues and their weights are content (rubrics/endings.toml), and tools/fit_endings.py fits
them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from voiceprep.core.events import Language
from voiceprep.core.pack import EndCue, EndingKind, Endings, Listing, Tongue, View
from voiceprep.core.text import HANZI, has_hanzi

_MARKS = " \t\n.,!?;:…—-。，！？；：、\"'”“"
_SENTENCE_END = re.compile(r"[?!？！。…]+\s*|\.+(?!\d)\s*")
_UNITS = re.compile(rf"[a-z0-9']+|[{HANZI}]")
_REPEAT = 20
"""Words, or Chinese characters, up to which a turn may be nothing but the wish to hear something again."""
_LAST = 160
"""Characters of the last sentence that are looked at; more means that full stops are missing."""
_LAST_CHINESE = 40
"""... where it is written in Chinese, which says as much with a quarter of them."""
_BACK = 1000
"""Characters in which a list that was announced may still be running: about a minute of speech."""
_BROKEN = 0.35
"""A clause less round than this is held, though no cue says so."""
_OPENING = -0.8
"""Odds under which a complete sentence wants another."""


@dataclass(frozen=True, slots=True)
class LastWords:
    """What the last words of an answer say.

    `odds` is the natural log of how much likelier they are where an answer ends than where the speaker goes on after a pause:
    add it to the prior log odds. `roundness` is 0 (broken off, or held aloud) to 1 (a complete sentence).
    """

    odds: float
    roundness: float
    kind: EndingKind


def ending(text: str, language: Language, endings: Endings) -> LastWords:
    """Judge the last words of an answer so far, as recognised. An empty text is held: nothing has been said yet."""
    if not text.strip(_MARKS):
        return LastWords(-endings.odds_limit, 0.0, "held")
    heard = cues_heard(text, language, endings)
    odds = endings.base_odds + sum(cue.odds for cue in heard)
    roundness = 1 / (1 + math.exp(-endings.base_round - sum(cue.round for cue in heard)))
    odds = max(-endings.odds_limit, min(endings.odds_limit, odds))
    return LastWords(odds, roundness, _kind(heard, odds, roundness))


def asks_again(text: str, endings: Endings) -> bool:
    """Whether a turn asks to hear once more what was said last, in any language, and is too short to say much else."""
    spoken = text.casefold().replace("’", "'").strip()
    if len(_UNITS.findall(spoken)) > _REPEAT:
        return False
    return any(pattern.search(spoken) for patterns in endings.repeat.values() for pattern in patterns)


def cues_heard(text: str, language: Language, endings: Endings) -> tuple[EndCue, ...]:
    """The cues that the last words have, in the order of the file."""
    tongues: tuple[Tongue, ...] = ("en", "zh") if language == "mixed" else (language,)
    views = _views(text[-_BACK:].casefold().replace("’", "'"), tongues, endings)
    return tuple(
        cue
        for cue in endings.cues
        if any(pattern.search(views[cue.on]) for tongue in tongues for pattern in cue.patterns.get(tongue, ()))
    )


def _kind(heard: Iterable[EndCue], odds: float, roundness: float) -> EndingKind:
    """What a cue says outright, the most cautious first; else what the numbers say."""
    said = {cue.kind for cue in heard}
    outright: tuple[EndingKind, ...] = ("thinking", "held", "closer", "open")
    for kind in outright:
        if kind in said:
            return kind
    if roundness < _BROKEN:
        return "held"
    return "open" if odds < _OPENING else "round"


# --- views: the stretches that patterns are tried on ----------------------------------------------------------------------


def _views(text: str, tongues: Iterable[Tongue], endings: Endings) -> Mapping[View, str]:
    bare = text.rstrip(_MARKS)
    tags = [pattern for tongue in tongues for pattern in endings.tags.get(tongue, ())]
    words = _last_sentence(_untagged(bare, tags))
    listing = _listing(text, words, tongues, endings.listing)
    return {"words": words, "marks": text[len(bare) :].strip(), "list": listing}


def _untagged(bare: str, tags: Iterable[re.Pattern[str]]) -> str:
    """Without "yeah", "I guess" and the like at its end, unless nothing else is there."""
    tags = tuple(tags)
    while True:
        found = next((match for tag in tags if (match := tag.search(bare, max(0, len(bare) - 40)))), None)
        shorter = bare[: found.start()].rstrip(_MARKS) if found else ""
        if not shorter:
            return bare
        bare = shorter


def _last_sentence(bare: str) -> str:
    """The last sentence, without its marks, or so much of it as still bears on its end."""
    pieces = [piece for part in _SENTENCE_END.split(bare[-2 * _LAST :]) if (piece := part.strip(_MARKS))]
    last = pieces[-1] if pieces else ""
    return last[-(_LAST_CHINESE if has_hanzi(last[-8:]) else _LAST) :]


def _listing(text: str, last: str, tongues: Iterable[Tongue], listing: Listing) -> str:
    """`announced`, `open` or `done` for a list that the speaker has counted aloud; `` where nothing is being counted.

    "Three things": announced while that is the last sentence, open until the third is named, then done.
    """
    for tongue in tongues:
        announced = list(listing.announce[tongue].finditer(text)) if tongue in listing.announce else []
        if not announced:
            continue
        latest = announced[-1]
        size = listing.numbers.get(latest["n"], 0)
        items = listing.item[tongue].finditer(text, latest.end())
        if named := [listing.numbers.get(match["n"], 0) for match in items]:
            return "done" if max(named) >= size else "open"
        if latest[0] in last:
            return "announced"
    return ""
