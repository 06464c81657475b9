"""One file in, its checked shape out, or every problem it has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from voiceprep.content.checks import Found
from voiceprep.content.places import Places
from voiceprep.content.problems import Key, Problem, shown, spelled
from voiceprep.files import parse_toml

Shape = TypeVar("Shape", bound=BaseModel)

_FENCE = "+++"


def read(
    path: Path,
    shape: type[Shape],
    *,
    context: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda _: {},
    checks: Callable[[Mapping[str, Any]], Found] = lambda _: iter(()),
) -> tuple[Shape | None, list[Problem]]:
    """Read a TOML file, or the TOML between `+++` lines of a Markdown file.

    `context` makes the lists of known ids from the raw values, `checks` looks at what no single field can tell.
    """
    file = shown(path)
    try:
        text, skipped = _front_matter(path.read_text(encoding="utf-8"), path.suffix)
        raw = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        return None, [Problem(file, "", int(place[1]) + skipped if place else None, f"is not TOML: {error}")]
    except (OSError, UnicodeDecodeError, ValueError) as error:
        return None, [Problem(file, "", None, f"cannot be read: {error}")]
    places = Places(text, skipped)
    found: list[tuple[Key, str]] = list(checks(raw))
    try:
        value = shape.model_validate(raw, context=context(raw))
    except ValidationError as error:
        value = None
        found += reasons(error).items()
    ordered = sorted((places.line(key) or 0, spelled(key), reason) for key, reason in found)
    return value, [Problem(file, key, line or None, reason) for line, key, reason in ordered]


def reasons(error: ValidationError) -> dict[Key, str]:
    """What is wrong by its place."""
    found: dict[Key, str] = {}
    for item in error.errors(include_url=False):
        # A value that fits no member of a union is complained about once for each: the first complaint is enough.
        found.setdefault(_key(item["loc"]), _reason(dict(item)))
    return found


def _front_matter(text: str, suffix: str) -> tuple[str, int]:
    if suffix != ".md":
        return text, 0
    parts = re.split(rf"^{re.escape(_FENCE)}\s*$", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():  # noqa: PLR2004  (before, between and after the two fences)
        raise ValueError(f"it must begin with TOML between two {_FENCE} lines")
    return parts[1].removeprefix("\n"), 1


def _key(loc: tuple[int | str, ...]) -> Key:
    """Pydantic's location without the names it adds for the members of a union."""
    return tuple(part for part in loc if isinstance(part, int) or re.fullmatch(r"[a-z0-9_\-]+", part))


def _reason(error: Mapping[str, Any]) -> str:
    match error["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not a known key"
        case "value_error":
            return str(error["ctx"]["error"])
        case "string_pattern_mismatch":
            return f"{error['input']!r} is not an id (like {error['ctx']['pattern']})"
        case _:
            message = str(error["msg"])
            return message[:1].lower() + message[1:]
