"""One Chinese script: the recogniser mixes traditional and simplified characters, the transcript is simplified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from voiceprep.core.events import Word
from voiceprep.core.text import is_hanzi

_WIDE = str.maketrans(",.?!:;", "，。？！：；")


def one_script(words: Sequence[Word]) -> list[Word]:
    """The words in simplified characters, with Chinese punctuation after Chinese characters."""
    texts = [word.text for word in words]
    whole = "".join(texts)
    if not any(map(is_hanzi, whole)):
        return list(words)
    converted = _converter().convert(whole)
    if len(converted) == len(whole):  # characters are converted in context (乾 is 干 or 乾), and keep their places
        places = iter(converted)
        texts = ["".join(next(places) for _ in text) for text in texts]
    else:
        texts = [_converter().convert(text) for text in texts]
    return [replace(word, text=_widened(text)) for text, word in zip(texts, words, strict=True)]


def _widened(text: str) -> str:
    """Half-width marks right after a Chinese character become the full-width ones it is written with."""
    bare = text.rstrip(",.?!:;")
    return bare + text[len(bare) :].translate(_WIDE) if bare and is_hanzi(bare[-1]) else text


@cache
def _converter() -> Any:
    from opencc import OpenCC  # type: ignore[import-untyped]  # it has no types

    return OpenCC("t2s")
