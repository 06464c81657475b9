"""docs/cases.md names every case once, and only tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
TABLE = (REPO / "docs/cases.md").read_text(encoding="utf-8")
CASES = REPO / "../shared/cases/cases.md"
ROWS = dict(re.findall(r"^\| (\d{3}) \|(.*)$", TABLE, re.MULTILINE))


@pytest.mark.parametrize("case", ROWS)
def test_what_a_row_names_is_there(case: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", ROWS[case])
    assert named or re.search(r"later: |does not apply, because|as \d{3}", ROWS[case])
    for file, test in named:
        assert re.search(rf"def {test}\(", (REPO / file).read_text(encoding="utf-8")), (file, test)


def test_a_test_with_a_number_stands_in_the_row_of_its_case() -> None:
    for file in (REPO / "tests/cases").glob("test_*.py"):
        for test in re.findall(r"def (test_case_\w+)\(", file.read_text(encoding="utf-8")):
            numbers = re.findall(r"\d{3}", test.removeprefix("test_case_"))
            assert any(test in ROWS[number] for number in numbers), test


def test_every_case_has_one_row() -> None:
    if not CASES.is_file():
        pytest.skip("the list of cases, ../shared/cases/cases.md, is not here")
    listed = re.findall(r"^## (\d{3}) ", CASES.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"^\| (\d{3}) \|", TABLE, re.MULTILINE)) == sorted(listed)
