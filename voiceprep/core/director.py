"""What the interviewer does next: the embedded interviewer's choice of move, target and phrase. No model is needed.

After each turn of the candidate the director looks at what the answer showed and what it left out, at the clock and at what
was already asked, and picks one move. It never asks the same point or uses the same phrase twice in a session.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from voiceprep.core.coverage import says
from voiceprep.core.events import MoveKind
from voiceprep.core.pack import Endings, Interjection, Line, Point, Pushback, Question, RoundPack, Section, Tongue
from voiceprep.core.units import Seconds

OVERTIME = 1.25
"""A section may run over its budget by this share to finish the least number of follow-ups."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a turn of the candidate amounted to."""

    text: str
    signals: frozenset[str]
    """Ids of the signals and traps heard in this turn."""
    known: bool = True
    """False when there are no words to go by: no recogniser, or it failed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One move: what is said (`text`, for the log and the voice), what it goes after and why."""

    move: MoveKind
    text: str
    target: str
    phrase: str
    reason: str
    question: str
    section: Section | None = None
    """The section that this move enters, if it enters one."""


@dataclass
class _Topic:
    """How far the current question has been taken."""

    question: Question
    followups: int = 0
    pushbacks: int = 0
    signals: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    chain: tuple[Point, ...] = ()
    """What may follow the point that was asked last."""


