"""Whether an answer says an earlier one again, nearly word for word. Pure, and about words alone.

It must be long enough to be no coincidence, and nearly all of its pairs of neighbours must stand in one earlier answer: who
says the same thing in other words, or goes on from it, repeats nothing.
"""

from __future__ import annotations

from itertools import pairwise

from voiceprep.core.listening.echo import tokens

LEAST_WORDS, LEAST_CHARACTERS = 8, 16
"""A shorter answer repeats nothing: "yes, I decided that" may well be true twice."""
SHARE = 0.8
"""Of its pairs of neighbouring words (Chinese: characters); recognisers hear some of them otherwise the second time."""


class Repeats:
    """Remembers the answers of a session."""

    def __init__(self) -> None:
        self._earlier: list[frozenset[tuple[str, str]]] = []

    def keep(self, text: str) -> None:
        """An answer that is over."""
        self._earlier.append(frozenset(pairwise(tokens(text))))

    def has(self, text: str) -> bool:
        """Whether this answer repeats one that was kept."""
        said = tokens(text)
        if sum(1 / (LEAST_WORDS if token.isascii() else LEAST_CHARACTERS) for token in said) < 1:
            return False
        pairs = list(pairwise(said))
        return any(sum(pair in earlier for pair in pairs) >= SHARE * len(pairs) for earlier in self._earlier)
