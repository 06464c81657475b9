"""A session as the two of them would remember it: each line of the interviewer's with what it was for and what it got.

Everything is read from the log, so the same is made of a session on the virtual clock and of a spoken one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.simulated.meeting import CutIn
from voiceprep.core.events import (
    NO_TURN,
    Event,
    FlagRaised,
    Interrupted,
    Language,
    MoveChosen,
    MoveKind,
    MoveWithdrawn,
    QuestionAsked,
    SectionChanged,
    SessionEnded,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnAssessed,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    WordsCommitted,
)
from voiceprep.core.pack import RoundPack
from voiceprep.core.text import joined
from voiceprep.core.units import At, Seconds

BEGINNING = At(0.0)


@dataclass
class Line:
    """Something the interviewer said, and the answer to it."""

    id: str
    at: At
    text: str
    move: MoveKind
    target: str
    phrase: str
    reason: str
    question: str
    """Id of the main question it belongs to, or "": the candidate asks, or the round is over."""
    section: str
    since: Seconds
    """How long the section had lasted."""
    cut_in: str = ""
    """Id of the interjection with which it broke in."""
    started: At | None = None
    over: At | None = None
    answer: str = ""
    heard: frozenset[str] = frozenset()
    """Signals and traps that were heard in the answer."""
    voice: list[tuple[At, At]] = field(default_factory=list)
    """When the candidate's voice was heard after it."""
    flags: list[FlagRaised] = field(default_factory=list)

    @property
    def raises(self) -> bool:
        """It raises a main question."""
        return bool(self.question) and self.move in {"question", "move_on"}

    @property
    def presses(self) -> bool:
        """It goes after something in what was answered."""
        return self.move in {"followup", "pushback", "curveball", "probe_detail", "forced_choice"}

    @property
    def silence(self) -> Seconds:
        """From its end to the first sound of the answer; 0 where there was none, or it began before."""
        return max(0.0, self.voice[0][0] - self.over) if self.voice and self.over is not None else 0.0


@dataclass(frozen=True)
class Interview:
    """A whole session. `prompts` are encouragements, which take no turn; `cut_ins` are known of written candidates alone."""

    pack: RoundPack
    language: Language
    lines: tuple[Line, ...]
    prompts: tuple[Line, ...]
    sections: tuple[tuple[str, At], ...]
    ended: str
    elapsed: At
    cut_ins: tuple[CutIn, ...] = ()
    character: str = ""
    whole: bool = True
    """False: it was stopped on purpose before its end."""

    def topics(self) -> list[list[Line]]:
        """The lines by main question, each group beginning with the line that raises it."""
        groups: list[list[Line]] = []
        for line in self.lines:
            if line.raises:
                groups.append([line])
            elif groups and line.question == groups[-1][0].question:
                groups[-1].append(line)
        return groups


def interview(
    log: Iterable[Event],
    pack: RoundPack,
    language: Language,
    cut_ins: Sequence[CutIn] = (),
    character: str = "",
    *,
    whole: bool = True,
) -> Interview:
    """What happened, from the log of a session of `pack`. A line that was taken back was never said."""
    memory = _Memory()
    for event in log:
        memory.take(event)
    said = [line for line in memory.lines.values() if line.id not in memory.withdrawn and line.started is not None]
    return Interview(
        pack=pack,
        language=language,
        lines=tuple(line for line in said if line.move not in NO_TURN),
        prompts=tuple(line for line in said if line.move == "prompt"),
        sections=tuple(memory.sections),
        ended=memory.ended,
        elapsed=memory.at,
        cut_ins=tuple(cut_ins),
        character=character,
        whole=whole,
    )


@dataclass
class _Memory:
    at: At = BEGINNING
    ended: str = ""
    lines: dict[str, Line] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    sections: list[tuple[str, At]] = field(default_factory=list)
    chosen: MoveChosen | None = None
    question: str = ""
    broke_in: str = ""
    sounding: Line | None = None
    current: Line | None = None
    """The interviewer's last line that became a turn."""
    owners: dict[int, Line] = field(default_factory=dict)
    """By turn of the candidate's: the line that it answers."""
    voiced: At | None = None

    def take(self, event: Event) -> None:
        self.at = event.at
        match event:
            case MoveChosen():
                self.chosen = event
                if event.move == "move_on":
                    self.question = ""
            case QuestionAsked():
                self.question = event.question
            case Interrupted(by="interviewer"):
                self.broke_in = event.reason
            case SectionChanged():
                self.sections.append((event.section, event.at))
            case Speak() | SpeakingStarted() | SpeakingFinished() | MoveWithdrawn():
                self._line(event)
            case SessionEnded():
                self.ended = event.reason
            case _:
                self._candidate(event)

    def _line(self, event: Speak | SpeakingStarted | SpeakingFinished | MoveWithdrawn) -> None:
        match event:
            case Speak():
                chosen = self.chosen
                section, since = self.sections[-1] if self.sections else ("", event.at)
                about = (chosen.target, chosen.phrase, chosen.reason) if chosen is not None else ("", "", "")
                self.lines[event.id] = Line(
                    event.id, event.at, event.text, event.move, *about, self.question, section, event.at - since, self.broke_in
                )
                self.broke_in = ""
            case SpeakingStarted() if event.of in self.lines:
                self.lines[event.of].started = event.at
                if self.lines[event.of].move not in NO_TURN:
                    self.sounding = self.lines[event.of]
            case SpeakingFinished() if event.of in self.lines:
                self.lines[event.of].over = event.at
            case MoveWithdrawn():
                self.withdrawn.add(event.of)
                if len(self.sections) > 1 and self.sections[-1][1] == self.lines[event.of].at:
                    self.sections.pop()
            case _:
                pass

    def _turns(self, event: Event) -> None:
        match event:
            case TurnStarted(speaker="interviewer"):
                self.current = self.sounding
            case TurnStarted() if self.current is not None:
                self.owners[event.turn] = self.current
            case TurnAssessed() if event.turn in self.owners:
                self.owners[event.turn].heard = frozenset(item.signal for item in event.evidence)
            case WordsCommitted() if event.turn in self.owners:
                owner = self.owners[event.turn]
                owner.answer = joined([owner.answer, *(word.text for word in event.words)])
            case _:
                pass

    def _candidate(self, event: Event) -> None:
        line = self.current
        match event:
            case VoiceStarted(speaker="candidate"):
                self.voiced = event.at
            case VoiceStopped(speaker="candidate") if line is not None and self.voiced is not None:
                line.voice.append((self.voiced, event.at))
            case FlagRaised() if line is not None:
                line.flags.append(event)
            case _:
                self._turns(event)
