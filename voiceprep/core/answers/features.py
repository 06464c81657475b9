"""What a clause is made of, as the trained part of the detectors sees it. Pure.

Two views of the same words. The words themselves, in runs of up to three (Chinese: up to four characters) and with a gap,
learn the turns of phrase that were in the training data. Their meanings, by a lexicon that has both languages, learn what
those phrases have in common: "role, then decide" holds for a head of platform who has the last word, and for 院长来定.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from voiceprep.core.text import HANZI, is_hanzi

_CONTRACTIONS = (
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'re", " are"),
    ("'m", " am"),
    ("'ve", " have"),
    ("'s", " 's"),
)
_RUN = re.compile(f"[{HANZI}]+|[^{HANZI}]+")
_LATIN = re.compile(r"[a-z]+(?:[-/'][a-z0-9]+)*|'s|\d[\d.,]*%?")
_NAME_EN = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_NAME_ZH = re.compile(rf"[小老阿][{HANZI}](?<![时板师大实])|[{HANZI}][姐哥工总](?![监裁体是结])")
_NUMBER_ZH = re.compile(
    r"[零一二两三四五六七八九十百千万亿几]+(?=[分成张块个倍天周小年月秒度]|百)|百分之[零一二两三四五六七八九十百点]+"
)
_HAN_RUN = 4
_WORDS_TO_A_LENGTH = 6
_REACH = 5
"""How many meanings apart two of them may stand and still be seen as a pair."""
NUMBER = "#"


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases by meaning.

    `phrases` holds English ones as tuples of words, `stems` the beginnings of English words that may end in any way, `han`
    Chinese ones. `fillers` are left out of what is seen, `numbers` are English number words.
    """

    phrases: Mapping[tuple[str, ...], frozenset[str]]
    stems: Mapping[str, frozenset[str]]
    han: Mapping[str, frozenset[str]]
    fillers: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()

    @cached_property
    def longest_phrase(self) -> int:
        return max(map(len, self.phrases), default=1)

    @cached_property
    def longest_han(self) -> int:
        return max(map(len, self.han), default=1)


def english_words(text: str) -> list[str]:
    """Lower case, contractions written out: "I'd've" and "I would have" are the same."""
    plain = text.casefold().replace("’", "'")
    for short, full in _CONTRACTIONS:
        plain = plain.replace(short, full)
    return _LATIN.findall(plain)


def features(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The names of all features that a clause has; each is there or not."""
    found: set[str] = set()
    words: list[str] = []
    han = 0
    for run in _RUN.findall(text):
        if is_hanzi(run[0]):
            words.append("汉")
            han += len(run)
            found.update(_characters(run, lexicon))
        else:
            words += _plain_words(run, lexicon)
    found.update(_word_runs(words))
    found.update(_pairs(list(meanings(text, lexicon))))
    names = len(_NAME_EN.findall(text)) + len(_NAME_ZH.findall(text))
    found.update(("@name", "@names")[: min(names, 2)])
    if "?" in text or "？" in text:
        found.add("?")
    found.add(f"length {min(5, int((len(words) + han / 1.6) / _WORDS_TO_A_LENGTH))}")
    return frozenset(found)


def meanings(text: str, lexicon: Lexicon) -> Iterator[frozenset[str]]:
    """The meanings that a clause's words have, in order; words without one are passed over, the longest phrase counts."""
    for run in _RUN.findall(text):
        yield from _meanings_han(run, lexicon) if is_hanzi(run[0]) else _meanings_en(english_words(run), lexicon)


def _plain_words(run: str, lexicon: Lexicon) -> Iterator[str]:
    before = ""
    for word in english_words(run):
        if word in lexicon.fillers:
            continue
        seen = NUMBER if word[0].isdigit() or word in lexicon.numbers else word
        if not (seen == NUMBER == before):
            yield seen
        before = seen


def _word_runs(words: Sequence[str]) -> Iterator[str]:
    for index, word in enumerate(words):
        after = words[index + 1 : index + 4]
        yield word
        yield "~" + _stem(word)
        if after:
            yield f"{word} {after[0]}"
        if len(after) > 1:
            yield f"{word} {after[0]} {after[1]}"
            yield f"{word} _ {after[1]}"
        if len(after) > 2:  # noqa: PLR2004  (two words between)
            yield f"{word} __ {after[2]}"
    if words:
        yield "^" + words[0]
        yield "^" + " ".join(words[:2])


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) > 2:  # noqa: PLR2004  (what is left must be a word)
            return word[: -len(ending)]
    return word


def _characters(run: str, lexicon: Lexicon) -> Iterator[str]:
    for filler in lexicon.fillers:
        if is_hanzi(filler[0]):
            run = run.replace(filler, "")
    run = _NUMBER_ZH.sub(NUMBER, run)
    yield "^" + run[:2]
    for size in range(1, _HAN_RUN + 1):
        for index in range(len(run) - size + 1):
            yield run[index : index + size]


def _meanings_en(words: Sequence[str], lexicon: Lexicon) -> Iterator[frozenset[str]]:
    index = 0
    while index < len(words):
        for size in range(min(lexicon.longest_phrase, len(words) - index), 0, -1):
            phrase = tuple(words[index : index + size])
            found = lexicon.phrases.get(phrase, frozenset())
            if size == 1:
                found = (found or _by_stem(phrase[0], lexicon)) | _number(phrase[0], lexicon)
            if found:
                yield found
                index += size
                break
        else:
            index += 1


def _by_stem(word: str, lexicon: Lexicon) -> frozenset[str]:
    for size in range(len(word), 2, -1):
        if word[:size] in lexicon.stems:
            return lexicon.stems[word[:size]]
    return frozenset()


def _number(word: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset({NUMBER}) if word[0].isdigit() or word in lexicon.numbers else frozenset()


def _meanings_han(run: str, lexicon: Lexicon) -> Iterator[frozenset[str]]:
    index, in_number = 0, False
    while index < len(run):
        for size in range(min(lexicon.longest_han, len(run) - index), 0, -1):
            if found := lexicon.han.get(run[index : index + size]):
                yield found
                index += size
                in_number = False
                break
        else:
            number = run[index] in "零一二两三四五六七八九十百千万几半"
            if number and not in_number:
                yield frozenset({NUMBER})
            in_number = number
            index += 1


def _pairs(sequence: Sequence[frozenset[str]]) -> Iterator[str]:
    for index, here in enumerate(sequence):
        for first in here:
            yield f"@{first}"
            for there in sequence[index + 1 : index + _REACH]:
                for second in there:
                    yield f"@{first}>{second}"
    if sequence:
        for first in sequence[0]:
            yield f"@^{first}"
