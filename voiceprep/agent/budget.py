"""What a session's language model has used, in tokens and, where the user gave prices, in money."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from voiceprep.core.events import Event, Reworded
from voiceprep.core.text import ONE_HANZI


@dataclass(frozen=True, slots=True)
class Prices:
    """For a million tokens, in the user's currency."""

    sent: float = 0.0
    received: float = 0.0

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.sent + tokens_out * self.received) / 1_000_000


@dataclass(slots=True)
class Budget:
    """Counts, and says when it is spent. 0 is no limit."""

    tokens: int = 0
    money: float = 0.0
    used_tokens: int = 0
    used_money: float = 0.0

    @property
    def spent(self) -> bool:
        return bool(self.tokens and self.used_tokens >= self.tokens) or bool(self.money and self.used_money >= self.money)

    def take(self, tokens: int, cost: float) -> None:
        self.used_tokens += tokens
        self.used_money += cost


@dataclass(frozen=True, slots=True)
class Use:
    """What a session took of its model, by its log."""

    asked: int
    worded: int
    tokens: int
    cost: float

    @property
    def price(self) -> str:
        """What it cost, as the end of a sentence; "" where the user gave no prices."""
        return f", {self.cost:.4f} in your currency" if self.cost else ""


def use_of(events: Iterable[Event]) -> Use | None:
    """The use that the log tells of, or None where no model was asked."""
    answers = [event for event in events if isinstance(event, Reworded)]
    if not answers:
        return None
    return Use(
        asked=len(answers),
        worded=sum(bool(one.text) for one in answers),
        tokens=sum(one.tokens_in + one.tokens_out for one in answers),
        cost=sum(one.cost for one in answers),
    )


def estimate(text: str) -> int:
    """About how many tokens a text is, where the server does not count: a Chinese character each, else four letters."""
    han = len(ONE_HANZI.findall(text))
    return han + (len(text) - han + 3) // 4
