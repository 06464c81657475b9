# ruff: noqa: E501  (a pattern reads worse when it is wrapped)
"""Claims in an answer that can be told again and held against each other: figures, dates, who decided, names, reasons. Pure.

Nothing is a claim that was only imagined ("if we had twenty engineers"), and nothing that was denied ("it was not my call").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from voiceprep.core.answers.clauses import CLAUSE_END, Stretch, pieces, sentences
from voiceprep.core.claims.dates import Date, dates
from voiceprep.core.claims.numerals import numbers
from voiceprep.core.claims.people import Agent, answered, asks_who, deciders, names, without_acts
from voiceprep.core.claims.quantities import Quantity, quantities
from voiceprep.core.claims.subjects import labels, qualifiers, terms

Kind = Literal["figure", "date", "decider", "name", "reason"]


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why this company: the content of what was said."""

    start: int
    end: int
    words: frozenset[str]


WHO = "?who"

Value = Quantity | Date | Agent | Reasons


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim in a text. `start`..`end` is the clause that makes it, `about` and `under` its subject and its conditions.

    `elliptic`: the subject was not named but asked for ("How long did the migration take?" "Nine weeks").
    `corrected`: it was said to put right what had been said before. `asked`: what the question of the turn was about, with `WHO`
    where it asked who decided.
    """

    kind: Kind
    value: Value
    start: int
    end: int
    about: frozenset[str]
    under: frozenset[str]
    elliptic: bool = False
    corrected: bool = False
    asked: frozenset[str] = frozenset()


_IMAGINED = re.compile(
    r"\b(?:if|suppose|imagine|assum\w+|hypothetically|unless|for example|for instance|let's say|say,|would|wouldn't|could|might|should|will|"
    r"i'd|we'd|you'd|i'll|we'll|going to|whoever|may\s+(?!\d)[a-z]+)\b|如果|假如|假设|要是|比如|例如|的话|(?<!机)会(?=[有是把锁用花降升涨丢做选让])|将会|打算|准备|应该",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|suppose|imagine|let's say|for example)\b|如果|假如|假设|要是|比如|例如", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no longer|n't|isn't|wasn't|weren't|didn't|rather than|instead of)\s+(?:\w+\s+)?|不是|没有?|并非)\s*$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"\b(?:misspoke|correct (?:myself|that|the)|i said .* (?:earlier|before)|earlier i said|i was wrong|got (?:that|it) wrong|my mistake|not .{1,20} as i said)\b|"
    r"说错了?|更正|记错|口误|刚才说的?不对|之前说",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\bwhy (?:us\b|here\b|this (?:company|team|role|job)|our\b|join|do you want|did you (?:apply|pick|choose)|would you (?:do it|join|come))|"
    r"what made you (?:pick|write|apply|choose|come)|how did you end up here|为什么(?:想|是这家|是我们|投这|选我们|来)|想来我们|怎么找到我们|挑的是这边",
    re.IGNORECASE,
)
_FEWEST_REASONS = 4
"""Content words below which an answer to "why us" holds no reason worth comparing."""


def facts(text: str, asked: str = "") -> tuple[Fact, ...]:
    """The claims in one turn of the candidate, in order; `asked` is what the turn answers."""
    plain = text.replace("’", "'").replace("‘", "'")  # as long as the text, so that places hold in both
    reader = _Reader(plain, asked)
    found = [
        *reader.values("figure", quantities(plain)),
        *reader.values("date", dates(plain)),
        *reader.agents(),
        *reader.reasons(),
    ]
    wanted = terms(without_acts(asked)) | ({WHO} if asks_who(asked) else frozenset())
    found = [replace(fact, asked=wanted) for fact in found]
    return tuple(sorted(found, key=lambda fact: (fact.start, fact.value.start)))


class _Reader:
    """One turn, in clauses."""

    def __init__(self, text: str, asked: str) -> None:
        self._text, self._asked = text, asked
        self._clauses = _clauses(text)
        self._sentences = list(sentences(text))
        amounts = [(one.start, one.end) for one in quantities(text)] + [(one.start, one.end) for one in dates(text)]
        self._marked = _without(text, amounts)
        self._blank = _without(self._marked, [(one.start, one.end) for one in numbers(text)])

    def values(self, kind: Kind, found: tuple[Quantity, ...] | tuple[Date, ...]) -> Iterator[Fact]:
        for value in found:
            index = self._clause(value.start)
            start, end = self._clauses[index]
            if self._stands(index, value.start):
                about, asked = self._about(index)
                under = self._under(index, value, asked=asked)
                yield Fact(kind, value, start, max(end, value.end), about, under, asked, self._corrects(index))

    def agents(self) -> Iterator[Fact]:
        for index, (start, end) in enumerate(self._clauses):
            for kind, agent in self._people(start, end):
                if self._stands(index, agent.start):
                    clear = _without(self._blank, [(agent.start, agent.end)])
                    # What was decided follows the verb ("decided to freeze the launch"), or all of it stands before (是我决定的).
                    decided = terms(without_acts(clear[agent.end : end])) or terms(without_acts(clear[start:end]))
                    about = decided if kind == "decider" else frozenset[str]()
                    yield Fact(
                        kind,
                        agent,
                        start,
                        end,
                        about,
                        qualifiers(self._text[start:end]) & {"planned", "told"},
                        corrected=self._corrects(index),
                    )
        yield from self._bare_decider()

    def _people(self, start: int, end: int) -> Iterator[tuple[Kind, Agent]]:
        yield from (("decider", agent) for agent in deciders(self._text, start, end))
        yield from (("name", agent) for agent in names(self._text, start, end))

    def _bare_decider(self) -> Iterator[Fact]:
        """A decider who was asked for: "Whose call was it to drop Kafka?", "My director's"."""
        agent = answered(self._asked, self._text, *self._clauses[0]) if self._clauses else None
        if agent is not None:
            about = terms(without_acts(self._asked))
            corrected = self._corrects(0)
            yield Fact("decider", agent, *self._clauses[0], about, frozenset(), elliptic=True, corrected=corrected)

    def reasons(self) -> Iterator[Fact]:
        if not _WHY.search(self._asked):
            return
        words = terms(self._blank)
        if len(words) >= _FEWEST_REASONS:
            start, end = max(self._sentences, key=lambda stretch: len(terms(self._blank[slice(*stretch)])))
            yield Fact("reason", Reasons(start, end, words), start, end, frozenset({"why"}), frozenset())

    # --- around a value -------------------------------------------------------------------------------------------------------

    def _clause(self, place: int) -> int:
        return max((n for n, (start, _) in enumerate(self._clauses) if start <= place), default=0)

    def _stands(self, index: int, place: int) -> bool:
        """Whether it was said to be so: neither imagined nor denied."""
        start, end = self._clauses[index]
        whole = next((self._text[a:b] for a, b in self._sentences if a <= place < b), "")
        return not (
            _IMAGINED.search(self._text[start:end]) or _CONDITION.search(whole) or _DENIED.search(self._text[start:place])
        )

    def _about(self, index: int) -> tuple[frozenset[str], bool]:
        """The terms of the clause; where it names none, those of what was asked (first clause), or of the clause before."""
        start, end = self._clauses[index]
        if own := terms(self._blank[start:end]):
            return own, False
        for before in range(index - 1, -1, -1):
            first, last = self._clauses[before]
            if before_it := terms(self._blank[first:last]):
                return before_it, False
        blank = _without(self._asked, [(one.start, one.end) for one in numbers(self._asked)])
        return terms(blank), True

    def _under(self, index: int, value: Quantity | Date, *, asked: bool) -> frozenset[str]:
        start, end = self._clauses[index]
        under = qualifiers(self._text[start:end]) | labels(self._marked[start:end])
        if asked:
            under |= qualifiers(self._asked) | labels(self._asked)
        if isinstance(value, Quantity) and value.unit == "days":
            before = self._text[max(start, value.start - 16) : value.start]
            offset = _OFFSET.search(before) or (not _FOR.search(before) and _OFFSET_AFTER.match(self._text, value.end))
            under |= {"offset"} if offset else set()
            if _FOR.search(before):  # "for nine days after I went": how long, whatever came before
                under = frozenset(label for label in under if not label.startswith("when:"))
        return under

    def _corrects(self, index: int) -> bool:
        around = self._clauses[max(0, index - 1) : index + 2]
        return bool(_CORRECTED.search(self._text[around[0][0] : around[-1][1]]))


_OFFSET = re.compile(
    r"(?:\b(?:within|every|each|in|after|per|next|last|past|first|of|a)|每|隔|过了|头|前|后|第)\s*(?:the\s+)?$", re.IGNORECASE
)
_FOR = re.compile(r"\bfor\s+(?:about|around|like|almost|nearly)?[\s,]*$", re.IGNORECASE)
_OFFSET_AFTER = re.compile(
    r"\s*(?:later|ago|after|before|earlier|in a row|early|late|delay|notice|之后|以后|后|以前|之前|前|内|以内|一次|的数据)",
    re.IGNORECASE,
)


def _clauses(text: str) -> list[Stretch]:
    """Clauses, none of which ends within a number (1,200)."""
    taken = [(one.start, one.end) for one in numbers(text)]
    cut: list[Stretch] = []
    for start, end in pieces(text, CLAUSE_END):
        if cut and any(first < start <= last - 1 for first, last in taken):
            cut[-1] = (cut[-1][0], end)
        else:
            cut.append((start, end))
    return cut


def _without(text: str, spans: list[Stretch]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
