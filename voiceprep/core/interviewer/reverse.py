"""What the interviewer tells when it is asked: at the end, and within a case where the candidate bounds the problem."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from voiceprep.core.answers.coverage import says
from voiceprep.core.pack import Answer, Question

ASKS = "clarifying_question"
"""The signal of a question that bounds the problem,"""
CALLS = frozenset({"recommendation", "solution_jump", "over_clarify"})
"""... and what shows that the turn came to a call all the same, or is one question too many: there is no fact to tell then."""
_QUESTION = re.compile(r"[^.?!。？！]*[?？]")


def find_answer(answers: Sequence[Answer], text: str) -> Answer | None:
    """The answer with most of its topic words in the text; None where no answer has any. The first of equals."""
    asked = text.casefold()

    def hits(answer: Answer) -> int:
        return sum(says(asked, word) for words in answer.topics.values() for word in words)

    best = max(answers, key=hits, default=None)
    return best if best is not None and hits(best) else None


def fact_for(question: Question, text: str, heard: Collection[str], told: Collection[str]) -> Answer | None:
    """The fact that the candidate asked for, or None.

    Args:
        question: the one that is being answered.
        text: the candidate's turn. Where it has question marks, only what stands before them asks.
        heard: signals and traps of the turn.
        told: ids of lines; a fact whose line is among them was told already.
    """
    if ASKS not in heard or CALLS.intersection(heard):
        return None
    asked = " ".join(_QUESTION.findall(text)) or text
    return find_answer([fact for fact in question.facts if fact.line.id not in told], asked)
