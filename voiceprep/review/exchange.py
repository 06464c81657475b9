"""Two people in a recording: what the interviewer said, as lines, and who has the floor between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voiceprep.core.events import (
    Event,
    Interrupted,
    SessionClosing,
    Speak,
    Speaker,
    SpeakingFinished,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.pack import Tongue
from voiceprep.core.text import text_of
from voiceprep.core.timeline import Timeline
from voiceprep.core.units import At, Media, MediaClock, Seconds, Span

BREATH: Seconds = 1.5
"""A silence of the interviewer's that does not end a line."""
SHORT: Seconds = 1.2
"""A sound of the interviewer's under this, while the candidate talks, is one of listening."""
AROUND: Seconds = 0.3
"""... and so near to the candidate's voice counts as while."""
KNOWN: Seconds = 0.5
"""Ends of speech are known this late: a line is only acted on then, and dated back."""
UNKNOWN = "…"
"""The text of a line that nobody wrote down."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the interviewer said in one go."""

    start: Media
    end: Media
    text: str


def lines_of(speech: Sequence[Span], words: Sequence[Word]) -> tuple[Line, ...]:
    """The interviewer's voiced regions as lines, each with the words that were said in it."""
    merged: list[Span] = []
    for span in speech:
        if merged and span.start - merged[-1].end < BREATH:
            merged[-1] = Span(merged[-1].start, Media(max(merged[-1].end, span.end)))
        else:
            merged.append(span)
    lines = []
    for span in merged:
        said = [word for word in words if span.start <= (word.start + word.end) / 2 <= span.end]
        lines.append(Line(span.start, span.end, text_of(said) or UNKNOWN))
    return tuple(lines)


class SharedFloor:
    """The floor of a recording with two people in it: the interviewer's lines are known, the candidate's voice is heard.

    A line takes the floor, unless it is a sound of listening. The candidate has it again when the line is over and their
    voice is heard. Whoever goes on speaking loses it: so much a recording cannot tell from a yielded turn.
    """

    def __init__(self, clock: MediaClock, lines: Sequence[Line], tongue: Tongue) -> None:
        self._clock = clock
        self._lines = list(lines)
        self._tongue: Tongue = tongue
        self._next = 0
        self._turn = 0
        self._holder = ""
        self._voice_since: Media | None = None
        self._voice_until = Media(-1.0)
        self._free_from = Media(0.0)
        """Where the last line ended: no turn of the candidate's begins before."""

    @property
    def deadline(self) -> At | None:
        return self._clock.at(Media(self._lines[self._next].start + KNOWN)) if self._next < len(self._lines) else None

    def wake(self, at: At) -> list[Event]:
        line = self._lines[self._next]
        name = line_id(self._next)
        self._next += 1
        if self._holder == "candidate" and line.end - line.start < SHORT and self._voiced_at(line.start):
            return [Speak(at=at, id=name, text=line.text, language=self._tongue, move="backchannel")]
        out = self._yield_floor(line, at)
        self._turn += 1
        self._holder = "interviewer"
        out.append(TurnStarted(at=at, speaker="interviewer", turn=self._turn, media=line.start))
        return [*out, Speak(at=at, id=name, text=line.text, language=self._tongue, move="question")]

    def handle(self, event: Event) -> list[Event]:
        match event:
            case VoiceStarted(speaker="candidate"):
                self._voice_since = event.media
                return self._take_floor(event.at) if not self._holder else []
            case VoiceStopped(speaker="candidate"):
                self._voice_since, self._voice_until = None, event.media
            case SpeakingFinished() if self._holder == "interviewer":
                return self._line_over(event)
            case SessionClosing() if self._holder:
                return [self._ended("session-ended", self._clock.media(event.at), event.at)]
        return []

    def _voiced_at(self, media: Media) -> bool:
        return self._voice_since is not None or self._voice_until >= media - AROUND

    def _yield_floor(self, line: Line, at: At) -> list[Event]:
        """The candidate's turn ends where their voice did, or is cut short by the line."""
        if self._holder != "candidate":
            return [self._ended("finished", line.start, at)] if self._holder else []
        if self._voice_since is None and self._voice_until <= line.start + AROUND:
            return [self._ended("yielded", self._voice_until, at)]
        cut = Interrupted(at=at, who="candidate", by="interviewer", media=line.start, reason="barge-in")
        return [cut, self._ended("interrupted", line.start, at)]

    def _line_over(self, event: SpeakingFinished) -> list[Event]:
        self._free_from = event.media
        since = self._voice_since
        cut = since is not None and since < event.media - KNOWN
        out: list[Event] = []
        if cut:
            assert since is not None
            out.append(Interrupted(at=event.at, who="interviewer", by="candidate", media=since, reason="barge-in"))
        out.append(self._ended("interrupted" if cut else "finished", event.media, event.at))
        return out if since is None else [*out, *self._take_floor(event.at)]

    def _take_floor(self, at: At) -> list[Event]:
        self._turn += 1
        self._holder = "candidate"
        media = Media(max(self._voice_since or 0.0, self._free_from))
        return [TurnStarted(at=at, speaker="candidate", turn=self._turn, media=media)]

    def _ended(self, reason: str, media: Media, at: At) -> TurnEnded:
        speaker: Speaker = "candidate" if self._holder == "candidate" else "interviewer"
        self._holder = ""
        return TurnEnded(at=at, speaker=speaker, turn=self._turn, media=media, reason=reason)


_LINE = "line"


def line_id(number: int) -> str:
    """The id of the `Speak` that line `number` (from 0) is logged as."""
    return f"{_LINE}{number + 1}"


def held(timeline: Timeline) -> bool:
    """Whether an interviewer of ours spoke: not so in a recording that was analysed, whatever round it is held against."""
    return any(not said.id.startswith(_LINE) for said in timeline.utterances)
