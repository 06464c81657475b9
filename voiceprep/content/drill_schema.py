"""The shape of a file under prompts/drills/, and of rubrics/drills.toml."""

from __future__ import annotations

import dataclasses
from collections import abc
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, create_model

from voiceprep.content.fields import EnPhrase, Id, Regular, Strict, Text, ZhPhrase, known
from voiceprep.content.schema import Both, Demand, Topics
from voiceprep.core.drills.measures import Measure
from voiceprep.core.events import Meant, Sign

PROMPTS = 3
"""A drill that is repeated with fewer prompts is answered by heart."""
LONGEST = 7200.0

Listened = Annotated[str, known("listened")]
"""A signal or trap of the vocabulary, or a cue of drills."""
AfterStart = Annotated[float, Field(ge=0, le=LONGEST)]
Budget = Annotated[float, Field(gt=0, le=LONGEST)]


class Phrase(Strict):
    """Something that is said: one line in each language, at most as long as can be taken in by ear."""

    en: EnPhrase
    zh: ZhPhrase


class CuesFile(Strict):
    """How something is heard that only drills listen for: patterns by language, as in rubrics/signals.toml."""

    en: Annotated[list[Regular], Field(min_length=1)]
    zh: Annotated[list[Regular], Field(min_length=1)]
    unless_en: Regular | None = None
    unless_zh: Regular | None = None


class DrillCuesFile(Strict):
    cues: dict[Id, CuesFile]


class MarkFile(Phrase):
    id: Id
    at_seconds: AfterStart
    spoken: bool
    step: Id = "prompt"


class PartFile(Strict):
    id: Id
    title: Both
    budget_seconds: Budget
    opens: list[Listened] = Field(default_factory=list)
    step: Id | None = None


class StepFile(Phrase):
    id: Id
    move: Literal["followup", "pushback", "curveball", "probe_detail", "forced_choice", "prompt"] = "followup"
    at_seconds: AfterStart | None = None
    budget_seconds: Budget | None = None
    limit_seconds: Budget | None = None
    target: Listened | None = None


class FactFile(Phrase):
    id: Id
    topics: Topics


class ShownFile(Strict):
    at_seconds: AfterStart
    sign: Sign


class PromptFile(Phrase):
    """One way to put the drill. `steps` and `facts` of its own take the place of the drill's."""

    id: Id
    steps: list[StepFile] = Field(default_factory=list)
    facts: list[FactFile] = Field(default_factory=list)
    shows: list[ShownFile] = Field(default_factory=list)
    meant: Meant | None = None


class CriterionFile(Strict):
    id: Id
    asked: Both
    passed: Phrase
    failed: Phrase
    required: bool = True
    measure: dict[str, Any]
    """Checked by its kind: see `SHAPES`."""


class DrillFile(Strict):
    title: Both
    goal: Both
    rounds: Annotated[list[Annotated[str, known("rounds")]], Field(min_length=1)]
    requirements: Annotated[list[Annotated[Demand, known("demands")]], Field(min_length=1)]
    source: Text
    persona: Annotated[str, known("personas")]
    budget_seconds: Budget
    limit_seconds: Budget
    dialogue: Literal["none", "facts", "reverse"] = "none"
    patience_seconds: Annotated[float, Field(ge=1, le=120)] | None = None
    opening: Phrase | None = None
    closing: Phrase | None = None
    assume: Phrase | None = None
    prompts: Annotated[list[PromptFile], Field(min_length=PROMPTS)]
    steps: list[StepFile] = Field(default_factory=list)
    facts: list[FactFile] = Field(default_factory=list)
    marks: list[MarkFile] = Field(default_factory=list)
    parts: list[PartFile] = Field(default_factory=list)
    cues: dict[Id, CuesFile] = Field(default_factory=dict)
    criteria: Annotated[list[CriterionFile], Field(min_length=2)]


def _shape(measure: type) -> type[BaseModel]:
    """The table of a kind of measure: its fields as they are in the core."""
    hints = get_type_hints(measure)
    fields: dict[str, Any] = {"kind": (str, ...)}
    for one in dataclasses.fields(measure):
        default = ... if one.default is dataclasses.MISSING else one.default
        fields[one.name] = (_listed(hints[one.name]), default)
    return create_model(f"{measure.__name__}File", __base__=Strict, **fields)


def _listed(hint: Any) -> Any:
    """The hint with tuples made lists, which is what TOML has."""
    parts = get_args(hint)
    if get_origin(hint) is tuple and parts[-1] is Ellipsis:
        return list[_listed(parts[0])]  # type: ignore[misc]
    if get_origin(hint) is tuple:
        return Annotated[list[parts[0]], Field(min_length=len(parts), max_length=len(parts))]  # type: ignore[valid-type]
    if get_origin(hint) is abc.Mapping:
        return dict[parts[0], _listed(parts[1])]  # type: ignore[misc,valid-type]
    return hint


def _tupled(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tupled, value))
    return {key: _tupled(one) for key, one in value.items()} if isinstance(value, dict) else value


MEASURES: Mapping[str, type] = {measure.__name__.lower(): measure for measure in get_args(Measure)}
"""The kinds of measures by the name that a file has for them."""
SHAPES: Mapping[str, type[BaseModel]] = {name: _shape(measure) for name, measure in MEASURES.items()}


def measure_of(raw: Mapping[str, Any]) -> Measure:
    """The measure that a checked table stands for."""
    kind = str(raw["kind"])
    value = SHAPES[kind].model_validate(raw)
    return MEASURES[kind](**{name: _tupled(getattr(value, name)) for name in type(value).model_fields if name != "kind"})  # type: ignore[no-any-return]
