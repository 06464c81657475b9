# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Who decided, and who is called what, in spoken text. Pure.

"My director" and 总监 are one; "my boss" may be any superior, "we" anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from voiceprep.core.text import HANZI


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody who decided (`act`: `decide` or `approve`), or who is called `who` (`act`: the role)."""

    start: int
    end: int
    who: str
    act: str


_EN_ROLE = r"boss|manager|director|vp|vice president|cto|ceo|cfo|coo|skip[- ]level|lead|tech lead|head of \w+|team|finance|legal|security|committee|board"
_EN_WHO = rf"(?P<who>\bI\b|\bwe\b|\b(?:my|our|the|their)\s+(?:\w+\s+)?(?:{_EN_ROLE})\b|\b(?:finance|legal)\b)"
_EN_DECIDED = (
    r"decided|made the (?:\w+ )?(?:call|decision)|had the (?:final say|last word|final word|final call)|took the decision|made that (?:call|decision)|"
    r"(?:was|were) the ones? who decided"
)
_EN_APPROVED = r"signed(?: it)? off|approved|green-?lit|gave the go-ahead"
_HAN_WHO = (
    r"(?P<who>我们?(?:的)?\s?(?:老板|总监|领导|经理|组长|boss|director|manager|lead|VP|CTO)|老板|总监|领导|经理|组长|负责人|财务|法务|大家|团队|我们|我|"
    r"(?<![A-Za-z])(?:VP|CTO|CEO|CFO|director|boss|manager|lead)(?![A-Za-z]))"
)
_HAN_DECIDED = (
    r"(?:最后|自己|一个人|来|亲自|当时|就|去|\s)*(?:拍的?板|决定|定下?的|做的(?:决定|主)|做的?主|说了算|做的(?=$|[，。,.\s]))"
)
_HAN_APPROVED = r"(?:最后|自己|亲自|\s)*(?:批准|批的|签的?字|点的头)"
_DECIDER = re.compile(
    rf"{_EN_WHO}\s+(?:also\s+|then\s+|finally\s+|eventually\s+|just\s+|alone\s+)*(?:(?P<en_decide>{_EN_DECIDED})|(?P<en_approve>{_EN_APPROVED}))"
    rf"|{_HAN_WHO.replace('P<who>', 'P<han_who>')}(?:(?P<han_decide>{_HAN_DECIDED})|(?P<han_approve>{_HAN_APPROVED}))"
    rf"|\b(?:was|is|it's|that's)\s+(?P<whose>my|our|(?:my|our|the)\s+(?:{_EN_ROLE})'s)\s+(?:own\s+|final\s+)?(?:call|decision)\b",
    re.IGNORECASE,
)
_ACTS = re.compile(
    rf"{_EN_DECIDED}|{_EN_APPROVED}|\b(?:decid\w+|decision|call|final say|final|last word|say|pick\w*|chose|choose|signed?|sign(?:ed)? off)\b|拍的?板|决定的?|说了算|定的?|批的?|"
    rf"\b(?:my|our|the)?\s*(?:{_EN_ROLE})(?:'s)?\b|老板|总监|领导|经理|组长",
    re.IGNORECASE,
)
_ASKS_DECIDER = re.compile(
    r"\bwho (?:decided|made the|had the|signed|closed|picked|took|stopped|cut|chose|approved|ended|froze)|\bwhose (?:decision|call|yes)|谁.{0,4}(?:定|拍板|决定|说了算)",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"\bwho(?:se)?\b|谁", re.IGNORECASE)
_BARE_AGENT = re.compile(
    rf"(?:(?:it was|that was|well|um|oh|yeah)[\s,]+)*(?P<who>(?:my|our|the)\s+(?:{_EN_ROLE})|I|me|myself|我(?:们?的?(?:老板|总监|领导|经理|组长))?|老板|总监|领导|经理|组长)"
    r"(?:'s)?(?:\s+(?:did|was|decided|alone))?\s*[.,。，!]?$",
    re.IGNORECASE,
)
_ROLES = {
    "老板": "boss", "领导": "boss", "经理": "boss", "manager": "boss", "总监": "director", "组长": "lead", "负责人": "lead", "tech lead": "lead",
    "vice president": "vp", "财务": "finance", "法务": "legal", "大家": "we", "团队": "we", "team": "we", "我们": "we", "我": "i", "me": "i",
    "myself": "i", "my": "i", "our": "we",
}  # fmt: skip


def without_acts(text: str) -> str:
    """The text without deciders and deciding: what is left is what was decided."""
    return _ACTS.sub(" ", text)


def asks_who(asked: str) -> bool:
    """Whether a question asks who decided."""
    return bool(_ASKS_WHO.search(asked))


def answered(asked: str, text: str, start: int, end: int) -> Agent | None:
    """The decider where a clause holds nothing else and one was asked for, or None."""
    match = _BARE_AGENT.match(text[start:end]) if _ASKS_DECIDER.search(asked) else None
    return Agent(start, start + match.end(), _who(match["who"]), "decide") if match else None


def _who(said: str) -> str:
    plain = re.sub(r"^(?:my|our|the|their|我们的|我们|我的|我)\s*(?=\S)", "", said.lower().strip()).removesuffix("'s")
    if said.lower().strip() in {"我们", "my", "our", "we", "i"}:
        plain = said.lower().strip()
    role = re.search(_EN_ROLE, plain)
    plain = role[0] if role else plain
    return _ROLES.get(plain, plain)


def deciders(text: str, start: int, end: int) -> Iterator[Agent]:
    """Who is said, in this clause, to have decided or approved."""
    clause = text[start:end]
    if re.search(r"[?？]|\bwho\b|谁", clause):
        return
    for found in _DECIDER.finditer(clause):
        who = found["who"] or found["han_who"] or found["whose"]
        act = "approve" if found["en_approve"] or found["han_approve"] else "decide"
        yield Agent(start + found.start(), start + found.end(), _who(who), act)


_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余杜叶程苏魏吕丁任沈姚卢"
_NAME = re.compile(
    rf"\b(?:my|our)\s+(?P<role>boss|manager|director|cto|ceo|skip[- ]level)\s*(?:,|was called|is called|was named|is named|'s name (?:was|is)|was|is)?\s+(?-i:(?P<name>[A-Z][a-z]{{2,}}))\b"
    rf"|我们?的?(?P<han_role>老板|总监|经理|组长|领导)(?:的名字)?\s*(?:叫|是|姓)?\s*(?P<han_name>(?:老|小)[{_SURNAMES}](?![{HANZI}]{{3}})|[{_SURNAMES}][{HANZI}]{{1,2}}(?=$|[，。,.、\s]))",
    re.IGNORECASE,
)
_NO_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday kafka ray kubernetes google amazon finance legal".split()
)


def names(text: str, start: int, end: int) -> Iterator[Agent]:
    """The names of people who have a role of which there is one: my manager Dana."""
    for found in _NAME.finditer(text, start, min(len(text), end + 24)):
        name, role = found["name"] or found["han_name"], found["role"] or found["han_role"]
        if found.start() < end and name.lower() not in _NO_NAMES:
            yield Agent(found.start(), found.end(), name.lower(), _ROLES.get(role.lower(), role.lower()))
