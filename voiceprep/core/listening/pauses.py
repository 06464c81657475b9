"""The candidate's silences in a session: whose they were, and where in the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from voiceprep.core.units import Media, Seconds, Span

SHORTEST_PAUSE: Seconds = 0.25
"""Shorter silences are articulation, not pauses: the customary limit in phonetics."""

PauseKind = Literal["before_answer", "mid_answer", "trailing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A silence of the candidate's that was theirs to fill."""

    start: Media
    end: Media
    kind: PauseKind

    @property
    def duration(self) -> Seconds:
        return self.end - self.start


def pauses(
    speech: Sequence[Span],
    held: Sequence[Span],
    duration: Seconds,
    *,
    lost: Sequence[Span] = (),
    shortest: Seconds = SHORTEST_PAUSE,
) -> Iterator[Pause]:
    """The candidate's silences of at least `shortest` seconds, in order.

    `speech` are the voiced regions, `held` the interviewer's turns (none for a plain recording, which is all answer), `lost`
    the stretches that were not recorded: nobody knows what happened there, so they are no pause.
    """
    floors = _without(Span(Media(0.0), Media(duration)), held)
    for floor in floors:
        voiced = [region for region in speech if region.end > floor.start and region.start < floor.end]
        if not voiced and floor.start == 0.0 and held:
            continue  # Before the interviewer's first word there is nothing to answer.
        for silence in _without(floor, voiced):
            kind = _kind(silence, voiced)
            for rest in _without(silence, lost):
                if rest.duration >= shortest:
                    yield Pause(start=rest.start, end=rest.end, kind=kind)


def _kind(silence: Span, voiced: Sequence[Span]) -> PauseKind:
    if not voiced or silence.end <= voiced[0].start:
        return "before_answer"
    return "trailing" if silence.start >= voiced[-1].end else "mid_answer"


def _without(whole: Span, parts: Iterable[Span]) -> list[Span]:
    """What is left of `whole` outside of all `parts`."""
    left = []
    start = whole.start
    for part in merged(parts):
        if part.start >= whole.end:
            break
        if part.start > start:
            left.append(Span(start, part.start))
        start = max(start, part.end)
    if start < whole.end:
        left.append(Span(start, whole.end))
    return left


def time_without_pauses(speech: Sequence[Span], shortest: Seconds) -> Seconds:
    """Seconds from the first speech to the last, silences of at least `shortest` seconds left out."""
    voiced = sum(span.duration for span in speech)
    gaps = [after.start - before.end for before, after in pairwise(speech)]
    return voiced + sum(gap for gap in gaps if 0.0 < gap < shortest)


def merged(parts: Iterable[Span]) -> list[Span]:
    """The same stretches in order, those that touch made one."""
    joint: list[Span] = []
    for part in sorted(parts, key=lambda part: part.start):
        if joint and part.start <= joint[-1].end:
            joint[-1] = Span(joint[-1].start, max(joint[-1].end, part.end))
        else:
            joint.append(part)
    return joint
