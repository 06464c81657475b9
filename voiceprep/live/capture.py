"""The candidate's side, block by block: recorded first, then listened to for a voice, its level and how it ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from voiceprep.audio.base import BLOCK, Block, Samples
from voiceprep.audio.echo import Heard
from voiceprep.audio.level import LevelWatch, Notice
from voiceprep.core.events import (
    AudioGap,
    AudioProgress,
    EdgeFailed,
    EndingHeard,
    Fact,
    QuietPoint,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    VoiceSuspected,
)
from voiceprep.core.units import At, Media
from voiceprep.live.keeping import Keeping
from voiceprep.live.parts import Parts
from voiceprep.speech.vad.base import Activity

LEVEL_NOTICES: dict[Notice, str] = {
    "clipping": "the microphone clips: turn its level down, or move away from it a little",
    "quiet": "you are hard to hear: turn the microphone's level up, or move closer to it",
}


class Capture:
    """Turns blocks of sound into facts of the session, each told as soon as it is known."""

    def __init__(self, parts: Parts, keeping: Keeping, tell: Callable[[Fact], None]) -> None:
        self._parts = parts
        self._keeping = keeping
        self._tell = tell
        self.media = Media(0.0)
        """How far the recording is."""
        self._progress = Media(-1.0)
        self._unseen = 0
        """Lost samples that the detector has not been given yet: less than a block."""
        self._voiced = False
        self._levels = LevelWatch()

    def hear(self, block: Block, at: At) -> None:
        """A block that arrived at `at`. Record first, then look for voice: what is said is kept whatever goes wrong with it."""
        parts = self._parts
        if block.lost:
            self._miss(block.lost, block.reason, at)
        if len(block.samples):  # else the loss goes on
            if not self._keeping.record(parts.folder.candidate, block.samples):
                return  # what is not kept is not answered either: the session is about to end
            heard = self._listened(block.samples)
            parts.recent.append(heard.clean)
            self.media = parts.recent.media
        if self.media - self._progress >= 1.0:
            self._progress = self.media
            self._tell(AudioProgress(at=at, media=self.media))
        if len(block.samples):
            if parts.prosody is not None and not parts.player.sounding:  # an echo is no voice to know the speaker by
                parts.prosody.feed(heard.voice)
            self._notice(parts.activity.feed(heard.voice), at)
            self._judge_level(block.samples, at)

    def flush(self, at: At) -> None:
        """Nothing more will come: tell what the detector held back."""
        self._notice(self._parts.activity.flush(), at)

    def _miss(self, lost: int, reason: str, at: At) -> None:
        """So many samples were not captured: the recording holds silence there, and nothing shifts."""
        parts, start = self._parts, self.media
        self._keeping.record_loss(parts.folder.candidate, lost)
        parts.recent.silence(lost)
        if parts.echo is not None:
            parts.echo.lost(lost)
        self.media = parts.recent.media
        self._unseen += lost
        while self._unseen >= BLOCK:
            self._unseen -= BLOCK
            self._notice(parts.activity.feed(np.zeros(BLOCK, dtype=np.float32)), at)
        self._tell(AudioGap(at=at, start=start, end=self.media, reason=reason or "unknown"))

    def _judge_level(self, samples: Samples, at: At) -> None:
        """A microphone that clips or hardly hears is told of once; in a recording nothing can be done about it any more."""
        if self._parts.source.on_demand:
            return
        notice = self._levels.feed(samples, voiced=self._voiced)
        if notice is not None:
            self._tell(EdgeFailed(at=at, code=f"microphone-{notice}", message=LEVEL_NOTICES[notice]))

    def _listened(self, samples: Samples) -> Heard:
        """What recogniser and voice activity may hear of a block: the interviewer's own voice is not for them."""
        echo = self._parts.echo
        return Heard(samples, samples) if echo is None else echo.capture(samples)

    def _notice(self, activities: list[Activity], at: At) -> None:
        late = 0.0 if self._parts.echo is None else self._parts.echo.delay
        for activity in activities:
            media = Media(max(0.0, activity.media - late))
            match activity.kind:
                case "suspected":
                    self._tell(VoiceSuspected(at=at, speaker="candidate", media=media, level=activity.level))
                case "lulled":
                    self._tell(VoiceLulled(at=at, speaker="candidate", media=media))
                    self._listen_to_ending(media, at)
                case "started":
                    self._voiced = True
                    self._tell(VoiceStarted(at=at, speaker="candidate", media=media, level=activity.level))
                case "stopped":
                    self._voiced = False
                    self._tell(VoiceStopped(at=at, speaker="candidate", media=media))
                case "quiet":
                    self._tell(QuietPoint(at=at, media=media, level=activity.level))

    def _listen_to_ending(self, media: Media, at: At) -> None:
        """About 25 ms of work, after the draft was asked for: that is decoded in another process meanwhile."""
        prosody = self._parts.prosody
        if prosody is not None and (ending := prosody.ending()) is not None:
            self._tell(EndingHeard(at=at, media=media, ending=ending))
