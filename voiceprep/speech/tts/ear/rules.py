"""What in a text needs other words to be said, found from left to right by one scanner.

The patterns are the same for both languages; a reader per language says what each find sounds like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from voiceprep.speech.tts.ear.lexicon import LEFT, RIGHT, any_of, lexicon

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+"
SCALE = r"(?:(?:[kKMBT]|bn|mn)(?![A-Za-z0-9])|(?:thousand|million|billion|trillion)(?![a-z])|万亿|[百千万亿]+)"
GLUE = r"(?:-|\s?[–—~～]\s?)"
"""Between the ends of a range. A hyphen with spaces is a minus or a dash."""
CURRENCY = r"(?:US\$|[$€£¥￥])"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"


class Reader(Protocol):
    """Says what a rule found, in one language. Each method is named after its rule and gets its match."""

    def term(self, found: re.Match[str]) -> str: ...
    def big_o(self, found: re.Match[str]) -> str: ...
    def money(self, found: re.Match[str]) -> str: ...
    def money_per(self, found: re.Match[str]) -> str: ...
    def date(self, found: re.Match[str]) -> str: ...
    def quarter(self, found: re.Match[str]) -> str: ...
    def year(self, found: re.Match[str]) -> str: ...
    def clock(self, found: re.Match[str]) -> str: ...
    def hour(self, found: re.Match[str]) -> str: ...
    def always(self, found: re.Match[str]) -> str: ...
    def version(self, found: re.Match[str]) -> str: ...
    def power(self, found: re.Match[str]) -> str: ...
    def ordinal(self, found: re.Match[str]) -> str: ...
    def fraction(self, found: re.Match[str]) -> str: ...
    def ratio(self, found: re.Match[str]) -> str: ...
    def dimensions(self, found: re.Match[str]) -> str: ...
    def model(self, found: re.Match[str]) -> str: ...
    def quantity(self, found: re.Match[str]) -> str: ...
    def minus(self, found: re.Match[str]) -> str: ...
    def caps(self, found: re.Match[str]) -> str: ...
    def digits(self, found: re.Match[str]) -> str: ...
    def symbol(self, found: re.Match[str]) -> str: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the reader's method that says it."""

    name: str
    pattern: re.Pattern[str]


