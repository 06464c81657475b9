"""What a committee says when a loop is over: prompts/committee.toml, read strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.fields import Id, Strict, Text, known
from voiceprep.content.loader import load_rubrics
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.content.schema import Both
from voiceprep.core.interviewer.loop import Decision, Mark
from voiceprep.core.pack import Tongue
from voiceprep.core.text import has_hanzi

BEST, WORST = "{best}", "{worst}"
QUOTED = re.compile('["“”「」『』]')
SLOTS = re.compile(r"\{[^}]*\}")
NEEDS: Mapping[Mark, frozenset[str]] = {
    "strong": frozenset({BEST}),
    "hold": frozenset({BEST, WORST}),
    "weak": frozenset({WORST}),
    "unheard": frozenset(),
}
"""What a note of each mark must name: what was best, what was missing or wrong."""
NOTES = 2
"""So many phrasings of a note at least."""


ANYONE = "anyone"
"""The voice of interviewers that have none of their own: a new one needs no sentence here."""
PAGE = (
    *("title", "decision", "rounds", "blocking", "practise", "evidence", "missing", "severity"),
    *("deleted", "ahead", "again", "alarm", "depth"),
)
DECISIONS: tuple[Decision, ...] = ("hire", "hold", "no_hire", "open")


def _chinese(texts: list[str]) -> list[str]:
    for text in texts:
        if not has_hanzi(text):
            raise ValueError(f"{text!r} has no Chinese in it")
    return texts


def _english(texts: list[str]) -> list[str]:
    for text in texts:
        if has_hanzi(text):
            raise ValueError(f"{text!r} has Chinese characters in an English line")
    return texts


def _unquoted(name: Both) -> Both:
    """What stands in quotation marks in a review was said, word for word: a name that quotes would invent."""
    if QUOTED.search(name.en + name.zh):
        raise ValueError("has quotation marks: what is quoted is what the candidate said")
    return name


Name = Annotated[Both, AfterValidator(_unquoted)]


class NotesFile(Strict):
    en: Annotated[list[Text], Field(min_length=NOTES), AfterValidator(_english)]
    zh: Annotated[list[Text], Field(min_length=NOTES), AfterValidator(_chinese)]


class VoiceFile(Strict):
    """One sentence for each mark, as this interviewer would write it down."""

    strong: NotesFile
    hold: NotesFile
    weak: NotesFile
    unheard: NotesFile


class SignalFile(Strict):
    """A signal as a noun: when it was there, when it was not; and how to practise it."""

    have: Name
    lack: Name
    practise: Both


class TrapFile(Strict):
    """A fault as a noun, and how to be rid of it."""

    name: Name
    practise: Both


class CommitteeFile(Strict):
    page: dict[Id, Both]
    """Headings and words of the debrief."""
    marks: dict[Id, Both]
    decisions: dict[Id, Both]
    voices: dict[Annotated[str, known("personas")], VoiceFile]
    signals: dict[Annotated[str, known("signals")], SignalFile]
    traps: dict[Annotated[str, known("traps")], TrapFile]


@dataclass(frozen=True, slots=True)
class Committee:
    """All that a debrief says. Every mapping is complete: the loader sees to it.

    `have` names a signal that was heard, `lack` one that was not, or a trap that was; `practise` what to do about it.
    """

    page: Mapping[str, Mapping[Tongue, str]]
    marks: Mapping[str, Mapping[Tongue, str]]
    decisions: Mapping[str, Mapping[Tongue, str]]
    notes: Mapping[str, Mapping[str, Mapping[Tongue, tuple[str, ...]]]]
    """By persona, then by mark."""
    have: Mapping[str, Mapping[Tongue, str]]
    lack: Mapping[str, Mapping[Tongue, str]]
    practise: Mapping[str, Mapping[Tongue, str]]

    def called(self, label: str, tongue: Tongue, *, fault: bool = False) -> str:
        """What people call a signal or a trap, `fault` as one that is held against somebody; "" for what is neither."""
        names = self.lack if fault or label not in self.have else self.have
        return names[label][tongue] if label in names else ""


def load_committee(prompts: Path | None = None, rubrics: Path | None = None) -> Committee:
    """What a committee says. Raises BadInputError (`bad-pack`)."""
    committee, problems = _committee(prompts, rubrics)
    refuse(problems)
    assert committee is not None
    return committee


def check_committee(prompts: Path | None = None, rubrics: Path | None = None) -> list[Problem]:
    """Every problem of the committee's file."""
    return _committee(prompts, rubrics)[1]


def _committee(prompts: Path | None, rubrics: Path | None) -> tuple[Committee | None, list[Problem]]:
    folder = prompts or data_folder("prompts")
    path = folder / "committee.toml"
    detectors = load_rubrics(rubrics).detectors
    known_ids: dict[str, set[str]] = {
        "signals": {one.id for one in detectors if one.kind == "signal"},
        "traps": {one.id for one in detectors if one.kind == "trap"},
        "personas": {ANYONE, *(one.stem for one in (folder / "personas").glob("*.md"))},
    }
    file, problems = read(path, CommitteeFile, context=lambda _: dict[str, Any](known_ids))
    if file is None:
        return None, problems
    wanted: dict[str, set[str]] = {
        "page": set(PAGE),
        "marks": set(NEEDS),
        "decisions": set(DECISIONS),
        "voices": {ANYONE},
        "signals": known_ids["signals"],
        "traps": known_ids["traps"],
    }
    for table, names in wanted.items():
        absent = sorted(names - set(getattr(file, table)))
        problems += [Problem(shown(path), f"{table}.{name}", None, "is missing") for name in absent]
    problems += _slots(path, file)
    return _spoken(file), problems


def _slots(path: Path, file: CommitteeFile) -> list[Problem]:
    """Notes that name what their mark does not have, or leave out what it is about."""
    found = []
    for persona, voice in file.voices.items():
        for mark, needed in NEEDS.items():
            notes: NotesFile = getattr(voice, mark)
            for tongue, texts in (("en", notes.en), ("zh", notes.zh)):
                for number, text in enumerate(texts):
                    if set(SLOTS.findall(text)) != needed:
                        key = f"voices.{persona}.{mark}.{tongue}[{number}]"
                        wants = " and ".join(sorted(needed)) or "no slot"
                        found.append(Problem(shown(path), key, None, f"needs {wants}"))
    return found


def _spoken(file: CommitteeFile) -> Committee:
    def each(texts: Mapping[str, Both]) -> dict[str, Mapping[Tongue, str]]:
        return {name: building.both(text) for name, text in texts.items()}

    def notes(voice: VoiceFile) -> dict[str, Mapping[Tongue, tuple[str, ...]]]:
        spoken: dict[str, NotesFile] = {mark: getattr(voice, mark) for mark in NEEDS}
        return {mark: {"en": tuple(one.en), "zh": tuple(one.zh)} for mark, one in spoken.items()}

    signals, traps = file.signals, file.traps
    return Committee(
        page=each(file.page),
        marks=each(file.marks),
        decisions=each(file.decisions),
        notes={persona: notes(voice) for persona, voice in file.voices.items()},
        have=each({name: one.have for name, one in signals.items()}),
        lack=each({name: one.lack for name, one in signals.items()} | {name: one.name for name, one in traps.items()}),
        practise=each({name: one.practise for name, one in (signals | traps).items()}),
    )
