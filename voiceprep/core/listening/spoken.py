"""Written words as they were spoken: "$40,000" is three words, 3.5亿 is four characters.

Only counts are made from the result, never text for a person to read.
"""

from __future__ import annotations

import re
import unicodedata

from voiceprep.core.events import Language
from voiceprep.core.text import HANZI

_PIECES = re.compile(
    rf"(?P<hanzi>[{HANZI}])"
    r"|(?P<year>[0-9]{4})(?=\s?年)"
    r"|(?P<number>[0-9]+(?:[.,:][0-9]+)*)(?:(?:st|nd|rd|th|(?<=0)s)\b)?"
    rf"|(?P<word>[^\W\d_{HANZI}]+(?:['’][^\W\d_{HANZI}]+)*)"
    r"|(?P<sign>[$%€£¥&+@])",
)
_BEFORE_IS_HANZI = re.compile(rf"[{HANZI}]\s*$")
_AFTER_IS = re.compile(rf"%?\s*(?:(?P<hanzi>[{HANZI}])|(?P<word>[^\W\d_]))")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
_DIGITS = "零一二三四五六七八九"
_SIGNS = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yuan", "%": "percent", "&": "and", "+": "plus", "@": "at"}
_LONGEST_NUMBER = 12
"""More digits than this are read out one by one."""


def spoken_tokens(text: str, language: Language) -> list[str]:
    """The words and Chinese characters somebody says who reads `text` aloud; punctuation says nothing."""
    tokens: list[str] = []
    text = unicodedata.normalize("NFKC", text)  # full-width digits and signs
    chinese = language == "zh"
    for piece in _PIECES.finditer(text):
        if language == "mixed" and (piece["year"] or piece["number"]):
            chinese = _among_hanzi(text, piece)
        if piece["year"]:
            tokens += [_DIGITS[int(digit)] for digit in piece["year"]]
        elif piece["number"]:
            tokens += _number(piece["number"], chinese=chinese)
        elif piece["sign"]:
            tokens += ["百", "分", "之"] if chinese and piece["sign"] == "%" else [_SIGNS[piece["sign"]]]
        else:
            tokens.append(piece[0])
    return tokens


def _among_hanzi(text: str, piece: re.Match[str]) -> bool:
    """Whether somebody who mixes languages says this number in Chinese: with the word after it, else with the one before."""
    after = _AFTER_IS.match(text, piece.end())
    return bool(after["hanzi"]) if after else bool(_BEFORE_IS_HANZI.search(text[: piece.start()]))


def _number(written: str, *, chinese: bool) -> list[str]:
    plain = re.sub(r",(?=\d{3}(?!\d))", "", written)
    whole, point, rest = plain.partition(".")
    parts = re.split(r"[,:]", whole)
    tokens = [token for part in parts for token in (_chinese(part) if chinese else _english(part))]
    if point:
        digits = [ch for ch in rest if ch.isdigit()]
        tokens += ["点", *(_DIGITS[int(d)] for d in digits)] if chinese else ["point", *(_ONES[int(d)] for d in digits)]
    return tokens


def _english(digits: str) -> list[str]:
    if len(digits) > _LONGEST_NUMBER or (len(digits) > 1 and digits.startswith("0")):
        return [_ONES[int(digit)] for digit in digits]
    value = int(digits)
    in_pairs = 1100 <= value <= 2099 and value // 100 % 10 > 0  # noqa: PLR2004  (eighteen seventy one)
    return _below(value // 100) + _below(value % 100) if in_pairs else _below(value)


def _below(value: int) -> list[str]:
    if value < len(_ONES):
        return [_ONES[value]]
    for scale, name in _SCALES:
        if value >= scale:
            rest = value % scale
            return [*_below(value // scale), name, *(_below(rest) if rest else [])]
    return [_TENS[value // 10], *([_ONES[value % 10]] if value % 10 else [])]


def _chinese(digits: str) -> list[str]:
    if len(digits) > _LONGEST_NUMBER or (len(digits) > 1 and digits.startswith("0")):
        return [_DIGITS[int(digit)] for digit in digits]
    value = int(digits)
    if value == 0:
        return ["零"]
    spoken = _four(value % 10_000)
    for scale, name in ((10_000, "万"), (10**8, "亿")):
        group = value // scale % 10_000
        if group:
            spoken = [*_four(group), name, *spoken]
    return spoken


def _four(value: int) -> list[str]:
    """A group of up to four digits; 105 is 一百零五."""
    tokens: list[str] = []
    for power, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // power % 10
        if digit:
            if tokens and value // (power * 10) % 10 == 0:
                tokens.append("零")
            tokens += [_DIGITS[digit], *([name] if name else [])]
    return tokens
