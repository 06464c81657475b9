"""What a session's log and tracks say about turn-taking, held against what the candidate is known to have said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.candidate import Said
from bench.lines import TICK, Line, Log
from bench.truth import THINKING, Stretch
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import NO_TURN, Event
from voiceprep.core.units import At, Media, Seconds

NATURAL_END: Seconds = 0.6
"""A line that was over anyway so soon after the candidate began says nothing about yielding."""
KINDS = ("thinking", "long", "sentence", "filler", "speech")


@dataclass(frozen=True, slots=True)
class Gap:
    """From the true end of an answer to the first audible sample of the reply, and what it was spent on, in seconds.

    - `endpoint`: to `FloorYielded`, without `stt`;
    - `stt`: the draft on whose arrival the floor was yielded, from its `Draft` command (at the earliest the true end) to its
      `DraftReady`; 0 when silence alone decided;
    - `interviewer`: `FloorYielded` to `Speak`; 0 for the embedded one, which answers in the same breath;
    - `tts`: `Speak` to the utterance's first sample;
    - `leading_silence`: from there to its first audible sample;
    - `device`: what the sink says it takes from `write` to the ear; 0 where nobody listens.
    """

    total: Seconds
    endpoint: Seconds
    stt: Seconds
    interviewer: Seconds
    tts: Seconds
    leading_silence: Seconds
    device: Seconds
    condition: str
    language: str


@dataclass(frozen=True, slots=True)
class CutIn:
    """The interviewer began to sound before the answer was over; `place` is one of `KINDS`."""

    place: str
    answer: str
    condition: str
    at: Media
    pause: Seconds
    """Length the silence it fell into was to have; 0 in speech."""


@dataclass
class Measured:
    """What one or more sessions showed."""

    gaps: list[Gap] = field(default_factory=list)
    yields: list[Seconds] = field(default_factory=list)
    cut_ins: list[CutIn] = field(default_factory=list)
    pauses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    """Silences that were reached, by kind."""
    paused: dict[str, int] = field(default_factory=dict)
    """Thinking pauses that were reached, by condition."""
    unanswered: int = 0
    prompts: int = 0
    interruptions: int = 0
    """Cut-ins that were decided on and logged as such: no accidents, and not counted as ones."""
    spoken: Seconds = 0.0
    """Length of the answers, pauses included."""

    def add(self, events: Sequence[Event], said: Sequence[Said], voice: Samples, latency: Seconds = 0.0) -> None:
        """One session: its log, what the candidate said, the interviewer's track at VOICE_RATE, the sink's latency."""
        told = Log(events, voice)
        self.prompts += sum(line.move == "prompt" for line in told.lines)
        for number, now in enumerate(said):
            self.spoken += (now.stop - now.first) / RATE
            self._count_pauses(now)
            end, begun = told.at(now.media(min(now.stop, now.take.end))), told.at(now.media(now.onset))
            # One who is cut off in a pause falls silent with the very sample at which the voice comes.
            for line in told.replies(begun, end if now.complete else At(end + TICK)):
                self._cut_in(told, now, line)
            if now.over:
                self._time_to_yield(told, now, begun, latency)
            following = told.at(Media(said[number + 1].at / RATE)) if number + 1 < len(said) else told.ended
            if now.complete:
                self._gap(told, now, end, following, latency)

    def _count_pauses(self, now: Said) -> None:
        for pause in now.take.pauses:
            if now.first <= pause.start < now.stop:
                kind = kind_of(pause)
                self.pauses[kind] += 1
                if kind == "thinking":
                    self.paused[now.take.condition] = self.paused.get(now.take.condition, 0) + 1

    def _cut_in(self, told: Log, now: Said, line: Line) -> None:
        if told.commanded(line):
            self.interruptions += 1
            return
        moments = [told.yielded(line), line.started]  # decided in a pause that ended just before the voice came: that pause
        for moment in moments:
            media = told.media(moment) if moment is not None else None
            hit = [p for p in now.take.pauses if media is not None and now.media(p.start) <= media < now.media(p.end)]
            if hit:
                place, length = kind_of(hit[0]), hit[0].seconds
                break
        else:
            place, length = "speech", 0.0
        self.cut_ins.append(CutIn(place, now.take.id, now.take.condition, told.media(line.started), length))

    def _time_to_yield(self, told: Log, now: Said, begun: At, latency: Seconds) -> None:
        line = next((each for each in told.lines if each.id == now.over), None)
        if line is None:
            return
        took = line.audible[1] + latency - begun
        if took > 0 and not (line.complete and took < NATURAL_END):
            self.yields.append(took)

    def _gap(self, told: Log, now: Said, end: At, following: At, latency: Seconds) -> None:
        reply = next((line for line in told.lines if line.move not in NO_TURN and end <= line.started <= following), None)
        if reply is None:
            self.unanswered += following < told.ended  # the last one of a session may have been cut off by its end
            return
        yielded = told.yielded(reply)
        decided = reply.asked if yielded is None else yielded
        stt = told.waited(decided, end)
        self.gaps.append(
            Gap(
                total=reply.audible[0] + latency - end,
                endpoint=decided - end - stt,
                stt=stt,
                interviewer=reply.asked - decided,
                tts=reply.started - reply.asked,
                leading_silence=reply.audible[0] - reply.started,
                device=latency,
                condition=now.take.condition,
                language=now.take.language,
            )
        )


def kind_of(pause: Stretch) -> str:
    """A silence by what it tests: thinking up to 10 s, longer thinking, a breath between sentences, one around a filler."""
    if pause.kind != "hesitation":
        return pause.kind
    return "thinking" if pause.seconds <= THINKING[1] else "long"


# --- figures ------------------------------------------------------------------------------------------------------------

STEPS = ("endpoint", "stt", "interviewer", "tts", "leading_silence", "device")


def figures(measured: Measured) -> dict[str, Any]:
    """The contract's fields, and more: by condition, and each cut-in with its place."""
    gaps = measured.gaps
    return {
        "response_gap": quantiles([g.total for g in gaps]),
        "breakdown": {step: middle([getattr(g, step) for g in gaps]) for step in STEPS},
        "time_to_yield": quantiles(measured.yields),
        "false_cut_ins": _cuts(measured, "thinking"),
        "long_pauses": _cuts(measured, "long"),
        "between_sentences": _cuts(measured, "sentence"),
        "around_fillers": _cuts(measured, "filler"),
        "cut_ins_in_speech": sum(cut.place == "speech" for cut in measured.cut_ins),
        "unanswered": measured.unanswered,
        "prompts": measured.prompts,
        "interruptions": measured.interruptions,
        "conditions": {name: _condition(measured, name) for name in sorted({g.condition for g in gaps} | set(measured.paused))},
        "cut_ins": [
            {
                "answer": c.answer,
                "condition": c.condition,
                "place": c.place,
                "media": round(c.at, 2),
                "pause": round(c.pause, 2),
            }
            for c in measured.cut_ins
        ],
    }


