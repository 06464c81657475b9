"""Sounds of listening: an "mm-hm" now and then, where a clause of the candidate's is whole and more is to come.

They take no turn, ask nothing and start nothing anew. A listener who makes them at the wrong moment is worse than one who makes
none, so every doubt is decided against: while somebody thinks, when the reply is about to come, too long after the clause.
"""

from __future__ import annotations

from voiceprep.core.events import (
    Draft,
    DraftReady,
    EdgeFailed,
    Event,
    FloorYielded,
    Interrupted,
    InterruptionDue,
    MoveChosen,
    ReplyExpected,
    SessionClosing,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    TurnAssessed,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceLulled,
    VoiceStarted,
)
from voiceprep.core.interviewer.phrases import phrasings
from voiceprep.core.pack import Persona, Tongue
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Seconds

WHOLE = 0.6
"""A clause as round as this is whole (see `roundness` in core/turns/ending)."""
WITHIN: Seconds = 0.2
"""Whoever listens says it at once, or not at all: so soon after the breath it must be known that the clause is whole."""
AFTER_THINKING: Seconds = 3.0
"""A train of thought that has just been found again is left alone for so long."""
SOON: Seconds = 2.0
"""The floor is about to pass where the silence that yields it is shorter than this."""


class Backchannels:
    """Listens to the whole log and answers with `Speak` commands that nobody need wait for."""

    def __init__(self, policy: Policy, persona: Persona, tongue: Tongue, seed: int) -> None:
        line = persona.backchannels if policy.backchannels and policy.recogniser else None
        self._phrase = line.id if line is not None else ""
        self._sounds = phrasings(line, tongue, seed) if line is not None else []
        self._every = persona.backchannel_every
        self._tongue: Tongue = tongue
        self._count = 0
        self._speaking: set[str] = set()
        """Utterances of the interviewer's that are not over."""
        self._turn = 0
        self._since = At(0.0)
        """When this turn began, or the last sound of listening was made in it."""
        self._not_before = At(0.0)
        self._drafts: set[str] = set()
        # this silence
        self._breath: At | None = None
        self._whole = self._leaving = self._thinking = False
        self._due: At | None = None

    @property
    def deadline(self) -> At | None:
        """At once, but after everything else that this moment brings: the floor may be about to pass."""
        return self._due

    def wake(self, at: At) -> list[Event]:
        self._due = None
        if not self._fits(at):
            return []
        text = self._sounds[self._count % len(self._sounds)]
        self._count += 1
        reason = f"a whole clause, {at - self._since:.0f} s into listening"
        self._since, self._leaving = at, True
        of = f"b{self._count}"
        return [
            MoveChosen(at=at, move="backchannel", target="", phrase=self._phrase, reason=reason, of=of),
            Speak(at=at, id=of, text=text, language=self._tongue, move="backchannel"),
        ]

    def handle(self, event: Event) -> list[Event]:
        if not self._sounds:
            return []
        match event:
            case Speak():
                self._speaking.add(event.id)
            case SpeakingFinished() | EdgeFailed() | DraftReady():
                self._speaking.discard(event.of)
                self._drafts.discard(event.of)
            case TurnStarted(speaker="candidate"):
                self._turn, self._since = event.turn, event.at
                self._speech(event.at)
            case TurnEnded(speaker="candidate") | SessionClosing():
                self._turn = 0
            case _ if self._turn:
                self._listen(event)
            case _:
                pass
        return []

    def _listen(self, event: Event) -> None:
        match event:
            case VoiceStarted(speaker="candidate"):
                self._speech(event.at)
            case VoiceLulled(speaker="candidate"):
                self._whole = False  # what is known is about the words before these
            case SilenceChanged(state="breath"):
                self._breath = event.at
                self._consider(event.at)
            case SilenceChanged(state="thinking"):
                self._breath, self._thinking = None, True
            case Draft(turn=turn) if turn == self._turn:
                self._drafts.add(event.id)
            case TurnAssessed(turn=turn) if turn == self._turn:
                self._whole = event.roundness >= WHOLE and not event.thinking
                self._consider(event.at)
            case ReplyExpected() if event.after < SOON:
                self._leaving = True
            case FloorYielded() | InterruptionDue() | Interrupted() | TurnHandedOver():
                self._leaving = True
            case _:
                pass

    def _speech(self, at: At) -> None:
        """The candidate speaks: what was known of the last silence does not count any more."""
        if self._thinking:
            self._not_before = At(at + AFTER_THINKING)
        self._breath = self._due = None
        self._whole = self._leaving = self._thinking = False

    def _consider(self, at: At) -> None:
        if self._fits(at):
            self._due = at

    def _fits(self, at: At) -> bool:
        breath = self._breath
        if not self._turn or breath is None or not self._whole or self._leaving or self._drafts or self._speaking:
            return False
        return at <= breath + WITHIN and at >= self._not_before and at - self._since >= self._every
