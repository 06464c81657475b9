"""The turns of phrase that an interviewer's file claims are really spoken in its round."""

from __future__ import annotations

import pytest

from voiceprep.content import load_rounds
from voiceprep.core.interviewer.phrases import known_lines
from voiceprep.core.pack import RoundPack, Tongue


@pytest.mark.parametrize("tongue", ["en", "zh"])
@pytest.mark.parametrize("pack", load_rounds().values(), ids=lambda pack: pack.id)
def test_habits_are_spoken(pack: RoundPack, tongue: Tongue) -> None:
    said = " ".join(line for seed in range(6) for line in known_lines(pack, tongue, seed)).casefold()
    assert pack.persona.habits[tongue]
    assert [habit for habit in pack.persona.habits[tongue] if habit.casefold() not in said] == []
