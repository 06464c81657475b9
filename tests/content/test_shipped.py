"""The rounds that are shipped: in order, spoken, without praise, and what they claim to be."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from voiceprep.content import check_all, load_content, load_rounds
from voiceprep.core.pack import Line, Point, RoundPack, Tongue

ROUNDS = load_rounds()
TONGUES: tuple[Tongue, ...] = ("en", "zh")
STEADY = frozenset({"gpu-hm-screen", "gpu-bar-raiser"})
"""Whose interviewers change no fact: one lets everybody talk, the other asks for what happened."""
SPEC = Path(__file__).parents[2] / "../shared/spec/requirements.tsv"
PRAISE = re.compile(
    r"\b(?:great|excellent|perfect|awesome|amazing|wonderful|impressive|well done|good (?:job|point|answer|question)|nice"
    r"|love (?:it|that)|fantastic|brilliant|interesting)\b"
    r"|(?:很好|太好了|非常好|不错|真棒|厉害|优秀|完美|精彩|有意思|说得好|好问题)",
    re.IGNORECASE,
)


def rungs(points: tuple[Point, ...]) -> Iterator[Point]:
    for point in points:
        yield point
        yield from rungs(point.chain)


def spoken(pack: RoundPack) -> Iterator[Line]:
    yield from (pack.opening, pack.invite, pack.unknown_answer, pack.more, pack.closing)
    if pack.persona.prompt is not None:
        yield pack.persona.prompt
    for question in pack.questions:
        yield question.line
        yield from (rung.line for rung in rungs(question.points))
    for pushback in pack.pushbacks:
        yield pushback.line
        yield from (rung.line for rung in rungs(pushback.points))
    yield from (rung.line for rung in rungs(pack.deeper))
    yield from (answer.line for answer in pack.answers)
    for question in pack.questions:
        yield from (fact.line for fact in question.facts)
    yield from (one.line for one in pack.interjections)
    yield from (rung.line for rung in pack.challenges)


LINES = [(pack.id, line) for pack in ROUNDS.values() for line in spoken(pack)]


def test_all_is_in_order() -> None:
    assert [str(problem) for problem in check_all()] == []


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_a_round_has_what_an_interview_needs(pack: RoundPack) -> None:
    assert len(pack.questions) >= 10
    assert all(len(question.points) >= 4 for question in pack.questions)
    assert all(max(len(point.chain) for point in question.points) >= 2 for question in pack.questions)
    assert all(len(question.topics[tongue]) >= 3 for question in pack.questions for tongue in TONGUES)
    assert len(pack.pushbacks) >= 3
    assert len(pack.answers) >= 5
    assert sum(section.budget for section in pack.sections) <= pack.minutes[1] * 60
    assert pack.sections[-1].kind == "reverse"


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_every_section_of_questions_has_at_least_two(pack: RoundPack) -> None:
    asked = [question.section for question in pack.questions]
    assert all(asked.count(section.id) >= 2 for section in pack.sections if section.kind == "questions")


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_whatever_is_spoken_has_three_phrasings_in_each_language(pack: RoundPack) -> None:
    short = {(line.id, tongue) for line in spoken(pack) for tongue in TONGUES if len(line.phrasings[tongue]) < 3}
    assert short == set()


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_a_fact_changes_in_mid_answer_where_the_interviewer_is_one_who_does_that(pack: RoundPack) -> None:
    curveballs = [one for one in pack.interjections if one.move == "curveball"]
    if pack.id in STEADY:
        assert curveballs == []
        assert any(pushback.when for pushback in pack.pushbacks)
    else:
        assert curveballs
        assert all(one.after > 0 for one in curveballs)


def test_the_staff_engineer_objects_to_cost_premise_option_and_date() -> None:
    kinds = [pushback.kind for pushback in ROUNDS["anyscale-system-design"].pushbacks]
    assert set(kinds) == {"cost", "premise", "option", "date"}
    assert len(kinds) >= 6


def test_the_canonical_chain_is_four_deep() -> None:
    policy = next(question for question in ROUNDS["gpu-hm-screen"].questions if question.id == "cv-policy")
    first = policy.points[0]
    assert [first.target, *(rung.target for rung in first.chain)] == [
        "own_decision",
        "decision_owner",
        "conflict_process",
        "abuse_guard",
    ]


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_a_signal_is_asked_for_and_a_trap_is_challenged(pack: RoundPack) -> None:
    kinds = {detector.id: detector.kind for detector in load_content(pack.id).detectors}
    wanted = {"signal": "missing", "trap": "present"}
    points = [rung for question in pack.questions for rung in rungs(question.points)]
    assert points
    assert all(point.when == wanted[kinds[point.target]] for point in points)


@pytest.mark.parametrize(("round_id", "line"), LINES, ids=[f"{name}:{line.id}" for name, line in LINES])
def test_nobody_is_praised_and_phrasings_really_differ(round_id: str, line: Line) -> None:
    for tongue, phrasings in line.phrasings.items():
        assert not any(PRAISE.search(text) for text in phrasings)
        for one, other in combinations(phrasings, 2):
            assert difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio() < 0.85, (tongue, one, other)


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_no_two_lines_of_a_round_share_a_phrasing(pack: RoundPack, tongue: Tongue) -> None:
    texts = [text for line in spoken(pack) for text in line.phrasings[tongue]]
    assert sorted({text for text in texts if texts.count(text) > 1}) == []


@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_the_ids_of_lines_are_unique(pack: RoundPack) -> None:
    ids = [line.id for line in spoken(pack)]
    assert len(ids) == len(set(ids))


@pytest.mark.skipif(not SPEC.exists(), reason="the list of requirements (../shared/spec/requirements.tsv) is not here")
@pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
def test_the_requirements_exist(pack: RoundPack) -> None:
    with SPEC.open(encoding="utf-8") as file:
        known = {row["id"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert pack.requirements
    assert set(pack.requirements) <= known


def test_every_pacing_rule_has_a_source_and_advice_in_both_languages() -> None:
    pacing = load_content("gpu-hm-screen").pacing
    assert [threshold.value for threshold in pacing["long_pause"].thresholds] == [10, 45, 120]
    assert [threshold.value for threshold in pacing["section_overrun"].thresholds] == [1.0, 1.25, 1.5]
    assert [threshold.value for threshold in pacing["round_overrun"].thresholds] == [-300, 0, 300]
    for rule in pacing.values():
        assert rule.source
        assert all(set(threshold.advice) == {"en", "zh"} for threshold in rule.thresholds)
