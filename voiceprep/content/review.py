"""What a review says: prompts/review.toml, read strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, get_args

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.fields import Id, Strict, known
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.content.schema import Both
from voiceprep.core.annotation import Kind
from voiceprep.core.events import Meant, Sign
from voiceprep.core.pack import Tongue
from voiceprep.core.text import ONE_HANZI

_SLOT = re.compile(r"\{(\w+)\}")


def _without_slots(names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), "")


SLOTS: Mapping[str, Mapping[str, frozenset[str]]] = {
    table: {name: frozenset(slots.split()) for name, slots in texts.items()}
    for table, texts in {
        "page": {
            **_without_slots(
                "story moments advice debrief timeline sections threads pushbacks differences claims quiz scores flags notes "
                "transcript open met not_met planned took over ask gate"
            ),
            "rounds": "n of",
            "pace": "shift",
            "after": "seconds",
            "level": "level",
            "right": "meant",
            "wrong": "meant",
            "little": "spoken answers",
            "not_scored": "reasons",
            "next_time": "advice",
        },
        "lanes": _without_slots(
            "candidate interviewer silence sections flags depth notes place past_budget notice warning fail"
        ),
        "progress": _without_slots("levels survived flags pace fillers dimensions nothing"),
        "kinds": dict.fromkeys(get_args(Kind), ""),
        "signs": dict.fromkeys(get_args(Sign), ""),
        "meant": dict.fromkeys(get_args(Meant), ""),
        "ended": _without_slots("completed audio-ended user interrupted running other"),
        "story": {
            "scene": "interviewer round elapsed answers spoken ended",
            "recording": "elapsed spoken",
            "two_people": "elapsed answers spoken",
            "budget_kept": "section took budget",
            "budget_one": "section took budget",
            "budget_more": "section took budget more",
            "budget_none": "",
            "clock_quiet": "answer pause",
            "clock_flag": "answer pause flags rule",
            "clock_flags": "answer pause flags rule",
            "clock_silent": "",
            "content_both": "best worst",
            "content_best": "best",
            "content_worst": "worst",
            "content_none": "",
            "content_doubts": "doubt",
            "content_little": "spoken answers",
            "content_unknown": "",
            "pressure_held": "answered followups met pushbacks",
            "pressure_shift": "answered followups met pushbacks shift",
            "pressure_follow": "answered followups",
            "pressure_push": "met pushbacks",
            "pressure_open": "followups",
            "pressure_none": "",
        },
        "doubts": {
            **_without_slots("unclear too_much repeated one_repetition chinese no_speech no_recogniser"),
            "silent": "silent voiced",
            "unsure": "confidence",
        },
        "moments": {
            "strength": "name",
            "fault": "name times",
            "unanswered": "name",
            "alarm": "rule advice",
            "difference": "why",
            "unbacked": "claim",
            "pushback": "asked",
        },
        "moment_advice": _without_slots("difference unbacked pushback nothing"),
    }.items()
}
"""Every text that a review needs, by table, with the slots that each language of it must have."""
COUNTS = ("answers", "parts", "flags", "followups", "pushbacks", "times")


class CountFile(Strict):
    """A number of things, in words; `many` has the slot {n}."""

    one: Both
    many: Both


class RuleTexts(Strict):
    """What a pacing rule is called, and what to do about it."""

    name: Both
    practise: Both


class ReviewFile(Strict):
    page: dict[Id, Both]
    lanes: dict[Id, Both]
    progress: dict[Id, Both]
    kinds: dict[Id, Both]
    signs: dict[Id, Both]
    meant: dict[Id, Both]
    ended: dict[Id, Both]
    story: dict[Id, Both]
    doubts: dict[Id, Both]
    moments: dict[Id, Both]
    moment_advice: dict[Id, Both]
    counts: dict[Id, CountFile]
    rules: dict[Id, RuleTexts]
    drills: dict[Id, list[Annotated[Id, known("drills")]]]


@dataclass(frozen=True, slots=True)
class ReviewTexts:
    """All that a review says, by table and name. Every table of `SLOTS` is complete: the loader sees to it."""

    tables: Mapping[str, Mapping[str, Mapping[Tongue, str]]]
    counts: Mapping[str, tuple[Mapping[Tongue, str], Mapping[Tongue, str]]]
    rules: Mapping[str, Mapping[Tongue, str]]
    practise: Mapping[str, Mapping[Tongue, str]]
    drills: Mapping[str, tuple[str, ...]]
    """Ids of the drills that train a signal, train a trap away, or keep a pacing rule; the best first."""

    def say(self, table: str, name: str, tongue: Tongue, /, **slots: object) -> str:
        """One text with its slots filled. What is filled in is not looked at again: it may hold braces of its own.

        Between a name in letters and the Chinese after it stands a blank, as everywhere in the files.
        """
        text = self.tables[table][name][tongue]

        def filled(match: re.Match[str]) -> str:
            value = str(slots[match[1]])
            letter = value[-1:].isascii() and value[-1:].isalpha()
            return f"{value} " if letter and ONE_HANZI.match(text, match.end()) else value

        return _SLOT.sub(filled, text).strip()

    def ended(self, reason: str, tongue: Tongue) -> str:
        """How a session ended, in words."""
        known = self.tables["ended"]
        return known[(reason if reason in known else "other") if reason else "running"][tongue]

    def doubt(self, reason: str, tongue: Tongue) -> str:
        """Why a transcript is doubted, in this language; as it is where nobody has written it in another."""
        for name, told in self.tables["doubts"].items():
            form = re.escape(told["en"]).replace(r"\{", "{").replace(r"\}", "}")
            found = re.fullmatch(_SLOT.sub(r"(?P<\1>.+?)", form), reason)
            if found is not None:
                return self.say("doubts", name, tongue, **found.groupdict())
        return reason

    def count(self, name: str, number: int, tongue: Tongue) -> str:
        """So many of these, in words."""
        one, many = self.counts[name]
        return one[tongue] if number == 1 else many[tongue].replace("{n}", str(number))

    def rule(self, rule: str, tongue: Tongue) -> str:
        """What people call a pacing rule; a new one without a name of its own by its id."""
        return self.rules[rule][tongue] if rule in self.rules else rule.replace("_", " ")


def load_review(prompts: Path | None = None) -> ReviewTexts:
    """What a review says. Raises BadInputError (`bad-pack`)."""
    return _cached(prompts or data_folder("prompts"))


@lru_cache(maxsize=4)
def _cached(folder: Path) -> ReviewTexts:
    texts, problems = _review(folder)
    refuse(problems)
    assert texts is not None
    return texts


def check_review(prompts: Path | None = None) -> list[Problem]:
    """Every problem of the review's file."""
    return _review(prompts or data_folder("prompts"))[1]


