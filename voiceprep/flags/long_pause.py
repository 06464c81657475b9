"""long_pause: silence inside the candidate's floor, or before an answer. Needs no recogniser."""

from __future__ import annotations

from voiceprep.core.events import (
    NO_TURN,
    AudioGap,
    EdgeFailed,
    Event,
    SessionClosing,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    VoiceStarted,
    VoiceStopped,
)
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock
from voiceprep.flags.rule import CONFIRM, Crossing

ID = "long_pause"


class LongPause:
    """Silence of the candidate while nobody else speaks: from the end of their speech, or of the interviewer's.

    A prompt ("take your time") or an "mm-hm" is no turn: it does not start the silence anew.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock) -> None:
        self._crossing = Crossing(rule, tongue, clock, confirm=CONFIRM)
        self._voiced = False
        self._clock = clock
        self._prompts: set[str] = set()
        self._lines: set[str] = set()
        self._interviewer = False

    @property
    def deadline(self) -> At | None:
        return self._crossing.deadline

    def wake(self, at: At) -> list[Event]:
        return self._crossing.wake(at)

    def handle(self, event: Event) -> list[Event]:
        match event:
            case Speak() if event.move in NO_TURN:
                self._prompts.add(event.id)
            case Speak():
                self._lines.add(event.id)
            case VoiceStarted(speaker="candidate"):
                self._voiced = True
                self._crossing.finish()
            case VoiceStopped(speaker="candidate"):
                self._voiced = False
                self._listen(event.media)
            case SpeakingStarted() if event.of not in self._prompts:
                self._interviewer = True
                self._crossing.finish()
            case SpeakingFinished() if event.of not in self._prompts:
                self._interviewer = False
                self._listen(event.media)
            case EdgeFailed() if event.of in self._lines:  # it could not be said, and stands on the screen
                self._interviewer = False
                self._listen(self._clock.media(event.at))
            case AudioGap() if self._crossing.deadline is not None:
                self._crossing.begin(event.end)  # nobody knows what was said there: the silence counts from its end
            case SessionClosing():
                self._crossing.finish()
            case _:
                pass
        return []

    def _listen(self, since: Media) -> None:
        if not self._voiced and not self._interviewer:
            self._crossing.begin(since)
