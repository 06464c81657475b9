# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Asking a second time for what was claimed: how the claim's subject is named, without its value. Pure.

The words of the question stand in the pack; what goes into its slot is a few of the candidate's own words. Where no plain name of
the subject is found, the claim is not asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from voiceprep.core.dates import dates
from voiceprep.core.ledger import Claim
from voiceprep.core.measures import Quantity
from voiceprep.core.numerals import numbers
from voiceprep.core.pack import Line, Tongue

Form = Literal["duration", "share", "count", "date", "decider"]
FORMS: tuple[Form, ...] = ("duration", "share", "count", "date", "decider")
"""What can be asked for again, each with its own lines in a pack."""
SLOT = "{subject}"

_NAMED = re.compile(
    r"\b(?P<whose>the|our|my)\s+(?P<name>(?:(?!(?:the|and|or|but|that|which|who|was|were|is|has|had|to|of|in|on|for|from|at|by|it|we|i)\b)[a-z][a-z-]+\s+){0,2}?"
    r"(?!(?:the|and|that|which|was|were|team|time|end|first|last|thing|day|week|month|year|quarter|same|only|other|one)\b)[a-z][a-z-]{2,})"
    r"(?=\s*(?:$|[,.;!]|\b(?:took|lasted|ran|needed|went|rose|fell|dropped|was|were|is|has|had|got|came|grew|climbed|reached|started|ended|launched|shipped|began|in|from|at|by|on|for|to|cost|eating|of)\b))",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"^(?:(?:so|and|then|well|but|um|uh|oh|in the end)[\s,]+)*(?P<name>[a-z][a-z-]{4,}(?:\s+[a-z][a-z-]{3,})?)\s+(?:went|rose|fell|dropped|grew|climbed|was at|came)\b",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    "that this there these those what which something everything nothing people everyone somebody we they".split()
)
_DECIDED = re.compile(r"\b(?:decided|decision|call)\s+to\s+(?P<name>[a-z][\w-]*(?:\s+[\w-]+){1,4})\s*[,.!]?$", re.IGNORECASE)
_HAN_NAMED = re.compile(
    r"^(?:然后|所以|最后|后来|嗯|那个|其实|就是|我们|当时|这个|那次|整个|，|\s)*(?P<name>[一-鿿A-Za-z][一-鿿A-Za-z ]{1,9}?)(?:的时间|前后|一共|总共|大概|差不多)*(?=从|花了|用了|跑了|用|花|提|升|降|涨|跌|是|有|占|到了)"
)
_HAN_DECIDED = re.compile(
    r"(?:(?P<before>[一-鿿A-Za-z ]{2,12}?)(?:这件事|这个事)?是(?:我|老板|总监|领导|经理|组长|大家)|决定(?:了)?(?P<after>[一-鿿A-Za-z ]{2,12}?)(?:[，。,.]|$))"
)
_HAN_NO_NAME = re.compile(r"我|你|他|她|这|那|什么|因为|如果|不|没|说|谁|老板|总监|就|也|都")


def questions(claims: Sequence[Claim], lines: Mapping[str, Line], tongue: Tongue) -> Iterator[tuple[Claim, Line, str]]:
    """The claims that can be asked for again, each with its line and what goes into the line's slot."""
    for claim in claims:
        form = form_of(claim)
        if form is not None and form in lines and (subject := subject_of(claim, tongue)):
            yield claim, lines[form], subject


def form_of(claim: Claim) -> Form | None:
    """Which kind of line asks for it, or None."""
    value = claim.fact.value
    if isinstance(value, Quantity):
        if value.unit == "%" or value.part:
            return "share"
        return (
            "duration"
            if value.unit == "days"
            else "count"
            if value.unit not in {"x", "time"} and "/" not in value.unit
            else None
        )
    return "date" if claim.kind == "date" else "decider" if claim.kind == "decider" else None


def subject_of(claim: Claim, tongue: Tongue) -> str:
    """A name of what the claim is about, in the language that is asked in, of the candidate's own words; "" where there is no plain one."""
    quote = claim.quote.strip()
    if form_of(claim) == "count":
        name = _counted(quote, tongue)
    elif tongue == "zh":
        name = _han_name(quote, decided=claim.kind == "decider")
    else:
        name = _name(quote, decided=claim.kind == "decider")
    return "" if any(numbers(name)) or dates(name) else name


def _name(quote: str, *, decided: bool) -> str:
    if decided:
        found = _DECIDED.search(quote)
        return found["name"].strip() if found else ""
    if found := _NAMED.search(quote):
        whose = "the" if found["whose"].lower() == "the" else "your"
        return f"{whose} {found['name'].strip()}"
    found = _MEASURED.match(quote)
    return "" if found is None or found["name"].split()[0].lower() in _NO_NAME else found["name"].lower()


def _han_name(quote: str, *, decided: bool) -> str:
    found = _HAN_DECIDED.search(quote) if decided else _HAN_NAMED.match(quote)
    name = next((part.strip() for part in found.groups() if part), "") if found else ""
    return "" if _HAN_NO_NAME.search(name) else name


_COUNTED = re.compile(
    r"(?P<name>engineers|people|customers|users|clusters|GPUs|cards|machines|nodes|jobs|teams|tickets|designers|meetings|reviews|sites|regions|models|accounts)\b",
    re.IGNORECASE,
)
_HAN_COUNTED = re.compile(r"工程师|研发|客户|用户|集群|机器|节点|任务|作业|团队|工单|评审|模型|人|卡")


def _counted(quote: str, tongue: Tongue) -> str:
    """The thing that was counted: "engineers"."""
    found = (_HAN_COUNTED if tongue == "zh" else _COUNTED).search(quote)
    return found[0] if found else ""
