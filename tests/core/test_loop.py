"""The gate: what makes a round weak, what that does to the next one, and what the committee decides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.committee_room import LOOP
from tests.fakes.content import PERSONA, line
from voiceprep.core.events import Evidence, FlagRaised
from voiceprep.core.interviewer.loop import (
    Bar,
    Findings,
    Label,
    Mark,
    Reply,
    Topic,
    decide,
    hardened,
    judge,
    labels_of,
    severity_after,
)
from voiceprep.core.units import At, Media

MARKS: list[Mark | None] = ["strong", "hold", "weak", "unheard", None]


def heard(signal: str, text: str = "the words") -> Evidence:
    return Evidence(signal, text, Media(1.0), Media(2.0))


def reply(target: str, *, answered: bool) -> Reply:
    return Reply(target, answered, heard(target, "we all worked on it"))


def alarm(rule: str = "monologue") -> FlagRaised:
    return FlagRaised(at=At(9), rule=rule, level="fail", start=Media(0), end=Media(720), advice="stop")


GOOD = Findings(
    topics=(Topic("q", ("metric", "tradeoff", "options"), frozenset({"metric", "tradeoff", "options"})),),
    shown=(heard("metric"), heard("tradeoff"), heard("options")),
    replies=(reply("metric", answered=True), reply("tradeoff", answered=True), reply("options", answered=False)),
    answers=10,
    spoken=600.0,
)


class TestTheMark:
    def test_all_of_it_is_strong(self) -> None:
        assert judge(GOOD, 0).mark == "strong"

    def test_one_weak_measure_is_enough_whatever_the_others_say(self) -> None:
        fell = replace(GOOD, replies=tuple(reply("abuse_guard", answered=False) for _ in range(6)))
        assert (judge(fell, 0).mark, judge(fell, 0).because) == ("weak", ("survival",))
        faulty = replace(GOOD, faults=tuple(heard("bluff") for _ in range(9)))
        assert judge(faulty, 0).because == ("faults",)
        lectured = replace(GOOD, alarms=(alarm(), alarm()))
        assert judge(lectured, 0).because == ("alarms",)

    def test_in_between_is_hold(self) -> None:
        assert judge(replace(GOOD, alarms=(alarm(),)), 0).mark == "hold"

    def test_nobody_followed_up_is_no_strong_round(self) -> None:
        assert judge(replace(GOOD, replies=()), 0).mark == "hold"

    def test_what_is_said_under_another_question_does_not_count_under_this_one(self) -> None:
        silent = Topic("r", ("metric", "tradeoff"), frozenset())
        half = replace(GOOD, topics=(*GOOD.topics, silent))
        assert half.coverage == pytest.approx(0.5)
        assert half.missing == ()  # heard as often as not: nobody is told that it was what they lack
        assert replace(GOOD, topics=(*GOOD.topics, silent, silent)).missing == ("metric", "tradeoff")

    def test_never_on_a_transcript_that_cannot_be_trusted(self) -> None:
        doubtful = replace(GOOD, doubts=("the recogniser was unsure",), faults=tuple(heard("bluff") for _ in range(9)))
        assert judge(doubtful, 0).mark == "unheard"
        assert labels_of(LOOP, "one", doubtful) == ()

    def test_the_same_round_is_weaker_once_the_bar_is_raised(self) -> None:
        middling = replace(
            GOOD,
            topics=(Topic("q", ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"), frozenset("abcde")),),
        )
        assert judge(middling, 0).mark == "strong"
        assert judge(middling, 2).mark == "hold"
        assert Bar().raised(2).weak_alarms == 1


@given(st.lists(st.sampled_from(MARKS)))
def test_a_strong_round_never_lowers_the_bar(marks: list[Mark | None]) -> None:
    assert severity_after([*marks, "strong"]) == severity_after(marks) <= severity_after([*marks, "weak"]) <= 2


def test_a_harder_interviewer_asks_more_waits_less_and_rescues_nobody() -> None:
    kind = replace(PERSONA, room=3.0, prompt=line("go on"), prompt_after=20.0)
    harder, hardest = hardened(kind, 1), hardened(kind, 2)
    assert hardened(kind, 0) == kind
    assert kind.severity < harder.severity < hardest.severity
    assert kind.room > harder.room > hardest.room >= 1.0
    assert kind.patience_long > harder.patience_long > hardest.patience_long
    assert harder.prompt == kind.prompt
    assert (hardest.prompt, hardest.prompt_after) == (None, None)
    assert harder.name == kind.name


class TestLabels:
    label = Label("ambiguity", {}, {}, traps=("fence_sitting", "need_more_data"), least=2)

    def loop(self, *labels: Label) -> tuple[str, ...]:
        loop = replace(LOOP, labels=labels)
        return tuple(raised.label.id for raised in labels_of(loop, "one", self.found))

    found = replace(
        GOOD, faults=(heard("fence_sitting"), heard("need_more_data")), replies=(reply("product_call", answered=False),)
    )

    def test_faults_in_so_many_places_earn_it_with_their_words(self) -> None:
        assert self.loop(self.label) == ("ambiguity",)
        assert self.loop(replace(self.label, least=3)) == ()

    def test_a_few_of_them_in_an_hour_are_nothing(self) -> None:
        rare = replace(self.label, share=0.3)
        assert self.loop(rare) == ()
        assert self.loop(replace(rare, share=0.2)) == ("ambiguity",)

    def test_it_is_looked_for_in_its_rounds_alone(self) -> None:
        assert self.loop(replace(self.label, rounds=("two",))) == ()

    def test_what_was_never_asked_for_is_not_missing(self) -> None:
        assert self.loop(Label("call", {}, {}, missing=("product_call",))) == ("call",)
        assert self.loop(Label("call", {}, {}, missing=("own_decision",))) == ()

    def test_what_was_said_in_the_end_is_not_missing(self) -> None:
        assert self.loop(Label("call", {}, {}, missing=("product_call", "metric"))) == ()

    def test_an_alarm_of_the_clock_counts_as_a_fault(self) -> None:
        talked = replace(self.found, faults=(), alarms=(alarm(),))
        label = Label("judgement", {}, {}, traps=("lecture",), flags=("monologue",), missing=("product_call",))
        (raised,) = labels_of(replace(LOOP, labels=(label,)), "one", talked)
        assert raised.alarms == (alarm(),)
        assert [item.signal for item in raised.evidence] == ["product_call"]
        assert labels_of(replace(LOOP, labels=(label,)), "one", replace(talked, alarms=(alarm("long_pause"),))) == ()


class TestTheDecision:
    @given(st.lists(st.sampled_from(MARKS), min_size=1))
    def test_a_label_blocks_whatever_the_rounds_say(self, marks: list[Mark | None]) -> None:
        assert decide(marks, blocked=True) == "no_hire"

    @pytest.mark.parametrize(
        ("marks", "decision"),
        [
            (("strong", "strong", "hold"), "hire"),
            (("hold", "hold", "hold"), "hold"),
            (("weak", "strong", "strong"), "hire"),
            (("weak", "hold", "strong"), "hold"),
            (("weak", "weak", "strong"), "no_hire"),
            (("strong", "strong", "weak"), "no_hire"),
            (("strong", None, "strong"), "open"),
            (("strong", "unheard", "strong"), "open"),
            (("weak", "weak", None), "no_hire"),
        ],
    )
    def test_it_is_a_gate(self, marks: tuple[Mark | None, ...], decision: str) -> None:
        assert decide(marks, blocked=False) == decision

    @given(st.lists(st.just("strong"), min_size=2, max_size=20))
    def test_no_number_of_strong_rounds_makes_up_for_a_weak_last_one(self, marks: list[Mark | None]) -> None:
        assert decide([*marks, "weak"], blocked=False) == "no_hire"
