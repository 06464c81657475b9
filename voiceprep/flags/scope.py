"""Which answers a word rule looks at, and what they showed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voiceprep.core.events import Evidence
from voiceprep.core.pack import PacingRule, Point
from voiceprep.flags.record import Answer, Record


def bounding(rule: PacingRule, record: Record, answer: Answer) -> bool:
    """Whether it answers a question, itself and no follow-up to it, that wants to be bounded first (`where`)."""
    question = record.question(answer)
    if question is None or not answer.main:
        return False
    by_verb = question.verb is not None and bool(set(question.verb.first).intersection(rule.where))
    return by_verb or any(_goes_after(point, rule.where) for point in question.points)


def _goes_after(point: Point, targets: Sequence[str]) -> bool:
    return point.target in targets or any(_goes_after(below, targets) for below in point.chain)


def seen(record: Record, answer: Answer, signals: Sequence[str]) -> Iterator[Evidence]:
    """What of these signals was heard in all that was said to the question so far."""
    for one in (*answer.earlier, answer):
        yield from (item for item in record.evidence(one) if item.signal in signals)
