"""monologue: the candidate has held the floor too long. Pauses do not end a floor; an interviewer's turn does."""

from __future__ import annotations

from voiceprep.core.events import (
    NO_TURN,
    AudioGap,
    Event,
    MoveWithdrawn,
    SessionClosing,
    Speak,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
)
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock
from voiceprep.flags.rule import Crossing

ID = "monologue"


class Monologue:
    """Measured from the first speech of the floor, in media seconds, what was lost left out."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock) -> None:
        self._crossing = Crossing(rule, tongue, clock)
        self._prompts: set[str] = set()
        self._answered = False
        """The interviewer has begun to speak, and most likely that is the end of the floor."""

    @property
    def deadline(self) -> At | None:
        return None if self._answered else self._crossing.deadline

    def wake(self, at: At) -> list[Event]:
        return self._crossing.wake(at)

    def handle(self, event: Event) -> list[Event]:
        match event:
            case Speak() if event.move in NO_TURN:
                self._prompts.add(event.id)
            case SpeakingStarted() if event.of not in self._prompts:
                self._answered = True
            case MoveWithdrawn():
                self._answered = False
            case TurnStarted(speaker="candidate"):
                self._answered = False
                self._crossing.begin(event.media)
            case AudioGap():
                self._crossing.lose(event)
            case TurnEnded(speaker="candidate") | TurnStarted(speaker="interviewer") | SessionClosing():
                self._crossing.finish()
            case _:
                pass
        return []
