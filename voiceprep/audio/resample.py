"""A change of sample rate for sound that arrives in pieces."""

from __future__ import annotations

import numpy as np
import soxr  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import Samples


class Resampler:
    """Turns a stream at `source` Hz into one at `target` Hz. Up to 40 ms stay inside until more comes, or `finish`."""

    def __init__(self, source: int, target: int) -> None:
        self.source = source
        self.target = target
        self._stream = None if source == target else soxr.ResampleStream(source, target, 1, dtype="float32")

    def feed(self, samples: Samples) -> Samples:
        """The samples that can be given out after these, possibly none."""
        return self._through(samples, last=False)

    def finish(self) -> Samples:
        """What is still inside. Afterwards only `clear` makes the resampler usable again."""
        return self._through(np.empty(0, np.float32), last=True)

    def clear(self) -> None:
        """Forget what is inside."""
        if self._stream is not None:
            self._stream.clear()

    @property
    def held(self) -> int:
        """Samples, at `target`, that went in and have not come out."""
        return 0 if self._stream is None else round(self._stream.delay())

    def _through(self, samples: Samples, *, last: bool) -> Samples:
        if self._stream is None:
            return samples
        changed: Samples = self._stream.resample_chunk(samples, last=last)
        # The filter rings beyond full scale at sharp edges.
        return np.clip(changed, -1.0, 1.0, out=changed)
