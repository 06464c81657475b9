"""What the interviewer does next: the embedded interviewer's choice of move, target and phrase. No model is needed.

After each turn of the candidate the director looks at what the answer showed and what it left out, at the clock and at what
was already asked, and picks one move. It never asks the same point or uses the same phrase twice in a session. What may be
asked about a question is in core/interviewer/topic, how it is put in phrases.py, the candidate's own questions in reverse.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from voiceprep.core.answers.aim import too_late
from voiceprep.core.answers.coverage import on_topic
from voiceprep.core.events import MoveKind
from voiceprep.core.interviewer.again import SLOT, questions
from voiceprep.core.interviewer.micro_signals import MicroSignal
from voiceprep.core.interviewer.moves import Choice, Heard
from voiceprep.core.interviewer.phrases import Phrases, drawn, known_lines, questions_of, said_before
from voiceprep.core.interviewer.reverse import ASKS, fact_for, find_answer
from voiceprep.core.interviewer.topic import GENERIC, Topic, demands_of, faults_of, may_break_in, pushback_due, steps
from voiceprep.core.pack import Endings, Interjection, Line, Point, Pushback, Question, RoundPack, Section, Stopped, Tongue
from voiceprep.core.text import is_hanzi
from voiceprep.core.turns.ending import asks_again
from voiceprep.core.units import Seconds

__all__ = ["Choice", "Director", "Heard", "known_lines"]

OVERTIME = 1.25
"""A section may run over its budget by this share to finish the least number of follow-ups."""
TOO_LATE: Seconds = 45.0
"""No question is begun when so little of its section, or of the time before the candidate's questions, is left."""
CONSISTENCY = "consistency"
"""The kind of a question that goes over earlier answers once more."""
ONCE_MORE = "nothing was told: the question once more"
"""Why a question is asked a second time, in other words."""
TOUCHES = 2
"""Topic words from which on an answer without any signal is one all the same."""
BRIEF, HANZI_LETTERS = 80, 3
"""Letters of an answer under which it may hold nothing at all, and how many of them a Chinese character stands for."""
NO_LAYER = 3
"""Answers to follow-ups without anything new after which the log says that the question ended there."""
DEFENCE = "instant_defence"
"""The trap of who meets an objection by saying the same thing again."""


@dataclass(frozen=True, slots=True)
class _State:
    """Where the round is. A value: what was not heard is taken back by putting the last one back."""

    points: frozenset[str] = frozenset()
    """Ids of everything that was asked."""
    section: int = 0
    since: Seconds = 0.0
    topic: Topic | None = None
    last: Choice | None = None
    """What was said last, prompts aside."""


