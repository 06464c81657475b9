"""What an answer has shown so far, and how finished it sounds. Pure: patterns over what was recognised.

Cues are looked for sentence by sentence, their vetoes clause by clause: "there are trade-offs, obviously, but I gave up two
weeks" has a veto in its first clause and evidence in its last. A recogniser may give no punctuation at all, so clauses also
end before conjunctions.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voiceprep.core.ending import ending
from voiceprep.core.events import Evidence, Language, Word
from voiceprep.core.pack import Detector, Endings, Question, Tongue
from voiceprep.core.text import glued
from voiceprep.core.units import Media, Seconds

_WIDE = re.compile(r"[　-〿一-鿿＀-￯]")
_SENTENCE_END = re.compile(r"[?!？！。…]+|\.(?!\d)")
_CLAUSE_END = re.compile(
    r"[,;:，；、：?!？！。…]+|\.(?!\d)|\s(?=(?:and|but|so|because|which|whereas|although)\s)|(?=但是|可是|所以|因为|然后|不过|而且|结果)"
)
_LONG = 300
"""Characters; longer sentences do not occur in speech, only missing full stops."""
_START_SENTENCES = 3
"""An opening that gives the shape of an answer comes within its first sentences, after "okay, so"."""
_START_CHARACTERS = 240


def assess(words: Sequence[Word], detectors: Sequence[Detector], language: Language) -> tuple[Evidence, ...]:
    """Signals and traps heard in the words of one turn, in the order of the detectors, each with its first evidence.

    A quote is verbatim from `text_of(words)`; its times are those of its first and last word.
    """
    text, offsets = _joined(words)

    def place(start: int, end: int) -> tuple[Media, Media]:
        return words[bisect_right(offsets, start) - 1].start, words[bisect_right(offsets, end - 1) - 1].end

    return tuple(
        Evidence(found.id, text[found.start : found.end], *place(found.start, found.end))
        for found in _heard(text, detectors, language)
    )


def assess_text(text: str, detectors: Sequence[Detector], language: Language) -> tuple[Evidence, ...]:
    """The same for an answer that was written: all times are 0, quotes are verbatim from `text`."""
    nowhere = Media(0.0)
    return tuple(
        Evidence(found.id, text[found.start : found.end], nowhere, nowhere) for found in _heard(text, detectors, language)
    )


def on_topic(text: str, question: Question, language: Language) -> int:
    """How many different topic words of the question the text uses. A Latin one also counts with an ending: queue, queues."""
    heard = text.casefold()
    words = {word for tongue in tongues(language) for word in question.topics.get(tongue, ())}
    return sum(says(heard, word) for word in words)


def tongues(language: Language) -> tuple[Tongue, ...]:
    """The languages whose cues are tried."""
    return ("en", "zh") if language == "mixed" else (language,)


@dataclass(frozen=True, slots=True)
class Finished:
    """How finished an answer sounds."""

    log_odds: float
    """Natural logarithm of the odds that it is over, the silence that follows left aside."""
    roundness: float
    """0..1: how complete its last clause is."""
    thinking: bool
    """The candidate asked for time to think."""


def finished(
    text: str,
    speech_seconds: Seconds,
    evidence: Sequence[Evidence],
    topical: int,
    endings: Endings,
    language: Language,
    *,
    followup: bool = False,
) -> Finished:
    """How finished an answer sounds: what it holds so far times what its last words say.

    Args:
        text: the words of the turn so far.
        speech_seconds: how much speech the turn holds, without its pauses.
        evidence: what `assess` heard in it.
        topical: what `on_topic` counted in it.
        endings: what last words say.
        language: of the session.
        followup: the answer to a follow-up, which may be short.
    """
    last = ending(text, language, endings)
    odds = _odds(speech_seconds, len({item.signal for item in evidence}), topical, followup=followup)
    log_odds = math.log(odds) + last.odds
    if last.kind == "closer":  # whoever says "that's my answer" is through, whatever was understood of it
        log_odds = max(log_odds, CLOSED)
    elif last.kind in {"held", "thinking"}:
        log_odds = min(log_odds, HELD)
    return Finished(log_odds, last.roundness, last.kind == "thinking")


HARDLY = 5e-4
"""The odds that an answer is over at the end of a sentence while nothing that was asked has been heard."""
MOST = 3.0
"""... and when all that can be hoped for has been: who lectures may mean to go on."""
HELD = math.log(0.15)
"""At most this while the candidate holds the floor aloud ("and then we, um"), whatever was said before."""
REPLY = 0.4
"""The odds that a reply to a follow-up is over although nothing was understood of it but that it was a sentence."""
CLOSED = math.log(6.0)
"""At least this after a closing phrase, misheard ones allowed for."""
TOPICAL_ENOUGH = 3
"""Topic words by which an answer counts as one, although no signal was heard in it."""
_TOPIC_WEIGHT = 0.2
_HALF_SECONDS = {False: 12.0, True: 5.0}
"""Speech after which time no longer speaks against a main answer, or one to a follow-up."""
_ENOUGH_SIGNALS = {False: 1.6, True: 0.8}


def _odds(seconds: Seconds, signals: int, topical: int, *, followup: bool) -> float:
    """Rises smoothly from HARDLY to MOST with what was heard and how long it took."""
    length = seconds**2 / (seconds**2 + _HALF_SECONDS[followup] ** 2)
    if not signals and topical < TOPICAL_ENOUGH:  # a date and two names may be all that a follow-up asked for
        return HARDLY + (REPLY - HARDLY) * length if followup else HARDLY
    amount = signals + _TOPIC_WEIGHT * min(topical, 10)
    grown = length * (1 - math.exp(-amount / _ENOUGH_SIGNALS[followup]))
    # One cue that was misheard in talk about something else must not pass for an answer. The reply to a follow-up may be
    # too short to have a topic word in it.
    on_it = 1.0 if followup else min(1.0, topical / TOPICAL_ENOUGH) ** 2
    least = REPLY * length if followup else 0.0
    return max(HARDLY + on_it * (MOST - HARDLY) * grown**2, least)


def says(text: str, word: str) -> bool:
    if _WIDE.search(word):
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}", text) is not None


# --- evidence -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    id: str
    start: int
    end: int


def _heard(text: str, detectors: Sequence[Detector], language: Language) -> list[_Found]:
    # Same length as the text, so that places hold in both.
    plain = text.replace("’", "'").replace("‘", "'")
    sentences = list(_sentences(plain))
    opening = [(start, min(end, _START_CHARACTERS)) for start, end in sentences[:_START_SENTENCES] if start < _START_CHARACTERS]
    found: dict[str, _Found] = {}
    for detector in detectors:
        hits: list[tuple[int, int]] = []
        for start, end in opening if detector.scope == "start" else sentences:
            hits += [(start + first, start + last) for first, last in _hits(plain[start:end], detector, language)]
            if len(hits) >= detector.least:
                found[detector.id] = _Found(detector.id, *hits[0])
                break
    heard = set(found)
    return [found[detector.id] for detector in detectors if detector.id in heard and _holds(detector, heard)]


def _holds(detector: Detector, heard: set[str]) -> bool:
    return heard.issuperset(detector.needs) and heard.isdisjoint(detector.unless_heard)


@lru_cache(maxsize=16384)
def _hits(sentence: str, detector: Detector, language: Language) -> tuple[tuple[int, int], ...]:
    """The stretches of whole clauses that hold a cue, one for each clause a cue begins in, in order.

    Remembered, since a growing answer is assessed again and again and only its last sentence is new.
    """
    clauses = list(_pieces(sentence, _CLAUSE_END))
    hits: dict[int, tuple[int, int]] = {}
    for tongue in tongues(language):
        for cue in detector.cues.get(tongue, ()):
            for match in cue.pattern.finditer(sentence):
                first, stretch = _stretch(match.span(), clauses)
                if cue.unless is None or not cue.unless.search(sentence[slice(*stretch)]):
                    hits.setdefault(first, stretch)
    return tuple(hits[first] for first in sorted(hits))


def _stretch(match: tuple[int, int], clauses: Sequence[tuple[int, int]]) -> tuple[int, tuple[int, int]]:
    """The clauses that a match touches: the first one's number, and the place from its start to the last one's end."""
    first = max(0, bisect_right(clauses, match[0], key=_start) - 1)
    last = max(first, bisect_right(clauses, max(match[0], match[1] - 1), key=_start) - 1)
    return first, (clauses[first][0], clauses[last][1])


def _start(piece: tuple[int, int]) -> int:
    return piece[0]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Sentences; what a recogniser left unpunctuated is cut where a clause ends, always at the same places."""
    for start, end in _pieces(text, _SENTENCE_END):
        begin = start
        while end - begin > _LONG:
            cut = _CLAUSE_END.search(text, begin + _LONG // 2, begin + _LONG)
            stop = max(cut.end(), begin + 1) if cut else begin + _LONG
            yield from _trimmed(text, begin, stop)
            begin = stop
        yield from _trimmed(text, begin, end)


def _pieces(text: str, ends: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches between ends, end marks included, without the blanks around them, none empty."""
    start = 0
    for match in ends.finditer(text):
        if match.end() > start:
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield left, right


def _joined(words: Sequence[Word]) -> tuple[str, list[int]]:
    """The text, and where in it each word begins."""
    text = ""
    offsets: list[int] = []
    for word in words:
        piece = word.text.strip()
        if text and piece and not glued(text[-1], piece[0]):
            text += " "
        offsets.append(len(text))
        text += piece
    return text, offsets
