"""Whether a transcript is good enough to conclude anything from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from voiceprep.core.events import Word
from voiceprep.core.listening.trust import LEAST_CONFIDENCE, mean_confidence
from voiceprep.core.units import Seconds, Span

UNEXPLAINED: Seconds = 1.0
"""Voiced sound without words that is longer than this is missing text, or was no speech."""

MOST_DOUBTFUL = 0.25
"""Share of the speech that may be missing or untrusted before the whole is."""


@dataclass(frozen=True, slots=True)
class Quality:
    """`reasons` says what is doubtful, in plain words; a few doubtful places leave the whole trusted."""

    trusted: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubts:
    """What the recogniser itself told."""

    untrusted: Sequence[Span] = ()
    """Stretches whose text it says not to build on."""
    reasons: Sequence[str] = ()
    failed: Sequence[str] = ()
    """Why stretches could not be transcribed at all."""


def judge_transcript(words: Sequence[Word], speech: Sequence[Span], doubts: Doubts, *, recognised: bool) -> Quality:
    """How far to trust `words`, said in the voiced regions `speech`. `recognised` is False when no recogniser ran."""
    if not speech:
        return Quality(trusted=False, reasons=("no speech was heard",))
    if not recognised:
        return Quality(trusted=False, reasons=("no recogniser ran, so nobody knows what was said",))
    voiced = sum(span.duration for span in speech)
    silent = sum(span.duration for span in without_words(words, speech))
    untrusted = sum(span.duration for span in doubts.untrusted)
    confidence = mean_confidence(words)
    reasons = list(dict.fromkeys((*doubts.reasons, *doubts.failed)))
    if silent:
        reasons.append(f"{silent:.1f} s of {voiced:.1f} s that sound like speech gave no words")
    if words and confidence < LEAST_CONFIDENCE:
        reasons.append(f"the recogniser was unsure of most words (mean confidence {confidence:.2f})")
    poor = silent + untrusted > MOST_DOUBTFUL * voiced or confidence < LEAST_CONFIDENCE or bool(doubts.failed)
    return Quality(trusted=not poor, reasons=tuple(reasons))


def without_words(words: Sequence[Word], speech: Sequence[Span]) -> list[Span]:
    """Stretches of more than `UNEXPLAINED` seconds of voiced sound that no word covers."""
    found = []
    ordered = sorted(words, key=lambda word: word.start)
    starts = [word.start for word in ordered]
    ends = list(accumulate((word.end for word in ordered), max))  # words may overlap; what is searched must not fall
    for region in speech:
        near = ordered[bisect_left(ends, region.start) : bisect_right(starts, region.end)]
        inside = sorted((max(w.start, region.start), min(w.end, region.end)) for w in near if w.end >= region.start)
        edges = [(region.start, region.start), *inside, (region.end, region.end)]
        reached = region.start
        for (_, end), (start, _) in pairwise(edges):
            reached = max(reached, end)
            if start - reached > UNEXPLAINED:
                found.append(Span(reached, start))
    return found
