"""Silences of a recording, from its voiced regions alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from voiceprep.core.units import Media, Seconds, Span

MINIMUM_PAUSE: Seconds = 0.25
"""Shorter silences are articulation (the closure of a "p", a glottal stop), not pauses; the customary limit in phonetics."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A silence of at least `MINIMUM_PAUSE` seconds, in media seconds."""

    start: Media
    end: Media
    kind: Literal["before_answer", "mid_answer", "trailing"]

    @property
    def duration(self) -> Seconds:
        return self.end - self.start


def find_pauses(speech: Sequence[Span], duration: Seconds) -> tuple[Pause, ...]:
    """The silences between, before and after the voiced regions of a recording of `duration` seconds.

    `speech` is in order. A recording without speech is one pause before an answer that never came.
    """
    last = len(speech)
    edges = [0.0, *(edge for span in speech for edge in (span.start, span.end)), duration]
    pauses = []
    for number, (start, end) in enumerate(zip(edges[0::2], edges[1::2], strict=True)):
        if end - start >= MINIMUM_PAUSE:
            kind: Literal["before_answer", "mid_answer", "trailing"] = (
                "before_answer" if number == 0 else "trailing" if number == last else "mid_answer"
            )
            pauses.append(Pause(Media(start), Media(end), kind))
    return tuple(pauses)


def time_without_pauses(speech: Sequence[Span], shortest: Seconds) -> Seconds:
    """Seconds from the first speech to the last, silences of at least `shortest` seconds left out."""
    voiced = sum(span.duration for span in speech)
    gaps = [after.start - before.end for before, after in pairwise(speech)]
    return voiced + sum(gap for gap in gaps if 0.0 < gap < shortest)
