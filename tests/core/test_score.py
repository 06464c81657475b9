"""The ordinal scale and the gate: what may move a level, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voiceprep.core.answers.score import Dimension, Scale, grade, place_of, score
from voiceprep.core.answers.score_evidence import Weighed, beside, is_figures, mere_list

SCALE = Scale(
    {"tradeoff": 1.0, "number": 1.0, "own_decision": 2.0},
    {"bluff": 2.0, "cop_out": 1.0, "instant_defence": 2.0},
    (-1.0, 1.0, 3.0),
)
LABELS = [*SCALE.signals, *SCALE.traps]
DECIDES = Dimension("decides", {}, core=("own_decision",), also=("tradeoff",), traps=("cop_out",), gating=True)


def weighed(about: float = 1.0, **likely: float) -> Weighed:
    return Weighed(likely, dict.fromkeys(likely, (0, 4)), 1.0, about, 5)


@given(st.dictionaries(st.sampled_from(LABELS), st.floats(0, 1)), st.sampled_from(LABELS), st.floats(0, 1))
@settings(max_examples=200)
def test_a_signal_never_lowers_and_a_trap_never_raises(likely: dict[str, float], label: str, more: float) -> None:
    before, after = weighed(**likely), weighed(**likely | {label: max(more, likely.get(label, 0.0))})
    change = score(after, (), SCALE, reply=True).value - score(before, (), SCALE, reply=True).value
    assert change >= 0 if label in SCALE.signals else change <= 0


@pytest.mark.parametrize(
    ("likely", "level"),
    [
        ({}, None),
        ({"tradeoff": 0.9}, 2),
        ({"own_decision": 0.9}, 3),
        ({"own_decision": 0.9, "tradeoff": 0.9}, 4),
        ({"cop_out": 0.9}, 1),
        ({"cop_out": 0.9, "own_decision": 0.9, "tradeoff": 0.9}, 2),
    ],
)
def test_a_dimension_is_judged_by_what_was_heard(likely: dict[str, float], level: int | None) -> None:
    found = score(weighed(**likely), (DECIDES,), SCALE, reply=False).dimensions[0]
    assert found.level == level
    assert "own_decision" in found.open or "own_decision" in likely


def test_a_spoiled_gate_caps_whatever_the_rest_is() -> None:
    strong = weighed(number=1.0, tradeoff=1.0, own_decision=1.0)
    assert score(strong, (DECIDES,), SCALE, reply=False).level == 4
    spoiled = Dimension("honest", {}, core=("assumption",), traps=("cop_out",), gating=True)
    scale = replace(SCALE, traps={**SCALE.traps, "cop_out": 0.1})
    where = {**strong.where, "cop_out": (0, 2)}
    plain = replace(strong, likely={**strong.likely, "cop_out": 0.9}, where=where)
    found = score(plain, (spoiled,), scale, reply=False)
    assert (found.level, found.gate) == (2, ("honest",))
    maybe = replace(plain, likely={**strong.likely, "cop_out": 0.5})
    assert score(maybe, (spoiled,), scale, reply=False).level == 4  # it may have been misheard


def test_what_was_not_heard_never_holds_the_level() -> None:
    """No evidence is no verdict: only a dimension with a level of its own can be what keeps the whole from more."""
    unheard = replace(DECIDES, id="unheard", core=("assumption",), also=(), traps=())
    found = score(weighed(tradeoff=0.9), (unheard, DECIDES), SCALE, reply=False)
    assert [one.level for one in found.dimensions] == [None, 2]
    assert found.level < 4
    assert found.gate == ("decides",)


def test_who_was_not_attacked_cannot_have_defended() -> None:
    defended = weighed(instant_defence=0.9, own_decision=0.9)
    assert score(defended, (), SCALE, reply=False).traps == ()
    assert [one.label for one in score(defended, (), SCALE, reply=True).traps] == ["instant_defence"]
    assert score(defended, (), SCALE, reply=False).value > score(defended, (), SCALE, reply=True).value


def test_talk_about_something_else_is_the_lowest_level() -> None:
    assert score(weighed(about=0.0, own_decision=1.0, number=1.0), (), SCALE, reply=False).level == 1


def test_dimensions_of_replies_wait_for_one() -> None:
    pressed = replace(DECIDES, replies=True)
    assert score(weighed(), (pressed,), SCALE, reply=False).dimensions == ()
    assert len(score(weighed(), (pressed,), SCALE, reply=True).dimensions) == 1


def test_the_place_is_the_sum_of_what_is_likely() -> None:
    assert place_of(weighed(own_decision=0.5, bluff=0.25, unheard_of=1.0), SCALE) == pytest.approx(0.5)
    assert grade(DECIDES, (), ()).level is None


@pytest.mark.parametrize(
    ("named", "about"),
    [
        ([True, False, False, False, True], [True] * 5),
        ([True, False, False, False, False, True], [True, False, False, False, False, True]),
        ([True, False, False], [True, False, False]),
        ([False, False, True], [False, False, True]),
        ([False, True, False, True], [False, True, True, True]),
        ([False, False], [False, False]),
    ],
)
def test_what_stands_beside_the_matter_belongs_to_it(named: list[bool], about: list[bool]) -> None:
    assert beside(named) == about


@given(st.lists(st.booleans(), max_size=12), st.integers(0, 8), st.integers(0, 8))
def test_what_is_put_around_an_answer_changes_nothing_of_it(named: list[bool], before: int, after: int) -> None:
    """Talk about nothing is about nothing, wherever it is put, and the answer's own stretches are what they were."""
    around = beside([*[False] * before, *named, *[False] * after])
    assert around == [*[False] * before, *beside(named), *[False] * after]


@pytest.mark.parametrize(
    ("piece", "mere"),
    [
        ("Trade-offs, metrics, stakeholders, decision owners, validation, options and assumptions.", True),
        ("Scheduling, quotas, preemption, fairness, utilization, all of that is relevant.", True),
        ("取舍、指标、干系人、决策人、验证、选项、假设。", True),
        ("KPIs, OKRs, north star metrics, stakeholder alignment, trade-offs and guardrails at scale.", True),
        ("I cut notebooks, demos, and the nightly jobs, and kept serving.", False),
        ("From seven hours to two, on the median, and from thirty to nine at the tail.", False),
        ("训练组要整机，推理组要余量，平台组要利用率。", False),
        ("No.", False),
    ],
)
def test_a_mere_list_of_words_is_no_answer(piece: str, mere: bool) -> None:
    assert mere_list(piece) is mere


@pytest.mark.parametrize("row", ["1" * 60, "7 abcdefghij " * 40, "3个月" * 60])
def test_a_long_row_of_figures_is_told_from_words_without_trying_all_its_parts(row: str) -> None:
    """Where each part could be parted in two ways, sixty of them took for ever."""
    assert is_figures(row)
    assert not is_figures(f"{row} and so we did it")
