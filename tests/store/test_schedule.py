"""When to come back to what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from voiceprep.store.schedule import GRADES, LONGEST_DAYS, Grade, Review, drill_item, dues, question_item

START = datetime(2026, 12, 1, 10, tzinfo=UTC)


def review(day: float, grade: Grade, item: str = "drill:a") -> Review:
    return Review(item, (START + timedelta(days=day)).isoformat(), grade, f"s{day:g}")


def due_in(*reviews: Review) -> float:
    """Days from the last review to the due date."""
    found = dues(reviews)["drill:a"]
    return (datetime.fromisoformat(found.due) - datetime.fromisoformat(found.last)).total_seconds() / 86_400


def test_nothing_practised_has_no_date() -> None:
    assert dues([]) == {}


def test_the_better_it_went_the_later_it_is_due() -> None:
    days = [due_in(review(0, grade)) for grade in GRADES]
    assert days == sorted(days)
    assert days[0] == 1.0
    assert days[-1] > days[0]


def test_what_goes_well_again_and_again_is_due_ever_later_but_within_two_months() -> None:
    reviews, days = [review(0, "good")], []
    for _ in range(8):
        days.append(due_in(*reviews))
        reviews.append(review((datetime.fromisoformat(reviews[-1].at) - START).days + days[-1], "good"))
    assert days == sorted(days)
    assert days[-1] == LONGEST_DAYS


def test_what_went_badly_comes_back_within_days_however_well_it_went_before() -> None:
    assert due_in(review(0, "again")) == 1.0
    well = [review(0, "good"), review(2, "good")]
    assert due_in(*well) > 7.0
    assert due_in(*well, review(12, "again")) <= 2.0


def test_items_are_apart_and_due_when_their_day_has_come() -> None:
    found = dues([review(0, "good"), review(0, "easy", question_item("gpu-technical", "q1"))])
    assert set(found) == {drill_item("a"), "question:gpu-technical/q1"}
    one = found["drill:a"]
    assert not one.is_due(START + timedelta(days=1))
    assert one.is_due(START + timedelta(days=3))
    assert one.overdue(datetime.fromisoformat(one.due) + timedelta(days=2)) == 2.0
    assert one.reviews == 1


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from(GRADES)), min_size=1, max_size=12))
def test_the_order_in_which_reviews_are_given_does_not_matter(said: list[tuple[int, Grade]]) -> None:
    by_day = {day: review(day, grade) for day, grade in said}  # one a day: two of one moment keep their order
    forward = dues(by_day.values())
    assert forward == dues(reversed(by_day.values()))
    assert all(one.due > one.last for one in forward.values())
