"""Live captions: the text of speech that is not finished, which firms up where two hypotheses in a row agree.

Captions are only shown, nothing is decided by them. So they are a machine of their own, and derive what they need from what
every machine is handed: voice activity says when somebody speaks, and `Transcribe` up to where the record takes over. What is
open lies between the two.
"""

from __future__ import annotations

from voiceprep.core.events import (
    CaptionChanged,
    DraftReady,
    EdgeFailed,
    Event,
    HypothesisReady,
    Hypothesize,
    SessionClosing,
    Transcribe,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock

CHANCES = 3
"""Captions that fail in a row before no more are asked for."""


def agree(before: tuple[Word, ...], now: tuple[Word, ...]) -> int:
    """How many leading words two hypotheses have in common, whatever their case and punctuation."""
    count = 0
    for old, new in zip(before, now, strict=False):
        if _bare(old.text) != _bare(new.text):
            break
        count += 1
    return count


def _bare(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


class Captions:
    """Facts of voice activity and hypotheses in; `Hypothesize` and `CaptionChanged` out (LocalAgreement-2)."""

    def __init__(self, policy: Policy, clock: MediaClock) -> None:
        self._policy = policy
        self._clock = clock
        self._over = not (policy.recogniser and policy.captions)
        self._count = 0
        self._failures = 0
        self._recorded = Media(0.0)
        """Up to here the record takes over."""
        self._start: Media | None = None
        """Where the speech begins that no `Transcribe` covers; None when there is none."""
        self._voiced_from: Media | None = None
        self._reset()

    def _reset(self) -> None:
        self._asked: Media | None = None
        self._caption: tuple[Word, ...] = ()
        self._firm = 0
        self._hypothesis = ""

    @property
    def deadline(self) -> At | None:
        if self._over or self._start is None or self._voiced_from is None or self._hypothesis:
            return None
        since = self._asked if self._asked is not None else self._start
        return self._clock.at(Media(since + self._policy.caption_every))

    def wake(self, at: At) -> list[Event]:
        assert self._start is not None
        now = self._clock.media(at)
        self._count += 1
        self._hypothesis = f"h{self._count}"
        self._asked = now
        return [
            Hypothesize(at=at, id=self._hypothesis, start=Media(max(self._start, now - self._policy.caption_window)), end=now)
        ]

    def handle(self, event: Event) -> list[Event]:
        match event:
            case VoiceStarted(speaker="candidate"):
                self._voice_started(event.media)
            case VoiceStopped(speaker="candidate"):
                self._voiced_from = None
            case Transcribe():
                self._handed_over(event.end)
            case DraftReady():
                self._reset()
            case SessionClosing():
                self._over = True
            case HypothesisReady() if event.of == self._hypothesis and not self._over:
                return self._hypothesis_ready(event)
            case EdgeFailed() if event.of and event.of == self._hypothesis:
                self._hypothesis = ""
                self._failures += 1
                self._over = self._over or self._failures >= CHANCES
            case _:
                pass
        return []

    def _voice_started(self, media: Media) -> None:
        self._voiced_from = media
        if self._start is None:
            self._start = Media(max(self._recorded, media - self._policy.pad, 0.0))
            self._reset()

    def _handed_over(self, end: Media) -> None:
        """The record takes over up to `end`; speech that still sounds goes on from there."""
        self._recorded = Media(max(self._recorded, end))
        voiced = self._voiced_from
        self._start = None if voiced is None else Media(max(self._recorded, voiced - self._policy.pad))
        self._reset()

    def _hypothesis_ready(self, event: HypothesisReady) -> list[Event]:
        self._hypothesis = ""
        self._failures = 0
        if not event.words:
            return []
        kept = [w for w in self._caption[: self._firm] if w.end <= event.words[0].start]
        now = (*kept, *event.words)
        firm = max(self._firm, agree(self._caption, now))
        now = (*self._caption[: self._firm], *now[self._firm :])  # the newer spelling: the older ended in mid-air
        self._caption, self._firm = now, min(firm, len(now))
        return [CaptionChanged(at=event.at, firm=now[: self._firm], tentative=now[self._firm :])]
