"""A solution before the problem is bounded: by what answers begin with, whatever they propose."""

from __future__ import annotations

import pytest

from bench.pacing_scene import Line, Scene, play, spoken
from voiceprep.content import load_content
from voiceprep.core.events import Language
from voiceprep.core.pack import Content, tongue_of

ASKED = 5.0


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
