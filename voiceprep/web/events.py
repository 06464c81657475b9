"""The core's events as the page gets them: which of them, and which of their fields.

A wire event has the core's name in snake case, and its fields are the core's. Every kind of the core is either mapped here or
named in `PRIVATE` with the reason why a page does not get it; `WITHHELD` does the same for single fields. A test holds both
against `core/events.py`, so a new event or a new field must be decided on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from voiceprep.core import events as core
from voiceprep.core.events import Event, Language, Level, MoveKind, Sign, Silence, Speaker


def snake(name: str) -> str:
    """``TurnStarted`` as the wire calls it: ``turn_started``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Wire(BaseModel):
    """A message of this protocol. Fields that are not known are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class WireWord(Wire):
    """One word: `start` and `end` are media seconds, `confidence` 0..1."""

    text: str
    start: float
    end: float
    confidence: float


class WireEvent(Wire):
    """Something that happened in the live session at `at`, seconds on the session clock."""

    core: ClassVar[type[Event]]
    at: float


class SessionStarted(WireEvent):
    core = core.SessionStarted
    kind: Literal["session_started"] = "session_started"
    round: str
    persona: str
    language: Language
    mode: Literal["coach", "exam"]


class NoteAdded(WireEvent):
    core = core.NoteAdded
    kind: Literal["note_added"] = "note_added"
    media: float
    text: str


class SessionPaused(WireEvent):
    """`reason`: `asked`, or `away`: no page was connected."""

    core = core.SessionPaused
    kind: Literal["session_paused"] = "session_paused"
    media: float
    reason: str


class SessionResumed(WireEvent):
    core = core.SessionResumed
    kind: Literal["session_resumed"] = "session_resumed"
    media: float


class AudioGap(WireEvent):
    core = core.AudioGap
    kind: Literal["audio_gap"] = "audio_gap"
    start: float
    end: float
    reason: str


class VoiceStarted(WireEvent):
    core = core.VoiceStarted
    kind: Literal["voice_started"] = "voice_started"
    speaker: Speaker
    media: float


class VoiceStopped(WireEvent):
    core = core.VoiceStopped
    kind: Literal["voice_stopped"] = "voice_stopped"
    speaker: Speaker
    media: float


class Speak(WireEvent):
    """What the interviewer is about to say. Its sound comes as binary frames that carry the number `utterance`."""

    core = core.Speak
    kind: Literal["speak"] = "speak"
    id: str
    text: str
    language: Literal["en", "zh"]
    move: MoveKind


class SpeakingStarted(WireEvent):
    core = core.SpeakingStarted
    kind: Literal["speaking_started"] = "speaking_started"
    of: str
    media: float


class SpeakingFinished(WireEvent):
    core = core.SpeakingFinished
    kind: Literal["speaking_finished"] = "speaking_finished"
    of: str
    media: float
    heard: str
    seconds: float
    complete: bool


class PauseSpeaking(WireEvent):
    core = core.PauseSpeaking
    kind: Literal["pause_speaking"] = "pause_speaking"
    of: str


class ResumeSpeaking(WireEvent):
    core = core.ResumeSpeaking
    kind: Literal["resume_speaking"] = "resume_speaking"
    of: str


class StopSpeaking(WireEvent):
    core = core.StopSpeaking
    kind: Literal["stop_speaking"] = "stop_speaking"
    of: str


class EdgeFailed(WireEvent):
    core = core.EdgeFailed
    kind: Literal["edge_failed"] = "edge_failed"
    code: str
    message: str
    of: str


class TurnStarted(WireEvent):
    core = core.TurnStarted
    kind: Literal["turn_started"] = "turn_started"
    speaker: Speaker
    turn: int
    media: float


class TurnEnded(WireEvent):
    core = core.TurnEnded
    kind: Literal["turn_ended"] = "turn_ended"
    speaker: Speaker
    turn: int
    media: float
    reason: str


class FloorYielded(WireEvent):
    core = core.FloorYielded
    kind: Literal["floor_yielded"] = "floor_yielded"
    turn: int
    media: float
    reason: str


class SilenceChanged(WireEvent):
    core = core.SilenceChanged
    kind: Literal["silence_changed"] = "silence_changed"
    state: Silence
    media: float


class Interrupted(WireEvent):
    core = core.Interrupted
    kind: Literal["interrupted"] = "interrupted"
    who: Speaker
    by: Speaker
    media: float
    reason: str


class CaptionChanged(WireEvent):
    """All live text whose record is not here yet. Each one takes the place of the one before."""

    core = core.CaptionChanged
    kind: Literal["caption_changed"] = "caption_changed"
    firm: tuple[WireWord, ...]
    tentative: tuple[WireWord, ...]


class CaptionsBehind(WireEvent):
    core = core.CaptionsBehind
    kind: Literal["captions_behind"] = "captions_behind"
    seconds: float


class WordsCommitted(WireEvent):
    core = core.WordsCommitted
    kind: Literal["words_committed"] = "words_committed"
    words: tuple[WireWord, ...]
    turn: int
    trusted: bool


class SectionChanged(WireEvent):
    core = core.SectionChanged
    kind: Literal["section_changed"] = "section_changed"
    section: str
    budget: float


class QuestionAsked(WireEvent):
    core = core.QuestionAsked
    kind: Literal["question_asked"] = "question_asked"
    question: str
    text: str
    of: str


class MoveWithdrawn(WireEvent):
    core = core.MoveWithdrawn
    kind: Literal["move_withdrawn"] = "move_withdrawn"
    of: str


class SignalGiven(WireEvent):
    """What the interviewer's face does. What it stands for is kept for the quiz."""

    core = core.SignalGiven
    kind: Literal["signal_given"] = "signal_given"
    signal: Sign
    of: str


