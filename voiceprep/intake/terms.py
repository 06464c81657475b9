"""What a text is about, as terms that can be compared: words without their endings, and pairs of Chinese characters."""

from __future__ import annotations

import re

from voiceprep.core.text import HANZI
from voiceprep.intake.lexicon import Lexicon

_LATIN = re.compile(r"[a-z][a-z0-9+#]*(?:[./-][a-z0-9+#]+)*")
_HAN = re.compile(f"[{HANZI}]+")
_ENDINGS = (
    "izations",
    "ization",
    "isation",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ers",
    "ies",
    "ed",
    "er",
    "es",
    "s",
    "y",
    "e",
)
_STEM = 3


def terms(text: str, lexicon: Lexicon) -> frozenset[str]:
    """Terms of the text, common words left out: `scheduling` and `scheduler` are one, 调度平台 gives 调度, 度平 and 平台."""
    lower = text.casefold()
    found = {stem(word) for word in _LATIN.findall(lower) if word not in lexicon.common and len(word) > 1}
    for word in lexicon.file.common.zh:
        lower = lower.replace(word, " ")
    for run in _HAN.findall(lower):
        found |= {run[i : i + 2] for i in range(len(run) - 1)}
    return frozenset(found)


def stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word.removesuffix(ending)
    return word
