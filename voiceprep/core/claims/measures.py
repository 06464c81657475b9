# ruff: noqa: E501  (a pattern reads worse when it is wrapped)
"""What a number in an answer counts: its unit, by one name in both languages; time in days. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from voiceprep.core.claims.numerals import Number, numbers

Part = Literal["", "from", "to"]

_TIME = {
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1,
    "week": 7,
    "month": 30.4,
    "quarter": 91.3,
    "year": 365.25,
}
"""Days in each unit of time."""
_MILLISECOND = 1 / 86_400_000
_FIRST_YEAR = 1900
TENTHS = 10
"""成 counts tenths, so there are fewer than this."""
_SHORT_NOUN = 3
"""Letters up to which a word that ends in s is no plural: gas."""
_HAN_TIME = {
    "秒": "second", "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "周": "week", "星期": "week", "礼拜": "week",
    "个月": "month", "月": "month", "季度": "quarter", "年": "year",
}  # fmt: skip
_NOUNS = {
    "工程师": "engineer", "研发": "engineer", "程序员": "engineer", "人": "people", "同事": "people", "卡时": "card hour", "卡": "gpu",
    "显卡": "gpu", "机器": "machine", "节点": "node", "客户": "customer", "用户": "user", "集群": "cluster", "团队": "team", "组": "team",
    "任务": "job", "作业": "job", "评审": "review", "会": "meeting", "设计师": "designer", "工单": "ticket", "项目": "project",
    "请求": "request", "部门": "department", "方案": "option", "需求": "request", "功能": "feature", "模型": "model", "版本": "version",
    "冲刺": "sprint", "轮": "round", "次": "time", "回": "time", "遍": "time", "倍": "x", "person": "people", "persons": "people",
    "card": "gpu", "developer": "engineer", "men": "people", "folks": "people",
    "美金": "usd", "美元": "usd", "刀": "usd", "dollar": "usd", "buck": "usd", "块": "cny", "元": "cny", "人民币": "cny",
}  # fmt: skip
"""What is counted, by one name in both languages."""

_PER = r"(?:\s*(?:an?|per|each|every)\s+(?P<per>day|week|month|quarter|year|hour|minute|second)\b)?"
_STOP = "of|and|or|to|in|on|at|for|the|that|who|which|with|from|by|as|so|were|was|had|have|is|are|more|less|than|but|if|after|later|ago|before|because|when|while|into|over|per|a|an|it|we|i|they|he|she|you|my|our|their|his|her|this|these|those|then|there|not|no|really|just|only|thing|things|or|up|out|off|each|every|percent|did|do|does|us|them|me|went|came|hundred|point|half|bit|lot|way|kind|sort|such|all|both"
_EN_UNIT = re.compile(
    r"\s*(?P<percent>%|percent(?:age points?)?\b|per cent\b)"
    r"|\s*-?\s*(?P<time>second|minute|hour|day|week|month|quarter|year)s?\b" + _PER + r"|\s*(?P<ms>ms\b|milliseconds?\b)"
    r"|\s*(?P<money>dollars?|bucks|usd)\b"
    + _PER.replace("P<per>", "P<dear>")
    + r"|\s*(?P<x>x\b|times\s+(?:faster|more|as|the|less|cheaper|slower|better))"
    rf"|\s+(?P<noun>(?!(?:{_STOP})\b)[A-Za-z][A-Za-z-]*(?:\s+(?!(?:{_STOP})\b)[A-Za-z-]+){{0,2}})"
    + _PER.replace("P<per>", "P<rate>"),
    re.IGNORECASE,
)
_HAN_NOUN = "|".join(sorted((noun for noun in _NOUNS if not noun.isascii()), key=len, reverse=True))
_HAN_UNIT = re.compile(
    r"\s*(?P<more>多|来)?\s*个?(?P<over>多)?(?P<halfway>半)?\s*(?:"
    r"(?P<time>分钟|秒|小时|钟头|天|周|星期|礼拜|月(?![份初中底]|\d)|季度|年)|(?P<tenth>成)(?P<and_half>半)?(?!功|为|本|员|长)|(?P<fraction>分之)"
    rf"|(?:名|位|张|台|家|次(?=评审|会)|轮(?=\s*评审|\s*[A-Za-z])|条|个|种|件)?(?P<noun>{_HAN_NOUN})"
    r"|(?:个|名|位|张|台|家|轮|条|种|件)?\s*(?P<latin>[A-Za-z][A-Za-z-]+)(?![A-Za-z0-9]))"
)
_HALF = re.compile(r"半(?P<han>年|个月|小时|天|个小时)|\bhalf an?\s+(?P<en>year|hour|day)\b", re.IGNORECASE)
_HALVED = {"个小时": "小时"}
_TWICE = re.compile(r"\btwice\b", re.IGNORECASE)
_SHARE = re.compile(
    r"百分之(?P<percent>[零一二两三四五六七八九十百点\d.]+)|(?P<n>\b(?:one|two|three|a)\s+)(?P<part>half|thirds?|quarters?|fifths?|tenths?)\s+of\b"
    r"|\b(?P<half>half)\s+(?:of|the)\b|(?P<han_half>一半)",
    re.IGNORECASE,
)
_PARTS = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0, "tenth": 10.0}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure: `low`..`high` of `unit`; time is in days under the unit `days`, with the unit that was said in `said`."""

    start: int
    end: int
    low: float
    high: float
    unit: str
    hedged: bool = False
    part: Part = ""
    said: str = ""
    bare: float = 0.0
    """The number as it was said, whatever its unit."""


