"""The user's own thresholds: pacing.toml in voiceprep's home, or wherever the setting `pacing_file` says.

A table a rule of rubrics/pacing.toml, with new numbers for its levels in the rule's own unit, or `off = true`:

    [monologue]
    notice = 90
    [talk_share_high]
    off = true
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pydantic import RootModel

from voiceprep.config import Places, Settings, user_path
from voiceprep.content.fields import Id, Number, Strict
from voiceprep.content.problems import Problem, shown
from voiceprep.content.reading import read
from voiceprep.core.pack import Content, PacingRule
from voiceprep.errors import BadInputError

NAME = "pacing.toml"
C = TypeVar("C", bound=Content)


class OwnRuleFile(Strict):
    """New numbers for the levels of a rule, or that it is not wanted."""

    notice: Number = None
    warning: Number = None
    fail: Number = None
    off: bool = False

    @property
    def levels(self) -> dict[str, float]:
        named = {"notice": self.notice, "warning": self.warning, "fail": self.fail}
        return {level: value for level, value in named.items() if value is not None}


class OwnPacingFile(RootModel[dict[Id, OwnRuleFile]]):
    """Every rule that is other for this user, by its id."""


def own_file(settings: Settings, places: Places) -> Path | None:
    """Where the user's thresholds are, or None: there are none.

    Raises BadInputError for a file that is named and not there, and for what lies in its place and is none.
    """
    named = settings["pacing_file"]
    path = user_path(named) if named else places.home / NAME
    told = f"{path}, which the setting pacing_file names," if named else f"{path}, where your thresholds would be,"
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise BadInputError(f"{told} is a folder, not a file", code="no-such-file")
        if path.exists():
            raise BadInputError(f"{told} is a pipe or a device, not a file", code="no-such-file")
    except OSError as error:  # a folder that may not be looked into, a name that is too long
        raise BadInputError(f"{told} cannot be read: {error.strerror}", code="no-such-file") from error
    if named:
        raise BadInputError(f"{told} is not there", code="no-such-file")
    return None


def with_own_pacing(content: C, path: Path | None) -> C:
    """The content with the user's thresholds. Raises as `own_thresholds` does."""
    return replace(content, pacing=own_thresholds(content.pacing, path))


def own_thresholds(pacing: Mapping[str, PacingRule], path: Path | None) -> Mapping[str, PacingRule]:
    """The rules with the user's thresholds. Raises BadInputError (`bad-pacing`) with everything that is wrong in the file."""
    if path is None or not path.exists():
        return pacing
    file, problems = read(path, OwnPacingFile)
    if file is not None:
        problems = [*problems, *_problems(path, file.root, pacing)]
    if problems or file is None:
        told = "\n".join(map(str, problems))
        raise BadInputError(told, code="bad-pacing", hint=f"Mend {path}, or take it away: the usual thresholds then hold")
    return {name: _with(rule, file.root[name]) if name in file.root else rule for name, rule in pacing.items()}


def _problems(path: Path, own: Mapping[str, OwnRuleFile], pacing: Mapping[str, PacingRule]) -> Iterator[Problem]:
    for name, given in own.items():
        rule = pacing.get(name)
        if rule is None:
            yield Problem(shown(path), name, None, f"is no pacing rule; those are: {', '.join(sorted(pacing))}")
            continue
        known = [threshold.level for threshold in rule.thresholds]
        for level in given.levels:
            if level not in known:
                yield Problem(shown(path), f"{name}.{level}", None, f"is no level of this rule, which has: {', '.join(known)}")
        if not given.off and not given.levels:
            yield Problem(shown(path), name, None, "changes nothing: give a level a number, or off = true")
        values = [threshold.value for threshold in _with(rule, given).thresholds]
        if values != sorted(set(values), reverse="below" in rule.unit):
            order = ", ".join(f"{level} {value:g}" for level, value in zip(known, values, strict=False))
            yield Problem(shown(path), name, None, f"must go from the mildest to the worst, and is {order} ({rule.unit})")
        if any(value <= 0 for value in values) and rule.unit != "past_end_seconds":
            yield Problem(shown(path), name, None, f"is not above 0 ({rule.unit})")


def _with(rule: PacingRule, own: OwnRuleFile) -> PacingRule:
    if own.off:
        return replace(rule, thresholds=())
    moved = (replace(one, value=own.levels.get(one.level, one.value)) for one in rule.thresholds)
    return replace(rule, thresholds=tuple(moved))
