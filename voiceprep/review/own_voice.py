"""How the user sounds, heard in the sound check: by this they are known in a recording of two people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from voiceprep.audio.base import Samples
from voiceprep.core.units import Seconds
from voiceprep.speech.speakers.apart import ENOUGH, voice_of
from voiceprep.speech.speakers.encoder import SpeakerEncoder
from voiceprep.speech.vad.silero import SileroActivity
from voiceprep.store.own_voice import keep

SECONDS: Seconds = 15.0
"""How long the user is listened to."""

Reason = Literal["", "too-little", "several-voices"]


@dataclass(frozen=True, slots=True)
class OwnVoice:
    """What was heard: `seconds` of speech. It was kept unless `reason` says why not."""

    reason: Reason
    seconds: Seconds

    @property
    def kept(self) -> bool:
        return not self.reason


def keep_own_voice(sound: Samples, encoder: SpeakerEncoder, home: Path) -> OwnVoice:
    """Listen to `sound`, shape (n,) at `RATE`, and keep its voice in `home`, in place of one that was kept before.

    Too little speech, or more than one voice, is nobody's: then nothing is kept and what was there stays.
    It takes about a second of CPU. Raises MissingError where the disk refuses, and what loading the voice detector raises.
    """
    voice = voice_of([sound], SileroActivity(), encoder)
    if voice.seconds < ENOUGH:
        return OwnVoice("too-little", voice.seconds)
    if voice.several:
        return OwnVoice("several-voices", voice.seconds)
    keep(home, tuple(map(float, voice.middle)))
    return OwnVoice("", voice.seconds)
