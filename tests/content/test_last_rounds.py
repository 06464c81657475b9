"""The two rounds that end a loop: a Bar Raiser who shows nothing, and a director who wants one bet and one reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from voiceprep.content import load_rounds
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.pack import Endings, Line, Point, RoundPack, Tongue

ROUNDS = load_rounds()
BAR_RAISER = ROUNDS["gpu-bar-raiser"]
FINAL = ROUNDS["gpu-final"]
LAST = pytest.mark.parametrize("pack", [BAR_RAISER, FINAL], ids=lambda pack: pack.id)

# What a no-signal interviewer would give herself away with.
REACTION = re.compile(
    r"^(?:i see|i understand|thanks|thank you|right|sure|okay|fair enough|sorry|of course)\b"
    r"|\b(?:makes sense|take your time|no rush|don't worry|i like)\b"
    r"|^(?:好的|谢谢|明白|理解|没事|对的|嗯|抱歉|不好意思)|别急|不着急|慢慢|辛苦",
    re.IGNORECASE,
)


def rungs(points: tuple[Point, ...]) -> Iterator[Point]:
    for point in points:
        yield point
        yield from rungs(point.chain)


def asked(pack: RoundPack) -> Iterator[Point]:
    for question in pack.questions:
        yield from rungs(question.points)
    for pushback in pack.pushbacks:
        yield from rungs(pushback.points)
    yield from rungs(pack.deeper)


def lines(pack: RoundPack) -> Iterator[Line]:
    yield from (pack.opening, pack.invite, pack.unknown_answer, pack.more, pack.closing)
    yield from (question.line for question in pack.questions)
    yield from (point.line for point in asked(pack))
    yield from (pushback.line for pushback in pack.pushbacks)
    yield from (one.line for one in pack.interjections)
    yield from (answer.line for answer in pack.answers)


def challenge(pack: RoundPack, question: str, heard: set[str], tongue: Tongue = "en") -> str:
    """The target of the first follow-up after an answer to this question that showed these."""
    director = Director(pack, Endings({}), tongue, seed=1)
    director.open()
    for _ in range(200):
        if director.question is not None and director.question.id == question:
            return director.reply(Heard("", frozenset(heard)), 0.0).target
        director.reply(Heard("", frozenset()), 0.0)
    raise AssertionError(f"{question} is never asked")


def test_the_bar_raiser_reacts_to_nothing_and_encourages_nobody() -> None:
    assert BAR_RAISER.persona.prompt is None
    told = [text for line in lines(BAR_RAISER) for texts in line.phrasings.values() for text in texts]
    assert [text for text in told if REACTION.search(text)] == []


def test_the_bar_raiser_comes_back_to_the_first_story() -> None:
    """G-R4e: the same names, dates and figures are asked for a second time, after the other stories."""
    asks = [section.id for section in BAR_RAISER.sections if section.kind == "questions"]
    again = [question for question in BAR_RAISER.questions if question.section == asks[-1]]
    assert {question.kind for question in again} == {"consistency"}
    targets = {point.target for question in again for point in rungs(question.points)}
    assert {"number", "star_situation", "star_action", "decision_owner", "real_conflict"} <= targets
    assert any(one.measured == "round" and one.move == "probe_detail" for one in BAR_RAISER.interjections)


@pytest.mark.parametrize("question", ["hard-engineer", "hardest-conflict", "boss-wrong", "worst-decision"])
def test_a_story_that_is_too_clean_is_challenged_before_anything_else(question: str) -> None:
    """G-E3: a complete story that does not meet the word "hardest"."""
    story = {"star_situation", "star_action", "star_result", "too_clean"}
    assert challenge(BAR_RAISER, question, story) == "too_clean"


def test_the_three_stories_to_have_ready_are_asked_for() -> None:
    """G-R4f: hardest conflict, worst decision, feedback; each leads its section or follows the lead."""
    for name in ("hardest-conflict", "worst-decision", "feedback"):
        section = next(question.section for question in BAR_RAISER.questions if question.id == name)
        first = [question.id for question in BAR_RAISER.questions if question.section == section][:2]
        assert name in first


def test_the_director_takes_no_both() -> None:
    assert challenge(FINAL, "one-pool", {"options", "fence_sitting"}) == "fence_sitting"
    forced = [one for one in FINAL.interjections if one.move == "forced_choice"]
    assert [one.when for one in forced] == [("fence_sitting",)]


@pytest.mark.parametrize("question", ["why-us", "first-ninety"])
def test_an_answer_that_fits_any_company_is_asked_for_what_fits_this_one(question: str) -> None:
    """G-R5b: wants this, or applies everywhere."""
    wanted = {"named_actions"} if question == "first-ninety" else set()
    assert challenge(FINAL, question, wanted) == "company_specific"


@LAST
def test_a_point_is_asked_once_in_a_session_so_its_id_is_its_own(pack: RoundPack) -> None:
    ids = [point.id for point in asked(pack)] + [question.id for question in pack.questions]
    assert [name for name, count in Counter(ids).items() if count > 1] == []


@LAST
def test_an_answer_to_the_candidate_asks_nothing_back(pack: RoundPack) -> None:
    """`more` follows in the same breath and asks already."""
    told = [text for answer in pack.answers for texts in answer.line.phrasings.values() for text in texts]
    assert [text for text in told if text.rstrip()[-1] in "?？"] == []


@LAST
def test_what_a_pushback_goes_after_is_a_signal(pack: RoundPack) -> None:
    """Its first point is what it is after; faults in the reply are for the points below."""
    assert [one.id for one in pack.pushbacks if one.points[0].when != "missing"] == []
