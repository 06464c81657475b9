"""Everything that a session is wired from."""

from __future__ import annotations

from dataclasses import dataclass

from voiceprep.audio.base import Sink, Source
from voiceprep.audio.echo import EchoControl
from voiceprep.audio.recent import Recent
from voiceprep.core.conductor import Conductor
from voiceprep.live.clock import Clock
from voiceprep.live.inbox import Inbox
from voiceprep.live.interpreter import Interpreter
from voiceprep.live.player import Player
from voiceprep.live.tone import Tone
from voiceprep.speech.endpoint.prosody import Prosody
from voiceprep.speech.vad.base import VoiceActivity
from voiceprep.store.folder import SessionFolder


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a session is wired from."""

    conductor: Conductor
    clock: Clock
    inbox: Inbox
    source: Source
    sink: Sink
    activity: VoiceActivity
    interpreter: Interpreter
    player: Player
    recent: Recent
    folder: SessionFolder
    echo: EchoControl | None
    """What is done where the interviewer's voice comes back at the microphone. None where it does not."""
    prosody: Prosody | None
    """Listens to how speech ends. None where no words are heard that it could be weighed with."""
    live_pace: bool
    """On the audio clock: keep to real time while nothing is recorded."""
    tone: Tone | None = None
    """Sounds with each pacing flag. None where nobody wants to hear one, or the microphone would."""
