"""talk_share: the candidate speaks for too little, or too much, of the round so far. Voice activity alone."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import (
    NO_TURN,
    AudioGap,
    Event,
    FlagRaised,
    SessionClosing,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
)
from voiceprep.core.listening.lost import Lost
from voiceprep.core.listening.rates import LONG_PAUSE
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Seconds
from voiceprep.flags.rule import Levels, flag

LOW_ID = "talk_share_low"
HIGH_ID = "talk_share_high"


class TalkShare:
    """Looked at whenever the candidate takes the floor, and at the end, one direction a machine (`above`).

    Short pauses inside speech count as speaking. The round counts from where the opening question ended,
    without what was lost: nobody knows who spoke there.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, *, above: bool) -> None:
        self._rule = rule
        self._tongue: Tongue = tongue
        self._clock = clock
        self._levels = Levels(tuple(threshold.value for threshold in rule.thresholds), above=above)
        self._asides: set[str] = set()
        self._start: Media | None = None
        self._voiced: Media | None = None
        self._stopped: Media | None = None
        self._spoken: Seconds = 0.0
        self._lost = Lost()

    @property
    def deadline(self) -> At | None:
        return None

    def wake(self, at: At) -> list[Event]:
        raise AssertionError(f"woken at {at} without having asked for it")

    def handle(self, event: Event) -> list[Event]:
        match event:
            case Speak() if event.move in NO_TURN:
                self._asides.add(event.id)
            case SpeakingFinished() if event.of not in self._asides and self._start is None:
                self._start = event.media
            case SpeakingStarted() if event.of not in self._asides:
                self._stopped = None  # a pause that somebody else filled is no speaking
            case VoiceStarted(speaker="candidate"):
                if self._stopped is not None and event.media - self._stopped < LONG_PAUSE:
                    self._spoken += max(0.0, event.media - self._stopped)
                self._voiced = event.media
            case VoiceStopped(speaker="candidate") if self._voiced is not None:
                self._spoken += max(0.0, event.media - self._voiced)
                self._voiced, self._stopped = None, event.media
            case AudioGap():
                self._lost.take(event)
            case TurnStarted(speaker="candidate") | SessionClosing():
                return list(self._judged(event.at))
            case _:
                pass
        return []

    def _judged(self, at: At) -> Iterator[FlagRaised]:
        now = self._clock.media(at)
        if self._start is None:
            return
        known = now - self._start - self._lost.since(self._start)
        if known <= 0 or known < self._rule.least:
            return
        going_on = max(0.0, now - self._voiced) if self._voiced is not None else 0.0
        share = (self._spoken + going_on) / known
        for number in self._levels.take(share):
            threshold = self._rule.thresholds[number]
            evidence = f"{100 * share:.0f} % of {known / 60:.0f} min (limit {100 * threshold.value:.0f} %)"
            yield flag(self._rule, threshold, self._tongue, at, (self._start, now), evidence)
