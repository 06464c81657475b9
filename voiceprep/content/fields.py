"""What every file of content is made of: strict tables, phrases for the ear, patterns, ids."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from voiceprep.content.patterns import NAMED, compiled
from voiceprep.core.text import has_hanzi

EN_WORDS = 35
ZH_CHARACTERS = 60
PHRASINGS = 3


class Strict(BaseModel):
    """An unknown key is an error, and a number is not a text, no truth value and finite; a whole one may stand for a float."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


TO_WRITE = "TODO"
"""How a text of a template begins that its author has not written yet, in any case of letters."""


def _written(text: str) -> str:
    if text.upper().startswith(TO_WRITE):
        raise ValueError("is still to be written")
    return text


def _one_question(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    _written(text)
    if text.rstrip()[-1] not in ".?!。？！":
        raise ValueError("does not end like a sentence: the voice needs the mark to close it")
    if len(re.findall(r"[?？]+", text)) > 1:
        raise ValueError("asks more than one question in one line")
    return text


def _english(text: str) -> str:
    if has_hanzi(text):
        raise ValueError("has Chinese characters in an English line")
    if (words := len(text.split())) > EN_WORDS:
        raise ValueError(f"has {words} words; at most {EN_WORDS} can be taken in by ear")
    return _one_question(text)


def _chinese(text: str) -> str:
    if not has_hanzi(text):
        raise ValueError("has no Chinese in a Chinese line")
    # A Latin word is heard as about two characters, however it is spelled.
    if (length := len(re.sub(r"[A-Za-z]+", "xx", re.sub(r"[\s，。？！、；：“”]", "", text)))) > ZH_CHARACTERS:
        raise ValueError(f"has {length} characters; at most {ZH_CHARACTERS} can be taken in by ear")
    return _one_question(text)


def _distinct(phrasings: list[str]) -> list[str]:
    if len(phrasings) < PHRASINGS:
        raise ValueError(f"has {len(phrasings)} phrasings; {PHRASINGS} are the least that do not wear out")
    if len({re.sub(r"\W", "", text.casefold()) for text in phrasings}) < len(phrasings):
        raise ValueError("has the same phrasing twice")
    return phrasings


def known(name: str) -> Any:
    """A validator: the value is one of the ids that the context lists under `name`."""

    def check(value: str, info: ValidationInfo) -> str:
        known = (info.context or {}).get(name)
        if known is not None and value not in known:
            raise ValueError(f"{value!r} is not one of: {', '.join(sorted(known))}")
        return value

    return AfterValidator(check)


def _regular(pattern: str) -> str:
    if NAMED.search(pattern):
        return pattern  # what it is can be said once the fragments are in: checks.py does
    compiled(pattern)
    return pattern


Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$")]
Target = Annotated[str, known("targets")]
EnPhrase = Annotated[str, AfterValidator(_english)]
ZhPhrase = Annotated[str, AfterValidator(_chinese)]
EnLines = Annotated[list[EnPhrase], AfterValidator(_distinct)]
ZhLines = Annotated[list[ZhPhrase], AfterValidator(_distinct)]
Regular = Annotated[str, AfterValidator(_regular)]
Text = Annotated[str, Field(min_length=1), AfterValidator(_written)]
Number = float | None