class Director:
    """Remembers what was asked; `open`, `reply` and `prompt` each return the next move."""

    def __init__(self, pack: RoundPack, endings: Endings, tongue: Tongue, seed: int) -> None:
        self._pack = pack
        self._endings = endings
        self._tongue: Tongue = tongue
        self._seed = seed
        self._used_points: set[str] = set()
        self._used_texts: set[str] = set()
        self._section = 0
        self._section_since: Seconds = 0.0
        self._topic: _Topic | None = None
        self._before: tuple[set[str], set[str], int, Seconds, _Topic | None] | None = None

    @property
    def planned(self) -> Seconds:
        """Length of the round as planned: the shorter end of its range."""
        return self._pack.minutes[0] * 60.0

    @property
    def question(self) -> Question | None:
        """The main question that is being answered, or None while the candidate asks."""
        return self._topic.question if self._topic is not None else None

    @property
    def following_up(self) -> bool:
        """Whether the answer now expected is to a follow-up, which may be short."""
        return self._topic is not None and self._topic.followups > 0

    # --- moves ----------------------------------------------------------------------------------------------------------

    def open(self) -> Choice:
        """The greeting and the first question in one breath."""
        section = self._pack.sections[0]
        question = self._next_question(section)
        assert question is not None, "the loader refuses a round whose first section has no question"
        self._start(question)
        text = self._join(self._pack.opening, question.line)
        return Choice("question", text, "", question.line.id, "opens the round", question.id, section)

    def reply(self, heard: Heard, elapsed: Seconds) -> Choice:
        """The move after a turn of the candidate that ended at `elapsed` seconds of the round."""
        self._before = self._state()
        if self._pack.sections[self._section].kind == "reverse":
            return self._answer(heard, elapsed)
        topic = self._topic
        if topic is None:
            return self._close("the round was through")
        topic.signals |= heard.signals
        if elapsed >= self._reverse_at():
            return self._invite("it is time for the candidate's questions", elapsed)
        section = self._pack.sections[self._section]
        least, most = self._pack.persona.followups
        spent = elapsed - self._section_since
        enough = topic.followups >= least or spent >= section.budget * OVERTIME
        if topic.followups < most and not (enough and spent >= section.budget):
            choice = self._followup(topic, heard, only_gaps=enough)
            if choice is not None:
                return choice
        return self._move_on(elapsed)

    def undo(self) -> Section:
        """Take the last reply back: it was not heard. Returns the section that the round is in again."""
        assert self._before is not None
        self._used_points, self._used_texts, self._section, self._section_since, self._topic = self._before
        return self._pack.sections[self._section]

    def _state(self) -> tuple[set[str], set[str], int, Seconds, _Topic | None]:
        topic = self._topic
        if topic is not None:
            topic = replace(topic, signals=set(topic.signals), targets=set(topic.targets))
        return set(self._used_points), set(self._used_texts), self._section, self._section_since, topic

    def prompt(self) -> Choice | None:
        """One short encouragement into a long silence, if this persona gives any."""
        line = self._pack.persona.prompt
        if line is None:
            return None
        return Choice("prompt", self._phrase(line, spend=False), "", line.id, "a long silence", "")

    # --- interjections --------------------------------------------------------------------------------------------------

    def interjections(self, heard: Collection[str]) -> tuple[Interjection, ...]:
        """What this interviewer would break into an answer with that has shown these signals and traps, in the pack's order."""
        if self._topic is None:
            return ()
        return tuple(
            one
            for one in self._pack.interjections
            if one.id not in self._used_points
            and (not one.when or any(signal in heard for signal in one.when))
            and not any(signal in heard for signal in one.unless)
        )

    def interject(self, id: str) -> Choice:  # noqa: A002  (the field's own name)
        """Say the interjection of this id. It counts as a follow-up to the question that is being answered."""
        self._before = self._state()
        topic = self._topic
        one = next(one for one in self._pack.interjections if one.id == id)
        assert topic is not None, "interjections are offered while a question is being answered"
        self._used_points.add(one.id)
        topic.targets.add(one.target)
        return self._asked(topic, one.move, one.target, one.line, (), "breaks in")

    # --- follow-ups -----------------------------------------------------------------------------------------------------

    def _followup(self, topic: _Topic, heard: Heard, *, only_gaps: bool) -> Choice | None:
        share = self._pack.persona.pushback_share
        pushing = topic.pushbacks + 1 <= share * (topic.followups + 1)
        if pushing and (pushback := self._pushback(topic, heard)) is not None:
            return self._object(topic, pushback, "an objection is due")
        for point, rest, reason in self._gaps(topic, deeper=not only_gaps):
            if self._fits(point, topic, heard):
                self._used_points.add(point.id)
                topic.targets.add(point.target)
                return self._asked(topic, "followup", point.target, point.line, (*point.chain, *rest), reason)
        if not only_gaps and (pushback := self._pushback(topic, heard)) is not None:
            return self._object(topic, pushback, "nothing else is left")
        return None

    def _gaps(self, topic: _Topic, *, deeper: bool) -> Iterator[tuple[Point, tuple[Point, ...], str]]:
        """What may be asked next, most wanted first, each with what then follows it in its chain."""
        yield from _steps(topic.chain, "one layer deeper")
        points = topic.question.points
        yield from ((p, (), "heard in the answer") for p in points if p.when == "present")
        yield from ((p, (), "not heard in the answer") for p in points if p.when == "missing")
        for point in points:
            if point.target in topic.signals:  # the claim was made: see whether it holds, layer by layer
                yield from _steps(point.chain, f"one layer below {point.target}")
        if deeper:
            yield from ((p, (), "not heard yet") for p in self._pack.deeper)

    def _fits(self, point: Point, topic: _Topic, heard: Heard) -> bool:
        if point.id in self._used_points or not self._left(point.line) or point.target in topic.targets:
            return False
        # A fault is challenged where it was heard, not turns later; what was said once need not be asked for again.
        return point.target in heard.signals if point.when == "present" else point.target not in topic.signals

    def _object(self, topic: _Topic, pushback: Pushback, reason: str) -> Choice:
        topic.pushbacks += 1
        wanted = [p.target for p in pushback.points if p.when == "missing" and p.target not in topic.signals]
        target = next(iter(wanted), pushback.kind)
        topic.targets.add(pushback.kind)
        return self._asked(topic, "pushback", target, pushback.line, pushback.points, f"{reason} ({pushback.kind})")

    def _pushback(self, topic: _Topic, heard: Heard) -> Pushback | None:
        for pushback in self._pack.pushbacks:
            if pushback.kind in topic.targets:
                continue
            wanted = [p.target for p in pushback.points if p.when == "missing"]
            if wanted and topic.signals.issuperset(wanted):
                continue  # the answer has met this objection already
            due = not pushback.when or any(signal in heard.signals for signal in pushback.when)
            if due and pushback.id not in self._used_points and self._left(pushback.line):
                self._used_points.add(pushback.id)
                return pushback
        return None

    def _asked(self, topic: _Topic, move: MoveKind, target: str, line: Line, chain: tuple[Point, ...], reason: str) -> Choice:
        topic.followups += 1
        topic.chain = chain
        return Choice(move, self._phrase(line), target, line.id, reason, topic.question.id)

    # --- questions and sections -----------------------------------------------------------------------------------------

    def _move_on(self, elapsed: Seconds) -> Choice:
        for index in range(self._section, len(self._pack.sections)):
            section = self._pack.sections[index]
            over = index == self._section and elapsed - self._section_since >= section.budget
            if section.kind == "reverse":
                return self._invite("the questions are through", elapsed)
            question = None if over else self._next_question(section)
            if question is None:
                continue
            entered = None
            if index != self._section:
                self._section, self._section_since, entered = index, elapsed, section
            self._start(question)
            text = self._phrase(question.line)
            return Choice("move_on", text, "", question.line.id, "the last question is through", question.id, entered)
        return self._close("the round is through")

    def _next_question(self, section: Section) -> Question | None:
        fresh = [q for q in self._pack.questions if q.section == section.id and q.id not in self._used_points]
        return fresh[0] if fresh else None

    def _start(self, question: Question) -> None:
        self._used_points.add(question.id)
        self._topic = _Topic(question)

    def _reverse_at(self) -> Seconds:
        kept = sum(s.budget for s in self._pack.sections if s.kind == "reverse")
        return self.planned - kept

    # --- the candidate's questions, and the end --------------------------------------------------------------------------

    def _invite(self, reason: str, elapsed: Seconds) -> Choice:
        for index, section in enumerate(self._pack.sections):
            if section.kind == "reverse":
                self._section, self._section_since, self._topic = index, elapsed, None
                line = self._pack.invite
                return Choice("move_on", self._phrase(line), "", line.id, reason, "", section)
        return self._close(reason)

    def _answer(self, heard: Heard, elapsed: Seconds) -> Choice:
        finished = any(p.search(heard.text) for p in self._endings.no_question.get(self._tongue, ()))
        if finished or elapsed >= self.planned:
            return self._close("no more questions" if finished else "the time is up")
        best, line, text = 0, self._pack.unknown_answer, heard.text.lower()
        for answer in self._pack.answers:
            hits = sum(says(text, word) for words in answer.topics.values() for word in words)
            if hits > best and self._left(answer.line):
                best, line = hits, answer.line
        if not self._left(line) or not self._left(self._pack.more):
            return self._close("every answer was given")
        return Choice("answer", self._join(line, self._pack.more), "", line.id, "the candidate asked", "")

    def _close(self, reason: str) -> Choice:
        self._topic = None
        return Choice("close", self._phrase(self._pack.closing), "", self._pack.closing.id, reason, "")

    # --- phrases --------------------------------------------------------------------------------------------------------

    def _left(self, line: Line) -> bool:
        return any(text not in self._used_texts for text in line.phrasings[self._tongue])

    def _phrase(self, line: Line, *, spend: bool = True) -> str:
        """An unused phrasing: which one depends on the session's seed, so that sessions differ and replays do not."""
        order = _in_order(line, self._tongue, self._seed)
        text = next((t for t in order if t not in self._used_texts), order[0])
        if spend:
            self._used_texts.add(text)
        return text

    def _join(self, *lines: Line) -> str:
        return ("" if self._tongue == "zh" else " ").join(self._phrase(line) for line in lines)


