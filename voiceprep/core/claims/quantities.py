# ruff: noqa: E501  (a pattern reads worse when it is wrapped)
"""The figures of an answer: put right where the speaker did so, ranges in one, and a change as where it came from and went to.

"Eight, sorry, nine weeks" is nine weeks; "from 87 to 94 percent" is two figures, each with its part. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from voiceprep.core.claims.measures import Quantity, halves, like, measured, shares
from voiceprep.core.claims.numerals import numbers

__all__ = ["Quantity", "quantities"]

_REPAIR = re.compile(
    r"^[\s,，.。…、-]*(?:(?:uh|um|oh|呃|嗯|哦|啊)[\s,，]*)*(?:sorry|i mean|no wait|wait|no|or rather|rather|actually|make that|scratch that|"
    r"correction|let me correct that|不对|不是|不不|说错了|哦不|应该是|更正|抱歉|准确说)[\s,，.。、]*(?:(?:no|it was|it's|是|it is|sorry|应该是|that was|i mean)"
    r"[\s,，]*)*$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"^\s*(?:to|or|through|-|–|~|到|至|、|或者?)\s*$", re.IGNORECASE)
_AND = re.compile(r"^\s*(?:and|和)\s*$", re.IGNORECASE)
_FROM = re.compile(r"(?:\bfrom|从|由)\s*(?:about|around|roughly|大概|大约|差不多)?\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s*$", re.IGNORECASE)
_TO = re.compile(
    r"(?:\b(?:fell|dropp?(?:ed)?|went|rose|got|came|brought|cut|grew|climbed|moved|up|down|it|that)\s+(?:\w+\s+){0,2}?to|\bto)\s*(?:about|around|roughly)?\s*$"
    r"|(?:提|升|涨|降|减|压|变|掉|跌|涨|干|做)(?:高|低|升|少|短|上|了)*(?:到|至|成|为)了?\s*(?:大概|大约|差不多)?\s*$|(?<![得直回])到了?\s*$",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[.。;；?？]")
_CHANGES = re.compile(r"[提升涨降减压变掉跌]")
_WINDOW = 40
"""Characters around a figure that say which part of a change it is."""


def quantities(text: str) -> tuple[Quantity, ...]:
    """The figures of a text that have a unit, in order; of a self-correction only what was meant in the end."""
    found = [*shares(text), *halves(text)]
    taken = [(one.start, one.end) for one in found]
    free = (one for one in numbers(text) if not any(start < one.end and one.start < end for start, end in taken))
    found += [measured(text, number) for number in free]
    found.sort(key=lambda one: one.start)
    return tuple(one for one in _joined(text, _mended(text, found)) if one.unit and _counts(text, one))


def _counts(text: str, one: Quantity) -> bool:
    """Whether it tells an amount: "the second sprint" does not, nor does "a job", however it is written."""
    article = one.high == 1 and not one.unit.startswith(("days", "%", "usd", "cny"))
    return not article and text[max(0, one.start - 1) : one.start] != "第"


def _mended(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Without what was taken back ("eight, sorry, nine weeks") or begun anew ("eight, eight weeks")."""
    kept: list[Quantity] = []
    for one in found:
        while kept:
            last, between = kept[-1], text[kept[-1].end : one.start]
            repaired = bool(between.strip()) and bool(_REPAIR.match(between))
            if repaired and not one.unit:
                one = like(one, last)  # noqa: PLW2901  ("eight weeks, no, nine")
            said_twice = last.low == one.low and not between.strip(" ,，…、-.")
            if last.unit not in {"", one.unit} or not (repaired or said_twice):
                break
            kept.pop()
        kept.append(one)
    return kept


def _joined(text: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    """Ranges as one figure, and the two ends of a change each with its part."""
    rest = list(found)
    while rest:
        one = rest.pop(0)
        before = text[max(0, one.start - _WINDOW) : one.start]
        following = rest[0] if rest else None
        between = text[one.end : following.start] if following else ""
        if following is not None and _is_range(one, following, before, between):
            yield _ranged(one, rest.pop(0))
        elif following is not None and _is_change(before, between):
            rest.pop(0)
            yield replace(one if one.unit or not following.unit else like(one, following), part="from")
            yield replace(following if following.unit or not one.unit else like(following, one), part="to")
        elif _FROM.search(before) and following is None:
            yield replace(one, part="from")
        else:
            yield replace(one, part="to") if one.unit and _TO.search(before) else one


def _is_range(one: Quantity, following: Quantity, before: str, between: str) -> bool:
    ranged = _RANGE.match(between) or (_BETWEEN.search(before) and _AND.match(between))
    return bool(ranged) and not _FROM.search(before) and one.unit in {"", following.unit} and bool(following.unit)


def _ranged(one: Quantity, following: Quantity) -> Quantity:
    first = one if one.unit else like(one, following)
    low, high = min(first.low, following.low), max(first.high, following.high)
    return replace(following, start=one.start, low=low, high=high, hedged=True)


def _is_change(before: str, between: str) -> bool:
    goes = len(between) < _WINDOW and bool(_TO.search(between)) and not _STOPS.search(between)
    return goes and bool(_FROM.search(before) or _CHANGES.search(between))
