"""Nobody listens."""

from __future__ import annotations

from voiceprep.audio.base import Samples


class NullSink:
    """Takes everything; whatever is written counts as sounded at once."""

    name = "none"
    latency = 0.0

    def write(self, samples: Samples) -> None:
        pass

    def drop(self) -> int:
        return 0

    async def close(self) -> None:
        pass
