"""docs/cases.md names every case once, and each case has a test with its number or a reason why it does not apply."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
TABLE = (REPO / "docs/cases.md").read_text(encoding="utf-8")
CASES = REPO / "../shared/cases/cases.md"
ROWS = dict(re.findall(r"^\| (\d{3}) \|(.*)$", TABLE, re.MULTILINE))
NAMED = re.compile(r"def (test_cases?_((?:\d{3}_(?:and_)?)+)\w*)\(")


def _tests() -> dict[str, set[str]]:
    """The tests that bear a case's number, as the table names them."""
    found: dict[str, set[str]] = {}
    for file in sorted((REPO / "tests").rglob("test_*.py")):
        for name, numbers in NAMED.findall(file.read_text(encoding="utf-8")):
            for number in re.findall(r"\d{3}", numbers):
                found.setdefault(number, set()).add(f"{file.relative_to(REPO).as_posix()}::{name}")
    return found


TESTS = _tests()


@pytest.mark.parametrize("case", ROWS)
def test_a_row_names_a_test_of_its_number_or_a_reason(case: str) -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py::test_\w+)`", ROWS[case]))
    assert named & TESTS.get(case, set()) or "does not apply, because" in ROWS[case]
    assert named >= {one for one in TESTS.get(case, set()) if one.startswith("tests/cases/")}
    for each in named:
        file, _, test = each.partition("::")
        assert re.search(rf"def {test}\(", (REPO / file).read_text(encoding="utf-8")), each


def test_no_test_has_the_number_of_no_case() -> None:
    assert set(TESTS) <= set(ROWS)


def test_every_case_has_one_row() -> None:
    if not CASES.is_file():
        pytest.skip("the list of cases, ../shared/cases/cases.md, is not here")
    listed = re.findall(r"^## (\d{3}) ", CASES.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"^\| (\d{3}) \|", TABLE, re.MULTILINE)) == sorted(listed)
