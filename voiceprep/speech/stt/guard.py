"""What the recogniser says although nobody said it: caught by the structure of its output, never by a list of phrases.

Whisper fills noise with fluent sentences, repeats itself without end, and writes stage directions. A real "Thanks for
watching" looks like any other speech here, and stays.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate

from voiceprep.core.events import Word
from voiceprep.speech.stt.words import Piece, split_words

MIN_LOGPROB = -1.0
"""Mean log probability of a token below which the text is a guess."""
DOUBTFUL_LOGPROB = -0.5
"""The same, where the model itself thinks that nobody speaks."""
MAX_NO_SPEECH = 0.5
"""Not enough alone: with a prompt before it, clear English speech in a `mixed` session reaches 0.8."""
MAX_TOKENS_PER_SECOND = 12.0
"""Twice what a fast speaker of either language needs."""
MAX_COMPRESSION = 2.4
"""UTF-8 length over deflated length. Speech has 1 to 1.8."""

_REPEATS = {1: 8, 2: 6, 3: 4, 4: 4, 5: 4}
"""How often a phrase of so many words may come in a row before it is a loop: 对对对对对 is speech. Longer phrases: 3."""
_LONGEST_PHRASE = 12
_RESTART = 3
"""So many of a window's first words that come again are the model's, not the speaker's."""
_ALL = 0.95
"""Share of the words: a few words before an endless loop may have been said, one hallucinated word was not."""
_MOST, _OWN_WORDS = 0.6, 6
"""Share of the line before the first word, and letters, from which it is no chance that the same is said."""
_NO_TIME = 0.02
"""Seconds in which nobody says a word: said twice by the model, which had come to the end of the sound."""
_FASTEST = 22.0
"""Letters in a second that nobody exceeds."""
_DIRECTION = re.compile(r"[\[(（【][^\])）】]{1,60}[\])）】]|[♪♫][^♪♫]*[♪♫]?|\*[^*]{1,60}\*|[\u02b0-\u02ff\ufffd]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """What one window gave: its words, and what the model knew about them."""

    words: tuple[Word, ...]
    tokens: int
    avg_logprob: float
    no_speech_prob: float
    duration: float
    """Seconds of audio in the window."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The words that may be kept, and why some may not; `reasons` is empty when all is well."""

    words: tuple[Word, ...]
    reasons: tuple[str, ...] = ()


def judge(decoded: Decoded) -> Verdict:
    """Keep, cut or drop what one window gave.

    Silence that was taken for speech is dropped without a reason: there is nothing to distrust about no words.
    """
    if not decoded.words or _is_silence(decoded):
        return Verdict(())
    if decoded.avg_logprob < MIN_LOGPROB:
        return Verdict((), ("the speech was too unclear to recognise",))
    reasons: list[str] = []
    if decoded.tokens > MAX_TOKENS_PER_SECOND * decoded.duration + 8:
        reasons.append("the recogniser wrote more than can be said in that time")
    cut = without_loops(decoded.words)
    if len(cut) < len(decoded.words):
        reasons.append("the recogniser repeated itself")
    if compression_ratio(" ".join(word.text for word in cut)) > MAX_COMPRESSION:
        return Verdict((), (*reasons, "the recogniser's text was one repetition"))
    return Verdict(cut, tuple(reasons))


def without_directions(pieces: Sequence[Piece]) -> list[Piece]:
    """Without what stands in brackets or between notes (`[SPEAKING CHINESE]`, `♪ la la ♪`), phonetics and half characters.

    A bracket that stays open is left alone. Raises nothing; an empty piece is left out.
    """
    whole = "".join(piece.text for piece in pieces)
    dropped = {place for found in _DIRECTION.finditer(whole) for place in range(*found.span())}
    kept: list[Piece] = []
    place = 0
    for piece in pieces:
        text = "".join(mark for index, mark in enumerate(piece.text, place) if index not in dropped)
        place += len(piece.text)
        if text:
            kept.append(replace(piece, text=text))
    return kept


def without_prompt(words: Sequence[Word], prompt: str) -> tuple[Word, ...]:
    """Without the line that the model was shown before the first word: where it hears little, it says that instead.

    Most of the line counts as the line; a few words of it may have been said.
    """
    shown = _bare(prompt)
    texts = [_bare(word.text) for word in words]
    same = SequenceMatcher(None, "".join(texts), shown, autojunk=False).find_longest_match()
    if same.size < max(_OWN_WORDS, _MOST * len(shown)):
        return tuple(words)
    if sum(map(len, texts)) <= len(shown):  # all that was heard is the line, or a variation of it
        return ()
    last = same.a + same.size
    rest = [word for word, end in zip(words, accumulate(map(len, texts)), strict=True) if not same.a < end <= last]
    return without_prompt(rest, prompt) if len(rest) < len(words) else tuple(words)


def without_loops(words: Sequence[Word]) -> tuple[Word, ...]:
    """With each endless repetition cut to its first time, or to nothing where the repetition is nearly all there is."""
    texts = [_bare(word.text) for word in words]
    kept: list[Word] = []
    index = looped = 0
    while index < len(words):
        length, times = _repetition(texts, index)
        kept.extend(words[index : index + max(length, 1)])
        looped += length * times
        index += max(length * times, 1)
    return () if looped > _ALL * len(words) else tuple(kept)


def without_restart(known: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """The words up to where the model, done with a short context, begins again with the window's first words.

    `known` is the text before `words`. Words that repeat fewer than three of them are kept.
    """
    before = [_bare(word.text) for word in split_words([Piece(known, 0.0, 0.0, 1.0)])]
    texts = [*before, *(_bare(word.text) for word in words)]
    for place in range(max(len(before), _RESTART), len(texts) - _RESTART + 1):
        if texts[place : place + _RESTART] == texts[:_RESTART]:
            return tuple(words[: place - len(before)])
    return tuple(words)


def without_echoes(words: Sequence[Word]) -> tuple[Word, ...]:
    """Without what says the word before it once more in no time. Somebody who stammers takes time for it."""
    pairs = zip((None, *words), words, strict=False)
    return tuple(word for before, word in pairs if before is None or not _is_echo(before, word))


def without_double(words: Sequence[Word]) -> tuple[Word, ...]:
    """Once what a short context says twice, from beginning to end, in a time in which nobody says it twice."""
    texts, half = [_bare(word.text) for word in words], len(words) // 2
    said_twice = bool(words) and texts[:half] == texts[half:]
    if said_twice and sum(map(len, texts)) > _FASTEST * (words[-1].end - words[0].start):
        return tuple(words[:half])
    return tuple(words)


def _is_echo(before: Word, word: Word) -> bool:
    return word.end - word.start < _NO_TIME and _bare(before.text) == _bare(word.text)


def compression_ratio(text: str) -> float:
    """UTF-8 length over deflated length; short texts do not compress and stay below 1."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw))


def _is_silence(decoded: Decoded) -> bool:
    return decoded.no_speech_prob > MAX_NO_SPEECH and decoded.avg_logprob < DOUBTFUL_LOGPROB


def _repetition(texts: Sequence[str], start: int) -> tuple[int, int]:
    """Length of the phrase that loops from `start`, and how often; (0, 0) when none does."""
    for length in range(1, _LONGEST_PHRASE + 1):
        phrase = texts[start : start + length]
        times = 1
        while texts[start + times * length : start + (times + 1) * length] == phrase and len(phrase) == length:
            times += 1
        if times >= _REPEATS.get(length, 3):
            # the decoder stops in the middle of a phrase when its tokens run out
            rest = texts[start + times * length :]
            return length, times + (1 if rest and len(rest) < length and rest == phrase[: len(rest)] else 0)
    return 0, 0


def _bare(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
