"""What a whole session costs: real voice activity, recogniser, voices and disk, on a recording played as fast as it goes.

The recording is made here, from the demonstration candidate's answers with pauses between them, so it needs no data.
"""

from __future__ import annotations

import asyncio
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]

from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import AudioProgress
from voiceprep.core.pack import Content
from voiceprep.live.candidate import load_script, render
from voiceprep.live.practice import Plan, practise
from voiceprep.live.session import Session
from voiceprep.speech.tts.choose import choose
from voiceprep.store.archive import Archive

ROUND = "gpu-hm-screen"


class Meter:
    """A watcher that samples this process's memory as the session goes."""

    def __init__(self) -> None:
        self.rss: list[tuple[float, float]] = []

    def show(self, event: Any) -> None: ...

    def level(self, dbfs: float) -> None: ...

    def clock(self, at: float) -> None:
        if not self.rss or at - self.rss[-1][0] >= 10:
            self.rss.append((at, _rss_mb()))


def run(minutes: float = 5.0, **_: Any) -> dict[str, Any]:
    """Returns the contract's fields; `drift_ms` compares the recording's length with the session clock's account of it."""
    return asyncio.run(_run(minutes))


async def _run(minutes: float) -> dict[str, Any]:
    places = config.places()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.wav"
        soundfile.write(path, await _recording(minutes, places), RATE)
        settings = config.load().with_arguments(microphone=str(path), speaker="none", language="en")
        own = config.Places(home=places.home, recordings=Path(folder) / "recordings")
        meter = Meter()

        def watch(_content: Content, _session: Session) -> Meter:
            return meter

        cpu, wall = _cpu(), time.perf_counter()
        result = await practise(Plan(ROUND, "fast"), settings, own, watch, lambda _: None)
        cpu, wall = _cpu() - cpu, time.perf_counter() - wall
        _, events = Archive(own.recordings).read(result.session)
        media = soundfile.info(result.folder / "candidate.flac").duration
        size = sum(p.stat().st_size for p in result.folder.iterdir())
    progress = [e for e in events if isinstance(e, AudioProgress)]
    offsets = [e.at - e.media for e in progress]
    settled = [mb for at, mb in meter.rss if at >= 30] or [mb for _, mb in meter.rss]
    return {
        "rss_start_mb": settled[0],
        "rss_end_mb": settled[-1],
        "drift_ms": round(1000 * (max(offsets) - min(offsets)), 3),
        "cpu_share": round(cpu / media, 3),
        "events": len(events),
        "bytes_per_hour": round(size / media * 3600),
        "audio_seconds": round(media, 1),
        "wall_seconds": round(wall, 1),
        "ended": result.ended,
    }


async def _recording(minutes: float, places: config.Places) -> Samples:
    """The shipped answers over and over, eight seconds of silence after each."""
    voices = await choose(config.load(), places, languages=("en",), live_only=True)
    try:
        answers = await render(load_script(ROUND, "en"), voices, lambda _done, _of: None)
    finally:
        await voices.close()
    pieces: list[Samples] = []
    length = 0
    while length < minutes * 60 * RATE:
        for answer in answers:
            pieces += [answer, np.zeros(8 * RATE, dtype=np.float32)]
            length += len(answer) + 8 * RATE
    return np.concatenate(pieces)[: round(minutes * 60 * RATE)]


def _cpu() -> float:
    """CPU seconds of this process and of the children it has waited for (the recogniser's and the voices')."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _rss_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


if __name__ == "__main__":
    print(json.dumps(run()))
