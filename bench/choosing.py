"""Which answer the candidate gives to what was asked."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from bench.truth import Take
from voiceprep.core.events import MoveKind

ASKS = "your-questions"
"""What an answer is for that is a question of the candidate's own."""


class Chooser:
    """Finds an answer that fits: to the question, or to what a follow-up goes after; the least used one, in file order."""

    def __init__(self, takes: Mapping[str, Sequence[Take]], questions: Collection[str] = ()) -> None:
        """`takes`: by id of the text, its renderings in the order of their use. `questions`: those of this round."""
        self._takes = takes
        self._round = frozenset(questions)
        self._used: Counter[str] = Counter()

    @property
    def empty(self) -> bool:
        """Nothing is left to say."""
        return False

    def next(self, question: str, move: MoveKind, target: str) -> Take:
        """For what was asked last; `question` is "" where the candidate may ask."""
        wanted = question or ASKS
        tries: list[Callable[[Take], bool]] = [
            lambda made: wanted in made.questions,
            lambda made: bool(self._round.intersection(made.questions)),
            lambda made: ASKS not in made.questions,
        ]
        if question and move not in {"question", "move_on"}:
            tries[:0] = [lambda made: target in made.targets, lambda made: bool(made.targets)]
        return self._take(tries)

    def more(self) -> Take:
        """Something to add, unasked."""
        return self._take([lambda made: not made.questions and not made.targets, lambda made: ASKS not in made.questions])

    def _take(self, tries: Sequence[Callable[[Take], bool]]) -> Take:
        """By the first of `tries` that any answer fits, else any."""
        groups = ([name for name, made in self._takes.items() if fits(made[0])] for fits in tries)
        fitting = next((group for group in groups if group), list(self._takes))
        name = min(fitting, key=lambda each: self._used[each])
        self._used[name] += 1
        return self._takes[name][(self._used[name] - 1) % len(self._takes[name])]


class InOrder(Chooser):
    """Every answer once, whatever is asked; what is said over the interviewer are the same ones, from the last backwards."""

    def __init__(self, takes: Sequence[Take]) -> None:
        super().__init__({})
        self._left = list(takes)
        self._extra = itertools.cycle(list(reversed(takes)))

    @property
    def empty(self) -> bool:
        return not self._left

    def next(self, question: str, move: MoveKind, target: str) -> Take:  # noqa: ARG002 - anyone's files answer no question
        return self._left.pop(0)

    def more(self) -> Take:
        return next(self._extra)
