"""Numbers as they are said and written. What they are worth is tested with the ledger; here, that no words can break them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.claims.numerals import MOST, numbers

PIECES = ["hundred", "million", "dozen", "point", "half", "and", "two", "twenty", "1.2.3", "9" * 400, "1,0", "%", "k", "."]
PIECES += ["一", "二零", "亿", "万", "百", "点", "五", "几", "半", "多", "零", "about", "over"]


@given(st.lists(st.sampled_from(PIECES), max_size=60), st.sampled_from(["", " "]))
def test_whatever_a_recogniser_writes_is_read(pieces: list[str], joint: str) -> None:
    for number in numbers(joint.join(pieces)):
        assert math.isfinite(number.low)
        assert number.low <= number.high <= 10 * MOST


@pytest.mark.parametrize("runaway", ["hundred " * 200, "一" + "亿" * 45 + "点五", "9" * 5000, "million " * 400])
def test_a_runaway_is_no_number_beyond_all_measure(runaway: str) -> None:
    assert all(number.high <= MOST for number in numbers(runaway))
