from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.events import Ending, Language
from voiceprep.core.turns.prosody import finality

PLAIN = Ending(pitch_change=0.0, pitch=-1.5, level=-1.0, level_fall=1.0, steady=0.06)
LANGUAGES: tuple[Language, ...] = get_args(Language)

endings = st.builds(
    Ending,
    pitch_change=st.none() | st.floats(-40, 40),
    pitch=st.none() | st.floats(-40, 40),
    level=st.none() | st.floats(-60, 60),
    level_fall=st.floats(-60, 60),
    steady=st.floats(0, 5),
)


def test_without_an_ending_it_says_nothing() -> None:
    assert [finality(None, language) for language in LANGUAGES] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_voice_that_sinks_sounds_finished_and_one_that_is_held_up_does_not(language: Language) -> None:
    sunk, held = replace(PLAIN, pitch=-5.0, level=-5.0), replace(PLAIN, pitch=2.0, level=3.0)
    assert finality(sunk, language) > 0.5
    assert finality(held, language) < -0.2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_steady_vowel_keeps_the_floor_even_of_a_low_soft_voice(language: Language) -> None:
    um = replace(PLAIN, steady=0.45)
    assert finality(um, language) < -1.0
    assert finality(replace(um, pitch=-5.0, level=-5.0), language) < 0.0


def test_the_direction_of_the_pitch_has_no_say() -> None:
    for language in LANGUAGES:
        verdicts = {finality(replace(PLAIN, pitch_change=change), language) for change in (None, -6.0, 0.0, 6.0)}
        assert len(verdicts) == 1


def test_mandarin_makes_less_of_pitch_and_more_of_level_than_english() -> None:
    def gain(language: Language, ending: Ending) -> float:
        return finality(ending, language) - finality(PLAIN, language)

    low, soft = replace(PLAIN, pitch=-3.0), replace(PLAIN, level=-4.0)
    assert 0 < gain("zh", low) < gain("en", low)
    assert 0 < gain("en", soft) < gain("zh", soft)


def test_what_is_not_known_counts_as_usual() -> None:
    for language in LANGUAGES:
        assert finality(replace(PLAIN, pitch=None, level=None), language) == pytest.approx(finality(PLAIN, language))


@given(ending=endings, language=st.sampled_from(LANGUAGES))
def test_bounded_whatever_is_measured(ending: Ending, language: Language) -> None:
    assert -2.0 <= finality(ending, language) <= 1.0


@given(ending=endings, language=st.sampled_from(LANGUAGES))
def test_no_cliff_a_hair_more_of_anything_changes_the_verdict_by_a_hair(ending: Ending, language: Language) -> None:
    before = finality(ending, language)
    assert abs(finality(replace(ending, steady=ending.steady + 0.001), language) - before) < 0.006
    if ending.pitch is not None:
        assert abs(finality(replace(ending, pitch=ending.pitch + 0.01), language) - before) < 0.0021
    if ending.level is not None:
        assert abs(finality(replace(ending, level=ending.level + 0.01), language) - before) < 0.0021


@given(ending=endings, language=st.sampled_from(LANGUAGES), more=st.floats(0, 3))
def test_monotone_in_each_cue(ending: Ending, language: Language, more: float) -> None:
    verdict = finality(ending, language) + 1e-9
    assert finality(replace(ending, steady=ending.steady + more), language) <= verdict
    if ending.pitch is not None:
        assert finality(replace(ending, pitch=ending.pitch + more), language) <= verdict
    if ending.level is not None:
        assert finality(replace(ending, level=ending.level + more), language) <= verdict
