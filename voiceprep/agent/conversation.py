"""Who said what so far, from the session's events: what a language model needs to know of it."""

from __future__ import annotations

from voiceprep.agent.instructions import Said
from voiceprep.core.events import NO_TURN, Event, Speak, SpeakingFinished, TurnStarted, Word, WordsCommitted, WordsHeard
from voiceprep.core.text import text_of


class Conversation:
    """Told every event in order. Words of record replace drafts, and of the interviewer only what was heard counts."""

    def __init__(self) -> None:
        self._order: list[int | str] = []
        self._committed: dict[int, tuple[Word, ...]] = {}
        self._drafted: dict[int, tuple[Word, ...]] = {}
        self._lines: dict[str, str] = {}
        self._prompts: set[str] = set()

    def take(self, event: Event) -> None:
        match event:
            case TurnStarted(speaker="candidate"):
                self._order.append(event.turn)
            case WordsHeard():
                self._drafted[event.turn] = event.words
            case WordsCommitted():
                self._committed[event.turn] = (*self._committed.get(event.turn, ()), *event.words)
            case Speak() if event.move in NO_TURN:
                self._prompts.add(event.id)
            case SpeakingFinished() if event.of not in self._prompts and event.heard.strip():
                self._order.append(event.of)
                self._lines[event.of] = event.heard
            case _:
                pass

    @property
    def turns(self) -> list[Said]:
        """Every turn that has words, the running one included."""
        out = []
        for key in self._order:
            if isinstance(key, str):
                out.append(Said("interviewer", self._lines[key]))
            elif text := text_of((*self._committed.get(key, ()), *self._drafted.get(key, ()))):
                out.append(Said("candidate", text))
        return out

    @property
    def lines(self) -> tuple[str, ...]:
        """The interviewer's lines so far."""
        return tuple(self._lines.values())
