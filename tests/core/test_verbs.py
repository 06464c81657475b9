"""What a question asks for decides what its answer is held against first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.content import content, point
from voiceprep.content import load_rounds, load_rubrics
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.interviewer.verbs import in_order, verb_of, worth_by_verb
from voiceprep.core.pack import Question

VERBS = load_rubrics().verbs
IMPLEMENT = next(verb for verb in VERBS if verb.id == "implement")
PRIORITISE = next(verb for verb in VERBS if verb.id == "prioritise")

FREE = {
    "How would you implement incremental gang scheduling?": "implement",
    "How would you go about building a quota service for forty teams?": "implement",
    "Design a rate limiter for us.": "implement",
    "What would it take to support a third cloud?": "implement",
    "增量调度你怎么实现？": "implement",
    "给四十个组设计一套配额，你会怎么搭？": "implement",
    "What would you prioritise for the next two quarters?": "prioritise",
    "You have three asks and one engineer. What would you do first?": "prioritise",
    "Which of these goes first?": "prioritise",
    "How do you decide between the two customers?": "prioritise",
    "这个季度你先做什么？": "prioritise",
    "三个需求怎么排优先级？": "prioritise",
    "What would you do in your first ninety days?": "start",
    "来了之后头三个月你做什么？": "start",
    "Tell me about a conflict with an engineer.": None,
    "Why us?": None,
    "讲一个你最自豪的项目。": None,
    "两位老板意见不合，你怎么办？": None,
}


@pytest.mark.parametrize(("text", "expected"), FREE.items(), ids=list(FREE))
def test_the_verb_of_a_question_in_any_words(text: str, expected: str | None) -> None:
    found = verb_of(text, VERBS)
    assert (found.id if found else None) == expected


def test_the_more_was_said_the_less_the_verb_matters() -> None:
    first = IMPLEMENT.first[0]
    said = [worth_by_verb(IMPLEMENT, first, count) for count in (0, 4, 8, 10, 12)]
    assert said == sorted(said, reverse=True)
    assert said[0] > said[2] > said[3] == said[4] == 0.0
    assert worth_by_verb(None, first) == worth_by_verb(IMPLEMENT, "learning") == 0.0


def test_points_that_a_verb_wants_come_first_and_the_others_keep_their_order() -> None:
    points = [point("a", "learning"), point("b", "tradeoff"), point("c", "number"), point("d", "recommendation")]
    assert [each.id for each in in_order(points, PRIORITISE)] == ["d", "b", "a", "c"]
    assert [each.id for each in in_order(points, IMPLEMENT)] == ["c", "a", "b", "d"]
    assert [each.id for each in in_order(points, None)] == ["a", "b", "c", "d"]


def _asked_first(question: Question) -> str:
    pack = replace(content().round, questions=(replace(question, section="first"),))
    director = Director(pack, content().endings, "en", seed=1)
    director.open()
    return director.reply(Heard("well", frozenset()), 60.0).target


def test_the_same_points_are_taken_in_another_order_by_another_verb() -> None:
    points = (point("a", "metric"), point("b", "tradeoff"), point("c", "number"), point("d", "structure_headline"))
    asked = replace(content().round.questions[0], points=points)
    assert _asked_first(asked) == "metric"
    assert _asked_first(replace(asked, verb=IMPLEMENT)) == "structure_headline"
    assert _asked_first(replace(asked, verb=PRIORITISE)) == "tradeoff"


@pytest.mark.parametrize("heard", [(), ("own_decision",), ("own_decision", "options")])
def test_whatever_else_was_said_the_verb_decides_what_is_asked_first(heard: tuple[str, ...]) -> None:
    points = (point("a", "metric"), point("b", "decision_owner"), point("c", "number"), point("d", "tradeoff"))
    firsts = {}
    for verb in (None, IMPLEMENT, PRIORITISE):
        asked = replace(content().round.questions[0], section="first", points=points, verb=verb)
        director = Director(replace(content().round, questions=(asked,)), content().endings, "en", seed=1)
        director.open()
        firsts[verb.id if verb else ""] = director.reply(Heard("well", frozenset(heard)), 60.0).target
    assert firsts == {"": "metric", "implement": "number", "prioritise": "tradeoff"}


def _shipped(round_id: str, question_id: str) -> Question:
    return next(question for question in load_rounds()[round_id].questions if question.id == question_id)


@pytest.mark.parametrize(
    ("round_id", "question_id", "verb"),
    [
        ("anyscale-system-design", "train-priority", "prioritise"),
        ("anyscale-system-design", "kafka-premise", "implement"),
        ("backend-system-design", "two-engineers", "prioritise"),
        ("backend-system-design", "address-search", "implement"),
        ("backend-system-design", "scan-events", "implement"),
        ("gpu-final", "first-ninety", "start"),
    ],
)
def test_shipped_questions_are_heard_for_what_they_ask(round_id: str, question_id: str, verb: str) -> None:
    """A-F3: "how would you implement" is asked for its scope, "what would you prioritise" for a frame to decide by."""
    found = _shipped(round_id, question_id)
    assert found.verb is not None
    assert found.verb.id == verb
    assert _asked_first(found) in found.verb.first


def test_a_phrasing_asks_for_the_same_in_both_languages() -> None:
    """A question may be put in either language: its verb must not depend on which."""
    differing = [
        f"{pack.id}: {question.id}"
        for pack in load_rounds().values()
        for question in pack.questions
        if (english := verb_of(question.line.phrasings["en"][0], VERBS)) is not None
        and (chinese := verb_of(question.line.phrasings["zh"][0], VERBS)) is not None
        and english.id != chinese.id
    ]
    assert differing == []
