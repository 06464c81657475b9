"""One take of a drill as it went, and what came of it. Pure values; all times are media seconds of the take's recording."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from voiceprep.core.events import Evidence, Language, Level, Word
from voiceprep.core.units import Media, Seconds, Span

FloorEnd = Literal["yielded", "interrupted", "limit", "key", "audio-ended", ""]
"""Why a floor ended: the candidate handed it over; the interviewer broke in; the clock; a key; the recording; not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """All that was said to one step (`prompt` for the first answer), in one turn or, with facts asked for, in several.

    Attributes:
        step: the step's id.
        question: what the interviewer said, as it was said.
        asked: where the interviewer's line ended: the answer's clock of thinking begins here.
        start: first speech of the candidate after it, or None: there was none. The countdown begins here.
        end: where the floor ended: the next line's beginning, or the end of the take.
        words: of record, in order; none without a recogniser.
        speech: voiced regions, in order, apart from each other.
    """

    step: str
    question: str
    asked: Media
    start: Media | None
    end: Media
    words: tuple[Word, ...] = ()
    speech: tuple[Span, ...] = ()
    reason: FloorEnd = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A pacing flag of the take."""

    rule: str
    level: Level
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """What a take is judged by.

    Attributes:
        prompt: id of the prompt that was asked.
        floors: in order; the first one is of the step `prompt`.
        cues: ids of the marks that were given, with where.
        flags: pacing flags, in order.
        fillers: where filled pauses were, an estimate; None: nobody counted.
        recognised: False when no recogniser ran: nothing about words is measured.
        trusted: False when the transcript is too poor to conclude anything from.
        prior: what the candidate said to the same drill in the take before, or None.
    """

    prompt: str
    language: Language
    floors: tuple[Floor, ...]
    cues: tuple[tuple[str, Media], ...] = ()
    flags: tuple[Raised, ...] = ()
    fillers: tuple[Span, ...] | None = None
    recognised: bool = True
    trusted: bool = True
    prior: str | None = None

    @property
    def spoke(self) -> bool:
        """Whether the candidate was heard at all."""
        return any(floor.speech for floor in self.floors)


Outcome = Literal["met", "not_met", "not_heard", "not_measured"]
"""`not_heard`: it may have been said in words that nobody knows. `not_measured`: what it needs is not there."""
Unit = Literal["s", "count", "share", "per_minute", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """One criterion against one take.

    Attributes:
        asked: what was asked for, in the take's language.
        measured: what was found, in `unit`; None where there is no figure.
        low, high: what it was held against; None: no bound on that side.
        evidence: the candidate's own words, verbatim, or silences and lengths with an empty quote.
        missing: ids that were wanted and not heard.
        advice: one line for this outcome, "" where nothing was measured.
        why: for `not_measured`: what it needs (`words`, `trusted-words`, `speech`, `earlier-take`, `floor`, `fillers`,
            `more-speech`: then `measured` is how many there were; `ending`: the take was over before the answer).
    """

    id: str
    asked: str
    outcome: Outcome
    measured: float | None = None
    unit: Unit = ""
    low: float | None = None
    high: float | None = None
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    advice: str = ""
    why: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTime:
    """How long a part of the answer was, against its budget; `start` None: it was never reached."""

    id: str
    title: str
    budget: Seconds
    start: Media | None
    seconds: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillResult:
    """What came of a take.

    Attributes:
        passed: every required criterion is met; None where some could not be measured and no other failed.
        next_time: the advice of what was not met, the most important first, at most three.
        heard: ids of the drill's signals, traps and cues that the take showed, for comparing takes.
    """

    drill: str
    prompt: str
    language: Language
    criteria: tuple[CriterionResult, ...]
    passed: bool | None
    next_time: tuple[str, ...] = ()
    parts: tuple[PartTime, ...] = ()
    heard: tuple[str, ...] = field(default=())
