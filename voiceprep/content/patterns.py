"""Regular expressions of the rubrics: built once in a process, with the fragments of their file filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

NAMED = re.compile(r"\{([a-z]+)\}")
"""A fragment's place in a pattern. Repetitions like `{2,4}` begin with a digit."""


KEPT, LONGEST = 2048, 2_000
"""So many patterns are kept, none longer: one of a thousand alternatives takes a megabyte, and its rubric holds it anyway."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Raises ValueError, which says why, where it is none (too deep, too often), or will soon mean something else."""
    return _kept(pattern) if len(pattern) <= LONGEST else _built(pattern)


def _built(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        raise ValueError(f"is not a regular expression: {error}") from error


_kept = lru_cache(maxsize=KEPT)(_built)


def filled(pattern: str, fragments: Mapping[str, str]) -> str:
    """The pattern with its fragments; KeyError names one that is not there."""
    return NAMED.sub(lambda match: f"(?:{fragments[match[1]]})", pattern)
