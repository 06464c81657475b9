"""How finds are said in English."""

from __future__ import annotations

import re
from typing import Literal

from num2words import num2words  # type: ignore[import-untyped]  # it ships no types

from voiceprep.speech.tts.ear.lexicon import Lexicon, spelled

SCALES = {
    "k": "thousand",
    "K": "thousand",
    "thousand": "thousand",
    "mn": "million",
    "M": "million",
    "million": "million",
    "B": "billion",
    "bn": "billion",
    "billion": "billion",
    "T": "trillion",
    "trillion": "trillion",
    "百": "hundred",
    "千": "thousand",
    "百万": "million",
    "亿": "hundred million",
}
SIGNS = {None: "", "-": "minus ", "−": "minus ", "+": "plus "}
MONTHS = "January,February,March,April,May,June,July,August,September,October,November,December".split(",")  # noqa: SIM905  (one line)
LONGEST = 15
"""Digits that are still said as one number; more are said one by one."""


def cardinal(digits: str) -> str:
    """`1,234.5` as words. Leading zeros and very long numbers are said digit by digit."""
    whole, _, rest = digits.replace(",", "").partition(".")
    tail = f" point {one_by_one(rest)}" if rest else ""
    if not whole:
        return tail.strip()
    if len(whole) > LONGEST or (whole[0] == "0" and len(whole) > 1):
        return one_by_one(whole) + tail
    return _words(int(whole), "cardinal") + tail


def one_by_one(digits: str) -> str:
    return " ".join(_words(int(digit), "cardinal") for digit in digits)


def ordinal(number: int) -> str:
    return _words(number, "ordinal")


def year(digits: str) -> str:
    return str(num2words(int(digits), to="year"))


def _words(number: int, form: Literal["cardinal", "ordinal"]) -> str:
    return str(num2words(number, to=form)).replace(",", "").replace(" and ", " ")


