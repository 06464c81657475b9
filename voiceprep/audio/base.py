"""The seams of sound: where blocks come from, and where they go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]
"""Mono samples in -1..1, shape (n,)."""

RATE = 16_000
"""Samples a second of everything the candidate says, inside voiceprep."""

BLOCK = 512
"""Samples of one block from a source: 32 ms, one frame of the voice-activity detector."""

VOICE_RATE = 24_000
"""Samples a second of everything the interviewer says, inside voiceprep."""


@dataclass(frozen=True, slots=True)
class Block:
    """`BLOCK` samples at `RATE` (the last of a file padded with silence).

    `lost` samples are missing right before this block (the recorder fills them with silence), for `reason`. While a device is
    away its loss is told as it grows, by blocks of no samples at all.
    """

    samples: Samples
    lost: int = 0
    reason: str = ""


class Source(Protocol):
    """Where the candidate's voice comes from: a microphone, a file, a browser, a simulated candidate."""

    name: str
    """For the log and the doctor: a device's name, a file's name."""
    on_demand: bool
    """True for a file: it can wait, so the session's clock is the audio clock. False for a device: the wall clock rules."""

    def blocks(self) -> AsyncIterator[Block]:
        """The blocks in order, until the source ends or `close` is called."""
        ...

    def floor_opened(self) -> None:
        """The interviewer has stopped speaking. A simulated candidate answers now; others do not care."""
        ...

    async def close(self) -> None:
        """Release the device or file. Idempotent."""
        ...


class Sink(Protocol):
    """Where the interviewer's voice goes: a speaker, a file, nowhere, a browser.

    The session's own tick drives it: every 32 ms of session time it writes as many samples at `VOICE_RATE`, silence included.
    A device keeps a short buffer between that tick and its own clock.
    """

    name: str
    latency: float
    """Seconds from `write` to the ear."""

    def write(self, samples: Samples) -> None:
        """Take the next samples at `VOICE_RATE`. Never blocks."""
        ...

    def drop(self) -> int:
        """Throw away what has been written but not yet sounded; returns how many samples (at `VOICE_RATE`) that was."""
        ...

    async def close(self) -> None:
        """Let what was written sound, then release. Idempotent."""
        ...
