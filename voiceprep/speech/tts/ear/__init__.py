"""Text made fit for the ear: what is shown stays as it is, what is spoken is words only."""

from __future__ import annotations

import re
from functools import cache

from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI
from voiceprep.speech.tts.ear.lexicon import lexicon
from voiceprep.speech.tts.ear.plain import plain
from voiceprep.speech.tts.ear.rules import Reader, say

__all__ = ["for_ear", "has_latin", "spell_latin"]

LATIN = re.compile(r"[A-Za-z]")
LATIN_RUN = re.compile(r"[A-Za-z](?:[A-Za-z.' -]*[A-Za-z])?\.?")
TIDY = (
    (re.compile(r"\.{3,}|…+"), ", "),
    (re.compile(r"\s*[—–]+\s*|\s+-+\s+"), ", "),
    (re.compile(r"[(（\[【{]\s*|\s*[)）\]】}]"), ", "),
    (re.compile(r"[\"“”„«»「」『』《》`*_#|<>^\\~=+$€£¥%√∞]"), " "),
    (re.compile(r"(?<=\w)\s*/\s*(?=\w)"), " "),
    (re.compile(r"/"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([,.;:!?，。！？；：、])"), r"\1"),
    (re.compile(r"[,，、;；:：]+(?:\s*[,，、;；:：]+)+"), ","),
    (re.compile(r"[,，、;；:：]\s*([.!?。！？])"), r"\1"),
    (re.compile(r"([.!?。！？])(?:\s*[,，、;；:：.。])+"), r"\1"),
    (re.compile(r"^[\s,，、;；:：.。!?！？-]+"), ""),
)
TIDY_ZH = (
    # Spaces around hanzi are a trace of the rules; a comma among hanzi is a Chinese one.
    (re.compile(rf"(?<=[{HANZI}，。！？；：、])\s+(?=[{HANZI}])"), ""),
    (re.compile(rf",\s*(?=[{HANZI}])|(?<=[{HANZI}]),\s*"), "，"),
    (re.compile(r"(?<=[，。！？；：、])\s+"), ""),
)


@cache
def _reader(tongue: Tongue) -> Reader:
    if tongue == "zh":
        from voiceprep.speech.tts.ear.chinese import ChineseReader

        return ChineseReader(lexicon())
    from voiceprep.speech.tts.ear.english import EnglishReader

    return EnglishReader(lexicon())


def for_ear(text: str, language: Tongue) -> str:
    """What a voice is to say for a shown text: one line, no digits, no markup; empty when nothing in it has a sound.

    Chinese inside English stays Chinese: whether a voice can say it is the voice's to tell, not ours to drop.
    Raises BadInputError (``bad-pronunciation``) when the lexicon cannot be used.
    """
    words = lexicon()
    known = frozenset(words.words[language]) | words.letters
    said = say(plain(text, words.link[language], known.__contains__), _reader(language))
    # Digits of other scripts, and what no rule wanted.
    for pattern, put in (*TIDY, *(TIDY_ZH if language == "zh" else ())):
        said = pattern.sub(put, said)
    return said.strip()


def has_latin(text: str) -> bool:
    return LATIN.search(text) is not None


def spell_latin(text: str) -> str:
    """Latin letters as the hanzi that sound like their names, for a Chinese voice that cannot speak Latin."""
    letters = lexicon().letters_zh
    return LATIN_RUN.sub(lambda run: "".join(letters[c.upper()] for c in run.group() if c.isalpha()), text)