class Director:
    """Remembers what was asked; `open`, `reply` and `prompt` each return the next move."""

    def __init__(self, pack: RoundPack, endings: Endings, tongue: Tongue, seed: int) -> None:
        self._pack = pack
        self._endings = endings
        self._tongue: Tongue = tongue
        self._seed = seed
        self._demands = demands_of(pack.persona)
        self._faults = faults_of(pack)
        self._phrases = Phrases(tongue, seed)
        self._state = _State()
        self._before: tuple[_State, frozenset[str]] | None = None

    @property
    def planned(self) -> Seconds:
        """Length of the round as planned: the shorter end of its range."""
        return self._pack.minutes[0] * 60.0

    @property
    def question(self) -> Question | None:
        """The main question that is being answered, or None while the candidate asks."""
        topic = self._state.topic
        return topic.question if topic is not None else None

    @property
    def following_up(self) -> bool:
        """Whether the answer now expected is to a follow-up, which may be short."""
        topic = self._state.topic
        return topic is not None and topic.followups > 0

    # --- moves ----------------------------------------------------------------------------------------------------------

    def open(self) -> Choice:
        """The greeting and the first question in one breath; or the question at which the round broke off."""
        if self._pack.stopped is not None:
            return self._take_up(self._pack.stopped)
        section = self._pack.sections[0]
        question = self._next_question(section)
        assert question is not None, "the loader refuses a round whose first section has no question"
        self._start(question)
        text = self._phrases.say_both(self._pack.opening, question.line)
        return self._remember(Choice("question", text, "", question.line.id, "opens the round", question.id, section))

    def _take_up(self, stopped: Stopped) -> Choice:
        """Go on where the round broke off: its question in other words, and nothing a second time that was asked before."""
        pack = self._pack
        index, section = next((n, one) for n, one in enumerate(pack.sections) if one.id == stopped.section)
        self._phrases.used = said_before(pack, self._tongue, stopped.said)
        self._state = _State(points=stopped.asked, section=index, since=stopped.since)
        question = next((one for one in pack.questions if one.id == stopped.question), None)
        if question is not None:
            self._start(question)
            shown = frozenset(signal for told in stopped.told if told.question == question.id for signal in told.signals)
            self._state = replace(self._state, topic=Topic(question).heard(shown - self._faults, {}))
        line = question.line if question is not None else pack.invite
        text = self._phrases.say_both(*([pack.resuming] if pack.resuming is not None else []), line)
        return self._remember(Choice("question", text, "", line.id, "goes on where it broke off", stopped.question, section))

    def objected(self, said: str) -> None:
        """What is answered next replies to this objection, which was not raised here."""
        if self._state.last is not None:
            self._remember(replace(self._state.last, text=said, phrase=""))
        if (topic := self._state.topic) is not None:
            self._state = replace(self._state, topic=replace(topic, objection=()))

    def reply(self, heard: Heard, elapsed: Seconds) -> Choice:
        """The move after a turn of the candidate that ended at `elapsed` seconds of the round."""
        self._before = self._state, self._phrases.used
        again = self._once_more(heard) if elapsed < self.planned else None
        return self._remember(again if again is not None else self._next(heard, elapsed))

    def _remember(self, choice: Choice) -> Choice:
        self._state = replace(self._state, last=choice)
        return choice

    def _once_more(self, heard: Heard) -> Choice | None:
        """What was said last, in other words, for who did not catch it. It is no follow-up."""
        last = self._state.last
        if last is None or not asks_again(heard.text, self._endings):
            return None
        other = self._phrases.again(last.phrase) if last.again is None else None
        text = other or last.text.removeprefix(last.lead).lstrip()
        return replace(last, move="answer", text=text, reason="it was not caught", section=None, lead="", signal=None)

    def _next(self, heard: Heard, elapsed: Seconds) -> Choice:
        section = self._pack.sections[self._state.section]
        if section.kind == "reverse":
            return self._answer(heard, elapsed)
        topic = self._state.topic
        if topic is None:
            return self._close("the round was through")
        spent = elapsed - self._state.since
        claims = self._pack.framework.claims & heard.signals if spent < section.budget else frozenset()
        new = bool(heard.signals - topic.signals - self._faults) or topic.followups == 0 or not heard.known
        topic = replace(
            topic.heard(heard.signals, heard.likely),
            claimed=topic.claimed or bool(claims),
            dry=0 if new else topic.dry + 1,
            told=topic.told or (topic.followups > 0 and not self._asked_twice(topic)) or self._tells(topic.question, heard),
        )
        self._state = replace(self._state, topic=topic)
        if elapsed >= self._reverse_at():
            return self._invite("it is time for the candidate's questions", elapsed)
        if section.hard and spent >= section.budget:
            return self._move_on(elapsed, "the section's time is up")
        if (told := self._fact(topic, heard)) is not None:
            return told
        if not topic.told:
            return self._nothing_told(topic, heard) or self._move_on(elapsed, "nothing was told")
        owed = topic.claimed and topic.layers < self._pack.framework.layers
        if heard.repeated and topic.noticed and not owed:
            return self._move_on(elapsed, "the same answer again after that was said")
        enough = not owed and (topic.followups >= self._demands.least or spent >= section.budget * OVERTIME)
        if (owed or topic.followups < self._demands.most) and not (enough and spent >= section.budget):
            choice = self._followup(topic, heard, only_gaps=enough)
            if choice is not None:
                return self._with_sign(choice, heard)
        stuck = topic.dry >= NO_LAYER
        return self._move_on(elapsed, f"no new layer in {topic.dry} answers" if stuck else "the last question is through")

    def undo(self) -> Section:
        """Take the last reply back: it was not heard. Returns the section that the round is in again."""
        assert self._before is not None
        self._state, self._phrases.used = self._before
        return self._pack.sections[self._state.section]

    def prompt(self) -> Choice | None:
        """One short encouragement into a long silence, if this persona gives any and has one that was not said yet."""
        line = self._pack.persona.prompt
        if line is None or not self._phrases.left(line):
            return None
        return Choice("prompt", self._phrases.say(line), "", line.id, "a long silence", "")

    # --- interjections --------------------------------------------------------------------------------------------------

    def interjections(self, heard: Collection[str]) -> tuple[Interjection, ...]:
        """What this interviewer would break into an answer with that has shown these signals and traps, in the pack's order."""
        topic = self._state.topic
        if topic is None:
            return ()
        unused = (one for one in self._pack.interjections if one.id not in self._state.points and self._phrases.left(one.line))
        return tuple(one for one in unused if may_break_in(one, topic, heard))

    def time_up(self) -> Seconds | None:
        """The second of the round at which its next part is due: the candidate's questions, then the end. None: neither."""
        asking = self._state.topic is not None
        line = self._pack.invite if asking else self._pack.closing
        return (self._reverse_at() if asking else self.planned) if self._phrases.left(line) else None

    def break_off(self, elapsed: Seconds) -> Choice:
        """Break in because the time is up: with the candidate's questions, or with the end."""
        self._before = self._state, self._phrases.used
        asking = self._state.topic is not None
        return self._remember(self._invite("the time is up", elapsed) if asking else self._close("the time is up"))

    def interject(self, id: str, heard: Collection[str] = ()) -> Choice:  # noqa: A002  (the field's own name)
        """Say the interjection of this id. It counts as a follow-up to the question that is being answered."""
        self._before = self._state, self._phrases.used
        topic = self._state.topic
        one = next(one for one in self._pack.interjections if one.id == id)
        assert topic is not None, "interjections are offered while a question is being answered"
        topic = topic.gone_after(one.target, *(fault for fault in one.faults if fault in heard))
        return self._remember(self._asked(topic, one, one.move, one.target, "breaks in", chain=topic.chain))

    # --- follow-ups -----------------------------------------------------------------------------------------------------

    def _followup(self, topic: Topic, heard: Heard, *, only_gaps: bool) -> Choice | None:
        if topic.question.kind == CONSISTENCY and (again := self._again(topic, heard)) is not None:
            return again
        if (noticed := self._noticed(topic, heard)) is not None:
            return noticed
        pushback = pushback_due(topic, self._pack, heard.signals, self._unasked)
        pushing = topic.pushbacks + 1 <= self._demands.pushback_share * (topic.followups + 1)
        if pushing and pushback is not None:
            return self._object(topic, pushback, heard, "an objection is due")

        def fits(point: Point) -> bool:
            return self._fits(point, topic, heard)

        for step in steps(topic, self._pack, fits, deeper=not only_gaps):
            point = step.point
            if fits(point):
                taken = topic.gone_after(point.target)
                return self._asked(taken, point, point.move, point.target, step.reason, chain=step.after)
        if not only_gaps and pushback is not None:
            return self._object(topic, pushback, heard, "nothing else is left")
        return None

    def _tells(self, question: Question, heard: Heard) -> bool:
        """Whether a turn gives anything to go on. Where that cannot be known, it does: in a long one, much may be missed."""
        length = sum(HANZI_LETTERS if is_hanzi(letter) else 1 for letter in heard.text.strip())
        if not heard.known or heard.signals or not question.topics or question.kind == CONSISTENCY:
            return True
        return not 0 < length < BRIEF or on_topic(heard.text, question, "mixed") >= TOUCHES

    def _asked_twice(self, topic: Topic) -> bool:
        return f"once-more.{topic.question.id}" in self._state.points

    def _nothing_told(self, topic: Topic, heard: Heard) -> Choice | None:
        """The question once more, then what leans on nothing that would have been told; None where that is used up."""
        question, key = topic.question, f"once-more.{topic.question.id}"
        first = key not in self._state.points
        self._state = replace(self._state, points=self._state.points | {key})
        if first and (text := self._phrases.again(question.line.id)) is not None:
            self._state = replace(self._state, topic=replace(topic, followups=topic.followups + 1))
            offered = (
                step.point for step in steps(topic, self._pack, lambda point: self._fits(point, topic, heard), deeper=True)
            )
            target = next((point.target for point in offered if self._fits(point, topic, heard)), "")
            return Choice("followup", text, target, question.line.id, ONCE_MORE, question.id)
        alone = (point for point in self._pack.general if point.alone and self._fits(point, topic, heard))
        point = next(alone, None) if topic.followups < self._demands.least else None
        if point is None:
            return None
        return self._asked(topic.gone_after(point.target), point, point.move, point.target, "nothing was told")

    def _again(self, topic: Topic, heard: Heard) -> Choice | None:
        """Ask for a figure, a date or a decider of an earlier answer once more, without saying what it was."""
        earlier = [claim for claim in heard.again if claim.question != topic.question.id]
        for claim, line, subject in questions(earlier, self._pack.again, self._tongue):
            if f"again.{claim.quote}" not in self._state.points and self._phrases.left(line):
                points = self._state.points | {f"again.{claim.quote}"}
                self._state = replace(self._state, points=points, topic=replace(topic, followups=topic.followups + 1, chain=()))
                text = self._phrases.say(line).replace(SLOT, subject)
                reason = f"a {claim.kind} of turn {claim.turn} is asked for again"
                return Choice("probe_detail", text, "", line.id, reason, topic.question.id, again=claim)
        return None

    def _noticed(self, topic: Topic, heard: Heard) -> Choice | None:
        """Say once a question that this answer was given before. Who goes over it is asked to say it again."""
        line = self._pack.repeated
        if line is None or not heard.repeated or topic.noticed or topic.question.kind == CONSISTENCY:
            return None
        objected = topic.pushbacks > 0 or topic.objection is not None
        challenged = DEFENCE in heard.signals and objected  # a challenge of its own says that, too
        if challenged or not self._phrases.left(line):
            return None
        topic = replace(topic, followups=topic.followups + 1, noticed=True, objection=None)
        self._state = replace(self._state, topic=topic)
        reason = "the answer was given before"
        return Choice("probe_detail", self._phrases.say(line), "", line.id, reason, topic.question.id)

    def _fits(self, point: Point, topic: Topic, heard: Heard) -> bool:
        if not self._unasked(point) or point.target in topic.targets:
            return False
        if too_late(point.target, topic.signals, objected=topic.pushbacks > 0 or topic.objection is not None):
            return False
        # A fault is challenged where it was heard, not turns later; what was said once need not be asked for again.
        return point.target in heard.signals if point.when == "present" else point.target not in topic.signals

    def _unasked(self, one: Point | Pushback) -> bool:
        return one.id not in self._state.points and self._phrases.left(one.line)

    def _object(self, topic: Topic, pushback: Pushback, heard: Heard, reason: str) -> Choice:
        wanted = [p.target for p in pushback.points if p.when == "missing" and p.target not in topic.signals]
        faults = (fault for fault in pushback.faults if fault in heard.signals)
        taken = replace(topic.gone_after(pushback.kind, *faults), pushbacks=topic.pushbacks + 1, objection=pushback.points)
        target = next(iter(wanted), pushback.kind)
        chain = (*pushback.points, *topic.chain)  # the ladder that it breaks into goes on once it was answered
        return self._asked(taken, pushback, "pushback", target, f"{reason} ({pushback.kind})", chain=chain)

    def _asked(
        self,
        topic: Topic,
        one: Point | Pushback | Interjection,
        move: MoveKind,
        target: str,
        reason: str,
        *,
        chain: tuple[Point, ...] = (),
    ) -> Choice:
        challenged = isinstance(one, Point) and one.when == "present"
        # What the answer left out may come first; it is a layer of the frame only where others follow it.
        layer = topic.claimed and not challenged and (topic.followups > 0 or bool(chain))
        self._state = replace(
            self._state,
            points=self._state.points | {one.id},
            topic=replace(
                topic,
                followups=topic.followups + 1,
                layers=topic.layers + layer,
                chain=chain,
                objection=topic.objection if isinstance(one, Pushback) else None,
            ),
        )
        return Choice(move, self._phrases.say(one.line), target, one.line.id, reason, topic.question.id)

    def _fact(self, topic: Topic, heard: Heard) -> Choice | None:
        """Tell a candidate who bounds the problem what was asked for; each fact once, and it is no follow-up."""
        told = fact_for(topic.question, heard.text, heard.signals, self._state.points)
        if told is not None and self._phrases.left(told.line):
            self._state = replace(self._state, points=self._state.points | {told.line.id})
            return Choice("answer", self._phrases.say(told.line), "", told.line.id, "the candidate asked for a fact", "")
        assume, key = self._pack.assume, f"assume.{topic.question.id}"
        only_asks = heard.signals == {ASKS}  # who also says something is followed up on that
        if assume is None or not only_asks or key in self._state.points or not self._phrases.left(assume):
            return None
        self._state = replace(self._state, points=self._state.points | {key})
        return Choice("answer", self._phrases.say(assume), "", assume.id, "there is no fact about that", "")

    def _with_sign(self, choice: Choice, heard: Heard) -> Choice:
        """Say "interesting" before a follow-up to an answer that went astray, now and then, where this persona does."""
        line, astray = self._pack.persona.interesting, sorted(self._faults & heard.signals)
        if line is None or not astray or not self._phrases.left(line) or drawn(self._seed, choice.phrase) % 2:
            return choice
        lead = self._phrases.say(line)
        text = f"{lead}{choice.text}" if self._tongue == "zh" else f"{lead} {choice.text}"
        return replace(
            choice, text=text, lead=lead, signal=MicroSignal("interesting", "off-track", f"heard {', '.join(astray)}")
        )

    # --- questions and sections -----------------------------------------------------------------------------------------

    def _move_on(self, elapsed: Seconds, reason: str) -> Choice:
        if elapsed >= self._reverse_at() - TOO_LATE:
            return self._invite("it is nearly time for the candidate's questions", elapsed)
        for index in range(self._state.section, len(self._pack.sections)):
            section, here = self._pack.sections[index], index == self._state.section
            if section.kind == "reverse":
                return self._invite("the questions are through", elapsed)
            over = here and elapsed - self._state.since >= section.budget - TOO_LATE
            question = None if over else self._next_question(section)
            if question is None:
                continue
            if not here:
                self._state = replace(self._state, section=index, since=elapsed)
            self._start(question)
            text = self._phrases.say(question.line)
            return Choice("move_on", text, "", question.line.id, reason, question.id, None if here else section)
        return self._close("the round is through")

    def _next_question(self, section: Section) -> Question | None:
        fresh = (q for q in questions_of(self._pack, section, self._seed) if q.id not in self._state.points)
        return next(fresh, None)

    def _start(self, question: Question) -> None:
        self._state = replace(self._state, points=self._state.points | {question.id}, topic=Topic(question))

    def _reverse_at(self) -> Seconds:
        kept = sum(s.budget for s in self._pack.sections if s.kind == "reverse")
        return self.planned - kept

    # --- the candidate's questions, and the end --------------------------------------------------------------------------

    def _invite(self, reason: str, elapsed: Seconds) -> Choice:
        for index, section in enumerate(self._pack.sections):
            if section.kind == "reverse":
                self._state = replace(self._state, section=index, since=elapsed, topic=None)
                line = self._pack.invite
                return Choice("move_on", self._phrases.say(line), "", line.id, reason, "", section)
        return self._close(reason)

    def _answer(self, heard: Heard, elapsed: Seconds) -> Choice:
        finished = any(p.search(heard.text) for p in self._endings.no_question.get(self._tongue, ()))
        if finished or elapsed >= self.planned:
            return self._close("no more questions" if finished else "the time is up")
        left = [answer for answer in self._pack.answers if self._phrases.left(answer.line)]
        found, generic = find_answer(left, heard.text), self._pack.generic
        rebuff = found is None and GENERIC in heard.signals
        if rebuff and generic is not None and generic.id not in self._state.points:
            self._state = replace(self._state, points=self._state.points | {generic.id})
            return Choice("pushback", self._phrases.say(generic), GENERIC, generic.id, "any website answers that", "")
        line, more = found.line if found is not None else self._pack.unknown_answer, self._pack.more
        if not self._phrases.left(line):
            return self._close("every answer was given")
        lines: tuple[Line, ...] = (line, more) if self._phrases.left(more) else (line,)
        return Choice("answer", self._phrases.say_both(*lines), "", line.id, "the candidate asked", "")

    def _close(self, reason: str) -> Choice:
        self._state = replace(self._state, topic=None)
        return Choice("close", self._phrases.say(self._pack.closing), "", self._pack.closing.id, reason, "")
