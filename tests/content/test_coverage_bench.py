"""The figures of bench/coverage.py: right on a case that can be counted by hand, and above the floor on labelled answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.coverage import _miss, is_unseen, run

DEV = Path(__file__).parents[2] / "../shared/answers/dev.jsonl"


def test_the_figures_of_a_case_counted_by_hand(tmp_path: Path) -> None:
    answers = [
        {
            "id": "a",
            "lang": "en",
            "signals": ["decision_owner"],
            "traps": [],
            "text": "Each research lead can raise the limit.",
        },
        {"id": "b", "lang": "en", "signals": ["learning"], "traps": [], "text": "Let users set their own priority."},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    result = run(path, "all")
    assert result["answers"] == 2
    assert result["labels"]["decision_owner"]["f1"] == 1.0
    assert result["labels"]["learning"]["missed"] == 1
    assert result["labels"]["cop_out"]["false"] == 1
    assert (result["all"]["hits"], result["all"]["false"], result["all"]["missed"]) == (1, 1, 1)
    assert result["all"]["f1"] == 0.5
    assert result["labels"]["learning"]["support"] == 1
    assert result["macro_f1"] == 0.5  # decision_owner 1, learning 0; cop_out is in no answer
    assert result["followups"]["answers"] == 0
    assert result["cpu_ms_per_answer"] > 0


def test_a_reply_counts_as_aimed_when_it_goes_after_any_labelled_target(tmp_path: Path) -> None:
    asked: dict[str, Any] = {
        "round": "gpu-final",
        "question": "Why us?",
        "prior": None,
        "lang": "en",
        "signals": [],
        "traps": [],
    }
    rows = [
        {**asked, "id": "right", "text": "It seems nice.", "targets": ["learning", "company_specific", "own_decision"]},
        {**asked, "id": "wrong", "text": "It seems nice.", "targets": ["abuse_guard"]},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    followups = run(path, "all")["followups"]
    assert followups["answers"] == 2
    assert followups["acceptable"] == followups["languages"]["en"] == 0.5
    assert followups["misses"] == {"another gap was due, or a fault": 1}


@pytest.mark.parametrize(
    ("target", "heard", "why"),
    [
        ("metric", frozenset[str](), "asked for what was there"),
        ("bluff", frozenset({"bluff"}), "challenged what was not there"),
        ("lecture", frozenset({"lecture"}), "another fault was due, or a gap"),
        ("learning", frozenset({"lecture"}), "the fault to challenge was not heard"),
        ("learning", frozenset({"cop_out"}), "another gap was due, or a fault"),
    ],
)
def test_a_miss_is_told_by_what_was_misheard_or_by_the_choice(target: str, heard: frozenset[str], why: str) -> None:
    answer = {"signals": ["metric"], "traps": ["cop_out", "lecture"], "targets": ["cop_out"]}
    assert _miss(target, answer, heard) == why


def test_a_third_stays_unseen() -> None:
    share = sum(is_unseen(f"answer-{number}") for number in range(3000)) / 3000
    assert 0.3 < share < 0.37


@pytest.mark.skipif(not DEV.exists(), reason="the labelled answers (../shared/answers/dev.jsonl) are not here")
def test_the_detectors_hear_answers_that_nobody_tuned_to() -> None:
    result = run(DEV, "unseen")
    assert result["all"]["f1"] >= 0.6, result["all"]
    assert result["all"]["precision"] >= 0.6, result["all"]
