"""Loops, lenses and what the committee says: the shipped files are in order, and a spoiled one is refused with its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.content.conftest import Copy
from voiceprep.content import load_content, load_rounds
from voiceprep.content.committee import load_committee
from voiceprep.content.lenses import check_lenses, held_as, lens_ids, load_lens
from voiceprep.content.loops import check_loops, load_loop, loop_ids
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.interviewer.lens import through
from voiceprep.core.pack import Line, Point, Tongue
from voiceprep.errors import BadInputError, UsageError

LOOP, LENS, COMMITTEE = "prompts/loops/gpu.toml", "prompts/lenses/databricks.toml", "prompts/committee.toml"

BROKEN = {
    "unknown round": (LOOP, '"gpu-final"]', '"gpu-finale"]', "rounds[4]", "'gpu-finale' is not one of"),
    "unknown key": (LOOP, 'title = { en = "PM', 'colour = "red"\ntitle = { en = "PM', "colour", "is not a known key"),
    "unknown trap": (LOOP, 'traps = ["bluff"]', 'traps = ["bluf"]', "labels[2].traps[0]", "'bluf' is not one of"),
    "unknown flag": (LOOP, 'flags = ["monologue"]', 'flags = ["monolog"]', "labels[1].flags[0]", "is not one of"),
    "a label for nothing": (LOOP, 'traps = ["bluff"]\n', "", "labels[2]", "names nothing that could earn it"),
    "a label twice": (LOOP, 'id = "bluffs"', 'id = "any-job-will-do"', "labels[4].id", "is there already"),
    "a label of another loop's round": (
        LOOP,
        'rounds = ["gpu-final"]',
        'rounds = ["anyscale-hm"]',
        "labels[4].rounds",
        "is no round of this loop",
    ),
    "one language": (LOOP, 'name = { en = "passenger, not driver", zh = ', "name = { fr = ", "labels[0].name.en", "is missing"),
    "unknown target": (LENS, 'target = "assumption"', 'target = "asumption"', "points[0].target", "is not one of"),
    "nothing weighed": (
        LENS,
        'weigh = ["stakeholders", "assumption", "validation", "decision_owner"]',
        "weigh = []",
        "weigh",
        "1",
    ),
    "two phrasings": (LENS, '  "Which of them owns the definition?",\n', "", "points[1].chain[0].en", "has 2 phrasings"),
    "long phrasing": (
        LENS,
        "Which of them owns the definition?",
        f"{'and so on ' * 12}?",
        "points[1].chain[0].en[1]",
        "37 words",
    ),
    "a rung twice": (LENS, 'id = "one-copy"', 'id = "upstream"', "points", "'upstream' is there already"),
    "a note without its slot": (
        COMMITTEE,
        "What stays with me is {worst}.",
        "What stays with me.",
        "voices.anyone.weak.en[0]",
        "needs {worst}",
    ),
    "a signal without a name": (COMMITTEE, "[signals.metric]", "[signals.metrik]", "signals.metrik", "is not one of"),
    "a name that quotes": (
        COMMITTEE,
        "an adverb of size where a figure was due",
        "“significantly” where a figure was due",
        "traps.vague_magnitude.name",
        "has quotation marks",
    ),
    "a decision without words": (COMMITTEE, "no_hire = {", "no-hire = {", "decisions.no_hire", "is missing"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_a_spoiled_file_is_refused_with_its_place(files: Copy, broken: tuple[str, str, str, str, str]) -> None:
    name, old, new, key, reason = broken
    files.change(name, old, new)
    problems = [*check_loops(files.prompts, files.rubrics), *check_lenses(files.prompts, files.rubrics)]
    assert any(one.file == name and one.key == key and reason in one.reason for one in problems), [str(p) for p in problems]


def test_a_spoiled_loop_does_not_load(files: Copy) -> None:
    files.change(LOOP, 'traps = ["bluff"]', 'traps = ["bluf"]')
    with pytest.raises(BadInputError, match=r"prompts/loops/gpu\.toml:\d+: labels\[2\]\.traps\[0\]") as bad:
        load_loop("gpu", files.prompts, files.rubrics)
    assert bad.value.code == "bad-pack"


def test_what_is_not_there() -> None:
    with pytest.raises(UsageError, match="there is no loop 'x'"):
        load_loop("x")
    with pytest.raises(UsageError, match="there is no lens 'x'"):
        load_lens("x")


def test_the_shipped_files_are_in_order() -> None:
    assert [str(problem) for problem in (*check_loops(), *check_lenses())] == []
    assert loop_ids() == ["anyscale", "gpu"]
    assert lens_ids() == ["anyscale", "databricks", "snowflake"]


def test_every_interviewer_of_a_loop_has_a_voice_in_the_committee() -> None:
    voices, rounds = load_committee().notes, load_rounds()
    personas = {rounds[name].persona.id for loop in loop_ids() for name in load_loop(loop).rounds}
    assert personas <= set(voices)


def test_the_labels_of_the_articles_are_there() -> None:
    named = {label.name["en"] for loop in loop_ids() for label in load_loop(loop).labels}
    assert any("product judgement missing" in name for name in named)
    assert "discomfort with ambiguity" in named
    assert "over-clarifying" in named


def _lines(points: tuple[Point, ...]) -> Iterator[Line]:
    for point in points:
        yield point.line
        yield from _lines(point.chain)


@pytest.mark.parametrize("lens", ["anyscale", "databricks", "snowflake"])
@pytest.mark.parametrize("round_id", ["gpu-technical", "gpu-product-sense", "anyscale-system-design"])
@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_the_same_question_through_each_company(round_id: str, lens: str, tongue: Tongue) -> None:
    """Within two questions the interviewer has asked something that only this company asks."""
    content = held_as(load_content(round_id), lens=lens)
    own = {line.id for one in load_lens(lens).points for line in _lines((one.point,))}
    director = Director(content.round, content.endings, tongue, 1)
    opened = director.open()
    assert any(remark in opened.text for remark in load_lens(lens).remark.phrasings[tongue])
    said = [director.reply(Heard("well, " * 20, frozenset()), 40.0 * n) for n in range(1, 9)]
    assert own & {choice.phrase for choice in said}
    plain = through(load_content(round_id).round, load_lens(lens))
    assert "A-F9" in plain.requirements
