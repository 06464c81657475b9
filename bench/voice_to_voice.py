"""How long the candidate waits for an answer, and how often the interviewer cuts in: on the wall clock, with real models.

Candidates are rendered here, so the true ends and thinking pauses are known to the sample. A response gap runs from the
true end of speech to the interviewer's first audible sample, leading silence counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from voiceprep import config
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.core.events import (
    AudioProgress,
    Event,
    FloorYielded,
    Interrupted,
    SpeakingFinished,
    SpeakingStarted,
    StopSpeaking,
)
from voiceprep.live.candidate import LEAD, CandidateSource, Script, render
from voiceprep.live.practice import Plan, practise
from voiceprep.speech.tts.choose import choose
from voiceprep.store.archive import Archive

ROUND = "gpu-hm-screen"
AUDIBLE = 0.01
"""Amplitude from which a sample can be heard."""

OPENERS = (
    "We had one cluster of four hundred GPUs, and eleven teams that shared it.",
    "The queue was nine hours long at the median, and the research teams were angry.",
    "I decided that every team gets a guaranteed quota, and the rest is lent out by weight.",
    "We measured the queue time and the share of idle cards, every single day.",
    "What we gave up was some utilization, about four points.",
    "The weights are set by the research council, not by me.",
)
CLOSERS = (
    "So the median went from nine hours to two hours. That is my answer.",
    "And that is why I decided to keep the quota.",
    "In the end I chose the second option, because it cost less.",
)
HESITATIONS = ("And then we, um", "The reason was that", "So the other team, they", "Let me think.", "And what I did was")


@dataclass
class Measured:
    """What the runs showed, in seconds."""

    gaps: list[float] = field(default_factory=list)
    endpoint: list[float] = field(default_factory=list)
    speaking: list[float] = field(default_factory=list)
    leading: list[float] = field(default_factory=list)
    yields: list[float] = field(default_factory=list)
    cut_ins: int = 0
    pauses: int = 0


class Watcher:
    def show(self, event: Event) -> None: ...

    def level(self, dbfs: float) -> None: ...

    def clock(self, at: float) -> None: ...


class RealTimeCandidate(CandidateSource):
    """The same candidate as a device would bring it: it cannot wait, so the wall clock rules."""

    on_demand = False


def run(minutes: float = 4.0, seed: int = 1, **_: Any) -> dict[str, Any]:
    """Speak for about so many minutes. Returns the contract's fields."""
    return asyncio.run(_run(minutes, seed))


def script(seed: int, answers: int) -> Script:
    """Answers of two or three sentences, with a thinking pause of 1 to 10 s at a hesitation in two of three."""
    luck = np.random.default_rng(seed)
    made: list[tuple[str | float, ...]] = []
    for number in range(answers):
        said: list[str | float] = list(luck.choice(OPENERS, 2, replace=False))
        if number % 3:
            said += [str(luck.choice(HESITATIONS)), float(luck.uniform(1, 10)), str(luck.choice(OPENERS))]
        made.append((*(str(p) if isinstance(p, str) else float(p) for p in said), str(luck.choice(CLOSERS))))
    return Script("en", "bright-brisk", tuple(made))


async def _run(minutes: float, seed: int) -> dict[str, Any]:
    places, settings = config.places(), config.load()
    voices = await choose(settings, places, languages=("en",), live_only=True)
    spoken = script(seed, max(2, round(minutes * 2.4)))
    try:
        answers = await render(spoken, voices, lambda _done, _of: None)
    finally:
        await voices.close()

    measured = Measured()
    with tempfile.TemporaryDirectory() as folder:
        own = config.Places(home=places.home, recordings=Path(folder))
        quiet = settings.with_arguments(speaker="none", language="en", duplex="full")
        source = RealTimeCandidate(answers, "live")
        done = await practise(Plan(ROUND), quiet, own, lambda _c, _s: Watcher(), lambda _: None, source)
        _, events = Archive(own.recordings).read(done.session)
        voice = _interviewer(done.folder)
    _measure(list(events), answers, spoken, voice, measured)
    return {
        "response_gap": _quantiles(measured.gaps) | {"n": len(measured.gaps)},
        "breakdown": {
            "endpoint": _median(measured.endpoint),
            "tts": _median(measured.speaking),
            "leading_silence": _median(measured.leading),
        },
        "time_to_yield": _quantiles(measured.yields),
        "false_cut_ins": {"count": measured.cut_ins, "pauses": measured.pauses},
        "machine": {"cpu": platform.processor() or platform.machine(), "cores": os.cpu_count(), "system": platform.system()},
    }


def _interviewer(folder: Path) -> Samples:
    import soundfile  # type: ignore[import-untyped]

    samples: Samples
    samples, _ = soundfile.read(folder / "interviewer.flac", dtype="float32")
    return samples


def _measure(events: list[Event], answers: list[Samples], spoken: Script, voice: Samples, out: Measured) -> None:
    """Line up what was said with what the log says of it."""
    offset = next(e.at - e.media for e in events if isinstance(e, AudioProgress))
    openings = [e for e in events if isinstance(e, SpeakingFinished)]
    starts = [e for e in events if isinstance(e, SpeakingStarted)]
    mine = [e for e in events if isinstance(e, FloorYielded)]
    for number, answer in enumerate(answers):
        if number >= len(openings):
            break
        begun = openings[number].media + LEAD
        loud = np.flatnonzero(np.abs(answer) > AUDIBLE)
        end = begun + loud[-1] / RATE
        out.pauses += sum(isinstance(p, float) for p in spoken.answers[number])
        early = [s for s in starts if begun < s.media < end - 0.1]
        out.cut_ins += bool(early)
        after = [s for s in starts if s.media >= end - 0.1]
        if not after or early:
            break  # from here on the script and the floor are out of step
        first = round(after[0].at * VOICE_RATE)
        audible = np.flatnonzero(np.abs(voice[first : first + VOICE_RATE]) > AUDIBLE)
        leading = float(audible[0]) / VOICE_RATE if len(audible) else 0.0
        decided = next(e for e in mine if end + offset - 0.1 < e.at <= after[0].at)
        out.gaps.append(after[0].at - (end + offset) + leading)
        out.endpoint.append(decided.at - (end + offset))
        out.speaking.append(after[0].at - decided.at)
        out.leading.append(leading)
    for cut in (e for e in events if isinstance(e, Interrupted)):
        stop = next(e for e in events if isinstance(e, StopSpeaking) and e.at >= cut.at)
        out.yields.append(stop.at - (cut.media + offset))


def _median(values: list[float]) -> float | None:
    return round(float(np.median(values)), 3) if values else None


def _quantiles(values: list[float]) -> dict[str, float | None]:
    if not values:
        return {"p50": None, "p95": None}
    return {"p50": _median(values), "p95": round(float(np.quantile(values, 0.95)), 3)}


if __name__ == "__main__":
    print(json.dumps(run()))
