"""What a drill is, once read and checked: one skill, practised by voice, with a clock and a result (content/ reads the files).

A drill asks one of its prompts; the candidate answers; steps follow, each a line of the interviewer's and a reply. What is said
to one step, in however many turns, is its *floor* (see core/drills/take). Criteria say what is asked of the floors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from voiceprep.core.drills.measures import Measure
from voiceprep.core.events import Meant, MoveKind, Sign
from voiceprep.core.pack import Answer, Detector, Line, Tongue
from voiceprep.core.units import Seconds

PROMPT = "prompt"
"""The step that the drill's prompt is: the floor of its answer is named so. No other step may be."""
Dialogue = Literal["none", "facts", "reverse"]
"""Whether the interviewer answers what the candidate asks: never; while the prompt is being answered, with the prompt's facts
(`none` of them fits: `assume`); or the whole drill is the candidate's questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A cue on the clock: said aloud where `spoken`, else shown on the screen alone.

    It is due `at` seconds of media time after the floor of `step` began; for the prompt's that clock runs on to the end of the
    take, whatever is said in between.
    """

    id: str
    at: Seconds
    spoken: bool
    text: Mapping[Tongue, str]
    step: str = PROMPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of one answer with its budget, in the order in which parts are to come.

    It begins with the floor of `step`, or, where that is "", when one of `opens` (signals, traps, or cues) is first heard after
    the part before it began. The first part begins with the answer.
    """

    id: str
    title: Mapping[Tongue, str]
    budget: Seconds
    opens: tuple[str, ...] = ()
    step: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A line of the interviewer's and the floor that replies to it.

    It is said when the floor before it is over. With `at`, it breaks into that floor so many seconds (media) after it began; a
    floor that is over earlier is followed at once. `budget` is what the countdown of the reply shows, `limit` where it is
    ended; None: no bound but that of the drill. `target` is the signal or cue that it goes after, "" for none.
    """

    id: str
    line: Line
    move: MoveKind = "followup"
    at: Seconds | None = None
    budget: Seconds | None = None
    limit: Seconds | None = None
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A micro-signal that the interviewer gives `at` seconds after the answer to the prompt began."""

    at: Seconds
    sign: Sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One way to put the drill, so that a second take need not be by heart.

    `steps`, `facts` and `assume` are in force as they stand here: the drill's own are already filled in.
    """

    id: str
    line: Line
    steps: tuple[Step, ...] = ()
    facts: tuple[Answer, ...] = ()
    assume: Line | None = None
    shows: tuple[Shown, ...] = ()
    meant: Meant | None = None
    """What the micro-signals of this prompt stand for."""

    def step(self, id: str) -> Step | None:  # noqa: A002  (the field's own name)
        return next((step for step in self.steps if step.id == id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One thing that is asked of a take.

    `asked` says what, for the screen. `passed` and `failed` are one line of advice each, fit to be spoken. What is not
    `required` is told and does not decide.
    """

    id: str
    asked: Mapping[Tongue, str]
    measure: Measure
    passed: Mapping[Tongue, str]
    failed: Mapping[Tongue, str]
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """One drill.

    Attributes:
        persona: id of the interviewer whose voice and manner it has.
        budget: what the countdown of the take shows, from the beginning of the answer.
        limit: where the take is ended, from the beginning of the answer; at least the budget.
        patience: silence after which a floor is over, or None: the persona's own judgement, as in a round.
        detectors: everything that its criteria may listen for: the vocabulary and the drill's own cues.
    """

    id: str
    title: Mapping[Tongue, str]
    goal: Mapping[Tongue, str]
    rounds: tuple[str, ...]
    requirements: tuple[str, ...]
    source: str
    persona: str
    budget: Seconds
    limit: Seconds
    prompts: tuple[Prompt, ...]
    criteria: tuple[Criterion, ...]
    marks: tuple[Mark, ...] = ()
    parts: tuple[Part, ...] = ()
    dialogue: Dialogue = "none"
    patience: Seconds | None = None
    opening: Line | None = None
    """Said before the prompt: what is asked for in this drill."""
    closing: Line | None = None
    """Said when the take is over."""
    detectors: tuple[Detector, ...] = field(default=(), repr=False, compare=False, hash=False)

    def prompt(self, id: str) -> Prompt | None:  # noqa: A002
        return next((prompt for prompt in self.prompts if prompt.id == id), None)
