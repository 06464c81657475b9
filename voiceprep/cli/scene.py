"""What there is to see of a running session: a fold of its events into one small value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from voiceprep.core.drills.pack import PROMPT, Drill
from voiceprep.core.events import (
    AudioProgress,
    CaptionChanged,
    CaptionsBehind,
    ClockStarted,
    CueGiven,
    EdgeFailed,
    Event,
    FlagRaised,
    FloorYielded,
    Language,
    NoteAdded,
    SectionChanged,
    SessionClosing,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SignalGiven,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.pack import RoundPack, tongue_of
from voiceprep.core.units import Seconds

Floor = Literal["waiting", "interviewer", "speaking", "breath", "thinking", "yielded", "ending", "over"]

SHOWN_FLAGS = 3
SHOWN_WORDS = 200


@dataclass(frozen=True, slots=True)
class Card:
    """What is known before the session begins: the title, who asks, the parts, the keys that do something."""

    title: str
    persona: str
    role: str
    minutes: tuple[int, int]
    sections: Mapping[str, str] = field(default_factory=dict)
    """Title of each section by its id."""
    coach: bool = True
    """Show pacing flags while the session runs."""
    keys: str = ""
    """One line: "Enter: my answer is finished   q: end"."""
    drill: Drill | None = None
    """The drill that is held, in place of a round: its time is shown, large."""

    @classmethod
    def of(cls, pack: RoundPack, language: Language, *, coach: bool, keys: str = "", drill: Drill | None = None) -> Card:
        tongue = tongue_of(language)
        return cls(
            title=pack.title[tongue],
            persona=pack.persona.name[tongue],
            role=pack.persona.role[tongue],
            minutes=pack.minutes,
            sections={section.id: section.title[tongue] for section in pack.sections},
            coach=coach,
            keys=keys,
            drill=drill,
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """The state of the screen. Replaced as a whole, so another thread may read it at any time."""

    began: Seconds = 0.0
    now: Seconds = 0.0
    level: float = -90.0
    """dBFS of the microphone, just now."""
    floor: Floor = "waiting"
    since: Seconds = 0.0
    """When this state of the floor began."""
    turn_began: Seconds | None = None
    """Since when the candidate has the floor."""
    section: str = ""
    section_began: Seconds = 0.0
    budget: Seconds = 0.0
    lines: Mapping[str, str] = field(default_factory=dict)
    """Texts that were asked for and have not sounded yet, by utterance."""
    asides: frozenset[str] = frozenset()
    """Utterances that are sounds of listening."""
    line: str = ""
    """What the interviewer says, or said last."""
    committed: tuple[Word, ...] = ()
    firm: tuple[Word, ...] = ()
    tentative: tuple[Word, ...] = ()
    behind: Seconds = 0.0
    """How far the words are behind the voice, where it is worth telling."""
    flags: tuple[FlagRaised, ...] = ()
    trouble: str = ""
    noted: Seconds | None = None
    """When a place was marked last."""
    paused: bool = False
    """It stands still, and nothing is recorded."""
    sign: SignalGiven | None = None
    """The micro-signal that the interviewer gave last."""
    offset: Seconds = 0.0
    """Session time at the recording's first sample."""
    drill_began: Seconds | None = None
    """In a drill: when the answer to its prompt began."""
    clock: ClockStarted | None = None
    """... and the clock of the reply that is given now; None while none is."""
    cue: CueGiven | None = None
    """... and the cue that was given last."""

    @property
    def elapsed(self) -> Seconds:
        return max(0.0, self.now - self.began)

    def place(self, at: Seconds) -> Seconds:
        """Where a moment of the session lies in the recording: 0 before its first sample."""
        return max(0.0, at - max(self.offset, self.began))


def follow(scene: Scene, event: Event) -> Scene:
    """The scene after this event."""
    scene = replace(scene, now=max(scene.now, event.at))
    match event:
        case SessionStarted():
            return replace(scene, began=event.at)
        case SectionChanged():
            return replace(scene, section=event.section, section_began=event.at, budget=event.budget)
        case FlagRaised():
            return replace(scene, flags=(*scene.flags, event)[-SHOWN_FLAGS:])
        case AudioProgress():
            return replace(scene, offset=event.at - event.media)
        case NoteAdded():
            return replace(scene, noted=event.at)
        case SessionPaused() | SessionResumed():
            return replace(scene, paused=isinstance(event, SessionPaused))
        case ClockStarted():
            began = event.media + scene.offset if event.step == PROMPT or scene.drill_began is None else scene.drill_began
            return replace(scene, clock=event, drill_began=began)
        case CueGiven():
            return replace(scene, cue=event)
        case SignalGiven():
            return replace(scene, sign=event)
        case EdgeFailed():
            trouble = "" if event.code.endswith("-back") else event.message
            return replace(scene, trouble=trouble, lines={k: v for k, v in scene.lines.items() if k != event.of})
        case CaptionChanged() | WordsHeard() | WordsCommitted():
            return _words(scene, event)
        case CaptionsBehind():
            return replace(scene, behind=event.seconds)
        case Speak(move="backchannel" | "cue"):
            return replace(scene, asides=scene.asides | {event.id})
        case SpeakingStarted() | SpeakingFinished() if event.of in scene.asides:
            return scene  # the floor, and the line on the screen, stay as they are
        case Speak():
            return replace(scene, lines={**scene.lines, event.id: event.text})
        case SpeakingStarted() if event.of in scene.lines:
            rest = {k: v for k, v in scene.lines.items() if k != event.of}
            return replace(scene, floor="interviewer", since=event.at, line=scene.lines[event.of], lines=rest, trouble="")
        case _:
            return _floor(scene, event)


def _floor(scene: Scene, event: Event) -> Scene:
    match event:
        case SpeakingFinished():
            line = scene.line if event.complete else f"{event.heard} —"
            floor: Floor = "waiting" if scene.floor == "interviewer" else scene.floor
            return replace(scene, floor=floor, since=event.at, line=line)
        case TurnStarted(speaker="candidate"):
            fresh = replace(scene, committed=(), firm=(), tentative=())
            return replace(fresh, floor="speaking", since=event.at, turn_began=event.at)
        case FloorYielded():
            return replace(scene, floor="yielded", since=event.at)
        case TurnEnded(speaker="candidate"):
            return replace(scene, turn_began=None)
        case VoiceStarted(speaker="candidate") if scene.turn_began is not None:
            return replace(scene, floor="speaking", since=event.at)
        case VoiceStopped(speaker="candidate") if scene.turn_began is not None:
            return replace(scene, floor="breath", since=event.at)
        case SilenceChanged(state="thinking"):
            # Counted from the last sound: the breath before it is already part of this silence.
            return replace(scene, floor="thinking", since=scene.since if scene.floor == "breath" else event.at)
        case SessionClosing():
            return replace(scene, floor="ending", since=event.at)
        case SessionEnded():
            return replace(scene, floor="over", since=event.at)
        case _:
            return scene


def _words(scene: Scene, event: CaptionChanged | WordsHeard | WordsCommitted) -> Scene:
    match event:
        case CaptionChanged():
            return replace(scene, firm=event.firm, tentative=event.tentative)
        case WordsHeard():
            return replace(scene, firm=event.words, tentative=())
        case WordsCommitted():
            # A caption that has run ahead of these words stays on the screen.
            end = max((word.end for word in event.words), default=0.0)
            return replace(
                scene,
                committed=(*scene.committed, *event.words)[-SHOWN_WORDS:],
                firm=tuple(w for w in scene.firm if w.start >= end),
                tentative=tuple(w for w in scene.tentative if w.start >= end),
            )
