"""Measures how a speaker comes back at a microphone, with three soft seconds of noise that comes in syllables."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples, Sink, Source
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.echo import EchoedSink, HalfDuplex, decibels
from voiceprep.audio.webrtc import EchoRemover
from voiceprep.errors import MissingError, VoiceprepError

SECONDS = 2.5
QUIET = 0.4
"""Seconds of silence before and after."""
LOUDNESS = 0.05
"""Peak of the noise: -26 dBFS, a quiet voice."""
LAST = 1.0
"""Seconds at the end by which the cancellation is judged."""
PATIENCE = 6.0
"""Seconds after which a device that gives nothing is given up."""
STEP = BLOCK * VOICE_RATE // RATE


@dataclass(frozen=True, slots=True)
class EchoMeasure:
    """How a sound came back.

    `delay` in seconds from its writing to its echo and `level` in dB over what was written are None where no echo was found.
    `removed` in dB by the canceller; `canceller` says why there is none, or "".
    """

    delay: float | None
    level: float | None
    removed: float
    canceller: str


def syllables() -> Samples:
    """The noise, at VOICE_RATE: the same each time."""
    luck = np.random.default_rng(7)
    count = round(SECONDS * VOICE_RATE)
    loud = np.repeat(luck.uniform(0.0, 1.0, 25) ** 2, count // 25)
    soft = np.convolve(loud, np.hanning(960) / np.hanning(960).sum(), "same")
    sound: Samples = (LOUDNESS * soft * luck.uniform(-1.0, 1.0, len(soft))).astype(np.float32)
    gap = np.zeros(round(QUIET * VOICE_RATE), np.float32)
    return np.concatenate((gap, sound, gap))


async def measure(source: Source, sink: Sink) -> EchoMeasure:
    """Play the noise and listen, about three seconds in all. Both are closed afterwards.

    Raises VoiceprepError when the microphone gives nothing (code ``microphone-lost``).
    """
    control: Cancelling | HalfDuplex
    try:
        control, why = Cancelling(EchoRemover()), ""
    except MissingError as error:
        control, why = HalfDuplex(), error.message
    levels: list[tuple[float, float]] = []
    listening = asyncio.create_task(_listen(source, control, levels))
    try:
        await _play(EchoedSink(sink, control), listening)
    finally:
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening
        await source.close()
        await sink.close()
    if not levels:
        raise VoiceprepError(f"no sound arrives from {source.name}", code="microphone-lost", hint="Is it connected?")
    half = control.half if isinstance(control, Cancelling) else control
    lag = half.path.lag
    if lag is None:
        return EchoMeasure(None, None, 0.0, why)
    return EchoMeasure(lag + half.reference_age, half.path.gain, _removed(levels) if not why else 0.0, why)


async def _play(sink: Sink, listening: asyncio.Task[None]) -> None:
    """As a session does: a block's worth each tick of the clock."""
    loop = asyncio.get_running_loop()
    sound, start = syllables(), loop.time()
    for number, at in enumerate(range(0, len(sound), STEP)):
        await asyncio.sleep(max(0.0, start + number * BLOCK / RATE - loop.time()))
        if listening.done():
            await listening
        sink.write(sound[at : at + STEP])


async def _listen(source: Source, control: Cancelling | HalfDuplex, levels: list[tuple[float, float]]) -> None:
    async with asyncio.timeout(PATIENCE):
        async for block in source.blocks():
            if block.lost:
                control.lost(block.lost)
            if len(block.samples):
                heard = control.capture(block.samples)
                levels.append((decibels(block.samples), decibels(heard.clean)))


def _removed(levels: list[tuple[float, float]]) -> float:
    """What the loudest half of the last second's blocks lost."""
    last = sorted(levels[-round((QUIET + LAST) * RATE / BLOCK) :], reverse=True)
    raw, clean = np.array(last[: len(last) // 2]).T
    return float(np.mean(raw) - np.mean(clean))
