"""The weights of the judge of proposals: read as they were written, refused when broken, done without when absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.conftest import Copy
from voiceprep.content import load_content, load_rubrics
from voiceprep.content.proposals import read_judge, written
from voiceprep.core.answers.features import Lexicon
from voiceprep.core.answers.proposing import ProposalJudge

RULE = "solution_jump"
MOST_BYTES = 400_000
NOTHING = Lexicon({}, {}, {})


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format\t1", "format\t0", "format 0, not 1"),
        ("thresholds\t", "threshold\t", "begins with 'threshold'"),
        ("bias\t", "bias\t1\t", "3 values, not 2"),
        ("bias\t", "bias\tx", "is not a line of weights"),
        ("bias\t", f"bias\t{'9' * 400}", "is not a line of weights"),
        ("bias\t", "# bias\t", "lacks bias"),
    ],
)
def test_broken_weights_are_refused(files: Copy, old: str, new: str, reason: str) -> None:
    files.change("rubrics/proposals.tsv", old, new)
    (problem,) = files.problems()
    assert problem.file == "rubrics/proposals.tsv"
    assert reason in problem.reason


def test_without_weights_there_is_no_judge(files: Copy) -> None:
    assert load_rubrics(files.rubrics).pacing[RULE].judge is not None
    (files.rubrics / "proposals.tsv").unlink()
    assert load_rubrics(files.rubrics).pacing[RULE].judge is None


def test_the_weights_are_small(files: Copy) -> None:
    assert (files.rubrics / "proposals.tsv").stat().st_size < MOST_BYTES


def test_a_round_with_thresholds_of_its_own_keeps_the_judge(files: Copy) -> None:
    path = files.prompts / "rounds" / "gpu-technical.toml"
    line = 'level = "notice"\nclauses = 1\nen = "Ask first."\nzh = "先问。"'
    own = f'\n[pacing.{RULE}]\nsource = "ours"\n[[pacing.{RULE}.thresholds]]\n{line}\n'
    path.write_text(path.read_text(encoding="utf-8") + own, encoding="utf-8")
    rule = load_content("gpu-technical", files.prompts, files.rubrics).pacing[RULE]
    assert rule.source == "ours"
    assert rule.judge is not None


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    judge = ProposalJudge(NOTHING, {"^give": (1.5, -0.25), "known": (0.0, 0.0)}, (-0.5, 0.75), (0.4, 0.5))
    path = tmp_path / "weights.tsv"
    path.write_text(written(judge, ["a remark"]), encoding="utf-8")
    read, problems = read_judge(path, NOTHING)
    assert not problems
    assert read is not None
    assert (read.weights, read.bias, read.thresholds) == (judge.weights, judge.bias, judge.thresholds)


def test_each_place_is_weighed_by_itself() -> None:
    judge = ProposalJudge(NOTHING, {"give": (9.0, -9.0), "say": (-9.0, 9.0)}, (0.0, 0.0), (0.5, 0.5))
    assert judge.proposes("give it")
    assert not judge.bounds("give it")
    assert judge.bounds("say it")
    assert not judge.proposes("say it")
