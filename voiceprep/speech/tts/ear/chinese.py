"""How finds are said in Chinese. Latin terms stay Latin: a voice that cannot say them is given `spell_latin`."""

from __future__ import annotations

import re

import cn2an  # type: ignore[import-untyped]  # it ships no types

from voiceprep.speech.tts.ear.lexicon import Lexicon, spelled

ZEROS = {
    "k": 3,
    "K": 3,
    "thousand": 3,
    "千": 3,
    "百": 2,
    "万": 4,
    "百万": 6,
    "千万": 7,
    "M": 6,
    "mn": 6,
    "million": 6,
    "亿": 8,
    "B": 9,
    "bn": 9,
    "billion": 9,
    "T": 12,
    "trillion": 12,
    "万亿": 12,
}
SIGNS = {None: "", "-": "负", "−": "负", "+": "加"}
DIGITS = "零一二三四五六七八九"
LONGEST = 15
"""Digits that are still said as one number; more are said one by one."""
HANZI_SCALE = re.compile(r"[百千万亿]+")
PAIR_MEASURES = "个台次种天年周倍位块张家条份层轮步人小分秒"
"""Before these, 2 is 两."""


def cardinal(digits: str, *, counting: bool = False) -> str:
    """`1234.5` in Chinese; `counting` says 2 as 两. Leading zeros and very long numbers are said digit by digit."""
    digits = digits.replace(",", "")
    whole, _, rest = digits.partition(".")
    whole = whole or "0"
    tail = "点" + one_by_one(rest) if rest else ""
    if len(whole) > LONGEST or (whole[0] == "0" and len(whole) > 1):
        return one_by_one(whole) + tail
    if counting and whole == "2" and not rest:
        return "两"
    said = str(cn2an.an2cn(str(int(whole)), "low"))
    return re.sub(r"二(?=[千万亿])(?<!十二)", "两", said) + tail


def one_by_one(digits: str) -> str:
    return "".join(DIGITS[int(digit)] for digit in digits)


def scaled(digits: str, scale: str | None, *, counting: bool = False) -> str:
    """`10` `k` as 一万, `1.5` `万` as 一点五万: a scale that is written in Chinese is kept."""
    if not scale:
        return cardinal(digits, counting=counting)
    scale = scale.strip()
    if HANZI_SCALE.fullmatch(scale):
        return cardinal(digits, counting=True) + scale
    whole, _, rest = digits.replace(",", "").partition(".")
    zeros = ZEROS[scale]
    if len(rest) <= zeros and len(whole) + zeros <= LONGEST:
        return cardinal(str(int(whole + rest.ljust(zeros, "0"))))
    return cardinal(digits) + {3: "千", 6: "百万", 9: "十亿", 12: "万亿"}[zeros]


