"""What can be wrong with a file of content, said so that its author can mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voiceprep.errors import BadInputError

Key = tuple[str | int, ...]
"""A place in a file: `("questions", 0, "points", 2, "target")`."""
LONGEST, MOST = 400, 40
"""Letters of a place or a reason that are shown, and problems of one error: what has thousands is quoted from a broken file."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `line` counts from 1; None when the place could not be found."""

    file: str
    key: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(_clipped(part) for part in (place, self.key, self.reason) if part)


def _clipped(text: str) -> str:
    """Its beginning and its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 90]} ... {text[-80:]}"


def spelled(key: Key) -> str:
    """`questions[0].points[2].target`."""
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def shown(path: Path) -> str:
    """The path as short as it stays clear: its kind's folder and below, e.g. `prompts/rounds/x.toml`."""
    for folder in path.parents:
        if folder.name in {"prompts", "rubrics"}:
            return str(path.relative_to(folder.parent))
    return str(path)


def refuse(problems: Sequence[Problem]) -> None:
    """Raise BadInputError (`bad-pack`) with the first of the problems, unless there is none."""
    if problems:
        more = [f"and {len(problems) - MOST} more"] if len(problems) > MOST else []
        told = "\n".join([*map(str, problems[:MOST]), *more])
        raise BadInputError(told, code="bad-pack", hint="voiceprep rounds check lists them all")
