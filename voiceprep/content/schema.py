"""The shapes of the files under prompts/."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from voiceprep.content.fields import EnLines, Id, Strict, Target, Text, ZhLines, known
from voiceprep.content.rubric_schema import RuleFile


class Both(Strict):
    """A short text in both languages."""

    en: Text
    zh: Text


class Topics(Strict):
    """Topic words in both languages, lower case."""

    en: Annotated[list[Text], Field(min_length=3)]
    zh: Annotated[list[Text], Field(min_length=3)]


class Spoken(Strict):
    """Something that is said: at least three phrasings in each language."""

    en: EnLines
    zh: ZhLines


Demand = Annotated[str, Field(pattern=r"^[A-Z]-[A-Z]\d+[a-z]*$")]
"""Id of a demand that interviews of this kind make: G-R1c."""


class Exercise(Spoken):
    """Something that is said, and the demands that it exercises."""

    exercises: list[Demand] = Field(default_factory=list)


class LinkFile(Exercise):
    """One rung of a ladder."""

    id: Id
    target: Target
    move: Literal["followup", "pushback", "probe_detail", "forced_choice"] = "followup"
    after_objection: bool = False


class PointFile(LinkFile):
    """The top of a ladder and the rungs below."""

    chain: list[LinkFile] = Field(default_factory=list)


class AnswerFile(Exercise):
    """What is told to a candidate who asks for it."""

    id: Id
    topics: Topics


class QuestionFile(Exercise):
    id: Id
    section: Annotated[str, known("sections")]
    kind: Text
    verb: Annotated[str, known("verbs")] | None = None
    """What it asks for; without it, its first phrasings are listened to. `none` where neither is right."""
    topics: Topics
    points: list[PointFile]
    facts: list[AnswerFile] = Field(default_factory=list)


class PushbackFile(Exercise):
    id: Id
    kind: Literal["cost", "premise", "option", "date"]
    when: list[Target]
    questions: list[Annotated[str, known("questions")]] = Field(default_factory=list)
    sections: list[Annotated[str, known("sections")]] = Field(default_factory=list)
    points: list[PointFile] = Field(default_factory=list)


class InterjectionFile(Exercise):
    """A sentence that breaks into an answer."""

    id: Id
    move: Literal["curveball", "pushback", "probe_detail", "forced_choice"]
    target: Target
    questions: list[Annotated[str, known("questions")]] = Field(default_factory=list)
    sections: list[Annotated[str, known("sections")]] = Field(default_factory=list)
    measured: Literal["floor", "section", "round", "heard"]
    after_minutes: Annotated[float, Field(gt=0, le=120)]
    when: list[Target] = Field(default_factory=list)
    unless: list[Target] = Field(default_factory=list)


class SectionFile(Strict):
    id: Id
    title: Both
    budget_minutes: Annotated[float, Field(gt=0, le=120)]
    kind: Literal["questions", "reverse"]
    source: Text
    hard: bool = False
    order: Literal["given", "any"] = "given"


class AgainFile(Exercise):
    """Asks a second time for something that was claimed. `{subject}` is what it was about; its value is never told."""

    @model_validator(mode="after")
    def _slotted(self) -> AgainFile:
        if any(text.count("{subject}") != 1 for text in (*self.en, *self.zh)):
            raise ValueError("every phrasing has {subject} once: what was claimed needs a name")
        return self


class RoundFile(Strict):
    title: Both
    tests: Both
    minutes: Annotated[list[Annotated[int, Field(gt=0, le=180)]], Field(min_length=2, max_length=2)]
    source: Text
    requirements: list[Demand]
    """What the round as a whole exercises; its questions, points, push-backs and interjections add theirs."""
    persona: Annotated[str, known("personas")]
    sections: Annotated[list[SectionFile], Field(min_length=1)]
    opening: Spoken
    questions: Annotated[list[QuestionFile], Field(min_length=6)]
    pushbacks: list[PushbackFile]
    interjections: list[InterjectionFile] = Field(default_factory=list)
    deeper: Annotated[list[LinkFile], Field(min_length=3)]
    challenges: list[LinkFile] = Field(default_factory=list)
    again: dict[Literal["duration", "share", "count", "date", "decider"], AgainFile] = Field(default_factory=dict)
    invite: Spoken
    answers: Annotated[list[AnswerFile], Field(min_length=1)]
    unknown_answer: Spoken
    generic: Exercise
    more: Spoken
    closing: Spoken
    pacing: dict[Id, RuleFile] = Field(default_factory=dict)
    """Pacing rules that are other here than in rubrics/pacing.toml."""


class AnyFile(LinkFile):
    """A point that fits any round. `alone`: also where nothing was told."""

    alone: bool = False


class GeneralFile(Strict):
    """What any interviewer can ask where a round has no line of its own."""

    points: Annotated[list[AnyFile], Field(min_length=1)]
    assume: Spoken
    """Said to who asks for a fact that the question has none of."""
    repeated: Spoken
    """Said, at most once a question, to who gives an answer that was given before."""
    resuming: Spoken
    """Said first where a round goes on that broke off."""


class Habits(Strict):
    """Turns of phrase that are an interviewer's own."""

    en: Annotated[list[Text], Field(min_length=2)]
    zh: Annotated[list[Text], Field(min_length=2)]


class PersonaFile(Strict):
    name: Both
    role: Both
    voice: Text
    pace: Annotated[float, Field(ge=0.7, le=1.4)]
    reluctance: Annotated[float, Field(ge=0.5, le=50)]
    room: Annotated[float, Field(ge=1, le=50)] = 3.0
    patience_short_seconds: Annotated[float, Field(gt=0)]
    patience_long_seconds: Annotated[float, Field(gt=0)]
    prompt_after_seconds: Annotated[float, Field(gt=0)] | None = None
    prompt: Spoken | None = None
    pushback_share: Annotated[float, Field(ge=0, le=1)]
    followups: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]
    severity: Annotated[int, Field(ge=1, le=3)] = 2
    signals: list[Literal["nod", "interesting", "silence", "notes"]] = Field(default_factory=list)
    interesting: Spoken | None = None
    backchannels: Spoken | None = None
    backchannel_every_seconds: Annotated[float, Field(ge=25, le=60)] | None = None
    habits: Habits | None = None

    @model_validator(mode="after")
    def _consistent(self) -> PersonaFile:
        if self.patience_long_seconds < self.patience_short_seconds:
            raise ValueError("patience_long_seconds is shorter than patience_short_seconds")
        if self.followups[0] > self.followups[1]:
            raise ValueError("followups: the least is more than the most")
        if (self.prompt is None) != (self.prompt_after_seconds is None):
            raise ValueError("prompt and prompt_after_seconds come together or not at all")
        if (self.backchannels is None) != (self.backchannel_every_seconds is None):
            raise ValueError("backchannels and backchannel_every_seconds come together or not at all")
        if (self.interesting is not None) != ("interesting" in self.signals):
            raise ValueError("interesting: its phrasings and its place among the signals come together or not at all")
        return self
