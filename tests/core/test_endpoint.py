"""When a silence means the end: graded, learned, and never by one threshold."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.turns.endpoint import Endpoint, Place

ROUND, HELD = Place(1.0), Place(0.0)
LEAST, MOST = 0.5, 75.0


def wait(endpoint: Endpoint, odds: float, place: Place = ROUND, reluctance: float = 2.0) -> float:
    return endpoint.wait(math.log(odds), place, reluctance, LEAST, MOST)


places = st.builds(Place, st.floats(0, 1), st.booleans())


@given(st.floats(-12, 8), st.floats(-12, 8), places)
def test_the_likelier_the_end_the_shorter_the_wait(a: float, b: float, place: Place) -> None:
    short = Endpoint().wait(max(a, b), place, 2.0, LEAST, MOST)
    long = Endpoint().wait(min(a, b), place, 2.0, LEAST, MOST)
    assert LEAST <= short <= long + 0.01 <= MOST + 0.01


@given(st.floats(-8, 2), st.floats(0.5, 1.0), st.floats(0.0, 0.5))
def test_the_less_complete_the_clause_the_longer_the_wait(log_odds: float, more: float, less: float) -> None:
    endpoint = Endpoint()
    assert (
        endpoint.wait(log_odds, Place(more), 2.0, LEAST, MOST) <= endpoint.wait(log_odds, Place(less), 2.0, LEAST, MOST) + 0.01
    )


def test_there_is_no_cliff() -> None:
    endpoint = Endpoint()
    waits = [endpoint.wait(n / 20, ROUND, 2.0, LEAST, MOST) for n in range(-160, 60)]
    assert max(a - b for a, b in pairwise(waits)) < 2.0
    assert max(a / b for a, b in pairwise(waits)) < 1.2


def test_a_finished_answer_is_replied_to_at_once_and_one_hardly_begun_is_waited_for() -> None:
    assert wait(Endpoint(), 20.0) == LEAST
    assert wait(Endpoint(), 0.5) < 1.2
    assert wait(Endpoint(), 5e-4) > 46


def test_a_broken_off_clause_is_waited_for_more_than_ten_seconds() -> None:
    assert wait(Endpoint(), 0.05, HELD) > 20
    assert wait(Endpoint(), 0.2, HELD) > 10


def test_who_asks_for_time_to_think_gets_it() -> None:
    assert wait(Endpoint(), 0.1, Place(1.0, thinking=True)) > 20


def test_a_patient_interviewer_waits_longer() -> None:
    assert wait(Endpoint(), 0.3, reluctance=6.0) > 1.2 * wait(Endpoint(), 0.3, reluctance=2.0)


def test_a_slow_speaker_is_waited_for_longer_after_a_few_pauses_and_a_quick_one_less_long() -> None:
    def after(length: float) -> float:
        endpoint = Endpoint()
        for _ in range(8):
            endpoint.resumed(length, ROUND, math.log(0.01))
        return wait(endpoint, 0.3)

    assert after(0.35) < wait(Endpoint(), 0.3) < after(1.5) < after(2.5)
    assert after(2.5) > 2.5


def test_pauses_in_mid_clause_say_little_about_those_between_sentences() -> None:
    endpoint = Endpoint()
    for length in (4.0, 9.0, 6.0, 2.0, 10.0):
        endpoint.resumed(length, HELD, math.log(0.001))
    assert wait(endpoint, 0.5) < 1.3 * wait(Endpoint(), 0.5)


def test_who_goes_on_where_the_end_was_expected_is_expected_to_go_on() -> None:
    """A lecture: complete sentences about the matter, pauses of half a second to three."""
    endpoint, luck = Endpoint(), random.Random(7)
    cuts = 0
    for _ in range(150):
        pause, odds = luck.uniform(0.5, 3.0), luck.uniform(0.03, 0.5)
        cuts += wait(endpoint, odds, reluctance=4.0) < pause
        endpoint.resumed(pause, ROUND, math.log(odds))
    assert cuts <= 3
    assert wait(endpoint, 100.0) < 2.0  # "that's my answer" is answered soon all the same


def test_what_was_learned_between_two_questions_counts_in_the_second() -> None:
    endpoint = Endpoint()
    first = wait(endpoint, 0.5)
    for _ in range(6):
        endpoint.resumed(4.0, ROUND, math.log(0.5))
    later = wait(endpoint, 0.5)
    assert later > first
    endpoint.answered()
    assert wait(endpoint, 0.5) < later


@given(st.lists(st.tuples(st.floats(0.0, 120.0), places, st.floats(-60, 60)), max_size=60), st.floats(-60, 60), places)
def test_whatever_was_learned_the_wait_is_a_wait(
    pauses: list[tuple[float, Place, float]], log_odds: float, place: Place
) -> None:
    endpoint = Endpoint()
    for length, where, odds in pauses:
        endpoint.resumed(length, where, odds)
        endpoint.answered()
    assert LEAST <= endpoint.wait(log_odds, place, 2.0, LEAST, MOST) <= MOST


def test_the_share_of_longer_pauses_falls_from_one_to_nothing() -> None:
    shares = [Endpoint().longer(n / 10, Place(0.5)) for n in range(2000)]
    assert shares[0] == pytest.approx(1.0)
    assert all(a >= b for a, b in pairwise(shares))
    assert shares[-1] < 0.01
