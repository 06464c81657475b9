"""What each reply's wait was spent on, told from a session's log: from the candidate's last sound to the interviewer's first.

All times are session seconds. The log has no true end of speech, only what voice activity took for it, some hundredths of a
second later; a benchmark on known speech (`voiceprep bench voice-to-voice`) measures from the true one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]  # it ships no types

from voiceprep.core.events import (
    NO_TURN,
    AudioProgress,
    Draft,
    DraftReady,
    Event,
    FloorYielded,
    MoveKind,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    VoiceStopped,
)
from voiceprep.core.units import At, Media, Seconds
from voiceprep.store import track

STEPS = ("endpoint", "stt", "interviewer", "tts", "leading_silence", "device")
SAME: Seconds = 0.016
"""Half a block of sound: a draft that arrives this close to a decision is what the decision was waiting for."""
AUDIBLE = 0.01
"""Of full scale: what is softer at the beginning of a line is not heard yet."""
STALL: Seconds = 1.0
"""How far the interviewer's track may be behind the clock when a machine was too busy to write it, or the clock shift."""
DECIMALS = 3

Leading = Callable[[At, At, At], Seconds | None]
"""The silence that a line begins with, given the end of the line before, when it began, and its own end. None: not known."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply and the wait for it, in seconds.

    Attributes:
        turn: of the candidate, that it answers.
        media: where it began in the recording.
        reason: why the floor passed: `yielded`, or `handed-over` by key; the wait then begins with the key.
        endpoint: from the last sound to the decision that the answer is over, `stt` left out.
        stt: what the decision waited for its draft; 0 where silence alone decided.
        interviewer: from the decision to the line's text: 0 for the embedded one.
        tts: from there to the first sample.
        leading_silence: from there to the first audible one; None where the interviewer's track is not there.
        device: what the speaker said it takes to the ear; None in a log that does not tell.
    """

    turn: int
    move: MoveKind
    media: Media
    reason: str
    endpoint: Seconds
    stt: Seconds
    interviewer: Seconds
    tts: Seconds
    leading_silence: Seconds | None
    device: Seconds | None

    @property
    def total(self) -> Seconds:
        """As far as its parts are known."""
        return sum(getattr(self, step) or 0.0 for step in STEPS)

    def document(self) -> dict[str, Any]:
        parts = {step: getattr(self, step) for step in STEPS}
        times = {"media": self.media, "total": self.total} | parts
        return {"turn": self.turn, "move": self.move, "reason": self.reason} | {
            name: None if value is None else round(value, DECIMALS) for name, value in times.items()
        }


def replies(events: Sequence[Event], leading: Leading = lambda *_: None) -> list[Reply]:
    """Every line that answers the candidate, in order. Openings, interjections and sounds of listening answer nobody."""
    found = _Reading(leading)
    ends = {event.of: event.at for event in events if isinstance(event, SpeakingFinished)}
    return [reply for event in events if (reply := found.take(event, ends)) is not None]


class _Reading:
    """Goes through a log once."""

    def __init__(self, leading: Leading) -> None:
        self._leading = leading
        self._offset: Seconds | None = None
        self._silent_since = At(0.0)
        self._decided: FloorYielded | None = None
        self._waited: Seconds = 0.0
        self._drafts: dict[str, At] = {}
        self._drafted: tuple[At, At] | None = None
        """When the latest draft was asked for, and when it came."""
        self._lines: dict[str, Speak] = {}
        self._over = At(0.0)

    def take(self, event: Event, ends: dict[str, At]) -> Reply | None:
        match event:
            case AudioProgress():
                shift = event.at - event.media
                # The smallest delay is the true one; but after a sleep the recording is behind for good.
                if self._offset is None or shift < self._offset or shift > self._offset + STALL:
                    self._offset = shift
            case VoiceStopped(speaker="candidate"):
                self._silent_since = min(event.at, At(event.media + (self._offset or 0.0)))
            case Draft():
                self._drafts[event.id] = event.at
            case DraftReady() if event.of in self._drafts:
                self._drafted = (self._drafts[event.of], event.at)
            case FloorYielded():
                self._decided, self._waited = event, self._waited_for_draft(event)
            case Speak():
                self._lines[event.id] = event
            case SpeakingStarted() if event.of in self._lines:
                reply = self._reply(event, self._lines[event.of], ends)
                self._over = ends.get(event.of, event.at)
                return reply
        return None

    def _waited_for_draft(self, decided: FloorYielded) -> Seconds:
        if self._drafted is None or abs(self._drafted[1] - decided.at) > SAME:
            return 0.0
        return max(0.0, decided.at - max(self._silent_since, self._drafted[0]))

    def _reply(self, started: SpeakingStarted, line: Speak, ends: dict[str, At]) -> Reply | None:
        decided = self._decided
        if decided is None or line.move in NO_TURN or line.at < decided.at:
            return None
        self._decided = None  # the next line goes on with this one
        by_key = decided.reason == "handed-over"
        return Reply(
            turn=decided.turn,
            move=line.move,
            media=started.media,
            reason=decided.reason,
            endpoint=0.0 if by_key else max(0.0, decided.at - self._silent_since - self._waited),
            stt=0.0 if by_key else self._waited,
            interviewer=line.at - decided.at,
            tts=started.at - line.at,
            leading_silence=self._leading(self._over, started.at, ends.get(started.of, At(started.at + STALL))),
            device=started.latency,
        )


def leading_in(folder: Path) -> Leading:
    """Looks into the session's own track of the interviewer."""
    path = track.audio(folder, "interviewer")
    if path is None:
        return lambda *_: None

    def leading(before: At, started: At, over: At) -> Seconds | None:
        try:
            with soundfile.SoundFile(path) as file:
                first = min(file.frames, round(max(before, started - STALL) * file.samplerate))
                file.seek(first)
                piece = np.abs(file.read(max(0, round(over * file.samplerate) - first), dtype="float32"))
                # The track may lag the clock, so the line begins with the first sample that is not silence, wherever that is.
                sounding, loud = np.flatnonzero(piece), np.flatnonzero(piece >= AUDIBLE)
                return float(loud[0] - sounding[0]) / file.samplerate if len(loud) else None
        except (OSError, soundfile.SoundFileError):
            return None

    return leading


def figures(found: Sequence[Reply]) -> dict[str, Any]:
    """`response_gap`, `breakdown` with p50 and p95 of each step, and `replies` one by one."""
    return {
        "response_gap": quantiles(reply.total for reply in found) | {"n": len(found)},
        "breakdown": {step: quantiles(getattr(reply, step) for reply in found) for step in STEPS},
        "replies": [reply.document() for reply in found],
    }


def quantiles(values: Sequence[Seconds | None] | Iterator[Seconds | None]) -> dict[str, Any]:
    """Median and 95th percentile of what is known; None of nothing."""
    known = [value for value in values if value is not None]
    if not known:
        return {"p50": None, "p95": None}
    return {f"p{share}": round(float(np.quantile(known, share / 100)), DECIMALS) for share in (50, 95)}
