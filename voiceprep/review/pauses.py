"""Silences of a recording, from its voiced regions alone."""

from __future__ import annotations

from collections.abc import Sequence

from voiceprep.core.listening.pauses import Pause, pauses
from voiceprep.core.units import Seconds, Span


def find_pauses(speech: Sequence[Span], duration: Seconds) -> tuple[Pause, ...]:
    """The silences in a recording of `duration` seconds that is one answer from end to end.

    `speech` are its voiced regions, in order. Without any, all of it is one pause before an answer that never came. Silences
    under `voiceprep.core.listening.pauses.SHORTEST_PAUSE` are none.
    """
    return tuple(pauses(speech, (), duration))


def outside(speech: Sequence[Span], taken: Sequence[Span]) -> list[Span]:
    """What is left of the voiced regions `speech` outside of the spans `taken`, in order."""
    left = list(speech)
    for out in taken:
        left = [
            Span(start, end)
            for span in left
            for start, end in ((span.start, min(span.end, out.start)), (max(span.start, out.end), span.end))
            if start < end
        ]
    return left
