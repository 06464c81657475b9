"""Labels that exclude each other."""

from __future__ import annotations

import pytest

from voiceprep.content import load_content
from voiceprep.core.answers.classifier import Asked, Classifier
from voiceprep.core.answers.coverage import assess_text
from voiceprep.core.answers.plausible import intelligible, misheard
from voiceprep.core.pack import Detector

QUIT = Detector("quit", "trap", {}, never_with=("reasons",))
REASONS = Detector("reasons", "signal", {})
DEFENDS = Detector("defends", "trap", {}, in_reply=True)
DETECTORS = (QUIT, REASONS, DEFENDS)


def test_of_two_that_exclude_each_other_the_likelier_stands() -> None:
    assert misheard({"quit": 0.6, "reasons": 0.7}, DETECTORS, replies=False) == {"quit"}
    assert misheard({"quit": 0.8, "reasons": 0.7}, DETECTORS, replies=False) == {"reasons"}


def test_as_likely_the_fault_falls() -> None:
    assert misheard({"quit": 0.5, "reasons": 0.5}, DETECTORS, replies=False) == {"quit"}


def test_alone_each_stands() -> None:
    assert not misheard({"quit": 0.5}, DETECTORS, replies=False)
    assert not misheard({"reasons": 0.5}, DETECTORS, replies=False)


def test_nobody_defends_a_plan_that_was_not_attacked() -> None:
    assert misheard({"defends": 0.9}, DETECTORS, replies=False) == {"defends"}
    assert not misheard({"defends": 0.9}, DETECTORS, replies=True)


def test_who_is_ruled_out_rules_nobody_out() -> None:
    defends = Detector("defends", "trap", {}, in_reply=True, never_with=("reasons",))
    assert misheard({"defends": 0.9, "reasons": 0.5}, (defends, REASONS), replies=False) == {"defends"}


@pytest.fixture(scope="module")
def trained() -> Classifier:
    return next(one.trained for one in load_content("gpu-technical").detectors if one.trained is not None)


@pytest.mark.parametrize(
    "nonsense",
    [
        "Blorvin takest wembly grondo fessik mal turray.",
        "Zorrel un tivven, halk mostridge perrin dow, umbly skatch norvin",
        "叽里呱啦呜，吧唧呢哒，咕咚啦呀，噜噜咪。",
        "咕哩 vandoo 呜咪呀 parl 嘟噜哇 kestic.",
    ],
)
def test_what_holds_no_word_that_was_learnt_shows_nothing(nonsense: str, trained: Classifier) -> None:
    assert not intelligible(nonsense, nonsense.split("."), trained)
    assert assess_text(nonsense, load_content("gpu-technical").detectors, "mixed", Asked("Why?", "It's too slow.")) == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Okay, you're right, then let's drop it.",
        "Kubernetes, Kueue and Volcano, we ran all three of them.",
        "With Priyanka Raghunathan from Hyderabad and Bartholomew.",
        "行，那就不做了，听你的。",
        "我们用 Kueue 做配额，每个组有保底。",
        "",
        "Bartholomew Featherstonehaugh.",
    ],
)
def test_an_answer_with_strange_names_in_it_is_one(answer: str, trained: Classifier) -> None:
    assert intelligible(answer, (), trained)
