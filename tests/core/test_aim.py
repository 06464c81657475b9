"""What is most worth going after: faults before gaps, remedies before the rest, and what the kind of question calls for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from voiceprep.content import load_rubrics
from voiceprep.core.answers.aim import FAULTS, MISSING, MOTIVE, REMEDIES, STORY, Offer, kind_of, too_late, worth


def _best(targets: Sequence[str], heard: set[str], wanted: Sequence[str] = ()) -> str:
    kind = kind_of(wanted, heard)
    offers = [
        Offer(target, target in FAULTS, "own" if target in wanted else "general")
        for target in targets
        if (target in heard) == (target in FAULTS)
    ]
    return max(offers, key=lambda offer: worth(offer, kind, heard)).target


def test_the_tables_know_every_fault_and_name_signals_only() -> None:
    detectors = load_rubrics().detectors
    traps = {one.id for one in detectors if one.kind == "trap"}
    signals = {one.id for one in detectors if one.kind == "signal"}
    assert set(FAULTS) == set(REMEDIES) == traps
    assert {*MISSING, *STORY, *MOTIVE, *(signal for remedies in REMEDIES.values() for signal in remedies)} <= signals


@pytest.mark.parametrize("fault", ["instant_concession", "bluff", "fence_sitting", "lecture", "order_taker"])
def test_a_serious_fault_comes_before_anything_that_is_missing(fault: str) -> None:
    assert _best([fault, *MISSING], {fault}) == fault


def test_a_slight_fault_gives_way_to_what_its_cure_would_be() -> None:
    assert _best(["vague_magnitude", "metric", "tradeoff"], {"vague_magnitude"}) == "metric"
    assert _best(["vague_magnitude", "conflict_process"], {"vague_magnitude", "metric"}) == "vague_magnitude"


def test_the_kind_of_question_decides_among_gaps() -> None:
    gaps = ["metric", "learning", "company_specific", "decision_owner"]
    assert _best(gaps, {"recommendation"}) == "metric"
    assert _best(gaps, {"real_conflict", "star_action", "metric"}, ["real_conflict", "learning"]) == "learning"
    assert _best(gaps, {"number"}, ["company_specific", "own_decision"]) == "company_specific"


def test_who_told_a_story_is_asked_as_one_whatever_the_question() -> None:
    assert kind_of((), {"star_situation", "star_result"}) == "story"
    assert kind_of((), {"star_situation", "metric"}) == "case"


def test_who_said_nothing_is_asked_what_the_question_wants_first() -> None:
    assert _best(["metric", "tradeoff", "recommendation"], set()) == "recommendation"
    assert _best(["metric", "company_specific"], set(), ["company_specific", "own_decision"]) == "company_specific"


def test_nothing_is_asked_for_when_it_is_too_late() -> None:
    assert too_late("clarifying_question", {"recommendation"}, objected=True)
    assert not too_late("clarifying_question", set(), objected=False)
    assert too_late("restates_objection", set(), objected=False)
    assert not too_late("restates_objection", set(), objected=True)


def test_what_may_well_have_been_said_is_asked_for_less_gladly() -> None:
    metric, tradeoff = Offer("metric", present=False, layer="own"), Offer("tradeoff", present=False, layer="own")
    heard, doubtful = {"recommendation"}, {"metric": 0.35, "tradeoff": 0.02}
    assert worth(metric, "case", heard) > worth(tradeoff, "case", heard)
    assert worth(metric, "case", heard, doubtful) < worth(tradeoff, "case", heard, doubtful)
    assert worth(metric, "case", heard, {"learning": 0.9}) == worth(metric, "case", heard)


def test_a_fault_that_was_hardly_heard_gives_way_to_one_that_is_plain() -> None:
    lecture, meeting = Offer("lecture", present=True, layer="own"), Offer("joint_meeting", present=True, layer="own")
    heard = {"lecture", "joint_meeting"}
    assert worth(lecture, "case", heard) > worth(meeting, "case", heard)
    doubtful = {"lecture": 0.4, "joint_meeting": 0.97}
    assert worth(lecture, "case", heard, doubtful) < worth(meeting, "case", heard, doubtful)
