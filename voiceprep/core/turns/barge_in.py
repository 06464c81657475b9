"""The candidate makes a sound while the interviewer speaks: a cough, an "mm-hm", or somebody who wants the floor.

The interviewer falls silent at once, on the mere suspicion of a voice, and decides afterwards: speech that lasts for half a
second, or real words in less, is an interruption; anything else was none, and the line goes on where it stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from voiceprep.core.events import (
    EdgeFailed,
    Event,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsHeard,
)
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock

_WORD = re.compile(r"[\w'-]+")


class Verdict(Enum):
    """What became of a sound."""

    OPEN = auto()
    NOTHING = auto()
    """A cough, a door, a sign of listening."""
    INTERRUPTION = auto()


@dataclass
class BargeIn:
    """One sound over the interviewer's voice, from its first hint to the verdict."""

    policy: Policy
    clock: MediaClock
    means_it: Callable[[Sequence[Word]], bool]
    """Whether words are more than signs of listening."""
    since: Media
    """Where the sound began."""
    voiced: bool = False
    """It is a voice, not only a suspicion."""
    lulled: At | None = None
    stopped: Media | None = None
    heard: tuple[Word, ...] | None = None
    """Its words, once a draft up to its end is here."""

    @property
    def deadline(self) -> At:
        """When silence about it is an answer too."""
        policy = self.policy
        if not self.voiced:
            return self.clock.at(Media(self.since + policy.suspicion))
        if self.stopped is not None:
            return self.clock.at(Media(self.stopped + policy.verdict_wait))
        # The detector tells that speech ended `lull` late: that much later, half a second is known to have been one.
        due = self.clock.at(Media(self.since + policy.barge_in + policy.lull))
        return due if self.lulled is None else At(max(due, self.lulled + policy.hangover))

    def expired(self) -> Verdict:
        """The deadline has come."""
        return Verdict.INTERRUPTION if self.voiced and self.stopped is None else Verdict.NOTHING

    def handle(self, event: Event) -> Verdict:
        match event:
            case VoiceStarted(speaker="candidate"):
                if not self.voiced:
                    self.since, self.voiced = event.media, True
                self.lulled = self.stopped = self.heard = None
            case VoiceLulled(speaker="candidate"):
                self.lulled, self.heard = event.at, None
            case VoiceStopped(speaker="candidate"):
                self.stopped = event.media
                if event.media - self.since >= self.policy.barge_in:
                    return Verdict.INTERRUPTION
                return self._by_words() if self.policy.recogniser else Verdict.NOTHING
            case WordsHeard():
                self.heard = tuple(word for word in event.words if word.end > self.since)
                return self._by_words()
            case EdgeFailed() if self.stopped is not None:
                return Verdict.NOTHING
            case _:
                pass
        return Verdict.OPEN

    def _by_words(self) -> Verdict:
        if self.stopped is None or self.heard is None:
            return Verdict.OPEN
        return Verdict.INTERRUPTION if self.means_it(self.heard) else Verdict.NOTHING


def sign_of_listening(text: str, signs: frozenset[str]) -> bool:
    """Whether a text holds nothing but signs of listening ("mm-hm, yeah", 嗯嗯, 对), or nothing at all."""
    left = text.casefold()
    for sign in sorted(signs, key=len, reverse=True):
        left = left.replace(sign, " ") if not sign.isascii() else re.sub(rf"(?<![\w'-]){re.escape(sign)}(?![\w'-])", " ", left)
    return not _WORD.search(left)
