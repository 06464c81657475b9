"""What the review of a session says, as values: the page, the picture, the exports and `review.json` are made of it.

All times are media seconds from the start of the candidate's recording, unless a field says otherwise. Texts are in the
language that the review was made in. `review.build` makes one from a session's folder; nothing in here computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

from voiceprep.core.annotation import Annotation
from voiceprep.core.claims.ledger import Difference
from voiceprep.core.events import (
    AudioGap,
    EdgeFailed,
    Evidence,
    FlagRaised,
    Interrupted,
    Language,
    Meant,
    MoveKind,
    Sign,
    Speaker,
    Word,
)
from voiceprep.core.interviewer.loop import Mark
from voiceprep.core.listening.pauses import Pause
from voiceprep.core.listening.rates import Rates
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.intake.backing import Backing

SCHEMA = 1
"""Of review.json. Fields may be added under one number; a change of meaning takes the next."""
DECIMALS = 3

MomentKind = Literal["strength", "fault", "unanswered", "alarm", "difference", "unbacked", "pushback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The session in a few values.

    Attributes:
        round_title, interviewer: what people call them, in the review's language.
        started: UTC, ISO-8601.
        duration: length of the recording; `elapsed` that of the session, which may be longer.
        spoken: how long the candidate's voice was heard.
        ended: the reason of its `SessionEnded`, "" while it runs or where it broke off.
    """

    id: str
    title: str
    round: str
    round_title: str
    persona: str
    interviewer: str
    language: Language
    mode: str
    started: str
    duration: Seconds
    elapsed: Seconds
    spoken: Seconds
    ended: str
    models: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionTime:
    """A part of the round against its budget; `seconds` is how much of the recording it took."""

    section: str
    title: str
    budget: Seconds
    seconds: Seconds
    start: Media
    end: Media

    @property
    def over(self) -> Seconds:
        """How far past its budget it went; 0 where it did not."""
        return max(0.0, self.seconds - self.budget) if self.budget else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn, of either side.

    Attributes:
        first, last: indexes of its words in `Review.words`, both included; None where there are none.
        move, target: of the interviewer: what this was, and the signal or trap it went after.
        question: the pack's question that is open while this is said, or "".
        depth: follow-ups to that question so far: 0 for the question itself and the answer to it.
        delay: of the candidate: silence between the end of the interviewer's turn and the first word; None where unknown.
        rate: of the candidate: narration rate in the review's unit; None where too little was said.
    """

    number: int
    speaker: Speaker
    start: Media
    end: Media
    text: str
    reason: str
    trusted: bool = True
    first: int | None = None
    last: int | None = None
    move: MoveKind | None = None
    target: str = ""
    question: str = ""
    depth: int = 0
    delay: Seconds | None = None
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One of the things that mattered: a sentence, the words it rests on, and where to listen."""

    kind: MomentKind
    name: str
    text: str
    start: Media
    end: Media
    quotes: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to practise next, and for what: a signal, a trap or a pacing rule (`name`). `drills`: ids of those that train it."""

    name: str
    text: str
    drills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One follow-up and what came. `answered` is None where it asked for nothing in particular or the reply is in doubt."""

    move: MoveKind
    target: str
    asked: str
    answered: bool | None
    reply: Evidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What was claimed in answer to one question, and how many follow-ups in a row it survived.

    `claim` is how the first answer began, or its first piece of evidence. `survived` counts from the first follow-up to the
    first one that got no answer; `asked` all of them that asked for something.
    """

    question: str
    text: str
    claim: Evidence | None
    steps: tuple[Step, ...]
    survived: int
    asked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PushbackReply:
    """How an objection was met.

    Attributes:
        asked, at: the objection and where it sounded.
        delay: silence before the reply.
        rate, usual: narration rate of the reply, and of all answers that were no reply to an objection.
        shift: rate / usual - 1; None where either is not known.
        answered: whether it was met; None where nobody can tell.
    """

    target: str
    asked: str
    at: Media
    reply: Evidence | None
    answered: bool | None
    delay: Seconds | None
    rate: float | None
    usual: float | None
    shift: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizItem:
    """One micro-signal: what was shown and when, what had just been said, what it meant, and what the user took it for."""

    id: str
    signal: Sign
    at: Media
    said: Evidence | None
    meant: Meant
    reason: str
    reading: Meant | None = None

    @property
    def right(self) -> bool | None:
        """Whether the user read it as it was meant; None before that."""
        return None if self.reading is None else self.reading == self.meant


@dataclass(frozen=True, slots=True, kw_only=True)
class DebriefLine:
    """What the interviewer would write for the committee: one sentence and what it rests on.

    `why`: the names of what a mark below strong is for. `doubts`: why it must not be judged, in plain words.
    """

    mark: Mark
    mark_name: str
    sentence: str
    why: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Numbers of the whole session. `fillers` counts those that were written down: recognisers leave most of them out."""

    rates: Rates
    fillers: int
    fillers_per_minute: float | None
    talk_share: float | None
    longest_answer: Span | None
    longest_pause: Pause | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A session, looked back on.

    Attributes:
        story: what happened, in five sentences.
        moments: at most three things that mattered, in order of weight.
        advice: what to drill next, the most urgent first.
        debrief: None where the round is not known any more.
        words: of record, in order; annotations and turns name them by index.
        heard, faults: first evidence of each signal; one piece of evidence a turn and trap. `missing`: signals not heard.
        claims: what became of those of the CV.
        annotations: machine's and user's, in order of place.
        scores: as `score --json`, or None.
        names: what people call the signals, traps and rules that are named in here.
    """

    tongue: Tongue
    facts: Facts
    story: tuple[str, ...]
    moments: tuple[Moment, ...]
    advice: tuple[Advice, ...]
    debrief: DebriefLine | None
    measures: Measures
    sections: tuple[SectionTime, ...]
    turns: tuple[Said, ...]
    words: tuple[Word, ...]
    speech: tuple[Span, ...]
    pauses: tuple[Pause, ...]
    flags: tuple[FlagRaised, ...]
    interruptions: tuple[Interrupted, ...]
    gaps: tuple[AudioGap, ...]
    failures: tuple[EdgeFailed, ...]
    threads: tuple[Thread, ...]
    pushbacks: tuple[PushbackReply, ...]
    quiz: tuple[QuizItem, ...]
    differences: tuple[Difference, ...]
    claims: tuple[Backing, ...]
    heard: tuple[Evidence, ...]
    faults: tuple[Evidence, ...]
    missing: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    scores: Mapping[str, Any] | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`: times rounded to milliseconds."""
        document: dict[str, Any] = {"schema": SCHEMA} | _plain(self)
        document["differences"] = [difference.document() for difference in self.differences]
        for section, shown in zip(self.sections, document["sections"], strict=True):
            shown["over"] = round(section.over, DECIMALS)
        for item, shown in zip(self.quiz, document["quiz"], strict=True):
            shown["right"] = item.right
        return document


def _plain(value: Any) -> Any:
    if isinstance(value, str) or value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.name != "differences"}
    return [_plain(each) for each in value]