class EnglishReader:
    """Each method says what the rule of its name found."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def term(self, found: re.Match[str]) -> str:
        return self._lexicon.term(found.group(), "en")

    def big_o(self, found: re.Match[str]) -> str:
        inner = re.sub(r"\^\s?2|²", " squared", re.sub(r"\^\s?3|³", " cubed", found["inner"]))
        inner = re.sub(r"\s*\*\s*", " times ", re.sub(r"[()]", " ", inner)).replace("!", " factorial").replace("^", " to the ")
        return "O of " + re.sub(r"\d+", lambda digits: f" {cardinal(digits.group())} ", inner)

    def money(self, found: re.Match[str]) -> str:
        one, many, cent, cents, _ = self._lexicon.currencies[found["sign"]]
        scale = found["scale"] or found["ascale"]
        per = self._per(found["per"])
        plus = " plus" if found["plus"] else ""
        if found["b"]:
            low = self._scaled(found["a"], found["ascale"])
            return f"{low} to {self._scaled(found['b'], scale)}{plus} {many}{per}"
        if scale:
            return f"{self._scaled(found['a'], scale)}{plus} {many}{per}"
        whole, _, rest = found["a"].replace(",", "").partition(".")
        if cent and len(rest) == len("00") and whole:
            parts = []
            if int(whole) or not int(rest):
                parts.append(f"{cardinal(whole)} {one if int(whole) == 1 else many}")
            if int(rest):
                parts.append(f"{cardinal(str(int(rest)))} {cent if int(rest) == 1 else cents}")
            return " and ".join(parts) + plus + per
        return f"{cardinal(found['a'])}{plus} {one if found['a'] == '1' else many}{per}"

    def money_per(self, found: re.Match[str]) -> str:
        return self._lexicon.currencies[found["sign"]][1] + self._per(found["per"])

    def date(self, found: re.Match[str]) -> str:
        return f"{MONTHS[int(found['m']) - 1]} {ordinal(int(found['d']))}, {year(found['y'])}"

    def quarter(self, found: re.Match[str]) -> str:
        return f"{found['part'][0]} {cardinal(found['part'][1])} {year(found['y'])}"

    def year(self, found: re.Match[str]) -> str:
        said = year(found["y"])
        if found["decade"]:
            said = said[:-1] + "ies" if said.endswith("y") else said + "s"
        return f"{found['lead'] or ''} {said}"

    def clock(self, found: re.Match[str]) -> str:
        hour, minute = found["h"], int(found["m"])
        minutes = "" if not minute else f"oh {cardinal(str(minute))}" if minute < 10 else cardinal(str(minute))  # noqa: PLR2004  (one digit)
        if found["s"]:
            return f"{cardinal(str(int(hour)))} {minutes or 'zero'} {cardinal(str(int(found['s'])))}"
        half = self._half(found["half"])
        if not minutes and not half:
            return f"{cardinal(str(int(hour)))} o'clock" if 0 < int(hour) <= 12 else f"{cardinal(str(int(hour)))} hundred"  # noqa: PLR2004
        return f"{cardinal(str(int(hour)))} {minutes} {half}"

    def hour(self, found: re.Match[str]) -> str:
        return f"{cardinal(str(int(found['h'])))} {self._half(found['half'])}"

    def always(self, _: re.Match[str]) -> str:
        return "twenty-four seven"

    def version(self, found: re.Match[str]) -> str:
        numbers = (found["n"] or found["bare"]).split(".")
        return ("version " if found["v"] else "") + " point ".join(map(cardinal, numbers))

    def power(self, found: re.Match[str]) -> str:
        if found["e"]:
            exponent = int(found["e"])
            said = "minus " * (exponent < 0) + cardinal(str(abs(exponent)))
            return f"{cardinal(found['m'])} times ten to the {said}"
        base, exponent_text = self._plain(found["base"]), found["p"] or {"²": "2", "³": "3"}[found["sup"]]
        special = {"2": "squared", "3": "cubed"}.get(exponent_text)
        if special:
            return f"{base} {special}"
        minus = "minus " if exponent_text.startswith("-") else ""
        return f"{base} to the {minus}{self._plain(exponent_text.lstrip('-'))}"

    def ordinal(self, found: re.Match[str]) -> str:
        return ordinal(int(found["n"]))

    def fraction(self, found: re.Match[str]) -> str:
        above, below = int(found["a"]), int(found["b"])
        if 0 < above < below and below in {2, 3, 4, 5, 8, 10}:
            name = {2: "half", 4: "quarter"}.get(below) or ordinal(below)
            many = "halves" if below == 2 else name + "s"  # noqa: PLR2004  (a half's plural)
            return f"{cardinal(str(above))} {name if above == 1 else many}"
        return f"{cardinal(found['a'])} over {cardinal(found['b'])}"

    def ratio(self, found: re.Match[str]) -> str:
        return f"{cardinal(found['a'])} to {cardinal(found['b'])}"

    def dimensions(self, found: re.Match[str]) -> str:
        return f"{cardinal(found['a'])} {'times' if '*' in found.group() else 'by'} {cardinal(found['b'])}"

    def model(self, found: re.Match[str]) -> str:
        number, rest = cardinal(found["n"]), found["r"]
        name = self._lexicon.name(found["l"].removesuffix("-"))
        # A lone A before a space is read as the article; a hyphen keeps its name.
        joint = "-" if name.endswith("A") else " "
        return f"{name}{joint}{number}" + (f" {spelled(rest.upper())}" if rest else "")

    def quantity(self, found: re.Match[str]) -> str:
        said = SIGNS[found["sign"]]
        said += self._scaled(found["a"], found["ascale"])
        counted, tail = found["a"], found["atail"]
        if found["b"]:
            # "10-20 ms": the unit stands once; "100 ms - 2 s": each has its own.
            if tail and found["tail"] and tail.strip() != found["tail"].strip():
                said += self._tail(tail, counted)
            said += f" to {self._scaled(found['b'], found['scale'])}"
            counted, tail = found["b"], found["tail"] or tail
        elif found["ascale"]:
            counted = "many"
        said += " plus" if found["plus"] else ""
        if tail:
            said += self._tail(tail, counted)
        measure = (found["measure"] or "").strip()
        return said + self._per(found["per"]) + (f" {measure}" if measure else "")

    def minus(self, _: re.Match[str]) -> str:
        return "minus"

    def caps(self, found: re.Match[str]) -> str:
        return spelled(found["l"]) + ("'s" if found["s"] else "")

    def digits(self, found: re.Match[str]) -> str:
        return cardinal(found.group())

    def symbol(self, found: re.Match[str]) -> str:
        before, after = found.string[: found.start()], found.string[found.end() :]
        sign = found.group()
        joins = bool(re.search(r"[A-Za-z0-9)]\s*\Z", before)) and bool(re.match(r"\s*[A-Za-z0-9($]", after))
        if sign in {"*", "+", "=", "/"} and not joins:
            return ""
        if sign in {"#", "~", "～", "≈", "<", ">"} and not re.match(r"\s?[\d.$]", after) and not (sign in "<>" and joins):
            return ""
        if sign in {"$", "€", "£", "¥"} and not re.match(r"\s|\Z", after):
            return ""
        return self._lexicon.symbols[sign][0]

    def _scaled(self, digits: str, scale: str | None) -> str:
        if not scale:
            return cardinal(digits)
        return f"{cardinal(digits)} {SCALES.get(scale.strip(), scale.strip())}"

    def _tail(self, tail: str, counted: str) -> str:
        tail = tail.strip()
        if tail in {"%", "％"}:
            return " percent"
        if tail in {"x", "X", "×"}:
            return " times"
        one, many, _ = self._lexicon.units[tail]
        return f" {one if counted == '1' else many}"

    def _per(self, per: str | None) -> str:
        return f" per {self._lexicon.per[per][0]}" if per else ""

    def _plain(self, text: str) -> str:
        return cardinal(text) if text[0].isdigit() else text

    def _half(self, half: str | None) -> str:
        return spelled(half.replace(".", "").upper()) if half else ""
