"""The lexicon: how written terms are said (prompts/pronunciation.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from voiceprep.config import data_folder
from voiceprep.core.pack import Tongue
from voiceprep.errors import BadInputError
from voiceprep.files import parse_toml

LEFT = r"(?<![A-Za-z0-9])"
RIGHT = r"(?![A-Za-z0-9])"
"""The edges of a Latin term. Not \\b: between a hanzi and a letter there is no \\b, since both are word characters."""

LOWER_CASE_FROM = 3
"""Letters an acronym needs to be known in lower case too: `gpu` is one, `us` and `id` are words."""

SPELLED_BELOW = 4
"""Capitals before a number that are still named one by one."""


def spelled(letters: str) -> str:
    """`GPU` as `G.P.U`: dots make voices name the letters; with spaces a lone `A` is read as the article."""
    return ".".join(letters)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Terms, units and signs, with what is said for each."""

    letters: frozenset[str]
    words: Mapping[Tongue, Mapping[str, str]]
    units: Mapping[str, tuple[str, str, str]]
    """One, many, Chinese."""
    per: Mapping[str, tuple[str, str]]
    symbols: Mapping[str, tuple[str, str]]
    currencies: Mapping[str, tuple[str, str, str, str, str]]
    """One, many, one hundredth, hundredths, Chinese."""
    link: Mapping[Tongue, str]
    letters_zh: Mapping[str, str]

    def term(self, written: str, tongue: Tongue) -> str:
        """What is said for a term that `term_pattern` found."""
        words = self.words[tongue]
        if written in words:
            return words[written]
        if written.upper() in self.letters:
            return spelled(written.upper())
        return f"{spelled(written[:-1].upper())}'s"

    def name(self, letters: str) -> str:
        """The letters before a number: spelled when they are capitals (GB200), one (p99) or an acronym (fp16), else a word."""
        if len(letters) == 1 or letters.upper() in self.letters or (letters.isupper() and len(letters) < SPELLED_BELOW):
            return spelled(letters.upper())
        return letters

    def term_pattern(self) -> str:
        """A regular expression that finds every term, longest first."""
        acronyms = [word for word in self.letters if len(word) >= LOWER_CASE_FROM]
        spellings = {*self.letters, *(word.lower() for word in acronyms)}
        words = set(self.words["en"]) | set(self.words["zh"])
        # An s after an acronym makes a plural; none of the words takes one.
        return f"(?:{_edged(words)}|{LEFT}(?:{_any(spellings)})s?{RIGHT})"


def _any(alternatives: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(alternatives, key=lambda word: (-len(word), word)))


def _edged(words: Iterable[str]) -> str:
    """Each word with edges where it ends in a letter or digit; `C++` and `e.g.` end in neither."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(LEFT + re.escape(word) + (RIGHT if word[-1].isalnum() else "") for word in ordered)


def any_of(keys: Iterable[str]) -> str:
    """An alternation of these keys, longest first."""
    return f"(?:{_any(keys)})"


@cache
def lexicon() -> Lexicon:
    """The shipped lexicon, read once. Raises BadInputError (``bad-pronunciation``) when the file cannot be used."""
    path = data_folder("prompts") / "pronunciation.toml"
    try:
        raw: dict[str, Any] = parse_toml(path.read_text(encoding="utf-8"))
        return Lexicon(
            letters=frozenset(raw["letters"]["terms"]),
            words={"en": raw["words"], "zh": raw["words"] | raw["words_zh"]},
            units={key: (one, many, zh) for key, (one, many, zh) in raw["units"].items()},
            per={key: (en, zh) for key, (en, zh) in raw["per"].items()},
            symbols={key: (en, zh) for key, (en, zh) in raw["symbols"].items()},
            currencies={key: (a, b, c, d, zh) for key, (a, b, c, d, zh) in raw["currencies"].items()},
            link=raw["link"],
            letters_zh=raw["letters_zh"],
        )
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadInputError(f"cannot use the lexicon {path}: {error!r}", code="bad-pronunciation") from error
