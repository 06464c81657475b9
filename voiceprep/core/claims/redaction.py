# ruff: noqa: E501, SIM905  (patterns and word lists read worse when they are wrapped)
"""Names of people and companies in spoken and written text, and the text without them. Pure. An estimate, and told as one.

A name is found where language introduces one ("my manager Dana", "I joined Acme", 我叫王伟), and then taken out wherever it
stands. What nothing introduces is not found; a product that somebody "joined" is taken for a company.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from voiceprep.core.claims.numerals import numbers
from voiceprep.core.claims.people import names as names_of_roles
from voiceprep.core.events import Word
from voiceprep.core.text import HANZI, ONE_HANZI, placed

SHORTEST_PART = 3
"""Letters of a part of a name that is taken for a name by itself: not "of"."""
SHORT = 4
"""Letters of a name up to which it is one only as it is written: "Will" and "Ray" are words, too."""
NAME, NUMBER, ADDRESS = "[name]", "[number]", "[address]"
_PROPER = r"(?-i:[A-Z][\w&.'’-]*[\w](?:[ ](?:of[ ])?[A-Z][\w&'’-]*\w){0,3})"
_EN = re.compile(
    rf"\b(?:my name is|my name's|I am|I'm|this is|named|called|hi|hello|hey|thanks|thank you|dear|colleagues?|teammates?|mentor|friend|cofounder|co-founder|engineer|customer|client|vendor|told|asked|convinced|persuaded|met|reported to|worked (?:with|for|at)|work (?:with|for|at)|working (?:with|for|at)|joined|join|left|leaving|intern(?:ed)? at|job at|role at|team at|engineer at|scientist at|manager at|lead at|while at|back at|offer from|came from|company|startup|employer)[,:]?\s+(?P<after>{_PROPER})"
    rf"|(?P<before>{_PROPER})(?:'s)?\s+(?:said|told|asked|insisted|argued|disagreed|decided|wanted|proposed|suggested|left the|joined us|signed off|and I\b)"
    rf"|(?P<firm>{_PROPER})\s?,?\s(?-i:Inc|Ltd|LLC|GmbH|Corp|Corporation|Limited|Labs|Technologies|Systems|Bank|University|Institute|Group|Ventures|Robotics)\b",
    re.IGNORECASE,
)
_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余杜叶程苏魏吕丁任沈姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷龙陶贺顾毛郝龚邵万钱严覃武"
_HAN = re.compile(
    rf"(?:我叫|名叫|叫做|我是|同事|老板|总监|经理|领导|导师|组长|跟|和|找|问|对)(?P<person>[{_SURNAMES}][{HANZI}]{{1,2}}?)(?=$|[，。,.、\s说问讲告觉一聊商]|不同意)"
    rf"|(?P<nick>[老小][{_SURNAMES}])(?=$|[，。,.、\s说问讲告觉也就是])"
    rf"|(?:在|加入|去了|离开|来自|就职于)(?P<firm>[{HANZI}A-Za-z]{{2,10}}?)(?:工作|上班|实习|任职|做|担任)"
    rf"|(?:在|加入|去了|离开|来自)(?P<suffixed>[{HANZI}]{{2,8}}?)(?:公司|集团|科技|银行|大学)"
)
_ADDRESS = re.compile(
    r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b|\bhttps?://\S+|\bwww\.\S+|\b(?:linkedin|github)\.com/\S+|(?<!\w)@\w{3,}|\+\d[\d ()-]{7,}\d"
)
_COMMON = frozenset(
    "i i'm i've i'd we you he she they it the a an and but so then if because okay ok yes no well sorry sure really great good fine just actually "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "english chinese mandarin american european what why how who when where which that this there here everyone everybody nobody someone my our your his her "
    "python java rust go linux kubernetes docker kafka spark ray redis postgres postgresql mysql cuda gpu gpus cpu cpus api sql aws gcp azure slurm pytorch tensorflow jax "
    "finance legal security engineering product sales marketing operations infra platform research team cto ceo cfo vp".split()
)


def find_names(texts: Iterable[str], public: Iterable[str] = ()) -> frozenset[str]:
    """The names that are introduced somewhere in these texts; those in `public` (an interviewer's) are nobody's secret."""
    known = _COMMON | {name.casefold() for name in public}
    return frozenset(name for text in texts for name in _names(text, known))


def _names(text: str, known: frozenset[str]) -> Iterator[str]:
    for agent in names_of_roles(text, 0, len(text)):
        whole = text[agent.start : agent.end]
        at = whole.casefold().rfind(agent.who)
        yield whole[at : at + len(agent.who)] if at >= 0 else agent.who
    for found in _EN.finditer(text):
        parts = next(part for part in found.groups() if part).split()
        while parts and parts[-1].casefold() in known:
            parts.pop()
        while parts and parts[0].casefold() in known:
            parts.pop(0)
        if parts:
            yield " ".join(parts)
            yield from (part for part in parts if len(part) >= SHORTEST_PART and part.casefold() not in known)
    for found in _HAN.finditer(text):
        yield next(part for part in found.groups() if part)


class Redactor:
    """Takes names and addresses out of texts and of words with times; `figures`: numbers, too."""

    def __init__(self, names: Iterable[str], *, figures: bool = False) -> None:
        longest_first = sorted((name for name in names if name.strip()), key=lambda name: (-len(name), name))
        edged = (
            re.escape(name) if ONE_HANZI.search(name) else rf"(?<![\w]){re.escape(name)}(?![\w])" for name in longest_first
        )
        # A recogniser may write a name small; a short one is then a word like any other ("will", "ray").
        anyhow = (
            f"(?i:{pattern})" if len(name) > SHORT else pattern for name, pattern in zip(longest_first, edged, strict=True)
        )
        self._names = re.compile("|".join(anyhow) or r"(?!)")
        self._figures = figures

    def text(self, text: str) -> str:
        """The text, a mark in place of each."""
        parts, at = [], 0
        for start, end, mark in self._found(text):
            parts += [text[at:start], mark]
            at = end
        return "".join([*parts, text[at:]])

    def words(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """The same words at the same times; of a name over several words the first is the mark, the others are empty."""
        text, starts = placed(words)
        ends = [start + len(word.text) for start, word in zip(starts, words, strict=True)]
        shown = list(words)
        for start, end, mark in self._found(text):
            inside = [n for n, (first, last) in enumerate(zip(starts, ends, strict=True)) if first < end and start < last]
            for n in inside:
                tail = words[n].text[max(0, end - starts[n]) :] if n == inside[-1] else ""
                head = words[n].text[: max(0, start - starts[n])]
                shown[n] = replace(words[n], text=f"{head}{mark if n == inside[0] else ''}{tail}")
        return tuple(shown)

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        """What is to be taken out, in order, nothing twice."""
        found = [(match.start(), match.end(), ADDRESS) for match in _ADDRESS.finditer(text)]
        found += [(match.start(), match.end(), NAME) for match in self._names.finditer(text)]
        if self._figures:
            found += [(number.start, number.end, NUMBER) for number in numbers(text)]
        kept: list[tuple[int, int, str]] = []
        for start, end, mark in sorted(found, key=lambda each: (each[0], -each[1])):
            if not kept or start >= kept[-1][1]:
                kept.append((start, end, mark))
        return kept
