"""What makes the technical round and the product sense round what they are, held against the packs and the director."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.content.test_shipped import rungs
from voiceprep.content import load_content
from voiceprep.core.interviewer.director import Choice, Director, Heard
from voiceprep.core.pack import Question, RoundPack

TECHNICAL = load_content("gpu-technical")
SENSE = load_content("gpu-product-sense")
PACKS = [TECHNICAL.round, SENSE.round]


def question(pack: RoundPack, name: str) -> Question:
    return next(question for question in pack.questions if question.id == name)


def only(pack: RoundPack, name: str) -> Director:
    """A director whose round opens with this question."""
    asked = question(pack, name)
    others = tuple(other for other in pack.questions if other is not asked and other.section != pack.sections[0].id)
    opening = replace(asked, section=pack.sections[0].id)
    director = Director(replace(pack, questions=(opening, *others)), TECHNICAL.endings, "en", seed=1)
    director.open()
    return director


def answered(director: Director, *signals: str) -> Choice:
    return director.reply(Heard("whatever was said, " * 5, frozenset(signals)), 60.0)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_no_rung_shares_its_id_with_another_of_the_round(pack: RoundPack) -> None:
    """The director remembers what was asked by id: of two rungs with one name, the second would never be asked."""
    ids = [rung.id for asked in pack.questions for rung in rungs(asked.points)]
    ids += [rung.id for pushback in pack.pushbacks for rung in rungs(pushback.points)]
    ids += [*(one.id for one in pack.questions), *(one.id for one in pack.pushbacks), *(one.id for one in pack.deeper)]
    assert [name for name, count in Counter(ids).items() if count > 1] == []


def test_priorities_are_taken_from_what_they_are_to_how_they_are_abused() -> None:
    first = question(TECHNICAL.round, "tenant-priority").points[0]
    assert [first.id, *(rung.id for rung in first.chain)] == ["pri-define", "pri-sets", "pri-clash", "pri-abuse"]
    assert [rung.target for rung in first.chain] == ["decision_owner", "conflict_process", "abuse_guard"]


def test_two_frameworks_go_three_deep_while_answers_stay_shallow() -> None:
    director = only(TECHNICAL.round, "design-scheduler")
    broken_into = director.interject("interjection.two-frameworks")
    assert (broken_into.move, broken_into.target) == ("curveball", "rescope")
    assert [answered(director).phrase for _ in range(2)] == ["design-scheduler.both-in-one", "design-scheduler.mixing"]


def test_an_answer_with_its_cost_and_its_test_is_not_asked_for_them_again() -> None:
    director = only(TECHNICAL.round, "design-scheduler")
    director.interject("interjection.two-frameworks")
    told = answered(director, "rescope", "tradeoff", "validation").phrase
    assert told not in {"design-scheduler.both-in-one", "design-scheduler.mixing"}


def test_who_bluffs_is_stopped_between_two_and_three_minutes_unless_a_boundary_was_named() -> None:
    clocks = [one for one in TECHNICAL.round.interjections if "bluff" in one.when]
    assert clocks
    for clock in clocks:
        assert clock.measured == "heard"
        assert 120 <= clock.after <= 180
    director = only(TECHNICAL.round, "nvlink-pcie")
    assert {clock.id for clock in clocks} <= {one.id for one in director.interjections({"bluff"})}
    assert not {clock.id for clock in clocks} & {one.id for one in director.interjections({"bluff", "boundary_admission"})}


def test_who_admits_and_stops_is_asked_about_the_role_then_to_reason_then_for_a_plan() -> None:
    director = only(TECHNICAL.round, "nvlink-pcie")
    first = answered(director, "boundary_admission", "quit_after_admission")
    assert [first.phrase, *(answered(director).phrase for _ in range(2))] == [
        "nvlink-pcie.nv-role",
        "nvlink-pcie.nv-guess",
        "nvlink-pcie.nv-find",
    ]


def test_every_technical_question_has_a_ladder_of_three_rungs_below_its_first() -> None:
    deepest = {asked.id: max(len(point.chain) for point in asked.points) for asked in TECHNICAL.round.questions}
    assert min(deepest.values()) >= 2
    assert sum(depth >= 3 for depth in deepest.values()) >= 6


@pytest.mark.parametrize("asked", SENSE.round.questions, ids=lambda asked: asked.id)
def test_who_decides_how_it_is_measured_and_who_gains_come_up_in_every_question(asked: Question) -> None:
    assert {"decision_owner", "metric", "stakeholders"} <= {rung.target for rung in rungs(asked.points)}


def test_a_technical_answer_to_a_product_question_is_asked_who_notices() -> None:
    asked = answered(only(SENSE.round, "below-fifty"), "tech_only").phrase
    assert asked in {"below-fifty.bf-technical", "below-fifty.bf-measure"}  # the fault itself, or what would have mended it
    director = only(SENSE.round, "latency-cost")
    assert "interjection.who-notices" in {one.id for one in director.interjections({"tech_only"})}


def test_who_lists_options_without_taking_one_has_to_choose() -> None:
    director = only(SENSE.round, "below-fifty")
    assert "interjection.only-one" in {one.id for one in director.interjections({"options"})}
    assert "interjection.only-one" not in {one.id for one in director.interjections({"options", "recommendation"})}
    assert director.interject("interjection.only-one").move == "forced_choice"


def test_the_measure_itself_is_probed_down_to_what_it_is_for() -> None:
    director = only(SENSE.round, "below-fifty")
    asked = [answered(director).phrase for _ in range(2)]
    assert asked == ["below-fifty.bf-measure", "below-fifty.bf-purpose"]
