"""Labels that exclude each other."""

from __future__ import annotations

from voiceprep.core.answers.plausible import misheard
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
