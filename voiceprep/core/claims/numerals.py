# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Numbers in spoken text, as digits or as words, English and Chinese, with how exact they were meant. Pure.

A recogniser writes "ninety four", "94" and 九十四 as it likes; all become the same value. The language's number words stand here
and not under rubrics/: they are grammar, the same for every round, and a log must read the same years from now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ONES = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SMALL = {word: value for value, word in enumerate([*_ONES, *_TEENS])} | {w: 10 * n for n, w in enumerate(_TENS, 2)}
_VAGUE = {"couple": (2, 3), "few": (2, 7), "several": (3, 9), "dozens": (20, 100), "hundreds": (100, 1000)}

_WORD = "|".join(sorted([*_SMALL, *_SCALES, "dozen"], key=len, reverse=True))
_SPELLED = rf"(?:\b(?:half\s+)?an?\s+(?=hundred|thousand|million|billion|dozen))?\b(?:{_WORD})\b(?:[\s-]+(?:and\s+(?:a\s+(?=half))?)?(?:{_WORD}|half)\b)*"
_SPELLED += rf"(?:\s+point(?:\s+(?:{'|'.join(_ONES)}))+)?"
_DIGITS = r"(?<![A-Za-z0-9.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s*(?:hundred|thousand|million|billion)\b|\s*[万亿千百]|[kKM](?![A-Za-z]))?"
_HAN = r"(?!百分之|千分之)[零〇一二两三四五六七八九十百千万亿几]+(?:点[零〇一二三四五六七八九]+)?"
_NUMBER = re.compile(
    rf"(?P<digits>{_DIGITS})|(?P<vague>\b(?:an?\s+)?(?:couple|few|several|dozens|hundreds)\b(?:\s+of\b)?)|(?P<spelled>{_SPELLED})"
    rf"|(?P<han>{_HAN})",
    re.IGNORECASE,
)
_HEDGE_BEFORE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|almost|nearly|maybe|perhaps|probably|like|some|or so|something like|close to|"
    r"i think|i guess|i believe)|大概|大约|差不多|将近|接近|可能|约|左右|好像|估计|应该)\s*(?:had\s+|有|是|花了|用了)?\s*$",
    re.IGNORECASE,
)
_HEDGE_AFTER = re.compile(r"^\S{0,12}?\s*(?:\w+\s+)?(?:or so\b|ish\b|give or take|左右|上下|出头|吧|的样子)", re.IGNORECASE)
_OVER = re.compile(r"(?:\b(?:over|more than|at least|above|north of)|超过|至少|不止|大于)\s*$", re.IGNORECASE)
_UNDER = re.compile(
    r"(?:\b(?:under|less than|at most|below|up to|fewer than|within)|不到|不超过|最多|小于|少于)\s*$", re.IGNORECASE
)
_LOOK = 24
"""Characters before a number in which a hedge may stand."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number at a place of the text. `low` and `high` differ for "a few", "over nine", 十几. `hedged`: not meant exactly."""

    start: int
    end: int
    low: float
    high: float
    hedged: bool = False


MOST = 1e18
"""Nobody means more: a recogniser that runs away ("hundred hundred hundred") says no number."""


def numbers(text: str) -> Iterator[Number]:
    """Every number in the text, in order. Number words run together that are no one number ("two three") are told apart."""
    for found in _NUMBER.finditer(text):
        for start, end, *bounds in _values(found):
            before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
            low, high = (min(bound, MOST) for bound in bounds)
            hedged = bool(_HEDGE_BEFORE.search(before) or _HEDGE_AFTER.search(after)) or low != high
            if _OVER.search(before):
                yield Number(start, end, low, max(high, 10 * low), hedged=True)
            elif _UNDER.search(before):
                yield Number(start, end, 0.0, high, hedged=True)
            else:
                yield Number(start, end, low, high, hedged)


