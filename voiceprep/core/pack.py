"""What a round, its persona and its cues are, once read and checked (content/ reads them from files)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from voiceprep.core.answers.aiming import Aiming
from voiceprep.core.answers.classifier import Classifier
from voiceprep.core.answers.proposing import ProposalJudge
from voiceprep.core.events import Language, Level, MoveKind, Sign, Word
from voiceprep.core.units import Seconds

Tongue = Literal["en", "zh"]
"""The language a line is spoken in. A `mixed` session is asked in English."""


def tongue_of(language: Language) -> Tongue:
    return "zh" if language == "zh" else "en"


@dataclass(frozen=True, slots=True)
class Line:
    """Something the interviewer can say: phrasings by language, each at most 35 words or 60 Chinese characters."""

    id: str
    phrasings: Mapping[Tongue, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to go after in an answer.

    `target` is a signal or trap id of rubrics/signals.toml. A signal is asked for while it has not been heard
    (`when="missing"`), a trap is challenged once it was (`when="present"`). `chain` holds deeper follow-ups that come, in
    order, after this point was asked: each goes one layer further than the last (define -> who decides -> conflict -> abuse).
    `move` is what going after it amounts to; `forced_choice` takes a neutral way out away. With `after_objection` it is only
    asked of a reply to an objection: who was not attacked cannot have defended.
    """

    id: str
    target: str
    when: Literal["missing", "present"]
    line: Line
    chain: tuple[Point, ...] = ()
    move: MoveKind = "followup"
    after_objection: bool = False
    alone: bool = False
    """It leans on nothing that was told, so it can be put to who told nothing."""


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that a question can ask for, told by its verb (see core/interviewer/verbs).

    `first`: the ids of the signals that its answer should show, the most wanted first.
    """

    id: str
    first: tuple[str, ...]
    patterns: Mapping[Tongue, tuple[re.Pattern[str], ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Framework:
    """Which signals are claims of a frame of one's own, and how many layers each is taken down at least."""

    claims: frozenset[str] = frozenset()
    layers: int = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What is told when the candidate asks for it, found by its topic words."""

    id: str
    topics: Mapping[Tongue, tuple[str, ...]]
    line: Line


@dataclass(frozen=True, slots=True)
class Question:
    """A main question, with what is asked when the answer leaves something out, most valuable first."""

    id: str
    section: str
    kind: str
    line: Line
    points: tuple[Point, ...]
    topics: Mapping[Tongue, tuple[str, ...]] = field(default_factory=dict)
    """Words (lower case) that an answer to the point would use: they tell an answer from unrelated talk."""
    verb: Verb | None = None
    """What it asks for, which decides what its answer is held against first."""
    facts: tuple[Answer, ...] = ()
    """What the interviewer tells, each once, to a candidate who asks for it in order to bound the problem."""


@dataclass(frozen=True, slots=True)
class Pushback:
    """An objection this interviewer raises once an answer has shown what it attacks (`when`: any of these ids).

    `kind` is what it attacks: cost, premise, option or date. An empty `when` may come at any time. `points` is what the reply
    is then held against. `faults` are those of `when` that are traps: raising it challenges them. `questions` and `sections`,
    where given, are the only ones in which it comes.
    """

    id: str
    kind: str
    when: tuple[str, ...]
    line: Line
    points: tuple[Point, ...] = ()
    faults: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


Measured = Literal["floor", "section", "round", "heard"]


@dataclass(frozen=True, slots=True)
class Interjection:
    """A sentence with which this interviewer breaks into an answer.

    It is due while the candidate has the floor, once `measured` has lasted `after` seconds, one of `when` (if any) was heard in
    the answer, and none of `unless` since the question was asked. Each is used once. `measured` is this floor, the section,
    the round, or `heard`: the time since one of `when` was first heard in this answer. `faults`, `questions` and `sections` as
    in `Pushback`.
    """

    id: str
    move: MoveKind
    measured: Measured
    after: Seconds
    when: tuple[str, ...]
    unless: tuple[str, ...]
    target: str
    line: Line
    faults: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the round. `kind` is `questions` or `reverse` (the candidate asks).

    A `hard` one ends with the first turn after its budget, whatever is left to ask. `order`: its questions come as they are
    given, or `any`: in an order of the session's own.
    """

    id: str
    title: Mapping[Tongue, str]
    budget: Seconds
    kind: Literal["questions", "reverse"]
    source: str = ""
    """Where the budget comes from."""
    hard: bool = False
    order: Literal["given", "any"] = "given"


