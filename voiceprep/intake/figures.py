"""The figures of a claim, as they are written."""

from __future__ import annotations

import re

from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI, has_hanzi
from voiceprep.intake.lexicon import Lexicon

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
_SCALES = {"万": 10_000, "亿": 100_000_000}
_MILLION, _BILLION = 1_000_000, 1_000_000_000
_ZH_COUNTED = re.compile(rf"(?P<number>{_NUMBER})\s?(?P<scale>[万亿])?\s?(?P<unit>[^\d升降到至]*)")
_YEAR = re.compile(r"(?:19|20)\d\d")
MOST = 4


def figures(text: str) -> tuple[str, ...]:
    """Figures in the text, in its own writing, at most four. Years and dates are none."""
    found = (re.sub(r"\s+", " ", match[0].strip()) for match in _FIGURE.finditer(text))
    return tuple(figure for figure in found if not _YEAR.fullmatch(figure))[:MOST]


def figure_in(figure: str, tongue: Tongue, lexicon: Lexicon) -> str:
    """A figure as this tongue can say it: 从 9 小时降到 2 小时 is "from 9 to 2 hours", 300万元 "3 million yuan"."""
    if tongue == "zh" or not has_hanzi(figure):
        return figure
    said = [_in_english(match, lexicon) for match in _ZH_COUNTED.finditer(figure)]
    if len(said) < 2:  # noqa: PLR2004  (no way from one to another)
        return "".join(said)
    unit = said[-1].partition(" ")[2]
    return f"from {' to '.join([*(each.removesuffix(f' {unit}') for each in said[:-1]), said[-1]])}"


def _in_english(counted: re.Match[str], lexicon: Lexicon) -> str:
    number, scale = float(counted["number"].replace(",", "")), counted["scale"]
    large = ""
    if scale:
        number *= _SCALES[scale]
        large = " billion" if number >= _BILLION else " million" if number >= _MILLION else ""
        number /= {" billion": _BILLION, " million": _MILLION}.get(large, 1)
    unit = next((said for word, said in lexicon.file.units.items() if counted["unit"].startswith(word)), "")
    return f"{number:.10g}{large}" + (unit if unit == "%" else f" {unit}" if unit else "")