def _values(found: re.Match[str]) -> Iterator[tuple[int, int, float, float]]:
    start, end, text = found.start(), found.end(), found[0]
    if found["digits"]:
        value = _digits(text)
        yield start, end, value, value
    elif found["vague"]:
        low, high = next(bounds for word, bounds in _VAGUE.items() if word in text.lower())
        yield start, end, low, high
    elif found["han"]:
        bounds_ = _han_bounds(text)
        if bounds_ is not None:
            yield start, end, *bounds_
    else:
        for first, last, value in _spelled(text):
            yield start + first, start + last, value, value


def _digits(text: str) -> float:
    match = re.match(r"[\d,.]+", text)
    assert match is not None, "the pattern begins with a digit"
    suffix = text[match.end() :].strip()
    known = {"k": 1e3, "K": 1e3, "M": 1e6, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, **_SCALES}
    return float(match[0].replace(",", "")) * known.get(suffix if len(suffix) == 1 else suffix.lower(), 1)


def _spelled(text: str) -> Iterator[tuple[int, int, float]]:
    """English number words: "two hundred and five", "three point five", "one and a half". A word that cannot follow begins anew."""
    total, part, start, end = 0.0, -1.0, 0, 0
    decimals: list[str] | None = None
    for token in re.finditer(r"[a-z]+", text, re.IGNORECASE):
        word = token[0].lower()
        value = _SMALL.get(word, -1)
        if word in {"and", "a", "an"}:
            continue
        if word == "point":
            decimals = []
        elif decimals is not None:
            decimals.append(str(value))
        elif word == "half":
            part = max(part, 0) + 0.5
        elif word == "dozen":
            part = min((part if part > 0 else 1) * 12, MOST)
        elif word in _SCALES:
            part = min((part if part > 0 else 1) * _SCALES[word], MOST)
            if word != "hundred":
                total, part = total + part, 0.0
        elif part < 0 or _goes_on(part, value):
            part = max(part, 0) + value
        else:
            yield start, end, total + part
            total, part, start = 0.0, float(value), token.start()
        end = token.end()
    value_ = total + max(part, 0)
    yield start, end, float(f"{value_:.0f}.{''.join(decimals)}") if decimals else value_


def _goes_on(part: float, value: int) -> bool:
    """Whether a number that has reached `part` can be added to: hundred and twenty, twenty five; not two three."""
    tens = part % 100
    return value > 0 and (tens == 0 or (tens in {10 * n for n in range(2, 10)} and value < len(_ONES)))


# --- Chinese --------------------------------------------------------------------------------------------------------------

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}


def _han_bounds(text: str) -> tuple[float, float] | None:
    """Both bounds: 十几 is 11 to 19, 六七 is 6 to 7. None for what is no number."""
    if "几" in text:
        low = text.replace("几", "二" if text[0] == "几" else "一", 1)
        return _bounded(_han(low), _han(text.replace("几", "九", 1)))
    digits = [_HAN_DIGITS[char] for char in text if char in _HAN_DIGITS]
    if len(digits) == len(text) and digits == [digits[0], digits[0] + 1]:
        return float(digits[0]), float(digits[1])
    value = _han(text)
    return _bounded(value, value)


def _bounded(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)


def _han(text: str) -> float | None:
    whole, _, fraction = text.partition("点")
    if len(whole) > 1 and all(char in _HAN_DIGITS for char in whole):  # read out digit by digit: 二零一九
        return float("".join(str(_HAN_DIGITS[char]) for char in whole))
    total = section = 0.0
    digit, scale = None, 1
    for char in whole:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
            scale = 10 if char in "零〇" else scale
        elif char in "万亿":
            total = min((total + section + (digit or 0) or 1) * _HAN_SCALES[char], MOST)
            section, digit, scale = 0.0, None, _HAN_SCALES[char]
        elif char in _HAN_SCALES:
            section += (1 if digit is None else digit) * _HAN_SCALES[char]
            digit, scale = None, _HAN_SCALES[char]
        else:
            return None
    total += section + (digit or 0) * (scale // 10 or 1 if scale > _HAN_SCALES["十"] else 1)  # 一千五 is 1,500
    return float(f"{total:.0f}.{''.join(str(_HAN_DIGITS[char]) for char in fraction)}") if fraction else total
