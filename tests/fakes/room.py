"""A whole session through the real shell: real folders, clocks and sinks, with fakes in place of models."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]

from tests.fakes.content import content
from tests.fakes.edges import CountingRecogniser, LoudnessActivity, Notebook, ToneVoice
from voiceprep.audio.base import RATE, Samples, Sink
from voiceprep.audio.echo import EchoedSink
from voiceprep.audio.recent import Recent
from voiceprep.audio.sink_null import NullSink
from voiceprep.core.events import Event, SessionStarted
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.live.assembly import assemble
from voiceprep.live.clock import AudioClock, WallClock
from voiceprep.live.inbox import Inbox
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.parts import Parts
from voiceprep.live.player import Player
from voiceprep.live.session import Session, Watcher
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header

COUNTING: Any = object()
"""A recogniser of its own for this room."""


def speech(*pieces: tuple[float, bool]) -> Samples:
    """Pieces of (seconds, loud) as samples: a tone that the fakes take for speech."""
    parts = []
    for seconds, loud in pieces:
        t = np.arange(round(seconds * RATE)) / RATE
        parts.append((0.3 * np.sin(2 * np.pi * 220 * t) if loud else np.zeros_like(t)).astype(np.float32))
    return np.concatenate(parts)


def wav(path: Path, samples: Samples) -> Path:
    soundfile.write(path, samples, RATE, subtype="PCM_16")
    return path


class Room:
    """Everything a session needs.

    `recogniser=None` is a session without one; `clock` is the audio's for a source on demand and the wall's else.
    """

    def __init__(
        self,
        recordings: Path,
        source: Any,
        *,
        recogniser: Any = COUNTING,
        voice: Any = None,
        sink: Sink | None = None,
        echo: Any = None,
        activity: Any = None,
        wordsmith: Any = None,
        made: Content | None = None,
        policy: Policy | None = None,
        sounds: Mapping[str, Utterance] | None = None,
        heard_by: Any = "file",
        mode: Any = "coach",
        clock: AudioClock | WallClock | None = None,
        live_pace: bool = False,
    ) -> None:
        stt = CountingRecogniser() if recogniser is COUNTING else recogniser
        self.wordsmith = wordsmith
        self.policy = policy or Policy(recogniser=stt is not None, captions=False, reword=wordsmith is not None)
        self.clock = clock or (AudioClock() if source.on_demand else WallClock())
        self.content = made or content()
        self.voice = voice or ToneVoice()
        self.watcher = Notebook()
        header = Header(
            version="0",
            started="2026-01-02T03:04:05Z",
            round="test-round",
            persona="tester",
            language="en",
            mode=mode,
            source=heard_by,
            clock="wall" if isinstance(self.clock, WallClock) else "audio",
            policy=asdict(self.policy),
        )
        self.folder = SessionFolder.create(recordings, header)
        inbox, player, recent, sink = Inbox(self.clock), Player(), Recent(), sink or NullSink()
        sink = sink if echo is None else EchoedSink(sink, echo)
        style = VoiceStyle("low-calm")
        edges = Edges(stt, self.voice, player, sink, recent, "en", style, wordsmith, sounds=sounds or {})
        parts = Parts(
            conductor=assemble(self.content, self.policy, "en", 1),
            clock=self.clock,
            inbox=inbox,
            source=source,
            sink=sink,
            activity=activity or LoudnessActivity(),
            interpreter=Interpreter(edges, inbox.put),
            player=player,
            recent=recent,
            folder=self.folder,
            echo=echo,
            prosody=None,
            live_pace=live_pace,
        )
        self.session = Session(parts, lambda at: SessionStarted(at=at, round="test-round", persona="tester", language="en"))

    async def hold(self, watcher: Watcher | None = None) -> str:
        """To its end, whatever ends it; how it ended."""
        ended = "failed"
        try:
            ended = await self.session.run(watcher or self.watcher)
        finally:
            await asyncio.to_thread(self.folder.close, ended)
        return ended

    async def run(self, watcher: Watcher | None = None) -> list[Event]:
        """The log as it was kept."""
        await self.hold(watcher)
        return self.log()

    def log(self) -> list[Event]:
        _, events = Archive(self.folder.path.parent).read(self.folder.header.id)
        return list(events)