@cache
def rules() -> tuple[Rule, ...]:
    """In order of precedence among finds that begin at the same place; otherwise the one that begins first wins."""
    words = lexicon()
    per = rf"{any_of(words.per)}{RIGHT}"
    tight = [unit for unit in words.units if len(unit) == 1 and unit not in "°℃" and unit != "B"]
    loose = [unit for unit in words.units if len(unit) > 1 or unit in "°℃"]
    unit = rf"(?:{any_of(tight)}|\s?{any_of(loose)})(?![A-Za-z0-9])"
    tail = rf"(?:\s?%|\s?％|[xX×](?![A-Za-z])|{unit})"
    not_years = rf"(?![\d%]|,\d|\.\d|\s?{any_of(loose)}{RIGHT}|{tail}|\s?{SCALE}|\s[a-z]+s\b|\s?[x×]\s?\d|{GLUE}\d)"
    table = {
        "term": words.term_pattern(),
        "big_o": rf"{LEFT}O\((?P<inner>(?:[^()]|\([^()]*\)){{1,40}})\)",
        "money": rf"(?P<sign>{CURRENCY})\s?(?P<a>{NUMBER})(?P<ascale>{SCALE})?(?:{GLUE}{CURRENCY}?(?P<b>{NUMBER}))?"
        rf"(?:\s?(?P<scale>{SCALE}))?(?P<plus>\+)?(?:\s?/\s?(?P<per>{per}))?",
        "money_per": rf"(?P<sign>{CURRENCY})\s?/\s?(?P<per>{per})",
        "date": rf"{LEFT}(?P<y>(?:19|20)\d\d)(?P<sep>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<d>0?[1-9]|[12]\d|3[01]){RIGHT}",
        "quarter": rf"{LEFT}(?P<part>[QH][1-4])\s?(?P<y>(?:19|20)\d\d){RIGHT}",
        "year": rf"{LEFT}(?P<lead>(?:in|since|until|year|before|during|FY|{MONTHS})\s?)?"
        rf"(?P<y>(?:199|20[0-3])\d)(?P<decade>s{RIGHT})?{RIGHT}(?<!00){not_years}(?P<nian>\s?年)?",
        "clock": r"(?<![\d:])(?P<h>[01]?\d|2[0-3])[:：](?P<m>[0-5]\d)(?:[:：](?P<s>[0-5]\d))?(?![\d:])"
        r"(?:\s?(?P<half>[aApP]\.?[mM]\b))?",
        "hour": rf"{LEFT}(?P<h>1[0-2]|0?[1-9])\s?(?P<half>[aApP][mM]){RIGHT}",
        "always": rf"{LEFT}24/7{RIGHT}",
        "version": rf"{LEFT}(?:(?P<v>[vV])(?P<n>\d+(?:\.\d+)*)|(?P<bare>\d+(?:\.\d+){{2,}})){RIGHT}",
        "power": rf"{LEFT}(?P<base>{NUMBER}|[A-Za-z])\s?(?:\^\s?(?P<p>-?\d+|[A-Za-z]){RIGHT}|(?P<sup>[²³]))"
        rf"|{LEFT}(?P<m>\d+(?:\.\d+)?)[eE](?P<e>[+-]?\d+){RIGHT}",
        "ordinal": rf"{LEFT}(?P<n>\d+)(?:st|nd|rd|th){RIGHT}",
        "fraction": r"(?<![\dA-Za-z/.])(?P<a>\d{1,4})/(?P<b>\d{1,4})(?![\d/A-Za-z])",
        "ratio": r"(?<![\d:.])(?P<a>\d+)\s?[:：]\s?(?P<b>\d+)(?![\d:.])",
        "dimensions": rf"{LEFT}(?P<a>\d+)\s?[xX×*]\s?(?P<b>\d+)(?![A-Za-z0-9.])",
        "model": rf"{LEFT}(?P<l>[A-Za-z]{{1,8}}|[A-Z][a-z]+-)(?P<n>\d+(?:\.\d+)?)(?P<r>[A-Za-z]{{0,4}}){RIGHT}",
        "minus": r"(?<=[\d)])\s[-−]\s(?=[\d(])",
        "quantity": rf"(?P<sign>(?<![^\s(（,，：:])[-−+])?{LEFT}(?P<a>{NUMBER})(?:\s?(?P<ascale>{SCALE}))?"
        rf"(?P<atail>{tail})?(?:{GLUE}(?P<b>{NUMBER})(?:\s?(?P<scale>{SCALE}))?(?P<tail>{tail})?)?"
        rf"(?P<plus>\+)?(?:\s?/\s?(?P<per>{per}))?(?P<measure>\s?[个台次种天年月周倍位块张家条份层轮步人小分秒])?",
        "caps": rf"{LEFT}(?P<l>[BCDFGHJKLMNPQRSTVWXZ]{{2,5}})(?P<s>s)?{RIGHT}",
        "digits": r"\d+",
        "symbol": any_of(words.symbols),
    }
    return tuple(Rule(name, re.compile(pattern)) for name, pattern in table.items())


def say(text: str, reader: Reader) -> str:
    """The text with every find said by the reader. Each place is read once, so what was said is not read again."""
    searching = {rule: rule.pattern.search(text) for rule in rules()}
    pieces: list[str] = []
    at = 0
    while True:
        for rule, found in searching.items():
            # A find is looked for again only when it was overrun: so the whole is linear in the text.
            if found is not None and found.start() < at:
                searching[rule] = rule.pattern.search(text, at)
        first = min(((found.start(), order) for order, found in enumerate(searching.values()) if found), default=None)
        if first is None:
            return "".join([*pieces, text[at:]])
        rule, found = list(searching.items())[first[1]]
        assert found is not None
        pieces += [text[at : found.start()], _spaced(getattr(reader, rule.name)(found), found)]
        at = found.end()


def _spaced(said: str, found: re.Match[str]) -> str:
    """With spaces around, but not at a hyphen: `GPT-4` and `5-minute` stay one word."""
    left = "" if found.string.endswith("-", 0, found.start()) else " "
    right = "" if found.string.startswith("-", found.end()) else " "
    return f"{left}{said}{right}"
