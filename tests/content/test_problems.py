"""How what is wrong with a file is told: so that it can be read."""

from __future__ import annotations

import pytest

from voiceprep.content.problems import LONGEST, MOST, Problem, refuse
from voiceprep.errors import BadInputError


def test_a_problem_is_its_place_and_its_reason() -> None:
    assert str(Problem("x.toml", "questions[0]", 3, "is empty")) == "x.toml:3: questions[0]: is empty"
    assert str(Problem("x.toml", "", None, "cannot be read")) == "x.toml: cannot be read"


def test_what_is_endless_in_a_file_is_quoted_by_its_ends() -> None:
    told = str(Problem("x.toml", "9" * 5_000, 1, f"begins with {'{' * 9_000}, not a label"))
    assert len(told) < 3 * LONGEST
    assert told.startswith("x.toml:1: 999")
    assert told.endswith("not a label")


def test_of_a_thousand_problems_the_first_are_told_and_how_many_there_are() -> None:
    refuse([])
    with pytest.raises(BadInputError) as error:
        refuse([Problem("x.toml", "", line, "is wrong") for line in range(1, 1_001)])
    lines = error.value.message.splitlines()
    assert lines[0] == "x.toml:1: is wrong"
    assert lines[-1] == f"and {1_000 - MOST} more"
    assert len(lines) == MOST + 1
