"""The files of the trained part: read as they were written, refused when they are broken, and good for what they promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.coverage import DATA, is_unseen, run
from tests.content.conftest import Copy
from voiceprep.content import load_rubrics
from voiceprep.content.trained import Weights, read_weights, written
from voiceprep.core.answers.classifier import AnswerWeights, Asked, Unit, likely_labels, own_view, shared_view

CLAUSES = DATA.parent / "clauses.jsonl"
MOST_BYTES = 2_000_000


def test_all_detectors_share_one_trained_part() -> None:
    detectors = load_rubrics().detectors
    (trained,) = {detector.trained for detector in detectors}
    assert trained is not None
    assert set(trained.labels) == {detector.id for detector in detectors}
    assert len(trained.questions) > 5
    assert len(trained.replies) > 3


def test_the_weights_are_small(files: Copy) -> None:
    assert (files.rubrics / "coverage.tsv").stat().st_size < MOST_BYTES


def test_without_weights_the_cues_decide_alone(files: Copy) -> None:
    (files.rubrics / "coverage.tsv").unlink()
    assert all(detector.trained is None for detector in load_rubrics(files.rubrics).detectors)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format\t2", "format\t1", "format 1, not 2"),
        ("labels\town_decision", "labels\tno_such_label", "no_such_label"),
        ("answer\tmetric\t", "answer\tmetric\t1\t", "weights for metric"),
        ("answer\tmetric\t", "question\tmetric\t", "begins with 'question'"),
        ("bias\t", "bias\t1\t", "lacks weights"),
        ("bias\t", "bias\tx\t", "is not a line of weights"),
    ],
)
def test_broken_weights_are_refused_with_their_line(files: Copy, old: str, new: str, reason: str) -> None:
    files.change("rubrics/coverage.tsv", old, new)
    (problem,) = files.problems()
    assert problem.file == "rubrics/coverage.tsv"
    assert reason in problem.reason


def test_an_unknown_key_in_the_lexicon_is_refused(files: Copy) -> None:
    files.change("rubrics/lexicon.toml", "[plain]", "[plain]\nnumbers_fr = []")
    assert any(problem.key == "plain.numbers_fr" for problem in files.problems())


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    from voiceprep.content.trained import LexiconFile, shared_width

    lexicon = LexiconFile.model_validate(
        {
            "plain": {"fillers_en": [], "fillers_zh": [], "numbers_en": []},
            "asked": {"questions": {"story": "tell me"}, "replies": {}},
            "meanings": {"i": {"en": ["i"], "zh": ["我"]}},
        }
    )
    width = shared_width(lexicon, 2)
    answer = {label: AnswerWeights((0.5, 0.0, -1.25, 0.0, 2.0), (0.25,) * width, -0.75) for label in ("a", "b")}
    clause = {"^i": ((0, 1.5), (1, -0.2)), "known": ()}
    weights = Weights(("a", "b"), 0.4, (-1.5, 0.25), answer, clause)
    path = tmp_path / "weights.tsv"
    path.write_text(written(weights, ["a remark"]), encoding="utf-8")
    assert read_weights(path, ("a", "b", "c"), lexicon) == (weights, [])


def test_the_file_holds_a_weight_for_each_value_that_an_answer_is_seen_by() -> None:
    trained = load_rubrics().detectors[0].trained
    assert trained is not None
    units = [Unit("I decided to cut it."), Unit("Why do you ask?")]
    likely = likely_labels(trained, units)
    assert {len(weights.own) for weights in trained.answer} == {len(own_view(likely, 0, heard=False))}
    seen = shared_view(trained, units, likely, Asked("What did you do?", "Why?"), "en")
    assert {len(weights.shared) for weights in trained.answer} == {len(seen)}


def test_the_corpus_is_labelled_in_the_vocabulary_and_wide() -> None:
    known = {detector.id for detector in load_rubrics().detectors}
    answers = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    clauses = [json.loads(line) for line in CLAUSES.read_text(encoding="utf-8").splitlines()]
    assert len(answers) >= 150
    assert len(clauses) + sum(len(answer["parts"]) for answer in answers) >= 1500
    assert len({item["id"] for item in [*answers, *clauses]}) == len(answers) + len(clauses)
    for answer in answers:
        assert {*answer["signals"], *answer["traps"]} <= known
        assert all(part["text"] in answer["text"] and set(part["labels"]) <= known for part in answer["parts"])
    shown = {label for clause in clauses if is_unseen(clause["id"]) for label in clause["labels"]}
    assert shown >= known - {"quit_after_admission", "over_clarify", "instant_concession", "cop_out"}


def test_unseen_answers_are_heard_and_better_than_by_cues() -> None:
    trained, cues = run(), run(cues=True)
    assert trained["all"]["f1"] >= 0.78, trained["all"]
    assert min(trained["all"]["precision"], trained["all"]["recall"]) >= 0.75
    assert trained["all"]["f1"] > cues["all"]["f1"] + 0.15
    assert all(figures["f1"] >= 0.75 for figures in trained["languages"].values())
