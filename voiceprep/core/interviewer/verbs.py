"""What a question asks for, told by its verb: it decides what the answer is held against first.

"How would you implement" wants the scope and what bounds it, "what would you prioritise" wants a frame to decide by. The
patterns and the orders come from rubrics/verbs.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voiceprep.core.pack import Point, Verb

BEGUN, FULL = 4, 10
"""Up to so many signals that an answer shows, what the verb wants counts in full, and from so many on not at all."""
WANTED, LESS = 5.0, 0.3
"""What is added to the worth (see core/answers/aim) of what a verb wants first, and how much less for each that comes after."""


def verb_of(text: str, verbs: Sequence[Verb]) -> Verb | None:
    """The verb of a question in either language, or None where it asks for nothing in particular."""
    return next((verb for verb in verbs if any(p.search(text) for patterns in verb.patterns.values() for p in patterns)), None)


def in_order(points: Iterable[Point], verb: Verb | None) -> tuple[Point, ...]:
    """The points with those that this verb wants first in front; all others keep their order."""
    if verb is None:
        return tuple(points)
    rank = {target: place for place, target in enumerate(verb.first)}
    return tuple(sorted(points, key=lambda point: rank.get(point.target, len(rank))))


def worth_by_verb(verb: Verb | None, target: str, said: int = 0) -> float:
    """What is added to the worth of going after this signal, since the question asks for it.

    `said`: how many signals the answer has shown. The less is left to ask for, the less it matters what should have come first.
    """
    if verb is None or target not in verb.first:
        return 0.0
    return (WANTED - LESS * verb.first.index(target)) * min(1.0, max(0.0, (FULL - said) / (FULL - BEGUN)))
