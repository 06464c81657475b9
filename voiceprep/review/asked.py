"""What a recording answers: the question that the user says was asked, since no interviewer of ours put it."""

from __future__ import annotations

from collections.abc import Sequence

from voiceprep.core.events import Event, MoveChosen, QuestionAsked, SessionStarted, TurnStarted
from voiceprep.core.pack import Question, Tongue
from voiceprep.core.units import At
from voiceprep.review.exchange import Line

REASON = "the user said what was asked"


class KnownQuestion:
    """Tells the rules that look at what was asked.

    A recording of one person answers the question from its beginning. Where there is an interviewer in it, the first line is
    the question, and each later one follows up on it.
    """

    def __init__(self, question: Question, tongue: Tongue, lines: Sequence[Line] = ()) -> None:
        self._question = question
        self._text = question.line.phrasings[tongue][0]
        self._alone = not lines
        self._asked = False

    @property
    def deadline(self) -> At | None:
        return None

    def wake(self, at: At) -> list[Event]:
        raise AssertionError(f"woken at {at} without having asked for it")

    def handle(self, event: Event) -> list[Event]:
        match event:
            case SessionStarted() if self._alone:
                return self._put(event.at)
            case TurnStarted(speaker="interviewer") if not self._asked:
                return self._put(event.at)
            case TurnStarted(speaker="interviewer"):
                return [MoveChosen(at=event.at, move="followup", target="", phrase="", reason=REASON)]
            case _:
                return []

    def _put(self, at: At) -> list[Event]:
        self._asked = True
        return [
            MoveChosen(at=at, move="question", target="", phrase="", reason=REASON),
            QuestionAsked(at=at, question=self._question.id, text=self._text, of=""),
        ]
