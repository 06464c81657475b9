"""A small picture of a session: both voices on one band, silences and flags on bands below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from voiceprep.content.review import load_review
from voiceprep.core.pack import Tongue
from voiceprep.core.text import mmss as clock
from voiceprep.core.timeline import Timeline
from voiceprep.core.units import Seconds
from voiceprep.exporters.cues import sounds_until

SHOWN_PAUSE: Seconds = 2.0
SCALE = 1000.0
"""Width of the picture in its own units."""
HEIGHT = 66


@dataclass(frozen=True, slots=True)
class Lane:
    """A bar of the picture. `kind`: candidate, interviewer, pause, or the level of a flag."""

    kind: str
    x: float
    y: int
    width: float
    height: int
    title: str


def lanes(timeline: Timeline, tongue: Tongue) -> list[Lane]:
    """All bars, rules by their names in `tongue`; none where nothing was recorded."""
    return list(_lanes(timeline, tongue)) if timeline.duration > 0 else []


def _lanes(timeline: Timeline, tongue: Tongue) -> Iterator[Lane]:
    scale = SCALE / timeline.duration

    def lane(kind: str, start: Seconds, end: Seconds, y: int, title: str) -> Lane:
        return Lane(kind, start * scale, y, max(1.0, (min(end, timeline.duration) - start) * scale), 12, title)

    for span in timeline.speech:
        yield lane("candidate", span.start, span.end, 6, clock(span.start))
    for said in timeline.utterances:
        if said.media is not None and said.heard and (end := sounds_until(said, timeline)) > said.media:
            yield lane("interviewer", said.media, end, 18, clock(said.media))
    for pause in timeline.pauses:
        if pause.duration >= SHOWN_PAUSE:
            yield lane("pause", pause.start, pause.end, 36, f"{pause.duration:.1f} s of silence")
    texts = load_review()
    for flag in timeline.flags:
        yield lane(flag.level, flag.end, flag.end, 52, f"{texts.rule(flag.rule, tongue)}, {flag.level}")
