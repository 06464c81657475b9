"""What a turn of the candidate answers: a fold over the log, and the one place that says so. Pure.

Whoever asks about an answer (the ledger, the verdict, what backs up a claim) asks here, live and long afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from voiceprep.core.events import (
    NO_TURN,
    AskedAgain,
    Event,
    MoveChosen,
    MoveKind,
    MoveWithdrawn,
    QuestionAsked,
    SpeakingFinished,
    TurnStarted,
    WordsCommitted,
)

ENDS_TOPIC: frozenset[MoveKind] = frozenset({"question", "move_on", "close"})
"""Nothing that was asked before one of these is answered after it."""
ASKED = 0.8
"""Share of a follow-up's letters that must have been heard: who speaks over it sooner was not asked, and owes it no answer."""
_LEAVES_ALL: frozenset[MoveKind] = NO_TURN | {"yield"}


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the interviewer waits for an answer to.

    `move` and `target` are the last move's. `question` is the id of the pack's question that is open, "" where there is none
    (the candidate asks); `text` is what was asked last about it. `of`: the utterance of the last move. `again`: the claim that
    is asked for once more, by its key in the ledger.
    """

    move: MoveKind | None = None
    target: str = ""
    question: str = ""
    text: str = ""
    of: str = ""
    again: str = ""


NOTHING = Awaited()


class Answering:
    """Listens to the log. `now` is what stands to be answered, `of` what a turn answered or answers."""

    def __init__(self) -> None:
        self.now = self._before = NOTHING
        self._turns: dict[int, Awaited] = {}

    def handle(self, event: Event) -> None:
        match event:
            case MoveChosen() if event.move not in _LEAVES_ALL:
                self._before, self.now = self.now, self._after(event)
            case QuestionAsked():
                self.now = replace(self.now, question=event.question, text=event.text, of=event.of)
            case AskedAgain():
                self.now = replace(self.now, again=event.claim)
            case MoveWithdrawn() if self.now.of in {event.of, ""}:  # "": logs from before moves named their utterance
                self.now = self._before
            case SpeakingFinished(complete=False) if event.of == self.now.of and self.now.move not in ENDS_TOPIC:
                if len(event.heard) < ASKED * len(self.now.text):
                    self.now = self._before
            case TurnStarted(speaker="candidate") | WordsCommitted():
                self._turns.setdefault(event.turn, self.now)
            case _:
                pass

    def _after(self, event: MoveChosen) -> Awaited:
        if event.move == "answer":  # a fact that was asked for: what stood open still does
            return replace(self.now, move=event.move, target=event.target, of=event.of)
        question = "" if event.move in ENDS_TOPIC else self.now.question
        return Awaited(event.move, event.target, question, of=event.of)

    def of(self, turn: int) -> Awaited:
        """What this turn of the candidate answers; nothing for one that is not known."""
        return self._turns.get(turn, NOTHING)