def _steps(chain: tuple[Point, ...], reason: str) -> Iterator[tuple[Point, tuple[Point, ...], str]]:
    """The layers of a chain from the top, each with those below it."""
    for index, point in enumerate(chain):
        yield point, chain[index + 1 :], reason


def known_lines(pack: RoundPack, tongue: Tongue, seed: int) -> list[str]:
    """The phrases a session of this seed would say first, the soonest first: what a slow voice renders ahead."""
    spoken = [pack.opening]
    for question in pack.questions:
        spoken += [question.line, *_lines(question.points)]
    for pushback in pack.pushbacks:
        spoken += [pushback.line, *_lines(pushback.points)]
    spoken += [*_lines(pack.deeper), pack.invite, *(a.line for a in pack.answers), pack.unknown_answer, pack.more, pack.closing]
    return [_in_order(line, tongue, seed)[0] for line in spoken]


def _lines(points: tuple[Point, ...]) -> Iterator[Line]:
    for point in points:
        yield point.line
        yield from _lines(point.chain)


def _in_order(line: Line, tongue: Tongue, seed: int) -> list[str]:
    """The phrasings of a line in the order in which a session of this seed uses them."""
    texts = line.phrasings[tongue]
    first = zlib.crc32(f"{seed}:{line.id}".encode()) % len(texts)
    return [*texts[first:], *texts[:first]]
