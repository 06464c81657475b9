"""The same round through another company's eyes."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.content import content, point
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.interviewer.lens import Lens, LensPoint, own_points, through
from voiceprep.core.pack import Line

PACK = content().round
LENS = Lens(
    id="bank",
    name={"en": "Bank", "zh": "银行"},
    looks_at={"en": "who may", "zh": "谁可以"},
    source="tests",
    requirements=("A-F9",),
    weigh=("metric",),
    remark=Line("remark", {"en": ("Think of a bank.", "A bank is listening."), "zh": ("想着银行。", "银行在听。")}),
    points=(
        LensPoint(point("lens.bank.audit", "validation", point("lens.bank.proof", "number"))),
        LensPoint(point("lens.bank.access", "abuse_guard")),
        LensPoint(point("lens.bank.other", "options"), ("another-round",)),
    ),
)


def test_it_changes_follow_ups_and_nothing_else() -> None:
    seen = through(PACK, LENS)
    assert [q.line for q in seen.questions] == [q.line for q in PACK.questions]
    assert (seen.sections, seen.persona, seen.minutes, seen.pushbacks) == (
        PACK.sections,
        PACK.persona,
        PACK.minutes,
        PACK.pushbacks,
    )
    for before, after in zip(PACK.questions, seen.questions, strict=True):
        assert all(point in after.points for point in before.points)
        assert len(after.points) == len(before.points) + 1


def test_each_question_gets_one_of_the_company_s_own_in_turn() -> None:
    first = [question.points[0].id for question in through(PACK, LENS).questions[:3]]
    assert first == ["lens.bank.audit", "lens.bank.access", "lens.bank.audit"]


def test_a_point_of_another_round_stays_away() -> None:
    assert [one.id for one in own_points(PACK, LENS)] == ["lens.bank.audit", "lens.bank.access"]
    assert len(own_points(replace(PACK, id="another-round"), LENS)) == 3


def test_what_is_weighed_is_asked_for_first() -> None:
    points = [p.target for p in through(PACK, LENS).questions[0].points]
    assert points == ["validation", "metric", "own_decision", "vague_magnitude"]


def test_the_greeting_says_whose_eyes_they_are() -> None:
    opening = through(PACK, LENS).opening.phrasings
    assert opening["en"] == ("Hello. Think of a bank.",)
    assert opening["zh"] == ("你好。想着银行。",)


def test_the_demand_goes_along_once() -> None:
    seen = through(replace(PACK, requirements=("A-F9", "G-R1")), LENS)
    assert seen.requirements == ("A-F9", "G-R1")


def test_the_interviewer_asks_what_this_company_asks() -> None:
    asked = []
    for pack in (PACK, through(PACK, LENS)):
        director = Director(pack, content().endings, "en", 1)
        director.open()
        asked.append([director.reply(Heard("an answer, " * 10, frozenset()), 30.0 * n).phrase for n in (1, 2)])
    plain, seen = asked
    assert plain[0] == "q1.decision"
    assert seen[0] == "lens.bank.audit"
    assert seen[1] == "lens.bank.proof"


def test_without_points_that_fit_a_round_still_holds() -> None:
    bare = through(PACK, replace(LENS, points=(LensPoint(point("x", "options"), ("another-round",)),)))
    assert [len(q.points) for q in bare.questions] == [len(q.points) for q in PACK.questions]
