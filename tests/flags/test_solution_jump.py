"""A solution before the problem is bounded: by what answers begin with, whatever they propose."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bench.pacing import ROUND, labelled
from bench.pacing_scene import Line, Scene, play, spoken
from voiceprep.config import CHECKOUT
from voiceprep.content import load_content
from voiceprep.core.events import Language
from voiceprep.core.pack import Content, tongue_of

ASKED = 5.0
SHARED = CHECKOUT / ".." / "shared" / "answers" / "dev.jsonl"


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content("gpu-technical")


def jumps(content: Content, text: str, language: Language) -> bool:
    question = next(each for each in content.round.questions if each.id == "design-scheduler")
    line = Line(0.0, ASKED, "question", question.id, question.line.phrasings[tongue_of(language)][0])
    voiced, words = spoken(text, ASKED + 1.5, language, pause=3.0)
    _, flags = play(Scene((line,), voiced, words, voiced[-1][1] + 8, language), content)
    return "solution_jump" in {flag.rule for flag in flags}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Give every researcher two cards for good, and put the rest up for grabs."),
        ("zh", "把集群切成两个池子，一个给推理，一个给训练，中间的墙可以动。"),
        ("mixed", "把cluster分成两个pool，serving一个，batch一个。"),
    ],
)
def test_a_proposal_needs_no_part_of_a_system_by_name(content: Content, language: Language, text: str) -> None:
    assert jumps(content, text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "For the sake of argument, four hundred cards, one region. Put in a queue per group."),
        ("en", "Give every team two cards for good. That's for the simplest case, tell me if it isn't yours."),
        ("en", "Give every team two cards for good. | That's for the simplest case, tell me if it isn't yours."),
    ],
)
def test_what_bounds_it_may_stand_in_any_sentence_of_the_opening(content: Content, language: Language, text: str) -> None:
    assert not jumps(content, text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Last year we put a queue with three priorities in front of it, and people hated it."),
        ("zh", "去年我们自己的调度器把小任务饿了好几天，那次我印象很深。"),
    ],
)
def test_what_is_told_of_the_past_proposes_nothing(content: Content, language: Language, text: str) -> None:
    assert not jumps(content, text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "默认的队列加一个优先级就够了。"),
        ("zh", "现在默认的是轮转，我改成按截止时间排就行。"),
        ("mixed", "走默认的scheduler，再加一个quota check就行。"),
    ],
)
def test_what_is_by_default_so_is_no_assumption_that_hides_a_jump(content: Content, language: Language, text: str) -> None:
    assert jumps(content, text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Is there a queue with priorities in front of it, or does everybody just log in?"),
        ("en", "The vendor told them to slice every card in seven, and that went badly."),
        ("en", "A market wouldn't help there, it only moves the problem."),
        ("zh", "我默认大家都有检查点，那就抢占。"),
        ("zh", "供应商让他们把卡切成七份，结果很惨。"),
        ("mixed", "他们现在有没有用Kafka做queue？"),
    ],
)
def test_another_s_a_rejected_and_an_asked_for_solution_propose_nothing(
    content: Content, language: Language, text: str
) -> None:
    assert not jumps(content, text, language)


def test_without_its_judge_only_the_verbs_of_the_trap_show_a_jump(content: Content) -> None:
    text = "Give every researcher two cards for good, and put the rest up for grabs."
    alone = replace(content.pacing["solution_jump"], judge=None)
    assert not jumps(replace(content, pacing={**content.pacing, "solution_jump": alone}), text, "en")


def test_what_was_not_learned_from_is_judged_as_well_as_asked() -> None:
    row = next(row for row in labelled(load_content(ROUND), "jumps") if row["rule"] == "solution_jump")
    assert row["positive"] == 80
    assert min(row["precision"], row["recall"]) >= 0.85, row


@pytest.mark.skipif(not SHARED.is_file(), reason="the labelled answers of ../shared are not here")
def test_answers_of_another_hand_are_judged_as_labelled(content: Content) -> None:
    """First answers to questions that are to be bounded: of the others' labels none tells whether they were."""
    items = [json.loads(line) for line in SHARED.read_text("utf-8").splitlines()]
    told = {"solution_jump", "clarifying_question", "assumption"}
    judged = [one for one in items if one["prior"] is None and told.intersection((*one["signals"], *one["traps"]))]
    wrong = [one["id"] for one in judged if jumps(content, one["text"], one["lang"]) != ("solution_jump" in one["traps"])]
    assert {"solution_jump" in one["traps"] for one in judged} == {True, False}, "both kinds are among them"
    assert len(wrong) <= 0.1 * len(judged), wrong
