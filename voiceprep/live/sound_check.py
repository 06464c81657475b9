"""The sound check: is the candidate's microphone fit for an interview, before the interview?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples, Sink, Source
from voiceprep.audio.level import LOW_LEVEL, SILENCE, Measured, dbfs, measure
from voiceprep.config import Places
from voiceprep.core.units import Seconds
from voiceprep.files import parse_json
from voiceprep.speech.vad.silero import SileroActivity

ENOUGH: Seconds = 1.0
"""Speech without which nothing can be said of its level."""

CLIPPED = 0.0005
"""Share of samples at full scale from which it can be heard."""

HOT = -12.0
"""dBFS of speech above which the next loud word clips."""

CLEAN = 15.0
"""dB that speech should stand out of the noise: below, recognisers lose words."""

HEARD = 6.0
"""dB by which a microphone's level rises when it hears the speaker."""

PLAYED = VOICE_RATE * BLOCK // RATE
"""Samples at VOICE_RATE of one block's time."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that was looked at; `fix` says what to do when it is not `ok`."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


async def listen(source: Source, seconds: Seconds, on_level: Callable[[float, Seconds], None]) -> Samples:
    """Up to `seconds` of what the source hears, at RATE. `on_level` is told each block's dBFS and the seconds so far.

    What a device loses is silence here. Raises VoiceprepError, code ``microphone-lost``.
    """
    pieces: list[Samples] = []
    count, wanted = 0, round(seconds * RATE)
    async for block in source.blocks():
        pieces += [np.zeros(block.lost, np.float32), block.samples]
        count += block.lost + len(block.samples)
        on_level(dbfs(block.samples), count / RATE)
        if count >= wanted:
            break
    return np.concatenate(pieces)[:wanted] if pieces else np.zeros(0, np.float32)


async def play(sink: Sink, sound: Samples) -> None:
    """Sound at RATE through a sink, in the time it takes."""
    voice = soxr.resample(sound, RATE, VOICE_RATE).astype(np.float32) if len(sound) else sound
    loop = asyncio.get_running_loop()
    start = loop.time()
    for number, at in enumerate(range(0, len(voice), PLAYED)):
        await asyncio.sleep(max(0.0, start + number * BLOCK / RATE - loop.time()))
        sink.write(voice[at : at + PLAYED])


async def play_and_listen(sink: Sink, source: Source, sound: Samples) -> Samples:
    """Play `sound`; returns what the source heard meanwhile."""
    hearing = asyncio.create_task(listen(source, len(sound) / RATE, lambda _level, _at: None))
    try:
        await play(sink, sound)
        return await hearing
    finally:
        hearing.cancel()
        with suppress(asyncio.CancelledError):
            await hearing


def judge(sound: Samples) -> tuple[Measured, list[Verdict]]:
    """Measure what was said, and say of each thing whether it will do. Raises MissingError without the voice detector."""
    measured = measure(sound, _voiced(sound))
    return measured, [_sound(measured), _level(measured), _clipping(measured), _noise(measured), _hum(measured)]


def _voiced(sound: Samples) -> list[tuple[Seconds, Seconds]]:
    """Where somebody speaks, in seconds."""
    activity = SileroActivity()
    found = [each for at in range(0, len(sound) - BLOCK + 1, BLOCK) for each in activity.feed(sound[at : at + BLOCK])]
    edges = [each for each in [*found, *activity.flush()] if each.kind in {"started", "stopped"}]
    return [(start.media, end.media) for start, end in zip(edges[::2], edges[1::2], strict=False)]


def _sound(measured: Measured) -> Verdict:
    fix = "Unmute it, allow this program to use it, or choose another microphone (--mic)"
    if measured.zeros:
        return Verdict("sound", ok=False, detail="nothing but silence arrives: muted, or not permitted", fix=fix)
    return Verdict("sound", ok=True, detail="sound arrives")


def _level(measured: Measured) -> Verdict:
    louder = "Move closer to the microphone, or raise its input level in the system's sound settings"
    if measured.voiced < ENOUGH:
        return Verdict("level", ok=False, detail="hardly any speech was heard: too quiet, or nobody spoke", fix=louder)
    detail = f"speech at {measured.level:.0f} dBFS"
    if measured.level < LOW_LEVEL:
        return Verdict("level", ok=False, detail=f"{detail}: too quiet", fix=louder)
    if measured.level > HOT:
        return Verdict("level", ok=False, detail=f"{detail}: too loud", fix="Lower the input level, or move back a little")
    return Verdict("level", ok=True, detail=detail)


def _clipping(measured: Measured) -> Verdict:
    share = f"{100 * measured.clipped_share:.2g} % of the samples are at full scale"
    if measured.clipped_share < CLIPPED:
        return Verdict("clipping", ok=True, detail="none" if measured.clipped_share == 0 else share)
    return Verdict("clipping", ok=False, detail=share, fix="Lower the input level, or move back a little")


def _noise(measured: Measured) -> Verdict:
    detail = f"noise at {measured.noise:.0f} dBFS" if measured.noise > SILENCE else "no noise"
    if measured.voiced < ENOUGH:
        return Verdict("noise", ok=True, detail=detail)
    detail += f", speech {measured.snr:.0f} dB above it"
    if measured.snr < CLEAN:
        fix = "Move closer to the microphone, close the window, or use a headset"
        return Verdict("noise", ok=False, detail=detail, fix=fix)
    return Verdict("noise", ok=True, detail=detail)


def _hum(measured: Measured) -> Verdict:
    if measured.hum <= SILENCE:
        return Verdict("hum", ok=True, detail="none")
    fix = "Use another socket or cable, or unplug the charger: the mains hum comes in through them"
    return Verdict("hum", ok=False, detail=f"mains hum at {measured.hum:.0f} dBFS", fix=fix)


def judge_speaker(noise: float, meanwhile: Samples) -> Verdict:
    """Whether the microphone hears the speaker: its `noise` while nothing sounds, in dBFS, and what it heard `meanwhile`."""
    rise = measure(meanwhile).level - noise
    if rise < HEARD:
        return Verdict(
            "speaker", ok=True, detail="the microphone does not hear it: you may interrupt at any time (--headphones)"
        )
    detail = f"the microphone hears the speaker, {rise:.0f} dB above its noise"
    return Verdict("speaker", ok=False, detail=detail, fix="Use headphones: then you can interrupt the interviewer by voice")


class Checked:
    """Which microphones have been through the check (or were excused from it), remembered under the home folder."""

    def __init__(self, places: Places) -> None:
        self._path: Path = places.home / "sound-checks.json"

    def __contains__(self, name: str) -> bool:
        return name in self._names()

    def add(self, name: str) -> None:
        """Remember a microphone. A folder that cannot be written to means that it is asked about again."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._path.write_text(json.dumps(sorted({*self._names(), name}), ensure_ascii=False), encoding="utf-8")

    def _names(self) -> list[str]:
        try:
            names = parse_json(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
