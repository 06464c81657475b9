"""What the interviewer would say to one answer that was written down, by the director that also asks in a live round.

An answer may reply to a question that no pack has. It is then taken for the round's question that asks most nearly the same,
by its words and by its kind; where none is near, for one whose points are those that fit any round.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from voiceprep.core.answers.aim import MOTIVE, NOT_WEIGHED, STORY
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.coverage import assess_text, likelihoods
from voiceprep.core.events import Language
from voiceprep.core.interviewer.director import Choice, Director, Heard
from voiceprep.core.interviewer.topic import ASKING
from voiceprep.core.interviewer.verbs import verb_of
from voiceprep.core.pack import Content, Line, Question, RoundPack, Verb, tongue_of
from voiceprep.core.text import HANZI
from voiceprep.core.units import Seconds

ELAPSED: Seconds = 60.0
"""Where in the round the answer ends: early enough that there is time for a follow-up."""
SEED = 1
NEAR = 0.2
"""Questions less alike than this have nothing to do with each other."""
KIND = 0.35
"""How much the same kind of question counts, beside the same words."""
_TOKEN = re.compile(rf"[a-z]+|[{HANZI}]+")
_STEM = 6
"""Letters of a word that count: "prioritise" is "prioritize", "scheduler" is "scheduling"."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The move, and the signals and traps by which it was chosen."""

    choice: Choice
    heard: frozenset[str]


def reply_to(content: Content, question: str, prior: str, language: Language, text: str) -> Reply:
    """The interviewer's next move.

    Args:
        content: the round's pack.
        question: the id of one of its questions, or what was asked, in any words; "" where that is not known.
        prior: what the interviewer said last, if that was not the question itself.
        language: of the answer.
        text: the answer. An empty one is an answer too.
    """
    known = {each.id: each for each in content.round.questions}
    asked = known[question].line.phrasings[tongue_of(language)][0] if question in known else question
    heard = frozenset(item.signal for item in assess_text(text, content.detectors, language, Asked(asked, prior)))
    found = known.get(question) or question_like(content, question)
    likely = likelihoods(text, content.detectors, language, Asked(asked, prior))
    return Reply(choose(content, found, prior, language, text, heard, likely), heard)


def choose(
    content: Content,
    question: Question,
    prior: str,
    language: Language,
    text: str,
    heard: frozenset[str],
    likely: Mapping[str, float] = NOT_WEIGHED,
) -> Choice:
    """The director's reply to an answer to this question, which the pack need not have, given what was heard in it.

    Nobody is told a fact, or to assume one: the answer is over, and that would change nothing in it.
    """
    pack = content.round
    rest = [each for each in pack.questions if each.id != question.id]
    first = replace(pack.sections[0], kind="questions", order="given", hard=False)
    questions = (replace(question, section=first.id, facts=()), *rest)
    pack = replace(pack, questions=questions, sections=(first, *pack.sections[1:]), assume=None)
    director = Director(pack, content.endings, tongue_of(language), seed=SEED)
    director.open()
    if prior:
        director.objected(prior)
    return director.reply(Heard(text, heard, likely=likely), ELAPSED)


def question_like(content: Content, asked: str) -> Question:
    """The round's question that is most like what was asked, or one made up where none is like it."""
    questions = content.round.questions
    bags = [_words(_said(question.line)) | _words(_topics(question)) for question in questions]
    rarity = _rarity(bags)
    wanted = _words(asked)
    patterns = _kinds(content)
    here = {name for name, kind in patterns.items() if kind.search(asked)}

    def likeness(place: int) -> float:
        texts = list(_texts(questions[place].line))
        there = {name for name, kind in patterns.items() if any(kind.search(text) for text in texts)}
        same = len(here & there) / len(here | there) if here | there else 0.0
        return _overlap(wanted, bags[place], rarity) + KIND * same

    best = max(range(len(questions)), key=likeness)
    return questions[best] if likeness(best) >= NEAR else _made_up(content.round, here, verb_of(asked, content.verbs))


def _kinds(content: Content) -> Mapping[str, re.Pattern[str]]:
    return next((one.trained.questions for one in content.detectors if one.trained is not None), {})


def _made_up(pack: RoundPack, kinds: Collection[str], verb: Verb | None) -> Question:
    """A question with those of the points that fit any round which its kind calls for; for a case there are none of its own."""
    table = MOTIVE if {"reverse", "why-us"}.intersection(kinds) else STORY if "story" in kinds else {}
    general = {point.target: point for point in pack.general if point.when == "missing"}
    points = tuple(general[target] for target in table if target in general)
    kind = ASKING if "reverse" in kinds else "asked"
    return replace(pack.questions[0], id="asked", kind=kind, points=points, topics={}, verb=verb, facts=())


def _texts(line: Line) -> Iterable[str]:
    return (text for texts in line.phrasings.values() for text in texts)


def _said(line: Line) -> str:
    return " ".join(_texts(line))


def _topics(question: Question) -> str:
    return " ".join(word for words in question.topics.values() for word in words)


def _words(text: str) -> set[str]:
    """Stems of Latin words, pairs of Chinese characters."""
    found: set[str] = set()
    for token in _TOKEN.findall(text.casefold()):
        if token[0] > "z":
            found.update(token[index : index + 2] for index in range(max(1, len(token) - 1)))
        else:
            found.add(token[:_STEM])
    return found


def _rarity(bags: Sequence[set[str]]) -> dict[str, float]:
    counts = Counter(word for bag in bags for word in bag)
    return {word: math.log(1 + len(bags) / count) for word, count in counts.items()}


def _overlap(wanted: set[str], bag: set[str], rarity: dict[str, float]) -> float:
    """Cosine of two sets of words, rare ones counting more. A word that no question has counts as a rare one."""
    most = max(rarity.values(), default=1.0)
    shared = sum(rarity[word] ** 2 for word in wanted & bag)
    length = math.sqrt(sum(rarity.get(word, most) ** 2 for word in wanted) * sum(rarity[word] ** 2 for word in bag))
    return shared / length if length else 0.0
