"""prompts/intake.toml, read strictly: the words by which a CV and a job are read, and the lines that ask about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from voiceprep.config import data_folder
from voiceprep.content.fields import PHRASINGS, EnPhrase, Regular, Strict, Text, ZhPhrase
from voiceprep.content.patterns import compiled
from voiceprep.content.problems import refuse
from voiceprep.content.reading import read
from voiceprep.core.pack import Tongue

Deed = Literal["decided", "led", "built", "moved", "part"]
"""What somebody says they did. `part`: they were there, and it is open what of it was theirs."""
Asking = Literal["decided", "led", "built", "moved", "figure", "part", "unsaid", "gap", "duty"]
"""A kind of question about a claim. `unsaid`: its words are in a language that is not spoken here; `gap`: about a demand,
`duty`: about one that is something to do."""
Rung = Literal["decide", "act", "tradeoff", "baseline", "measure", "owner"]

MOST_WORDS = {"verb": 3, "object": 8, "figure": 5}
"""English words that may stand in a slot."""
MOST_CHARACTERS = {"verb": 6, "object": 18, "figure": 12}
"""Chinese characters that may stand in a slot, a Latin word or a number counted as two."""

_LONGEST: dict[Tongue, dict[str, str]] = {
    "en": {slot: " ".join(["word"] * most) for slot, most in MOST_WORDS.items()},
    "zh": {slot: "字" * most for slot, most in MOST_CHARACTERS.items()},
}
_CHECKS: dict[Tongue, TypeAdapter[str]] = {"en": TypeAdapter(EnPhrase), "zh": TypeAdapter(ZhPhrase)}


def _templates(tongue: Tongue, lines: list[str]) -> list[str]:
    """Each line must be one that can be said, however long what is filled in."""
    for line in lines:
        slots = {name for _, name, spec, conversion in Formatter().parse(line) if name is not None or spec or conversion}
        if not slots <= MOST_WORDS.keys():
            raise ValueError(f"has a slot that is none of {', '.join(MOST_WORDS)}: {line}")
        _CHECKS[tongue].validate_python(line.format_map(_LONGEST[tongue]))
    if len(set(lines)) < max(PHRASINGS, len(lines)):
        raise ValueError(f"has fewer than {PHRASINGS} different phrasings")
    return lines


EnTemplates = Annotated[list[str], AfterValidator(lambda lines: _templates("en", lines))]
ZhTemplates = Annotated[list[str], AfterValidator(lambda lines: _templates("zh", lines))]


class BothWords(Strict):
    en: list[Text]
    zh: list[Text]


class Both(Strict):
    en: Text
    zh: Text


class CalledFile(Strict):
    en: dict[Deed, Text]
    zh: dict[Deed, Text]


class BothPatterns(Strict):
    en: list[Regular]
    zh: list[Regular]


class AfterFile(Strict):
    """English words, Chinese patterns: without blanks, a word may be a piece of another."""

    en: list[Text]
    zh: list[Regular]


class Templates(Strict):
    en: EnTemplates
    zh: ZhTemplates


class RungFile(Templates):
    target: Text


class HeadingsFile(Strict):
    work: list[Text]
    other: list[Text]


class DemandsFile(Strict):
    must: list[Text]
    nice: list[Text]
    duties: list[Text]
    other: list[Text]
    welcome: list[Regular]
    soft: list[Regular]
    lead_in: list[Regular]
    lead_out: list[Regular]


class PlacesFile(Strict):
    """How many claims go into a section, by the kind of the pack's questions in it, and how many into a round at most."""

    cv: Annotated[int, Field(ge=0, le=4)]
    project: Annotated[int, Field(ge=0, le=4)]
    story: Annotated[int, Field(ge=0, le=4)]
    most: Annotated[int, Field(ge=1, le=6)]


class BackingFile(Strict):
    substance: Annotated[list[Text], Field(min_length=1)]
    en: Text
    zh: Text


