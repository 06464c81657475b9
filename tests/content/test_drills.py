"""The shipped drills, and what is said of a file that is wrong."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.content.conftest import Copy
from voiceprep.config import data_folder
from voiceprep.content import Problem, round_ids
from voiceprep.content.drills import check_drills, demands, drill_ids, drill_map, drills_of, load_drill, load_drills
from voiceprep.core.drills.measures import Length
from voiceprep.core.drills.pack import PROMPT, Drill
from voiceprep.core.pack import Tongue
from voiceprep.errors import BadInputError, UsageError

DRILLS = load_drills()
TONGUES: tuple[Tongue, ...] = ("en", "zh")
UNFINISHED = re.compile(r"\b(?:because|and|or|that|so|to|the)[.:]$|(?:因为|所以|然后|就是)[。：]$")
"""How a sentence ends that wants to be gone on with."""
NINE = (
    "anyscale-cross-functional",
    "anyscale-culture",
    "anyscale-hm",
    "anyscale-system-design",
    "gpu-bar-raiser",
    "gpu-final",
    "gpu-hm-screen",
    "gpu-product-sense",
    "gpu-technical",
)


def test_every_round_has_at_least_four_drills() -> None:
    there = [round_id for drill in DRILLS.values() for round_id in drill.rounds]
    assert set(NINE) <= set(round_ids())
    assert {round_id: there.count(round_id) for round_id in round_ids() if there.count(round_id) < 4} == {}
    assert {drill.id for drill in drills_of("gpu-final")} == {one.id for one in DRILLS.values() if "gpu-final" in one.rounds}


@pytest.mark.parametrize("drill", DRILLS.values(), ids=lambda drill: drill.id)
def test_a_drill_is_whole_in_both_languages(drill: Drill) -> None:
    for tongue in TONGUES:
        lines = [prompt.line.phrasings[tongue][0] for prompt in drill.prompts]
        assert len(set(lines)) == len(lines) >= 3
        advice = [line[tongue] for criterion in drill.criteria for line in (criterion.passed, criterion.failed)]
        assert all(advice)
        assert not [line for line in advice if UNFINISHED.search(line)]
        assert len(set(advice)) == len(advice)
        assert all(mark.text[tongue] for mark in drill.marks)
        assert drill.title[tongue]
        assert drill.goal[tongue]
    assert any(criterion.required for criterion in drill.criteria)
    assert 0 < drill.budget <= drill.limit


@pytest.mark.parametrize("drill", DRILLS.values(), ids=lambda drill: drill.id)
def test_what_a_drill_names_is_there(drill: Drill) -> None:
    """Checked on the values that are in force, so that a hole in the checks of the files would show."""
    heard = {detector.id for detector in drill.detectors}
    for criterion in drill.criteria:
        measure = criterion.measure
        ids = {one for name in ("ids", "but", "unless", "on_track", "off_track") for one in getattr(measure, name, ())}
        ids |= {one for group in getattr(measure, "groups", ()) for one in group}
        assert ids <= heard
        for prompt in drill.prompts:
            assert set(getattr(measure, "of", ())) <= {PROMPT, *(step.id for step in prompt.steps)}
    assert set(drill.requirements) <= set(demands())
    assert set(drill.rounds) <= set(round_ids())


def test_an_unknown_drill_names_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="no drill 'nope'") as error:
        load_drill("nope")
    assert error.value.code == "unknown-drill"
    assert "corner" in error.value.hint


def test_one_drill_is_read_without_the_others(drill_files: Copy) -> None:
    broken(drill_files, "headline-30", "at_seconds = 20", "at_seconds = 19")
    (drill_files.prompts / "drills" / "corner.toml").write_text("title = 1\n", encoding="utf-8")
    assert load_drill("headline-30", drill_files.prompts).marks[0].at == 19
    with pytest.raises(BadInputError) as error:
        load_drill("corner", drill_files.prompts)
    assert error.value.code == "bad-pack"


def test_a_prompt_s_own_steps_take_the_place_of_the_drill_s() -> None:
    lines = {prompt.steps[0].line.phrasings["en"] for prompt in DRILLS["pushback-reply"].prompts}
    assert len(lines) == len(DRILLS["pushback-reply"].prompts)
    assert len({tuple(step.id for step in prompt.steps) for prompt in DRILLS["pace-ladder"].prompts}) == 1


def test_a_measure_is_read_as_it_is_written() -> None:
    yields = next(one for one in DRILLS["headline-30"].criteria if one.id == "yield")
    assert yields.measure == Length(of=("prompt",), high=45)


def test_a_drill_as_a_document() -> None:
    shown = drill_map(DRILLS["corner"])
    assert shown["id"] == "corner"
    assert set(shown["title"]) == {"en", "zh"}
    assert {"gpu-technical"} <= set(shown["rounds"])
    assert shown["criteria"][0]["id"] == "survived"


# --- files that are wrong -----------------------------------------------------------------------------------------------

HEADLINE = "prompts/drills/headline-30.toml"
YIELDED = 'kind = "yielded", of = ["prompt"]'
MEASURE = "criteria[2].measure"
WRONG = {
    "unknown key": ("budget_seconds = 30", "budget_seconds = 30\nbudget = 30", "budget", "is not a known key"),
    "late mark": ("at_seconds = 20", "at_seconds = 40", "marks[0].at_seconds", "40 s is beyond its budget, 30 s"),
    "missing language": ('zh = "第一点再往下讲一层。"\n', "", "steps[0].zh", "is missing"),
    "budget past limit": ("limit_seconds = 120", "limit_seconds = 20", "limit_seconds", "less than the budget"),
    "unknown round": ('"gpu-technical"', '"gpu-nowhere"', "rounds[2]", "'gpu-nowhere' is not one of"),
    "unknown demand": ('"A-F5"', '"A-F55"', "requirements[2]", "'A-F55' is not one of"),
    "no demand": ('"A-F5"', '"headline"', "requirements[2]", "is not an id"),
    "unknown persona": ('"staff-engineer"', '"nobody"', "persona", "'nobody' is not one of"),
    "unknown signal": ('"structure_headline"', '"structure"', "criteria[0].measure.groups", "neither a signal nor a trap"),
    "unknown step": (YIELDED, 'kind = "yielded", of = ["later"]', f"{MEASURE}.of[0]", "'later' is not one of"),
    "unknown measure": ('kind = "yielded"', 'kind = "brilliance"', f"{MEASURE}.kind", "'brilliance' is not one of"),
    "unknown field": (YIELDED, f"{YIELDED}, soon = true", f"{MEASURE}.soon", "is not a known key"),
    "text for a number": ("high = 45", 'high = "45"', "criteria[1].measure.high", "valid number"),
    "past the end": ("by = 30", "by = 300", "criteria[0].measure.by", "beyond the drill's limit"),
    "no bound": (", high = 45", "", "criteria[1].measure.high", "every take meets it"),
    "bounds crossed": ("high = 45", "high = 45, low = 50", "criteria[1].measure.low", "no take can meet it"),
    "more than there are": ("by = 30", "by = 30, least = 3", "criteria[0].measure.least", "no take can meet it"),
    "no parts": (YIELDED, 'kind = "parts"', f"{MEASURE}.kind", "has no parts"),
    "no meaning": (YIELDED, 'kind = "reading", on_track = ["headline"], off_track = ["question"]', f"{MEASURE}.kind", "meant"),
    "one compared": (YIELDED, 'kind = "steady", most = 0.1, of = ["prompt"]', f"{MEASURE}.of", "nothing to compare"),
    "half a rate": (YIELDED, 'kind = "rate", between = { en = [100, 160] }', f"{MEASURE}.between", "both languages"),
    "unknown rule": (YIELDED, 'kind = "unflagged", rules = ["shouting"]', f"{MEASURE}.rules", "'shouting' is not one of"),
    "id twice": ('id = "recovery"', 'id = "autoscaling"', "prompts[1].id", "is there already"),
    "prompt's name": ('id = "deeper"', 'id = "prompt"', "steps[0].id", "the prompt's own floor"),
    "two questions": ("Go one level down on the first of those.", "Why? And how?", "steps[0].en", "more than one question"),
    "no facts": ("limit_seconds = 120", 'limit_seconds = 120\ndialogue = "facts"', "dialogue", "needs an assume"),
    "mark on no step": ("at_seconds = 20", 'at_seconds = 20\nstep = "later"', "marks[0].step", "no step of every prompt"),
    "late step": ("budget_seconds = 60", "budget_seconds = 600", "steps[0].budget_seconds", "beyond the drill's limit"),
}


@pytest.fixture
def drill_files(tmp_path: Path) -> Copy:
    """A folder with what one drill needs. The rubrics are the shipped ones: to build their patterns anew takes seconds."""
    (tmp_path / "prompts" / "drills").mkdir(parents=True)
    for name in ("rounds", "personas"):
        shutil.copytree(data_folder("prompts") / name, tmp_path / "prompts" / name)
    return Copy(tmp_path)


def broken(files: Copy, drill_id: str, old: str, new: str) -> list[Problem]:
    shutil.copy(data_folder("prompts") / "drills" / f"{drill_id}.toml", files.prompts / "drills")
    files.change(f"prompts/drills/{drill_id}.toml", old, new)
    return check_drills(files.prompts)


@pytest.mark.parametrize(("old", "new", "key", "reason"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_place(drill_files: Copy, old: str, new: str, key: str, reason: str) -> None:
    problems = broken(drill_files, "headline-30", old, new)
    assert {problem.file for problem in problems} == {HEADLINE}
    mine = [problem for problem in problems if problem.key == key]
    assert mine, [str(problem) for problem in problems]
    assert reason in mine[0].reason
    assert mine[0].line is not None
    assert 1 <= mine[0].line <= len((drill_files.root / HEADLINE).read_text("utf-8").splitlines())


def test_fewer_than_three_prompts_are_answered_by_heart(drill_files: Copy) -> None:
    text = (data_folder("prompts") / "drills" / "first-90-days.toml").read_text("utf-8")
    last = text[text.index('[[prompts]]\nid = "proof"') : text.index("[[marks]]")]
    problems = broken(drill_files, "first-90-days", last, "")
    assert [problem.key for problem in problems] == ["prompts"]


def test_a_part_must_be_opened_by_something(drill_files: Copy) -> None:
    problems = broken(drill_files, "project-walk", 'opens = ["into_work"]\n', "")
    assert [problem.key for problem in problems] == ["parts[2]"]


def test_parts_fit_into_the_drill(drill_files: Copy) -> None:
    problems = broken(drill_files, "project-walk", "budget_seconds = 180", "budget_seconds = 1800")
    assert any("budgets add up" in problem.reason for problem in problems)


def test_cues_that_are_no_patterns_are_told(files: Copy) -> None:
    files.change("rubrics/drills.toml", "[cues.question]\nen = [", "[cues.question]\nen = [\n  '(',")
    problems = check_drills(files.prompts, files.rubrics)
    assert problems[0].file == "rubrics/drills.toml"
    assert "regular expression" in problems[0].reason


def test_a_list_of_demands_that_is_not_there_is_told(files: Copy) -> None:
    (files.rubrics / "demands.tsv").unlink()
    with pytest.raises(BadInputError, match=r"demands\.tsv"):
        check_drills(files.prompts, files.rubrics)


def test_a_folder_without_drills_has_none(drill_files: Copy) -> None:
    assert drill_ids(drill_files.prompts) == []
    assert load_drills(drill_files.prompts) == {}
