"""The candidate's turn as far as it is known while it goes on: its words, how long it has been spoken, what it showed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.coverage import assess, finished, likelihoods, on_topic
from voiceprep.core.events import (
    Draft,
    EdgeFailed,
    Event,
    Evidence,
    Language,
    TurnAssessed,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.interviewer.reverse import ASKS
from voiceprep.core.pack import Detector, Endings, Question
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media, MediaClock, Seconds

TOPICAL = 3
"""Who answers no question of a pack (a drill, the candidate's own questions) cannot be off its topic: core/answers/coverage.py
has the scale."""
STEEPEST = 50.0


class Answer:
    """Follows one turn of the candidate's at a time. No turn: `number` is 0."""

    def __init__(self, detectors: Sequence[Detector], endings: Endings, language: Language, clock: MediaClock) -> None:
        self._detectors = detectors
        self._endings = endings
        self._language: Language = language
        self._clock = clock
        self.number = 0
        self.voiced_from: Media | None = None
        """Where the voice began that is heard now, in a turn or not."""
        self.blind = False
        """A draft failed: nobody knows all that was said."""
        self.evidence: tuple[Evidence, ...] = ()
        self.first_heard: dict[str, Media] = {}
        """Where in this turn each signal and trap was heard first."""
        self.assessed: TurnAssessed | None = None
        """What was last found of it."""
        self._committed: tuple[Word, ...] = ()
        self._heard: tuple[Word, ...] = ()
        self._weighed: tuple[Word, ...] = ()
        self._drafts: set[str] = set()
        self._spoken: Seconds = 0.0

    @property
    def words(self) -> tuple[Word, ...]:
        return (*self._committed, *self._heard)

    @property
    def text(self) -> str:
        return text_of(self.words)

    @property
    def ids(self) -> frozenset[str]:
        """Signals, traps and cues heard so far."""
        return frozenset(item.signal for item in self.evidence)

    def likely(self, asked: Asked) -> Mapping[str, float]:
        """How probable each signal and trap is in what was said so far."""
        return likelihoods(self.text, self._detectors, self._language, asked)

    def begin(self, event: TurnStarted) -> None:
        self.number, self.blind = event.turn, False
        self.evidence = self._committed = self._heard = self._weighed = ()
        self.assessed = None
        self.first_heard.clear()
        self._drafts.clear()
        self._spoken, self.voiced_from = 0.0, event.media

    def end(self) -> None:
        self.number, self.assessed = 0, None

    def handle(self, event: Event) -> bool:
        """Take what concerns the turn. True when there are words to assess."""
        match event:
            case VoiceStarted(speaker="candidate"):
                self.voiced_from = event.media
            case VoiceStopped(speaker="candidate"):
                if self.voiced_from is not None:
                    self._spoken += max(0.0, event.media - self.voiced_from)
                self.voiced_from = None
            case WordsHeard() if event.turn == self.number and self.number:
                self._heard = event.words
                return self.words != self._weighed
            case WordsCommitted() if event.turn == self.number and self.number:
                self._committed += event.words  # the `WordsHeard` that follows has what is left
            case Draft() if event.turn == self.number:
                self._drafts.add(event.id)
            case EdgeFailed() if event.of in self._drafts:
                self.blind = True
            case _:
                pass
        return False

    @property
    def spoken(self) -> Seconds:
        """Speech of this turn, up to its last pause."""
        return self._spoken

    def spoken_until(self, at: At) -> Seconds:
        """Speech of this turn, that which is going on (or has just lulled) included."""
        now = 0.0 if self.voiced_from is None else max(0.0, self._clock.media(at) - self.voiced_from)
        return self._spoken + now

    def assess(self, at: At, asked: Asked, question: Question | None, *, first: bool, asks: bool = False) -> TurnAssessed:
        """What the turn showed so far, and how finished it sounds.

        `question`: the pack's, if it answers one. `first`: it answers the question itself, not a follow-up, and may take long;
        unless (`asks`) it may be a question of the candidate's, which is short.
        """
        self._weighed, text = self.words, self.text
        self.evidence = assess(self._weighed, self._detectors, self._language, asked)
        for item in self.evidence:
            self.first_heard[item.signal] = min(item.start, self.first_heard.get(item.signal, item.start))
        first = first and not (asks and (ASKS in self.ids or text.endswith(("?", "？"))))
        topical = on_topic(text, question, self._language) if question is not None else TOPICAL
        sounds = finished(
            text, self.spoken_until(at), self.evidence, topical, self._endings, self._language, followup=not first
        )
        self.assessed = TurnAssessed(
            at=at,
            turn=self.number,
            completeness=1 / (1 + math.exp(-max(-STEEPEST, min(STEEPEST, sounds.log_odds)))),
            evidence=self.evidence,
            log_odds=sounds.log_odds,
            roundness=sounds.roundness,
            thinking=sounds.thinking,
            first=first,
        )
        return self.assessed