class IntakeFile(Strict):
    helped: list[Text]
    headings: HeadingsFile
    verbs: dict[Deed, BothWords]
    called: CalledFile
    before: BothWords
    after: AfterFile
    tails: BothPatterns
    roles: BothWords
    units: dict[Text, Text]
    people: BothWords
    baseline: BothPatterns
    demands: DemandsFile
    common: BothWords
    places: PlacesFile
    questions: dict[Asking, Templates]
    it: Both
    rungs: dict[Rung, RungFile]
    backing: BackingFile

    @model_validator(mode="after")
    def _whole(self) -> IntakeFile:
        for name, there, kinds in (
            ("verbs", self.verbs, Deed),
            ("called.en", self.called.en, Deed),
            ("called.zh", self.called.zh, Deed),
            ("questions", self.questions, Asking),
            ("rungs", self.rungs, Rung),
        ):
            if missing := set(get_args(kinds)) - set(there):
                raise ValueError(f"{name} has no {', '.join(sorted(missing))}")
        return self


@dataclass(frozen=True, slots=True)
class Verb:
    """A form of a verb as it may stand in a CV, how it is said to its author, and what kind of deed it is."""

    said: str
    deed: Deed
    finite: bool
    """A past form, which makes a claim anywhere in a sentence; the others do so only at the head of a line."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The file, with what is looked up in it made ready.

    `en` has every form of every English verb by its words; `zh` the Chinese verbs with their deeds, the longest first.
    """

    file: IntakeFile
    en: Mapping[tuple[str, ...], Verb]
    zh: tuple[tuple[str, Deed], ...]
    common: frozenset[str]

    def heading(self, line: str) -> Literal["work", "other"] | None:
        """What kind of section this line begins, if it is a heading that CVs have."""
        plain = re.sub(r"[^\w\s]|_", "", line).strip().casefold()
        if plain in self.file.headings.work:
            return "work"
        return "other" if plain in self.file.headings.other else None


def load_lexicon(path: Path | None = None) -> Lexicon:
    """The shipped lexicon, or that in `path`. Raises BadInputError (`bad-pack`) with all of its problems."""
    path = path or data_folder("prompts") / "intake.toml"
    stat = path.stat() if path.exists() else None
    return _loaded(path, (stat.st_mtime_ns, stat.st_size) if stat else (0, 0))


@lru_cache(maxsize=4)
def _loaded(path: Path, stamp: tuple[int, int]) -> Lexicon:  # noqa: ARG001  (a changed file is read again)
    file, problems = read(path, IntakeFile)
    refuse(problems)
    assert file is not None
    english: dict[tuple[str, ...], Verb] = {}
    chinese: dict[str, Deed] = {}
    for deed, words in file.verbs.items():
        for entry in words.en:
            for form, finite in _forms(entry):
                english.setdefault(tuple(form.split()), Verb(entry.partition("/")[2], deed, finite))
        chinese |= dict.fromkeys(words.zh, deed)
    for pattern in (*file.tails.zh, *file.tails.en, *file.baseline.en, *file.baseline.zh, *file.demands.lead_in):
        compiled(pattern)
    ordered = tuple(sorted(chinese.items(), key=lambda item: -len(item[0])))
    return Lexicon(file, english, ordered, frozenset([*file.common.en, *file.common.zh]))


def _forms(entry: str) -> list[tuple[str, bool]]:
    """`lead/led` gives lead, leads, leading, and led, which is finite."""
    base, _, past = entry.partition("/")
    head, blank, rest = base.partition(" ")
    tail = blank + rest
    stem = head[:-1] if head.endswith("e") and not head.endswith("ee") else head
    doubled = f"{head}{head[-1]}ing" if re.fullmatch(r"[a-z]*[^aeiou][aeiou][bdgmnpt]", head) else ""
    s = f"{head}es" if head.endswith(("s", "sh", "ch", "x")) else f"{head}s"
    forms = [(head + tail, False), (s + tail, False), (f"{stem}ing{tail}", False), (past, True)]
    return [*forms, (f"{doubled}{tail}", False)] if doubled else forms
