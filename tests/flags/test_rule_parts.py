"""What the rules are made of."""

from voiceprep.content import load_rubrics
from voiceprep.content.loader import PACING_RULES
from voiceprep.flags.rule import Levels


def test_a_level_is_told_once_until_the_figure_is_back() -> None:
    levels = Levels((165.0, 190.0), above=True)
    told = [list(levels.take(rate)) for rate in (160, 166, 170, 164, 167, 195, 191, 166, 195, 150, 166, 195)]
    assert told == [[], [0], [], [], [], [1], [], [], [1], [], [0], [1]]


def test_levels_below() -> None:
    levels = Levels((110.0, 95.0), above=False)
    assert [list(levels.take(rate)) for rate in (120, 109, 90, 112, 120, 90)] == [[], [0], [1], [], [], [0, 1]]


def test_the_rubric_has_what_sessions_run_and_nothing_else() -> None:
    assert set(load_rubrics().pacing) == set(PACING_RULES)
