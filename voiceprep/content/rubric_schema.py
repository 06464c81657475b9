"""The shapes of the files under rubrics/."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, RootModel, model_validator

from voiceprep.content.fields import EnPhrase, Id, Number, Regular, Strict, Target, Text, ZhPhrase
from voiceprep.content.patterns import compiled


def _counted(pattern: str) -> str:
    if "n" not in compiled(pattern).groupindex:
        raise ValueError("has no group named n, which holds the number that was said")
    return pattern


Counted = Annotated[Regular, AfterValidator(_counted)]
Weight = Annotated[float, Field(ge=-10, le=10)]
"""What a cue adds to log odds; a larger one could not be outweighed."""


class CueFile(Strict):
    pattern: Regular
    unless: Regular


class DetectorFile(Strict):
    kind: Literal["signal", "trap"]
    source: Text
    en: Annotated[list[Regular | CueFile], Field(min_length=1)]
    zh: Annotated[list[Regular | CueFile], Field(min_length=1)]
    unless_en: Regular | None = None
    unless_zh: Regular | None = None
    least: Annotated[int, Field(ge=1)] = 1
    needs: list[Target] = Field(default_factory=list)
    unless_heard: list[Target] = Field(default_factory=list)
    scope: Literal["anywhere", "start"] = "anywhere"
    never_with: list[Target] = Field(default_factory=list)
    only_en: Regular | None = None
    only_zh: Regular | None = None
    asked: list[Id] = Field(default_factory=list)
    in_reply: bool = False


class FragmentsFile(Strict):
    en: dict[str, Regular]
    zh: dict[str, Regular]


class SignalsFile(Strict):
    fragments: FragmentsFile
    detectors: dict[Id, DetectorFile]


class PatternsFile(Strict):
    en: Annotated[list[Regular], Field(min_length=1)]
    zh: Annotated[list[Regular], Field(min_length=1)]


class FrameworkFile(Strict):
    claims: Annotated[list[Target], Field(min_length=1)]
    layers: Annotated[int, Field(ge=1, le=6)]


class VerbFile(PatternsFile):
    first: Annotated[list[Target], Field(min_length=1)]


class VerbsFile(Strict):
    framework: FrameworkFile
    verbs: dict[Id, VerbFile]


class WordsFile(Strict):
    en: Annotated[list[Text], Field(min_length=1)]
    zh: Annotated[list[Text], Field(min_length=1)]


class EndCueFile(PatternsFile):
    kind: Literal["closer", "round", "open", "held", "thinking"] | None = None
    on: Literal["words", "marks", "list"] = "words"
    odds: Weight
    round: Weight


class CountedFile(Strict):
    """Patterns with a group `n`: the number that was said."""

    en: Counted
    zh: Counted


class ListingFile(Strict):
    numbers: Annotated[dict[str, Annotated[int, Field(ge=1)]], Field(min_length=1)]
    announce: CountedFile
    item: CountedFile


class LastWordsFile(Strict):
    """What core/turns/ending weighs."""

    base_odds: Weight
    base_round: Weight
    odds_limit: Annotated[float, Field(gt=0, le=10)]
    tags: PatternsFile
    listing: ListingFile
    cues: Annotated[dict[str, EndCueFile], Field(min_length=1)]


class EndingsFile(Strict):
    listening: WordsFile
    no_question: PatternsFile
    repeat: PatternsFile
    last_words: LastWordsFile


UNITS = (
    "after_seconds",
    "past_end_seconds",
    "budget_share",
    "clauses",
    "below_words_per_minute",
    "above_words_per_minute",
    "below_characters_per_minute",
    "above_characters_per_minute",
    "below_syllables_per_minute",
    "above_syllables_per_minute",
    "above_own_rate_share",
    "above_per_minute",
    "below_share",
    "above_share",
)
"""What a threshold may be measured in."""


class ThresholdFile(Strict):
    """One level of a rule: exactly one of `UNITS`, and one line of advice."""

    level: Literal["notice", "warning", "fail"]
    en: EnPhrase
    zh: ZhPhrase
    after_seconds: Annotated[float, Field(gt=0)] | None = None
    past_end_seconds: Number = None
    budget_share: Number = None
    clauses: Number = None
    below_words_per_minute: Number = None
    above_words_per_minute: Number = None
    below_characters_per_minute: Number = None
    above_characters_per_minute: Number = None
    below_syllables_per_minute: Number = None
    above_syllables_per_minute: Number = None
    above_own_rate_share: Number = None
    above_per_minute: Number = None
    below_share: Number = None
    above_share: Number = None

    @model_validator(mode="after")
    def _one_value(self) -> ThresholdFile:
        if len(self.measured) != 1:
            raise ValueError(f"must have exactly one of: {', '.join(UNITS)}")
        return self

    @property
    def measured(self) -> dict[str, float]:
        return {unit: value for unit in UNITS if (value := getattr(self, unit)) is not None}


class RuleFile(Strict):
    """A pacing rule; what its lists mean is said in `PacingRule` (core/pack)."""

    source: Text
    flag: Id | None = None
    asked: PatternsFile | None = None
    where: list[Target] = Field(default_factory=list)
    heard: list[Target] = Field(default_factory=list)
    ended_by: list[Target] = Field(default_factory=list)
    unless: list[Target] = Field(default_factory=list)
    window_seconds: Annotated[float, Field(ge=0)] = 0.0
    least_seconds: Annotated[float, Field(ge=0)] = 0.0
    thresholds: Annotated[list[ThresholdFile], Field(min_length=1)]

    @model_validator(mode="after")
    def _ordered(self) -> RuleFile:
        units = {unit for threshold in self.thresholds for unit in threshold.measured}
        if len(units) > 1:
            raise ValueError(f"thresholds of one rule are measured in one unit, not in {', '.join(sorted(units))}")
        values = [value for threshold in self.thresholds for value in threshold.measured.values()]
        if values != sorted(set(values), reverse="below" in "".join(units)):
            raise ValueError("thresholds must go from the mildest to the worst")
        if len({threshold.level for threshold in self.thresholds}) < len(self.thresholds):
            raise ValueError("has the same level twice")
        return self


class PacingFile(RootModel[dict[Id, RuleFile]]):
    """Every rule by its id."""
