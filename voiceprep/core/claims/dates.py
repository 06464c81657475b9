# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Months, quarters, seasons and years in spoken text, and whether two of them can be the same time. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from voiceprep.core.claims.numerals import numbers

_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = {
    "jan": 1,
    "feb": 2,
    "mar": 3,
    "apr": 4,
    "jun": 6,
    "jul": 7,
    "aug": 8,
    "sep": 9,
    "sept": 9,
    "oct": 10,
    "nov": 11,
    "dec": 12,
}
_SEASONS = {"spring": (2, 6), "summer": (5, 9), "fall": (8, 12), "autumn": (8, 12), "春": (2, 6), "夏": (5, 9), "秋": (8, 12)}
"""First and last month that people may mean; winter crosses the year's end and is told from no month."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_PREP = r"(?:in|by|since|until|till|from|to|of|last|this|early|late|mid|before|after|around)"

_YEAR = r"(?:19|20)\d\d|(?:nineteen|twenty)[\s-]+(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?)"
_DATE = re.compile(
    rf"(?P<en_rel>\b(?:last|this)\s+year(?:'s)?\b)|\b(?P<year>{_YEAR})\b(?!\s*(?:gpus?|cards?|people|jobs?|engineers|张|个|台|人))"
    rf"|(?<![A-Za-z])(?P<mon>{'|'.join(m for m in _MONTHS if m not in {'may', 'march'})})\b|\b{_PREP}\s+(?P<short>jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    rf"|\b{_PREP}\s+(?P<odd>may|march)\b(?!\s+(?:we|I|the|have|be)\b)"
    r"|\bQ(?P<q>[1-4])\b|\b(?P<ord>first|second|third|fourth)\s+quarter\b(?!\s+of\s+the\s+(?!year))"
    rf"|\b(?:last|this|in|that)\s+(?:the\s+)?(?P<season>spring|summer|fall|autumn)\b"
    r"|(?P<han_rel>前年|去年|今年)|(?P<han_year>(?:19|20)\d\d|[一二][九零〇][零〇一二三四五六七八九]{2})\s*年|第?(?P<han_q>[一二三四])季度|第(?P<han_q2>[一二三四])个?季度"
    r"|(?<![\d个零一二三四五六七八九十几])(?P<han_mon>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s*月(?!之|以|后|内)(?:份|初|中|底)?|(?P<han_season>[春夏秋])(?:天|季)",
    re.IGNORECASE,
)
_NEAR = re.compile(r"^[\s,，的'’s]*(?:of\s+|in\s+)?(?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Date:
    """A time as it was named: a `year`, or one relative to now (-1: last year), and the `months` it may lie in. None: not said."""

    start: int
    end: int
    year: int | None = None
    relative: int | None = None
    months: tuple[int, int] | None = None

    def differs(self, other: Date, slack: int = 0) -> bool:
        """Whether they cannot be the same time; `slack` in months. What was not said by both is compared by neither."""
        if self.year is not None and other.year is not None and self.year != other.year:
            return True
        if self.relative is not None and other.relative is not None and self.relative != other.relative:
            return True
        if self.months is None or other.months is None:
            return False
        return self.months[1] + slack < other.months[0] or other.months[1] + slack < self.months[0]

    @property
    def text(self) -> str:
        """The value in a plain form: `2021`, `year-1`, `month 7-9`."""
        parts = [str(self.year)] if self.year is not None else []
        parts += [f"year{self.relative:+d}"] if self.relative is not None else []
        if self.months is not None:
            first, last = self.months
            parts.append(f"month {first}" if first == last else f"month {first}-{last}")
        return " ".join(parts)


def dates(text: str) -> tuple[Date, ...]:
    """Every time that is named, in order; neighbours ("the third quarter of last year") are one."""
    joined: list[Date] = []
    for date in _single(text):
        last = joined[-1] if joined else None
        if last is not None and _NEAR.match(text[last.end : date.start]) and _complete(last, date):
            joined[-1] = Date(
                last.start, date.end, last.year or date.year, _either(last.relative, date.relative), last.months or date.months
            )
        else:
            joined.append(date)
    return tuple(joined)


def _either(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


def _complete(one: Date, other: Date) -> bool:
    """Whether each says what the other leaves open."""
    return (one.months is None) != (other.months is None)


def _single(text: str) -> Iterator[Date]:
    for found in _DATE.finditer(text):
        start, end = found.span()
        kind, said = str(found.lastgroup), str(found[str(found.lastgroup)]).lower()
        match kind:
            case "en_rel" | "han_rel":
                relative = {"前": -2, "去": -1, "今": 0, "l": -1, "t": 0}[said[0]]
                yield Date(start, end, relative=relative)
            case "year" | "han_year":
                yield Date(start, end, year=_year(said))
            case "mon" | "odd" | "short":
                number = _SHORT.get(said) or _MONTHS.index(said) + 1
                yield Date(start, end, months=(number, number))
            case "season":
                yield Date(start, end, months=_SEASONS[said])  # "last spring" may be this year's: only the months count
            case "han_season":
                yield Date(start, end, months=_SEASONS[said])
            case "han_mon":
                month = int(next(numbers(said)).low)
                yield Date(start, end, months=(month, month))
            case _:
                quarter = int(said) if said.isdigit() else _ORDINALS[said]
                yield Date(start, end, months=(3 * quarter - 2, 3 * quarter))


def _year(said: str) -> int:
    if said.isdigit():
        return int(said)
    if re.match(r"[a-z]", said):
        century, *rest = re.split(r"[\s-]+", said)
        return (19 if century == "nineteen" else 20) * 100 + int(next(numbers(" ".join(rest))).low)
    return int(next(numbers(said)).low)
