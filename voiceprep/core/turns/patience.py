"""How long a silence must last before the interviewer takes it for the end of this turn: what is known of the turn, weighed.

By what was said and how it sounded, this persona and this speaker (`endpoint.py`), where the words are known. Where they are
not, only time tells.
"""

from __future__ import annotations

from voiceprep.core.events import (
    Draft,
    DraftReady,
    EdgeFailed,
    EndingHeard,
    Event,
    Language,
    TurnAssessed,
    VoiceLulled,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.pack import Persona
from voiceprep.core.policy import Policy
from voiceprep.core.turns.endpoint import Endpoint, Place
from voiceprep.core.turns.prosody import finality
from voiceprep.core.units import At, Seconds

UNKNOWN = TurnAssessed(at=At(0.0), turn=0, completeness=0.0, log_odds=-8.0, roundness=0.5, thinking=False, evidence=())
"""Before anything of an answer is known, it has hardly begun."""


AFTER_WHOLE = 0.5
"""The share of their longest patience that interviewers have after a whole sentence."""


def at_most(patience: Seconds, assessed: TurnAssessed) -> Seconds:
    """So long a persona bears a silence after these last words, who bears one of `patience` seconds where somebody thinks.

    Who broke off in the middle of a clause means to go on. Who ended a whole sentence may have said all they had to say,
    though it answers nothing or was misheard, and may be waiting for us.
    """
    whole = 0.0 if assessed.thinking else assessed.roundness
    return patience * (1 - (1 - AFTER_WHOLE) * whole)


class Patience:
    """Follows one turn of the candidate's at a time; what it learns of the speaker stays."""

    def __init__(self, policy: Policy, persona: Persona, language: Language) -> None:
        self._policy = policy
        self._persona = persona
        self._language: Language = language
        self._endpoint = Endpoint()
        self._turn = 0
        self._assessed = UNKNOWN
        self._melody = 0.0
        """Log odds from how the last words sounded."""
        self._blind = False
        """A draft failed in this turn: nobody knows all that was said."""
        self._decoding: set[str] = set()
        self._false_starts = 0
        """The interviewer's in this turn."""
        self.has_words = False
        self.spoken: Seconds = 0.0
        """How long the candidate's voice was heard in this turn."""

    def begin(self, turn: int) -> None:
        self._turn = turn
        self._assessed, self._blind, self.has_words, self.spoken = UNKNOWN, False, False, 0.0
        self._decoding.clear()

    def end(self) -> None:
        """The turn is over: its pauses are this speaker's for good."""
        self._turn = self._false_starts = 0
        self._endpoint.answered()

    def resumed(self, pause: Seconds) -> None:
        """Speech went on after so long a pause, which was none of the ends that it might have been."""
        if self.has_words or not self._policy.recogniser:
            self._endpoint.resumed(pause, self._place, self._log_odds)

    def began_too_early(self) -> None:
        """The interviewer spoke into this turn and gave way: it waits longer the next time, as people do."""
        self._false_starts += 1

    def handle(self, event: Event) -> None:
        match event:
            case VoiceLulled(speaker="candidate"):
                self._melody = 0.0
            case EndingHeard():
                self._melody = finality(event.ending, self._language)
            case Draft() if self._turn:
                self._decoding.add(event.id)
            case DraftReady() | EdgeFailed() if event.of in self._decoding:
                self._decoding.discard(event.of)
                self._blind |= isinstance(event, EdgeFailed)
            case WordsHeard() | WordsCommitted() if event.turn == self._turn and event.words:
                self.has_words = True
            case TurnAssessed() if event.turn == self._turn:
                self._assessed = event
            case _:
                pass

    @property
    def decoding(self) -> bool:
        """What was said last is not known yet."""
        return bool(self._decoding)

    @property
    def cough(self) -> bool:
        """So far there was a short sound and, as is known for certain, no word: no answer."""
        known = self._policy.recogniser and not self._blind and not self._decoding
        return known and not self.has_words and self.spoken <= self._policy.wordless

    @property
    def silence(self) -> Seconds:
        """How long it must last, once all that was said is known."""
        if not self._policy.recogniser or self._blind:
            return self._policy.unheard_patience
        if not self.has_words:
            return self._policy.unheard_patience if self.spoken > self._policy.wordless else self._policy.cough_settles
        persona = self._persona
        reluctance = persona.reluctance * self._policy.after_false_start**self._false_starts
        if self._assessed.first:
            reluctance *= persona.room
        least = persona.patience_short
        return self._endpoint.wait(
            self._log_odds, self._place, reluctance, least, max(least, at_most(persona.patience_long, self._assessed))
        )

    @property
    def wait_for_words(self) -> Seconds:
        """... and how long words that are still being written down are waited for on top of it."""
        return self._policy.transcript_wait if self._decoding else 0.0

    @property
    def _log_odds(self) -> float:
        return self._assessed.log_odds + self._melody

    @property
    def _place(self) -> Place:
        return Place(self._assessed.roundness, self._assessed.thinking)