def measured(text: str, number: Number) -> Quantity:
    """The number with what it counts; `unit` is "" where that cannot be told."""
    plain = Quantity(number.start, number.end, number.low, number.high, "", number.hedged, bare=number.low)
    if text[max(0, number.start - 1) : number.start] == "$":
        return replace(plain, unit="usd", start=number.start - 1)
    if (han := _HAN_UNIT.match(text, number.end)) and not han[0].strip().isascii():
        return _han_measured(plain, han)
    found = _EN_UNIT.match(text, number.end)
    if found is None or re.match(r"\s*(?:of the|of them|of us)\b", text[number.end :]):
        return plain
    end = found.end()
    per = f"/{rate.lower()}" if (rate := found["per"] or found["dear"] or found["rate"]) else ""
    if found["percent"]:
        return replace(plain, unit="%", end=end)
    if found["ms"]:
        return _scaled(plain, end, _MILLISECOND, "millisecond")
    if found["time"]:
        said = found["time"].lower()
        return _scaled(plain, end, _TIME[said], said, per)
    if found["money"]:
        return replace(plain, unit=f"usd{per}", end=end)
    if found["x"]:
        return replace(plain, unit="x", end=end)
    noun, used = _head(found["noun"])
    if not noun:
        return plain
    whole = used == len(found["noun"])  # only then the rate belongs to it
    return replace(plain, unit=noun + (per if whole else ""), end=end if whole and per else found.start("noun") + used)


def _scaled(plain: Quantity, end: int, days: float, said: str, per: str = "") -> Quantity:
    return replace(plain, end=end, low=plain.low * days, high=plain.high * days, unit=f"days{per}", said=said)


def _head(phrase: str) -> tuple[str, int]:
    """The noun that is counted, as one name, and where it ends: the first plural of the words that follow the number."""
    words = list(re.finditer(r"[A-Za-z-]+", phrase))
    for index, word in enumerate(words):
        plain = word[0].lower()
        singular = _singular(plain)
        if plain in {"people", "staff", "men", "folks"} or (singular != plain):
            name = _NOUNS.get(singular, _NOUNS.get(plain, singular))
            before = [part[0].lower() for part in words[max(0, index - 1) : index] if name == "hour"]
            return " ".join([*before, name]), word.end()
    if words and phrase.isupper() and len(words) == 1:
        return words[0][0].lower(), words[0].end()
    return "", 0


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORT_NOUN + 1:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "is", "status", "bonus")) and len(word) > _SHORT_NOUN:
        return word[:-1]
    return word


