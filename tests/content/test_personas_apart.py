"""Interviewers can be told apart blind: from five unseen lines, with their topic taken out, and well above chance."""

from __future__ import annotations

from functools import lru_cache

import pytest

from bench.apart import DRAWS, accuracy, guessed, told_apart
from voiceprep.core.pack import Tongue

LEAST: dict[Tongue, float] = {"en": 0.7, "zh": 0.65}
"""Share of right guesses, by style alone; chance is one in ten (figures: docs/benchmarks.md)."""


@lru_cache(maxsize=2)
def _figures(tongue: Tongue) -> tuple[float, dict[str, dict[str, int]]]:
    figures = told_apart(tongue)
    return figures["accuracy"], figures["confusion"]


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_five_unseen_lines_tell_who_is_speaking(tongue: Tongue) -> None:
    told, _ = _figures(tongue)
    assert told >= LEAST[tongue]


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_each_persona_is_recognised_at_four_times_chance(tongue: Tongue) -> None:
    _, confusion = _figures(tongue)
    found = {persona: row.get(persona, 0) / DRAWS for persona, row in confusion.items()}
    assert {persona: share for persona, share in found.items() if share < 4 / len(confusion)} == {}


def test_two_who_talk_alike_cannot_be_told_apart() -> None:
    """The guess is no oracle: of one voice under two names, it finds neither again."""
    verbs, acts, whens = ("How", "Why", "Where"), ("do", "mend", "sell"), ("when", "with whom", "for how long", "since when")
    lines = [f"{verb} did you {act} that, and {when}?" for verb in verbs for act in acts for when in whens]
    alike = {"one": lines, "two": lines}
    assert accuracy(guessed(alike, 1, style_only=False)) <= 0.8
