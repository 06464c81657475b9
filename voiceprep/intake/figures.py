"""The figures of a claim, as they are written."""

from __future__ import annotations

import re

from voiceprep.core.text import HANZI

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_COUNTED = (
    "GPUs?|users?|customers?|nodes?|teams?|engineers?|people|services?|clusters?|hours?|minutes?|days?|weeks?|months?|million|"
    "billion|requests?|tenants?|jobs?|markets?|countries|regions?"
)
_EN_UNIT = r"(?:[KMB]\b|%|ms|minutes?|hours?|days?|weeks?|s\b|min\b)?"
_ZH_UNIT = "%|％|倍|亿元?|万元?|个百分点|张卡|张|台|人|个团队|小时|分钟|天|秒|毫秒|家客户|家|元"
_MOVES = "升|降|提升|提高|缩短|增长|减少|压缩"
_FIGURE = re.compile(
    rf"""
      (?:from\s+)?[$€£¥]?\s?{_NUMBER}\s?{_EN_UNIT}\s(?:to|->|→)\s[$€£¥]?\s?{_NUMBER}\s?{_EN_UNIT}
    | [$€£¥]\s?{_NUMBER}\s?(?:[KMB]\b|k\b|million|billion)?
    | {_NUMBER}\s?(?:%|％|x\b|X\b|×|percent|percentage\spoints)
    | {_NUMBER}\s?[KMB]?\+?[\s-](?:{_COUNTED})\b
    | (?:从(?!\s?0\s?到)|由)\s?{_NUMBER}\s?(?:%|[{HANZI}]{{0,3}}?)\s?(?:{_MOVES})?(?:到|至)\s?{_NUMBER}\s?(?:{_ZH_UNIT})?
    | {_NUMBER}\s?(?:{_ZH_UNIT})
    """,
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
MOST = 4


def figures(text: str) -> tuple[str, ...]:
    """Figures in the text, in its own writing, at most four. Years and dates are none."""
    found = (re.sub(r"\s+", " ", match[0].strip()) for match in _FIGURE.finditer(text))
    return tuple(figure for figure in found if not _YEAR.fullmatch(figure))[:MOST]