class FlagRaised(WireEvent):
    """Live in coach mode only."""

    core = core.FlagRaised
    kind: Literal["flag_raised"] = "flag_raised"
    rule: str
    level: Level
    start: float
    end: float
    advice: str


class ClockStarted(WireEvent):
    core = core.ClockStarted
    kind: Literal["clock_started"] = "clock_started"
    media: float
    limit: float
    step: str
    budget: float


class CueGiven(WireEvent):
    core = core.CueGiven
    kind: Literal["cue_given"] = "cue_given"
    cue: str
    mark: float
    media: float
    text: str
    of: str


class SessionClosing(WireEvent):
    core = core.SessionClosing
    kind: Literal["session_closing"] = "session_closing"
    reason: str


class SessionEnded(WireEvent):
    core = core.SessionEnded
    kind: Literal["session_ended"] = "session_ended"
    reason: str


EVENTS: tuple[type[WireEvent], ...] = tuple(WireEvent.__subclasses__())
BY_CORE: Mapping[type[Event], type[WireEvent]] = {each.core: each for each in EVENTS}

_INSIDE = "a step of the machinery; what comes of it is told"
_TRUTH = "what the interviewer thinks, or will do: it would give the game away"
PRIVATE: Mapping[str, str] = {
    "StopRequested": "SessionClosing follows",
    "TurnHandedOver": "the page asked for it; FloorYielded follows",
    "AudioProgress": "the message `clock` tells it",
    "VoiceSuspected": _INSIDE,
    "VoiceLulled": _INSIDE,
    "EndingHeard": _INSIDE,
    "QuietPoint": _INSIDE,
    "HypothesisReady": _INSIDE,
    "DraftReady": _INSIDE,
    "TranscriptReady": _INSIDE,
    "Reworded": _INSIDE,
    "SpeechPrepared": _INSIDE,
    "Hypothesize": _INSIDE,
    "Draft": _INSIDE,
    "Transcribe": _INSIDE,
    "Reword": _TRUTH,
    "PrepareSpeech": _TRUTH,
    "ReplyExpected": _TRUTH,
    "WordsHeard": "CaptionChanged shows them",
    "EchoDropped": "nobody said it",
    "TurnAssessed": _TRUTH,
    "InterruptionDue": _TRUTH,
    "MoveChosen": _TRUTH,
    "AskedAgain": _TRUTH,
}
"""Kinds that no page gets, by name, and why."""

_NO_ANSWER = {"id": "nothing answers it"}
WITHHELD: Mapping[str, Mapping[str, str]] = {
    "PauseSpeaking": _NO_ANSWER,
    "ResumeSpeaking": _NO_ANSWER,
    "StopSpeaking": _NO_ANSWER,
    "SpeakingStarted": {"latency": "the page knows its own speaker better, and tells it with `heard`"},
    "VoiceStarted": {"level": "the message `level` shows it"},
    "SignalGiven": {"meant": "the quiz asks for it", "reason": "it tells the answer to the quiz"},
    "FlagRaised": {"evidence": "it is for the review"},
}
"""Fields that are left out of a kind that is mapped, and why."""

HIDDEN_IN_EXAM: frozenset[type[WireEvent]] = frozenset({FlagRaised})
"""An exam keeps these for the review."""


def to_wire(event: Event, *, exam: bool) -> WireEvent | None:
    """The event as the page gets it, or None: it is not for the page."""
    kind = BY_CORE.get(type(event))
    if kind is None or (exam and kind in HIDDEN_IN_EXAM):
        return None
    values: dict[str, Any] = {name: getattr(event, name) for name in kind.model_fields if name != "kind"}
    return kind.model_validate(values)
