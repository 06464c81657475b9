"""When a drill, or a question of a round, is worth practising again: the FSRS model of memory over what was practised.

Nothing is decided by luck or by today's date: the same reviews give the same dates. What was never practised has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from fsrs import Card, Rating, Scheduler, State

Grade = Literal["again", "hard", "good", "easy"]
"""How well it went, in the words of spaced repetition."""
GRADES: tuple[Grade, ...] = get_args(Grade)
RATINGS: Mapping[Grade, Rating] = {
    "again": Rating.Again,
    "hard": Rating.Hard,
    "good": Rating.Good,
    "easy": Rating.Easy,
}
LONGEST_DAYS = 60
"""People prepare for weeks: whatever went well is looked at once in that time."""


@dataclass(frozen=True, slots=True)
class Review:
    """Something was practised once.

    `item` is `drill:ID` or `question:ROUND/ID`; `at` a moment in UTC, ISO-8601; `session` where it happened.
    """

    item: str
    at: str
    grade: Grade
    session: str


@dataclass(frozen=True, slots=True)
class Due:
    """When an item is to be practised again, and how it stands.

    `stability` is the number of days after which nine in ten would still get it right; `reviews` how often it was practised.
    """

    item: str
    due: str
    last: str
    grade: Grade
    reviews: int
    stability: float

    def is_due(self, now: datetime) -> bool:
        return datetime.fromisoformat(self.due) <= now

    def overdue(self, now: datetime) -> float:
        """Days since it became due; below 0 while it is not."""
        return (now - datetime.fromisoformat(self.due)).total_seconds() / 86_400


def dues(reviews: Iterable[Review]) -> dict[str, Due]:
    """Every item that was practised, by its name. Two reviews of one moment keep the order in which they are given."""
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_DAYS, enable_fuzzing=False)
    cards: dict[str, Card] = {}
    found: dict[str, Due] = {}
    for review in sorted(reviews, key=lambda one: datetime.fromisoformat(one.at)):
        at = datetime.fromisoformat(review.at)
        card = cards.get(review.item) or Card(card_id=1, state=State.Learning, step=0, due=at)
        card, _ = scheduler.review_card(card, RATINGS[review.grade], review_datetime=at)
        cards[review.item] = card
        count = found[review.item].reviews + 1 if review.item in found else 1
        found[review.item] = Due(
            item=review.item,
            due=card.due.isoformat(timespec="seconds"),
            last=review.at,
            grade=review.grade,
            reviews=count,
            stability=round(card.stability or 0.0, 3),
        )
    return found


def drill_item(drill: str) -> str:
    return f"drill:{drill}"


def question_item(round_id: str, question: str) -> str:
    return f"question:{round_id}/{question}"