class ChineseReader:
    """Each method says what the rule of its name found."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def term(self, found: re.Match[str]) -> str:
        return self._lexicon.term(found.group(), "zh").removesuffix("'s")

    def big_o(self, found: re.Match[str]) -> str:
        inner = re.sub(r"\^\s?2|²", "平方", re.sub(r"\^\s?3|³", "立方", found["inner"]))
        inner = re.sub(r"\s*\*\s*", " 乘 ", re.sub(r"[()]", " ", inner)).replace("!", "的阶乘").replace("^", "的次方 ")
        return "O " + re.sub(r"\d+", lambda digits: cardinal(digits.group()), inner)

    def money(self, found: re.Match[str]) -> str:
        name = self._lexicon.currencies[found["sign"]][-1]
        scale = found["scale"] or found["ascale"]
        amount = scaled(found["b"] or found["a"], scale, counting=True)
        if found["b"]:
            amount = f"{scaled(found['a'], found['ascale'])}到{amount}"
        return self._per(found["per"]) + amount + ("多" if found["plus"] else "") + name

    def money_per(self, found: re.Match[str]) -> str:
        return f"{self._per(found['per'])}多少{self._lexicon.currencies[found['sign']][-1]}"

    def date(self, found: re.Match[str]) -> str:
        return f"{one_by_one(found['y'])}年{cardinal(str(int(found['m'])))}月{cardinal(str(int(found['d'])))}日"

    def quarter(self, found: re.Match[str]) -> str:
        part = int(found["part"][1])
        named = {1: "上半年", 2: "下半年"}.get(part, "") if found["part"][0] == "H" else f"第{DIGITS[part]}季度"
        return f"{one_by_one(found['y'])}年{named}"

    def year(self, found: re.Match[str]) -> str:
        return one_by_one(found["y"]) + "年"

    def clock(self, found: re.Match[str]) -> str:
        hour, minute = int(found["h"]), int(found["m"])
        said = self._half(found["half"], hour) + cardinal(str(hour), counting=True) + "点"
        if minute:
            said += ("零" if minute < 10 else "") + cardinal(str(minute)) + "分"  # noqa: PLR2004  (one digit)
        return said + (f"{cardinal(str(int(found['s'])))}秒" if found["s"] else "")

    def hour(self, found: re.Match[str]) -> str:
        hour = int(found["h"])
        return self._half(found["half"], hour) + cardinal(str(hour), counting=True) + "点"

    def always(self, _: re.Match[str]) -> str:
        return "全天候"

    def version(self, found: re.Match[str]) -> str:
        return ("版本" if found["v"] else "") + "点".join(map(cardinal, (found["n"] or found["bare"]).split(".")))

    def power(self, found: re.Match[str]) -> str:
        if found["e"]:
            return f"{cardinal(found['m'])}乘十的{self._signed(found['e'])}次方"
        base, exponent = found["base"], found["p"] or {"²": "2", "³": "3"}[found["sup"]]
        said = cardinal(base) if base[0].isdigit() else f"{base} "
        if exponent in {"2", "3"}:
            return said + {"2": "的平方", "3": "的立方"}[exponent]
        return f"{said}的{exponent if exponent.isalpha() else self._signed(exponent)}次方"

    def ordinal(self, found: re.Match[str]) -> str:
        return f"第{cardinal(found['n'])}"

    def fraction(self, found: re.Match[str]) -> str:
        return f"{cardinal(found['b'])}分之{cardinal(found['a'])}"

    def ratio(self, found: re.Match[str]) -> str:
        return f"{cardinal(found['a'])}比{cardinal(found['b'])}"

    def dimensions(self, found: re.Match[str]) -> str:
        return f"{cardinal(found['a'])}乘{cardinal(found['b'])}"

    def model(self, found: re.Match[str]) -> str:
        return f"{self._lexicon.name(found['l'].removesuffix('-'))}{cardinal(found['n'])}" + (
            f" {spelled(found['r'].upper())}" if found["r"] else ""
        )

    def quantity(self, found: re.Match[str]) -> str:
        tail = found["tail"] or found["atail"]
        measure = (found["measure"] or "").strip()
        counting = bool(measure or (tail and tail.strip() not in {"%", "％"}))
        if measure == "年" and re.fullmatch(r"(?:19|20)\d\d", found["a"]) and not found["b"]:
            return one_by_one(found["a"]) + measure
        sign = SIGNS[found["sign"]]
        low = scaled(found["a"], found["ascale"], counting=counting and measure != "月")
        if not found["b"]:
            return self._per(found["per"]) + sign + self._tailed(low, tail, plus=bool(found["plus"])) + measure
        if found["atail"] and found["tail"] and found["atail"].strip() != found["tail"].strip():
            low = self._tailed(low, found["atail"], plus=False)
        elif tail and tail.strip() in {"%", "％"}:
            # 百分之五到十: the word stands before both numbers.
            return f"{self._per(found['per'])}{sign}百分之{low}到{scaled(found['b'], found['scale'])}" + measure
        high = scaled(found["b"], found["scale"], counting=counting and measure != "月")
        return self._per(found["per"]) + f"{sign}{low}到" + self._tailed(high, tail, plus=bool(found["plus"])) + measure

    def minus(self, _: re.Match[str]) -> str:
        return "减"

    def caps(self, found: re.Match[str]) -> str:
        return spelled(found["l"])

    def digits(self, found: re.Match[str]) -> str:
        return cardinal(found.group())

    def symbol(self, found: re.Match[str]) -> str:
        before, after = found.string[: found.start()], found.string[found.end() :]
        sign = found.group()
        joins = bool(re.search(r"[\w)）]\s*\Z", before)) and bool(re.match(r"\s*[\w(（$]", after))
        if sign in {"*", "+", "=", "#", "~", "～", "≈", "<", ">"} and not joins and not re.match(r"\s?[\d.$]", after):
            return ""
        if sign in {"*", "#", "+"} and not joins:
            return ""
        if sign in {"$", "€", "£", "¥"} and not re.match(r"\s|\Z", after):
            return ""
        return self._lexicon.symbols[sign][1]

    def _tailed(self, amount: str, tail: str | None, *, plus: bool) -> str:
        more = "多" if plus else ""
        if not tail:
            return amount + more
        tail = tail.strip()
        if tail in {"%", "％"}:
            return f"百分之{amount}{more}"
        if tail in {"x", "X", "×"}:
            return f"{amount}{more}倍"
        unit = self._lexicon.units[tail][2]
        return f"{amount}{more}{' ' if unit[0].isascii() else ''}{unit}"

    def _per(self, per: str | None) -> str:
        # Chinese says the "per" first: 每秒一百个请求.
        if not per:
            return ""
        unit = self._lexicon.per[per][1]
        return f"每{' ' if unit[0].isascii() else ''}{unit}" + (" " if unit[-1].isascii() else "")

    def _signed(self, digits: str) -> str:
        return ("负" if digits.startswith("-") else "") + cardinal(digits.lstrip("+-"))

    def _half(self, half: str | None, hour: int) -> str:
        if not half:
            return ""
        return "上午" if half[0] in "aA" else ("下午" if hour < 6 or hour == 12 else "晚上")  # noqa: PLR2004  (six in the evening)
