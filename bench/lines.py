"""The interviewer's lines in a session: when they were decided on, when they sounded, where they lie in the track.

All moments are on the session clock. A place in the recording is mapped onto it by the smallest `AudioProgress` offset: that
is when the sample was spoken, whatever the machine was busy with when it arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.truth import AUDIBLE
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.core.events import (
    NO_TURN,
    AudioProgress,
    Draft,
    DraftReady,
    Event,
    FloorYielded,
    Interrupted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
)
from voiceprep.core.units import At, Media, Seconds

TICK: Seconds = BLOCK / RATE
STALL: Seconds = 1.0
"""How far the interviewer's track may be behind when a machine was too busy to write it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of the interviewer's that sounded."""

    id: str
    move: str
    asked: At
    """When `Speak` was commanded."""
    started: At
    over: At
    complete: bool
    placed: At
    """Where its first sample lies in the interviewer's track."""
    audible: tuple[At, At]
    """Its first and its last audible sample, the device's delay not counted."""


class Log:
    """A session's events, looked up."""

    def __init__(self, events: Sequence[Event], voice: Samples) -> None:
        self._events = events
        self._offset = min((e.at - e.media for e in events if isinstance(e, AudioProgress)), default=0.0)
        self._decisions = [e.at for e in events if isinstance(e, FloorYielded)]
        self._interruptions = [e.at for e in events if isinstance(e, Interrupted) and e.by == "interviewer"]
        self.ended = max((e.at for e in events), default=At(0.0))
        self.lines = lines_of(events, voice)

    def at(self, media: Media) -> At:
        return At(media + self._offset)

    def media(self, at: At) -> Media:
        return Media(at - self._offset)

    def replies(self, start: At, end: At) -> list[Line]:
        """Lines, encouragements left out, that began to sound between these moments."""
        return [line for line in self.lines if line.move not in NO_TURN and start < line.started < end]

    def yielded(self, line: Line) -> At | None:
        """The decision that this line answers."""
        earlier = [at for at in self._decisions if at <= line.asked]
        previous = max((each.started for each in self.lines if each.started < line.started), default=At(-1.0))
        return earlier[-1] if earlier and earlier[-1] > previous else None

    def commanded(self, line: Line) -> bool:
        return any(line.asked - TICK <= at <= line.started + TICK for at in self._interruptions)

    def waited(self, decided: At, end: At) -> Seconds:
        """How long the decision waited for its draft, after the true end."""
        asked = {e.id: e.at for e in self._events if isinstance(e, Draft)}
        for event in self._events:
            if isinstance(event, DraftReady) and abs(event.at - decided) < TICK / 2 and event.of in asked:
                return max(0.0, decided - max(end, asked[event.of]))
        return 0.0


def lines_of(events: Sequence[Event], voice: Samples) -> list[Line]:
    """What sounded of the interviewer, in order. `voice` is its track at VOICE_RATE, whose time line is the session's."""
    speaks = {e.id: e for e in events if isinstance(e, Speak)}
    starts = {e.of: e for e in events if isinstance(e, SpeakingStarted)}
    ends = {e.of: e for e in events if isinstance(e, SpeakingFinished)}
    last = max((e.at for e in events), default=At(0.0))
    lines, before = [], At(0.0)
    for of, start in starts.items():
        over = ends[of].at if of in ends else last
        complete = of in ends and ends[of].complete
        placed, audible = _sounded(voice, before, start.at, over)
        lines.append(Line(of, speaks[of].move, speaks[of].at, start.at, over, complete, placed, audible))
        before = over
    return lines


def _sounded(voice: Samples, before: At, started: At, over: At) -> tuple[At, tuple[At, At]]:
    """Where the first sample of a line lies in the track, and when its first and last audible samples sounded.

    The track may be behind the moment at which its samples went out, by a tick or by a stall, so it is laid so that the
    first sample that is not silence sounds at `started`.
    """
    first = round(max(before, started - STALL) * VOICE_RATE)
    piece = np.abs(voice[first : round((over + TICK) * VOICE_RATE)])
    sounding, loud = np.flatnonzero(piece), np.flatnonzero(piece >= AUDIBLE)
    if not len(loud):
        return started, (started, started)
    begun = int(sounding[0])
    moments = (At(started + float(place - begun) / VOICE_RATE) for place in (loud[0], loud[-1]))
    return At((first + begun) / VOICE_RATE), (next(moments), next(moments))
