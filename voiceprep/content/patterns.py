"""Regular expressions of the rubrics: built once in a process, with the fragments of their file filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

NAMED = re.compile(r"\{([a-z]+)\}")
"""A fragment's place in a pattern. Repetitions like `{2,4}` begin with a digit."""


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """Raises ValueError, which says why, where it is none (too deep, too often), or will soon mean something else."""
    try:
        return re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        raise ValueError(f"is not a regular expression: {error}") from error


def filled(pattern: str, fragments: Mapping[str, str]) -> str:
    """The pattern with its fragments; KeyError names one that is not there."""
    return NAMED.sub(lambda match: f"(?:{fragments[match[1]]})", pattern)
