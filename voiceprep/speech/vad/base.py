"""The seam of voice activity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from voiceprep.audio.base import Samples


@dataclass(frozen=True, slots=True)
class Activity:
    """Something the detector noticed, at a place counted in seconds from the first sample it was ever given.

    `started` and `stopped` are backdated to the true edge. `suspected` is a sound that may become speech, told before it is
    known; it is followed by `started`, or by nothing. `lulled` is a silence inside speech that may become its end; it is
    followed by `stopped`, or by nothing when speech goes on. `quiet` is the quietest place of the last second of unbroken
    speech. `level`, in dBFS, is of that place, and of the loudest moment so far of what was suspected or started.
    """

    kind: Literal["suspected", "started", "lulled", "stopped", "quiet"]
    media: float
    level: float = 0.0


class VoiceActivity(Protocol):
    """Stateful, one per stream, deterministic: the same samples give the same activities whatever the pace."""

    def feed(self, samples: Samples) -> list[Activity]:
        """Take exactly BLOCK samples at RATE, the next ones, and return what they revealed."""
        ...

    def flush(self) -> list[Activity]:
        """The stream ended: close an open region at the last sample."""
        ...
