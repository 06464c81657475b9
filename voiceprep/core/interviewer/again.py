# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Asking a second time for what was claimed: how the claim's subject is named, without its value. Pure.

The words of the question stand in the pack; what goes into its slot is a few of the candidate's own words. Where no plain name of
the subject is found, the claim is not asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from voiceprep.core.claims.dates import dates
from voiceprep.core.claims.ledger import Claim
from voiceprep.core.claims.measures import Quantity
from voiceprep.core.claims.numerals import numbers
from voiceprep.core.claims.people import Agent
from voiceprep.core.pack import Line, Tongue
from voiceprep.core.text import HANZI

Form = Literal["duration", "share", "count", "date", "decider"]
FORMS: tuple[Form, ...] = ("duration", "share", "count", "date", "decider")
"""What can be asked for again, each with its own lines in a pack."""
SLOT = "{subject}"

_NOUNS = r"(?:(?!(?:the|and|or|but|that|which|who|to|of|in|on|for|from|at|by|it|we|i|still|just|only|same|last|first)\b)[a-z][a-z-]+\s+){0,2}?[a-z][a-z-]{2,}"
_NAME = rf"(?P<whose>the|our|my)\s+(?P<name>{_NOUNS})"
_VERBS: Mapping[Form, str] = {
    "duration": r"took|lasted|ran for|went on|has taken|dragged on|needed",
    "share": r"went|rose|fell|dropped|grew|climbed|was at|is at|improved|increased|decreased",
    "date": r"was|were|launched|shipped|started|ended|began|happened|broke|went live|went out|finished",
}
_NAMED = {form: re.compile(rf"\b{_NAME}\s+(?:{verbs})\b", re.IGNORECASE) for form, verbs in _VERBS.items()}
_DONE = re.compile(
    rf"\b(?:launched|shipped|started|ended|began|released|finished|joined|opened|closed)\s+{_NAME}(?=\s+(?:in|on|by|last|this|at|back)\b)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    rf"^(?:(?:so|and|then|well|but|um|uh|oh|in the end)[\s,]+)*(?P<name>[a-z][a-z-]{{4,}}(?:\s+[a-z][a-z-]{{3,}})?)\s+(?:{_VERBS['share']})\b",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    "that this there these those what which something everything nothing people everyone somebody team thing whole time end".split()
)
_DECIDED = re.compile(r"\b(?:decided|decision|call)\s+to\s+(?P<name>[a-z][\w-]*(?:\s+[\w-]+){1,4})\s*[,.!]?$", re.IGNORECASE)
_HAN_VERBS: Mapping[Form, str] = {
    "duration": "花了|用了|跑了|做了|持续|历时|拖了",
    "share": "从|提到|提高|升到|降到|涨到|掉到|跌到|到了",
    "date": "是|在",
}
_HAN_LEADS = "然后|所以|最后|后来|嗯|其实|就是|当时|整个|另外|其中|而且|但是|不过|因此|于是|接着|同时|首先|那个"
"""What a clause may begin with before its subject."""
_HAN_NAMED = {
    form: re.compile(
        rf"^(?:{_HAN_LEADS}|，|\s)*+(?P<name>[{HANZI}A-Za-z][{HANZI}A-Za-z ]{{1,9}}?)(?:前后|一共|总共|大概|差不多)*(?={verbs})"
    )
    for form, verbs in _HAN_VERBS.items()
}
_HAN_EVENT = re.compile("上线|启动|开始|结束|加入|发布|发生|出的|launch|ship|start|release", re.IGNORECASE)
_HAN_DECIDED = re.compile(
    rf"^(?P<before>[{HANZI}A-Za-z ]{{2,12}}?)(?:这件事|这个事)?是(?:我|老板|总监|领导|经理|组长|大家)|决定了?(?P<after>[{HANZI}A-Za-z ]{{2,12}}?)(?:[，。,.]|$)"
)
_HAN_NO_NAME = re.compile(
    "我|你|您|他|她|这|那|什么|因为|如果|不|没|说|谁|老板|总监|就|也|都|结果|肯定|现在|过去|最|换|意思|里|有|是|目标|去年|今年|前年|的$"
)
_HAN_NO_NOUN = re.compile(
    f"{_HAN_LEADS}|[又很太了着]|过(?!程|滤|户)|已经|一直|曾经|刚才|终于|大概|可能|应该|需要|觉得|希望|打算|准备|开始|继续|自己"
    "|^(?:[再还只才更刚把被让给跟从往跑花做想]|用(?![户量])|要(?!求)|能(?![力耗])|会(?!议)|对(?![账话])|一(?![期线面])|来(?!源)|去|到|等|共)"
    "|[再还才刚把被让给跟]$"
)
"""What no noun holds, begins with or ends with: adverbs and verbs, of which a clause without a subject has one there."""
_NO_NOUN = re.compile(
    r"ly$|^(?:then|later|afterwards|which|because|after|before|since|when|once|until|again|also|still)$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b(?:had|have|were|got(?:\s+back)?|ran|hired|led|kept|moved|sat with|serves?|served)\s+(?:about|around|roughly|only|over|almost)?\s*[\w ,-]*?(?P<name>engineers|customers|users|clusters|GPUs|cards|machines|nodes|teams|designers|sites|regions)\b",
    re.IGNORECASE,
)
_HAN_COUNTED = re.compile(
    r"(?:(?<!只)有|一共|总共|带了?)[^，。]{0,8}?(?P<name>工程师|研发|客户|用户|集群|机器|节点|团队|卡|engineer)"
)