def lecture_figures(measured: Measured) -> dict[str, Any]:
    """Long talks: how often the interviewer cut in, by the minute of talk."""
    minutes = measured.spoken / 60
    return {
        "minutes": round(minutes, 2),
        "cut_ins": len(measured.cut_ins),
        "cut_ins_per_minute": round(len(measured.cut_ins) / minutes, 3) if minutes else None,
        "pauses": sum(measured.pauses.values()),
        "interruptions": measured.interruptions,
    }


def _cuts(measured: Measured, kind: str) -> dict[str, int]:
    return {"count": sum(cut.place == kind for cut in measured.cut_ins), "pauses": measured.pauses[kind]}


def _condition(measured: Measured, name: str) -> dict[str, Any]:
    cuts = sum(cut.place == "thinking" and cut.condition == name for cut in measured.cut_ins)
    gaps = quantiles([g.total for g in measured.gaps if g.condition == name])
    return {"response_gap": gaps, "false_cut_ins": {"count": cuts, "pauses": measured.paused.get(name, 0)}}


def middle(values: Sequence[float]) -> float | None:
    """The median; None of nothing."""
    return round(float(np.median(values)), 3) if len(values) else None


def quantiles(values: Sequence[float]) -> dict[str, float | int | None]:
    """Median, 95th percentile and how many."""
    p95 = round(float(np.quantile(values, 0.95)), 3) if len(values) else None
    return {"p50": middle(values), "p95": p95, "n": len(values)}