def _review(folder: Path) -> tuple[ReviewTexts | None, list[Problem]]:
    path = folder / "review.toml"
    drills = {one.stem for one in (folder / "drills").glob("*.toml")}
    file, problems = read(path, ReviewFile, context=lambda _: dict[str, Any](drills=drills))
    if file is None:
        return None, problems
    wrong = [*_lacking(file), *_misfilled(file)]
    problems += [Problem(shown(path), key, None, reason) for key, reason in wrong]
    tables = {table: {name: building.both(text) for name, text in getattr(file, table).items()} for table in SLOTS}
    return (
        ReviewTexts(
            tables=tables,
            counts={name: (building.both(one.one), building.both(one.many)) for name, one in file.counts.items()},
            rules={name: building.both(one.name) for name, one in file.rules.items()},
            practise={name: building.both(one.practise) for name, one in file.rules.items()},
            drills={name: tuple(drills) for name, drills in file.drills.items()},
        ),
        problems,
    )


def _lacking(file: ReviewFile) -> list[tuple[str, str]]:
    wanted = {**{table: set(names) for table, names in SLOTS.items()}, "counts": set(COUNTS)}
    found = []
    for table, names in wanted.items():
        given = set(getattr(file, table))
        found += [(f"{table}.{name}", "is missing") for name in sorted(names - given)]
        found += [(f"{table}.{name}", "is said nowhere") for name in sorted(given - names)]
    return found


def _misfilled(file: ReviewFile) -> list[tuple[str, str]]:
    """Texts with a slot that nothing fills, or without one that they are about, in either language."""
    texts = {
        f"{table}.{name}": (text, SLOTS[table].get(name, frozenset()))
        for table in SLOTS
        for name, text in getattr(file, table).items()
    }
    texts |= {f"counts.{name}.many": (one.many, frozenset({"n"})) for name, one in file.counts.items()}
    found = []
    for key, (text, slots) in texts.items():
        for tongue in ("en", "zh"):
            if set(_SLOT.findall(getattr(text, tongue))) != slots:
                wants = " and ".join(f"{{{slot}}}" for slot in sorted(slots)) or "no slot"
                found.append((f"{key}.{tongue}", f"needs {wants}"))
    return found