def questions(claims: Sequence[Claim], lines: Mapping[str, Line], tongue: Tongue) -> Iterator[tuple[Claim, Line, str]]:
    """The claims that can be asked for again, each with its line and what goes into the line's slot.

    Of two counts of one thing neither is asked for: it would not be clear which is meant.
    """
    units = Counter(claim.fact.value.unit for claim in claims if isinstance(claim.fact.value, Quantity))
    for claim in claims:
        form = form_of(claim)
        if form == "count" and isinstance(claim.fact.value, Quantity) and units[claim.fact.value.unit] > 1:
            continue
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
    if isinstance(value, Agent):
        return "decider" if claim.kind == "decider" and value.act == "decide" else None
    return "date" if claim.kind == "date" else None


def subject_of(claim: Claim, tongue: Tongue) -> str:
    """A name of what the claim is about, in the language that is asked in, of the candidate's own words; "" where none is plain."""
    form, quote = form_of(claim), claim.quote.strip()
    if form is None:
        name = ""
    elif tongue == "zh":
        name = _han_name(quote, form)
    else:
        name = _name(quote, form) or _latin(_han_name(quote, form), form)
    if form == "count" and name.removesuffix("s") not in _value_in(claim):
        return ""  # another thing was counted
    return "" if any(numbers(name)) or dates(name) else name


def _value_in(claim: Claim) -> str:
    """The value as it was said."""
    return claim.quote[claim.fact.value.start - claim.fact.start : claim.fact.value.end - claim.fact.start]


def _latin(name: str, form: Form) -> str:
    """What was named in English within a Chinese sentence: utilization 从 87% 提到 94%."""
    return "" if not name.isascii() or not name else f"{name}s" if form == "count" else name


def _name(quote: str, form: Form) -> str:
    if form == "count":
        counted = _COUNTED.search(quote)
        return counted["name"] if counted else ""
    if form == "decider":
        found = _DECIDED.search(quote)
        return found["name"].strip() if found else ""
    if found := _NAMED[form].search(quote) or (_DONE.search(quote) if form == "date" else None):
        whose = "the" if found["whose"].lower() == "the" else "your"
        return "" if found["name"].split()[-1].lower() in _NO_NAME else f"{whose} {found['name'].strip()}"
    found = _MEASURED.match(quote) if form == "share" else None
    named = found["name"].lower() if found else ""
    return "" if any(word in _NO_NAME or _NO_NOUN.search(word) for word in named.split()) else named


def _han_name(quote: str, form: Form) -> str:
    if form == "count":
        counted = _HAN_COUNTED.search(quote)
        return counted["name"] if counted else ""
    if form == "date" and not _HAN_EVENT.search(quote):
        return ""
    found = _HAN_DECIDED.search(quote) if form == "decider" else _HAN_NAMED[form].match(quote)
    name = next((part.strip() for part in found.groups() if part), "") if found else ""
    no_noun = form != "decider" and _HAN_NO_NOUN.search(name)  # what was decided is a deed
    return "" if no_noun or _HAN_NO_NAME.search(name) else name
