"""A whole session through the real shell: fakes for sound and voices, any language model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.fakes.edges import CountingRecogniser, Notebook
from tests.fakes.room import Room, speech, wav
from voiceprep.agent.budget import Budget
from voiceprep.agent.client import ModelClient
from voiceprep.agent.instructions import Instructions, signs
from voiceprep.agent.interviewer import ModelInterviewer
from voiceprep.agent.probe import Capabilities
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.source_file import FileSource
from voiceprep.core.events import Event, Word
from voiceprep.core.units import Media
from voiceprep.live.overheard import Overheard
from voiceprep.speech.stt.base import Transcript

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


def contents(folder: Path) -> list[bytes]:
    """What every file below the folder holds."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


async def hold(tmp_path: Path, client: ModelClient | None, **how: Any) -> list[Event]:
    """One answer of six seconds, then room for the reply. Returns the log as it was kept."""
    model = None
    if client is not None:
        model = ModelInterviewer(client, how.get("can", Capabilities()), TOLD, how.get("budget", Budget()))
        model.patience = how.get("patience", model.patience)
    source = FileSource(wav(tmp_path / "mic.wav", speech((1.0, False), (6.0, True), (14.0, False))), "fast")
    room = Room(tmp_path / "recordings", source, recogniser=Answering(), wordsmith=model)
    watcher = how.get("watcher", Notebook())
    try:
        return await room.run(Overheard(watcher, model.conversation) if model is not None else watcher)
    finally:
        if model is not None:
            await model.close()
