"""A whole session through the real shell: fakes for sound and voices, any language model."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]

from tests.fakes.content import content
from tests.fakes.edges import CountingRecogniser, LoudnessActivity, Notebook, ToneVoice
from voiceprep.agent.budget import Budget
from voiceprep.agent.client import ModelClient
from voiceprep.agent.instructions import Instructions, signs
from voiceprep.agent.interviewer import ModelInterviewer
from voiceprep.agent.probe import Capabilities
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.recent import Recent
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.source_file import FileSource
from voiceprep.core.events import Event, SessionStarted, Word
from voiceprep.core.policy import Policy
from voiceprep.core.units import Media
from voiceprep.live.assembly import assemble
from voiceprep.live.clock import AudioClock
from voiceprep.live.inbox import Inbox
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.overheard import Overheard
from voiceprep.live.parts import Parts
from voiceprep.live.player import Player
from voiceprep.live.session import Session
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header

ANSWER = "our gpu cluster had a queue and i decided who goes first that's my answer"
TOLD = Instructions("You are the voice of an interviewer. Reword the line.", "<brief>$move $target $line</brief>", signs("en"))


class Answering(CountingRecogniser):
    """Hears the same answer in all that is loud."""

    def _words(self, samples: Samples) -> Transcript:
        loud = np.flatnonzero(np.abs(samples) > 0.05)
        if not len(loud):
            return Transcript(())
        first, last = loud[0] / RATE, loud[-1] / RATE
        pieces = ANSWER.split()
        step = (last - first) / len(pieces)
        return Transcript(
            tuple(Word(one, Media(first + n * step), Media(first + (n + 1) * step), 0.9) for n, one in enumerate(pieces))
        )


def talk(*pieces: tuple[float, bool]) -> Samples:
    parts = []
    for seconds, loud in pieces:
        t = np.arange(round(seconds * RATE)) / RATE
        parts.append((0.3 * np.sin(2 * np.pi * 220 * t) if loud else np.zeros_like(t)).astype(np.float32))
    return np.concatenate(parts)


def contents(folder: Path) -> list[bytes]:
    """What every file below the folder holds."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


async def hold(tmp_path: Path, client: ModelClient | None, **how: Any) -> list[Event]:
    """One answer of six seconds, then room for the reply. Returns the log as it was kept."""
    model = None
    if client is not None:
        model = ModelInterviewer(client, how.get("can", Capabilities()), TOLD, how.get("budget", Budget()))
        model.patience = how.get("patience", model.patience)
    path = tmp_path / "mic.wav"
    soundfile.write(path, talk((1.0, False), (6.0, True), (14.0, False)), RATE, subtype="PCM_16")
    source, clock, policy = FileSource(path, "fast"), AudioClock(), Policy(captions=False, reword=model is not None)
    header = Header(
        version="0",
        started="2026-01-02T03:04:05Z",
        round="test-round",
        persona="tester",
        language="en",
        mode="coach",
        source="file",
        clock="audio",
        policy=asdict(policy),
    )
    folder = SessionFolder.create(tmp_path / "recordings", header)
    inbox, player, recent, sink = Inbox(clock), Player(), Recent(), NullSink()
    edges = Edges(Answering(), ToneVoice(), player, sink, recent, "en", VoiceStyle("low-calm"), model)
    parts = Parts(
        conductor=assemble(content(), policy, "en", 1),
        clock=clock,
        inbox=inbox,
        source=source,
        sink=sink,
        activity=LoudnessActivity(),
        interpreter=Interpreter(edges, inbox.put),
        player=player,
        recent=recent,
        folder=folder,
        echo=None,
        prosody=None,
        live_pace=False,
    )
    session = Session(parts, lambda at: SessionStarted(at=at, round="test-round", persona="tester", language="en"))
    watcher = how.get("watcher", Notebook())
    ended = "failed"
    try:
        ended = await session.run(Overheard(watcher, model.conversation) if model is not None else watcher)
    finally:
        await asyncio.to_thread(folder.close, ended)
        if model is not None:
            await model.close()
    _, events = Archive(folder.path.parent).read(folder.header.id)
    return list(events)
