"""A round that broke off goes on where it did: the same question in other words, and nothing a second time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.content import content, line
from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content
from voiceprep.core.events import (
    Event,
    FlagRaised,
    InterruptionDue,
    MoveChosen,
    QuestionAsked,
    SectionChanged,
    SessionEnded,
    Speak,
    Word,
)
from voiceprep.core.interviewer.broken_off import goes_on, stopped_at
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.pack import Content, Interjection, Measured, Stopped, Told
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.units import Media

ANSWERS = (
    "So the team was split between two designs and I decided on the smaller one because it cut latency by forty percent.",
    "I measured it myself, the p99 went from eighty to fifty milliseconds and we gave up some throughput for that.",
    "My manager disagreed at first, then we ran both for a week and I wrote down what we had learned from it.",
)


STOPPED = Stopped("first", "q1", used=150.0, since=50.0, asked=frozenset({"q1"}), said=frozenset())


@pytest.fixture(scope="module")
def round_() -> Content:
    return load_content("gpu-hm-screen")


def held(content: Content, until: float, *, answers: int = 100) -> list[Event]:
    """The round with a candidate who answers every forty seconds, as far as it is by `until`."""
    table = Table(content, policy=Policy(captions=False, all_rules=True, grace=60.0))
    table.start()
    for number in range(answers):
        table.say(20.0 + 40.0 * number, 38.0 + 40.0 * number, ANSWERS[number % 3])
    table.stop(5000.0)
    return table.run(until)


def going_on(content: Content, stopped: Stopped | None) -> Content:
    assert stopped is not None
    return replace(content, round=replace(content.round, stopped=stopped))


def questions(log: list[Event]) -> list[str]:
    return list(dict.fromkeys(event.question for event in of_kind(log, QuestionAsked)))


class TestWhereItStopped:
    def test_it_is_the_question_that_stood_there_from_when_it_was_asked(self, round_: Content) -> None:
        log = held(round_, 500.0)
        stopped = stopped_at(log)
        assert stopped is not None
        last = questions(log)[-1]
        assert stopped.question == last
        assert stopped.used == next(event.at for event in of_kind(log, QuestionAsked) if event.question == last)
        assert stopped.section == of_kind(log, SectionChanged)[-1].section
        assert set(questions(log)) <= stopped.asked

    def test_what_each_section_had_is_kept_however_often_it_breaks_off(self, round_: Content) -> None:
        log = held(round_, 700.0)
        starts = of_kind(log, SectionChanged)
        first = stopped_at(log)
        assert first is not None
        ends = [*(event.at for event in starts[1:]), first.used]
        assert first.spent == {event.section: end - event.at for event, end in zip(starts, ends, strict=True)}
        assert len(first.spent) > 1
        again = stopped_at(held(going_on(round_, first), 300.0), first)
        assert again is not None
        assert again.past[: len(first.past)] == first.past
        assert sum(again.spent.values()) == pytest.approx(again.used)

    def test_where_nothing_was_asked_or_all_of_it_was_there_is_none(self, round_: Content) -> None:
        assert stopped_at([]) is None
        assert stopped_at([SessionEnded(at=0.0, reason="interrupted")]) is None  # type: ignore[arg-type]
        assert stopped_at(held(round_, 5000.0)) is None

    def test_a_round_without_that_question_cannot_go_on(self, round_: Content) -> None:
        stopped = stopped_at(held(round_, 500.0))
        assert stopped is not None
        assert goes_on(round_.round, stopped)
        fewer = tuple(one for one in round_.round.questions if one.id != stopped.question)
        assert not goes_on(replace(round_.round, questions=fewer), stopped)


class TestGoingOn:
    @pytest.mark.parametrize("until", [130.0, 500.0, 1100.0])
    def test_nothing_is_asked_twice_but_the_question_that_broke_off(self, round_: Content, until: float) -> None:
        before = held(round_, until)
        stopped = stopped_at(before)
        after = held(going_on(round_, stopped), 5000.0)
        first, *later = of_kind(after, MoveChosen)
        assert stopped is not None
        assert (first.phrase, first.reason) == (stopped.question, "goes on where it broke off")
        was = {event.phrase for event in of_kind(before, MoveChosen) if event.move in {"followup", "pushback", "move_on"}}
        assert not was & {event.phrase for event in later}
        spoken = {event.text for event in of_kind(before, Speak)}
        assert not spoken & {event.text for event in of_kind(after, Speak)}

    def test_what_was_used_of_the_time_is_used(self, round_: Content) -> None:
        """The candidate's questions come when they would have come."""
        planned = round_.round.minutes[0] * 60.0
        stopped = stopped_at(held(round_, 1100.0))
        assert stopped is not None
        after = held(going_on(round_, stopped), 5000.0)
        theirs = next(one.id for one in round_.round.sections if one.kind == "reverse")
        kept = next(one.budget for one in round_.round.sections if one.kind == "reverse")
        invited = next(event.at for event in of_kind(after, SectionChanged) if event.section == theirs)
        assert invited + stopped.used <= planned - kept + 120.0

    @pytest.mark.parametrize(
        ("rule", "due"),
        [("round_overrun", [300.0 - 150, 600.0 - 150, 900.0 - 150]), ("section_overrun", [200.0, 275.0, 350.0])],
    )
    def test_the_clocks_of_round_and_section_go_on(self, rule: str, due: list[float]) -> None:
        """150 s of a round of ten minutes were used, 100 s of them of a section of five."""
        table = Table(going_on(content(minutes=10), STOPPED))
        table.start()
        table.say(15.0, 900.0)
        table.stop(901.0)
        assert [event.at for event in of_kind(table.run(), FlagRaised) if event.rule == rule] == due

    @pytest.mark.parametrize(("measured", "due"), [("round", 300.0 - 150.0), ("section", 300.0 - 100.0), ("floor", 315.0)])
    def test_what_breaks_in_comes_when_it_would_have_come(self, measured: Measured, due: float) -> None:
        cut = Interjection("cut", "curveball", measured, 300.0, (), (), "rescope", line("new"))
        made = content()
        table = Table(going_on(replace(made, round=replace(made.round, interjections=(cut,))), STOPPED))
        table.start()
        table.say(15.0, 500.0)
        table.stop(501.0)
        first, *_ = of_kind(table.run(), InterruptionDue)
        assert first.interjection == "cut"
        assert first.at == pytest.approx(due, abs=0.5)

    def test_what_was_told_about_the_question_is_not_asked_for_once_more(self, round_: Content) -> None:
        log = held(round_, 130.0)
        stopped = stopped_at(log)
        assert stopped is not None
        assert [told.question for told in stopped.told] == [stopped.question] * len(stopped.told)
        assert [text_of(told.words) for told in stopped.told[:2]] == list(ANSWERS[:2])
        told = Told("q1", "", signals=frozenset({"own_decision"}))

        def targets(*told: Told) -> list[str]:
            made = going_on(content(), replace(STOPPED, told=told))
            director = Director(made.round, made.endings, "en", 1)
            director.open()
            return [director.reply(Heard("on the gpu cluster, in the queue", frozenset()), 150.0).target for _ in range(2)]

        assert "own_decision" in targets()
        assert "own_decision" in targets(replace(told, question="q2"))
        assert "own_decision" not in targets(told)

    def test_an_answer_of_before_is_known_but_for_that_which_broke_off(self, round_: Content) -> None:
        """Who begins the last one anew may well say what they had said."""

        def noticed(question: str) -> bool:
            spoken = tuple(Word(word, Media(float(n)), Media(n + 0.5), 0.9) for n, word in enumerate(ANSWERS[0].split()))
            opened = round_.round.questions[0].id
            stopped = Stopped(
                round_.round.sections[0].id,
                opened,
                0.0,
                0.0,
                frozenset({opened}),
                frozenset(),
                told=(Told(question, "", spoken),),
            )
            log = held(going_on(round_, stopped), 100.0, answers=1)
            return any(event.reason == "the answer was given before" for event in of_kind(log, MoveChosen))

        assert noticed("another-one")
        assert not noticed(round_.round.questions[0].id)

    def test_it_may_break_off_again(self, round_: Content) -> None:
        first = stopped_at(held(round_, 500.0))
        again = held(going_on(round_, first), 300.0)
        second = stopped_at(again, first)
        assert first is not None
        assert second is not None
        assert first.asked < second.asked
        assert second.used >= first.used
        at_once = stopped_at(held(going_on(round_, first), 3.0), first)  # before anything was answered
        assert at_once is not None
        assert (at_once.question, at_once.used, at_once.since) == (first.question, first.used, first.since)

    def test_among_the_candidate_s_questions_they_are_invited_once_more(self, round_: Content) -> None:
        log = held(round_, 5000.0)
        theirs = next(one.id for one in round_.round.sections if one.kind == "reverse")
        invited = [event.at for event in of_kind(log, SectionChanged) if event.section == theirs][-1]
        stopped = stopped_at([event for event in log if event.at <= invited + 5.0])
        assert stopped is not None
        assert (stopped.section, stopped.question) == (theirs, "")
        first, *_ = of_kind(held(going_on(round_, stopped), 30.0), MoveChosen)
        assert first.phrase == "invite"
