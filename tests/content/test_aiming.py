"""What is gone after first, as it was learnt: weights read as written, refused when broken, done without when absent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.content.conftest import Copy
from voiceprep.content import load_content
from voiceprep.content.aiming import read_aiming, written
from voiceprep.core.answers.aim import FAULTS, Offer
from voiceprep.core.answers.aiming import views
from voiceprep.review.followup import choose, question_like

MOST_BYTES = 100_000
ROUND = "gpu-technical"
ASKED = "How would you stop one tenant from starving the rest?"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format\t1", "format\t0", "not of format 1"),
        ("gap\t", "gap\tx", "is not a line of weights"),
        ("gap\t", f"gap\t{'9' * 400}", "is not a line of weights"),
        ("gap\t-", "gap\t-9999999", "beyond"),
        ("gap\t", "gap ", "is not a line of weights"),
    ],
)
def test_broken_weights_are_refused(files: Copy, old: str, new: str, reason: str) -> None:
    files.change("rubrics/aim.tsv", old, new)
    (problem,) = files.problems()
    assert problem.file == "rubrics/aim.tsv"
    assert reason in problem.reason


def test_without_weights_the_rules_decide(files: Copy) -> None:
    assert load_content(ROUND, files.prompts, files.rubrics).round.aiming is not None
    (files.rubrics / "aim.tsv").unlink()
    assert load_content(ROUND, files.prompts, files.rubrics).round.aiming is None


def test_the_weights_are_small(files: Copy) -> None:
    assert (files.rubrics / "aim.tsv").stat().st_size < MOST_BYTES


def test_weights_come_back_as_they_were_written_but_for_those_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "aim.tsv"
    path.write_text(written({"gap": -1.25, "metric after number": 0.5, "own": 0.001}, ["made here"]), encoding="utf-8")
    aiming, problems = read_aiming(path)
    assert problems == []
    assert aiming is not None
    assert dict(aiming.weights) == {"gap": -1.25, "metric after number": 0.5}


def test_every_weight_is_of_a_view_that_the_core_makes() -> None:
    aiming = load_content(ROUND).round.aiming
    assert aiming is not None
    labels = [detector.id for detector in load_content(ROUND).detectors]
    every = frozenset(labels)
    made: set[str] = set()
    for label in labels:
        for layer in ("own", "general"):
            for kind in ("story", "motive", "case"):
                for heard in (frozenset[str](), every, *(frozenset({one}) for one in FAULTS)):
                    for replies in (True, False):
                        for place in range(6):
                            offer = Offer(label, label in FAULTS, layer, place)
                            made.update(name for name, _ in views(offer, kind, heard, replies=replies))
    made |= {f"{what} beside {count}" for what in ("gap", "fault") for count in range(4)}
    assert set(aiming.weights) <= made


def test_doubt_lowers_a_chance_and_what_was_likely_said_is_not_asked_for() -> None:
    aiming = load_content(ROUND).round.aiming
    assert aiming is not None
    gap, fault = Offer("metric", present=False, layer="own"), Offer("bluff", present=True, layer="general")
    for offer, doubted in ((gap, {"metric": 0.9}), (fault, {"bluff": 0.4})):
        sure = aiming.chance(offer, "case", {"bluff"}, replies=False)
        assert 0 < aiming.chance(offer, "case", {"bluff"}, replies=False, likely=doubted) < sure < 1


def test_two_faults_are_met_by_what_they_lack_in_common_or_by_the_graver() -> None:
    """Two hands of three, and the author, would not challenge the defence but what is behind it."""
    content = load_content(ROUND)
    question = question_like(content, ASKED)
    heard = frozenset({"bluff", "instant_defence"})
    learnt = choose(content, question, "Are you sure?", "en", "Yes, all of it.", heard).target
    ruled = choose(
        replace(content, round=replace(content.round, aiming=None)), question, "Are you sure?", "en", "Yes.", heard
    ).target
    assert ruled == "instant_defence"
    assert learnt in {"bluff", "boundary_admission"}