@dataclass(frozen=True, slots=True)
class Persona:
    """How an interviewer behaves. Patience is graded between two silences, by how finished the answer sounds."""

    id: str
    name: Mapping[Tongue, str]
    role: Mapping[Tongue, str]
    voice: str
    """Name of a voice character (see speech/tts): e.g. `low-calm`."""
    pace: float
    """Speaking rate, 1.0 = the voice's own."""
    reluctance: float
    """The odds that an answer is over at which this interviewer takes the floor: the higher, the more patient."""
    room: float
    """So many times more patient with the first answer to a question, which may be a story or a lecture."""
    patience_short: Seconds
    """Silence after a clearly finished answer before this interviewer speaks."""
    patience_long: Seconds
    """The most silence before this interviewer speaks, whatever was said."""
    prompt_after: Seconds | None
    """Silence after which one short encouragement is given, or None: this interviewer just waits."""
    prompt: Line | None
    pushback_share: float
    """Of the follow-ups to one question, how many are objections, 0..1."""
    followups: tuple[int, int]
    """At least and at most so many follow-ups to one question."""
    severity: int = 2
    """1 mild, 2 as written, 3 hard: more follow-ups and more of them objections (`demands_of` in core/interviewer/topic)."""
    signals: tuple[Sign, ...] = ()
    """Micro-signals that this interviewer gives; none: a face that tells nothing."""
    interesting: Line | None = None
    """How "interesting" is said, by who says it."""
    backchannels: Line | None = None
    """Sounds of listening, for who makes them,"""
    backchannel_every: Seconds = 0.0
    """... with at least so long between two of them."""
    habits: Mapping[Tongue, tuple[str, ...]] = field(default_factory=dict)
    """Turns of phrase that are this interviewer's own."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn of the candidate before a round broke off.

    Attributes:
        question: id of the question that it answered, "" where it answered none.
        asked: what was asked last about it.
        words: of record, at places in the recording of their own session.
        trusted: False when the recogniser doubted some of the words.
        signals: ids of the signals and traps heard in it.
    """

    question: str
    asked: str
    words: tuple[Word, ...] = ()
    trusted: bool = True
    signals: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a round broke off, and what was asked by then.

    Attributes:
        section: its id.
        question: id of the question that stood there; "" among the candidate's own.
        used: seconds of the round's time, up to where that question was first asked: its answer begins anew.
        since: the second of the round at which the section began.
        asked: ids of all questions and lines that were said.
        said: all that the interviewer said, a line each.
        past: ids of the sections that were over, each with its seconds.
        told: what the candidate said, in order.
    """

    section: str
    question: str
    used: Seconds
    since: Seconds
    asked: frozenset[str]
    said: frozenset[str]
    past: tuple[tuple[str, Seconds], ...] = ()
    told: tuple[Told, ...] = ()

    @property
    def spent(self) -> dict[str, Seconds]:
        """Seconds of the round by section, up to where it goes on."""
        return dict(self.past) | {self.section: self.used - self.since}


@dataclass(frozen=True, slots=True)
class RoundPack:
    """A round: who asks what, in which sections, for how long, and where that comes from."""

    id: str
    title: Mapping[Tongue, str]
    tests: Mapping[Tongue, str]
    """What the round really tests, for the map a candidate sees."""
    minutes: tuple[int, int]
    source: str
    requirements: tuple[str, ...]
    persona: Persona
    opening: Line
    sections: tuple[Section, ...]
    questions: tuple[Question, ...]
    pushbacks: tuple[Pushback, ...]
    interjections: tuple[Interjection, ...]
    deeper: tuple[Point, ...]
    """Follow-ups that fit any question of the round, for when a question's own points are used up."""
    invite: Line
    """Hands the floor to the candidate's own questions."""
    answers: tuple[Answer, ...]
    unknown_answer: Line
    """Said when none of `answers` fits."""
    more: Line
    """Asks for another question of the candidate's."""
    closing: Line
    again: Mapping[str, Line] = field(default_factory=dict)
    """Lines that ask a second time for what was claimed, by what it is (core/interviewer/again). In their slot goes
    its subject."""
    challenges: tuple[Point, ...] = ()
    """What this interviewer says to faults that the question in hand has no answer of its own to."""
    framework: Framework = field(default_factory=Framework)
    generic: Line | None = None
    """Said, once, to a question of the candidate's that the website answers."""
    general: tuple[Point, ...] = ()
    """Follow-ups that fit any round, for what this one has no line of its own for."""
    repeated: Line | None = None
    """Said, at most once a question, to who gives an answer that was given before."""
    assume: Line | None = None
    """Said to who asks for a fact that no one has: it is up to them."""
    resuming: Line | None = None
    """Said first where the round goes on after it broke off."""
    stopped: Stopped | None = None
    """Where it broke off, if it goes on now."""
    aiming: Aiming | None = None
    """What was learnt about what is gone after first; None: the rules alone decide."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A regular expression that shows a signal or a trap in spoken text, and one that vetoes it in the same clause."""

    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Detector:
    """How one signal or trap of the vocabulary is heard: any cue in any clause, by language.

    It needs `least` different clauses with a cue, all of `needs` to be heard as well, and none of `unless_heard`. With
    `scope="start"` only the first sentences of a turn count.
    """

    id: str
    kind: Literal["signal", "trap"]
    cues: Mapping[Tongue, tuple[Cue, ...]] = field(hash=False)
    least: int = 1
    needs: tuple[str, ...] = ()
    unless_heard: tuple[str, ...] = ()
    scope: Literal["anywhere", "start"] = "anywhere"
    never_with: tuple[str, ...] = ()
    """Labels that it excludes by what it means, whichever way either is heard; the likelier one stands."""
    only: tuple[re.Pattern[str], ...] = field(default=(), hash=False)
    """It cannot be shown in an answer in which none of these is found, whatever language that is in,"""
    asked: tuple[str, ...] = ()
    """... nor in an answer to a question of none of these kinds (`Classifier.questions`)."""
    in_reply: bool = False
    """It can only be shown in a reply to a push-back or a follow-up."""
    trained: Classifier | None = field(default=None, hash=False, compare=False, repr=False)
    """Shared by all detectors that it knows: it weighs the cues with all else that was said. None: the cues decide alone."""