def _han_measured(plain: Quantity, found: re.Match[str]) -> Quantity:
    low, high, hedged = plain.low, plain.high, plain.hedged or bool(found["more"] or found["over"])
    if hedged and not plain.hedged:
        high = low * (2 if low == TENTHS else 1.3)  # 十多 is up to 19, 三十多 up to 39
    extra = 0.5 if found["halfway"] else 0.0
    end = found.end()
    if found["time"]:
        said = _HAN_TIME[found["time"]]
        if said == "year" and low >= _FIRST_YEAR:  # a date
            return plain
        tail = re.match(r"半", found.string[end:])
        extra += 0.5 if tail else 0.0
        plain = replace(plain, low=low + extra, high=high + extra, hedged=hedged)
        return _scaled(plain, end + len(tail[0]) if tail else end, _TIME[said], said)
    if found["tenth"]:
        extra = 5.0 if found["and_half"] else 0.0
        return replace(plain, low=low * 10 + extra, high=high * 10 + extra, unit="%", end=end, hedged=hedged, said="tenth")
    if found["fraction"]:
        top = next(numbers(found.string[end : end + 4]), None)
        share = 100 * top.low / low if top is not None and low else None
        return plain if share is None or top is None else replace(plain, low=share, high=share, unit="%", end=end + top.end)
    if found["latin"]:
        return _latin(replace(plain, hedged=hedged), found["latin"].lower(), end)
    return replace(plain, low=low + extra, high=high + extra, unit=_NOUNS[found["noun"]], end=end, hedged=hedged)


def _latin(plain: Quantity, word: str, end: int) -> Quantity:
    """12 个 engineer, 八个 week."""
    singular = _singular(word)
    if singular in _TIME:
        return _scaled(plain, end, _TIME[singular], singular)
    if word == "ms":
        return _scaled(plain, end, _MILLISECOND, "millisecond")
    if word in {"percent", "percentage"}:
        return replace(plain, unit="%", end=end)
    return replace(plain, unit=_NOUNS.get(singular, singular), end=end)


def shares(text: str) -> Iterator[Quantity]:
    """Parts of a whole: 百分之九十四, "a third of", 一半."""
    for found in _SHARE.finditer(text):
        if found["percent"]:
            value = next(numbers(found["percent"]), None)
            if value is None:
                continue
            share, hedged = value.low, bool(re.search(r"(?:大概|大约|差不多|将近|接近|约)\s*$", text[: found.start()][-8:]))
        elif found["part"]:
            times = {"two": 2, "three": 3}.get(found["n"].strip().lower(), 1)
            share, hedged = times * _PARTS[found["part"].lower().rstrip("s")], True
        else:
            share, hedged = 50.0, True
        yield Quantity(found.start(), found.end(), share, share, "%", hedged)


def halves(text: str) -> Iterator[Quantity]:
    """What is counted without a number: "twice", "half a year", 半年."""
    for found in _TWICE.finditer(text):
        yield Quantity(found.start(), found.end(), 2, 2, "time")
    for found in _HALF.finditer(text):
        if re.match(r"[零一二两三四五六七八九十个年]", text[max(0, found.start() - 1) : found.start()]):
            continue  # 两个半月 is a number with its unit
        said = found["en"].lower() if found["en"] else _HAN_TIME[_HALVED.get(found["han"], found["han"])]
        days = _TIME[said] / 2
        yield Quantity(found.start(), found.end(), days, days, "days", hedged=True, said=said)


def like(one: Quantity, model: Quantity) -> Quantity:
    """A bare number, in the unit of another: "eight weeks, no, nine"."""
    factor = 1.0
    if model.unit.startswith("days"):
        factor = _TIME.get(model.said, _MILLISECOND)
    elif model.said == "tenth" and one.high < TENTHS:
        factor = 10.0
    return replace(one, low=one.low * factor, high=one.high * factor, unit=model.unit, said=model.said)