EndingKind = Literal["closer", "round", "open", "held", "thinking"]
"""What last words are: the floor handed over, a complete sentence, one that wants another, a clause that was broken off or
held, and "let me think"."""
View = Literal["words", "marks", "list"]
"""What a cue's patterns are tried on: the last sentence without its marks, the marks after the last word, or where a list that
was counted aloud stands."""


@dataclass(frozen=True, slots=True)
class EndCue:
    """Something that last words may have, and how much it counts (see core/turns/ending)."""

    id: str
    patterns: Mapping[Tongue, tuple[re.Pattern[str], ...]] = field(hash=False)
    odds: float
    """Added to the log odds that the answer ends here."""
    round: float
    """Added to the log odds that the clause is complete."""
    kind: EndingKind | None = None
    """What the last words are, outright, when it is heard."""
    on: View = "words"


@dataclass(frozen=True, slots=True)
class Listing:
    """How lists are counted aloud. The group `n` of both patterns is looked up in `numbers`."""

    announce: Mapping[Tongue, re.Pattern[str]] = field(default_factory=dict)
    item: Mapping[Tongue, re.Pattern[str]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Endings:
    """What the last words of an answer say about whether it is finished, by language."""

    no_question: Mapping[Tongue, tuple[re.Pattern[str], ...]]
    """ "no more questions from me": the candidate has nothing left to ask."""
    listening: frozenset[str] = frozenset()
    """ "mm-hm", "right", 嗯: said while somebody else speaks, they are no wish to speak."""
    cues: tuple[EndCue, ...] = ()
    tags: Mapping[Tongue, tuple[re.Pattern[str], ...]] = field(default_factory=dict)
    """What may trail after the last words without being part of them: "yeah", "I guess"."""
    listing: Listing = field(default_factory=Listing)
    base_odds: float = 0.0
    base_round: float = 0.0
    odds_limit: float = 4.0
    """Last words alone never say more than this, either way."""
    repeat: Mapping[Tongue, tuple[re.Pattern[str], ...]] = field(default_factory=dict)
    """ "sorry, could you say that again?": what was said last was not heard, or not understood."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One level of a pacing rule and the line of advice it gives."""

    level: Level
    value: float
    advice: Mapping[Tongue, str]


@dataclass(frozen=True, slots=True)
class PacingRule:
    """A rule's thresholds, lowest first, with where the numbers come from, and what a rule that needs words listens for."""

    id: str
    thresholds: tuple[Threshold, ...]
    source: str
    flag: str = ""
    """What its flags are called, where several tables make one rule; "": as the table is."""
    unit: str = ""
    """The key of the numbers in the file: `after_seconds`, `above_words_per_minute`, ..."""
    asked: Mapping[Tongue, tuple[re.Pattern[str], ...]] = field(default_factory=dict, hash=False)
    """It holds for answers to questions that match one of these; empty: to any."""
    where: tuple[str, ...] = ()
    """It holds for questions of which one of these signals or traps is wanted or challenged; empty: for any."""
    heard: tuple[str, ...] = ()
    """Signals or traps that begin it,"""
    ended_by: tuple[str, ...] = ()
    """... that end it,"""
    unless: tuple[str, ...] = ()
    """... and that rule it out."""
    window: Seconds = 0.0
    """It looks at the last so many seconds,"""
    least: Seconds = 0.0
    """... and needs at least so many."""
    judge: ProposalJudge | None = field(default=None, repr=False)
    """Tells by training which sentences begin it as well, and which rule it out."""

    @property
    def name(self) -> str:
        return self.flag or self.id


@dataclass(frozen=True, slots=True)
class Content:
    """All that a session needs to know, besides the settings."""

    round: RoundPack
    detectors: tuple[Detector, ...]
    endings: Endings
    pacing: Mapping[str, PacingRule]
    verbs: tuple[Verb, ...] = ()
    """What questions can ask for; those of the round know theirs already."""
