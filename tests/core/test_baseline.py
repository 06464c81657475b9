"""A speaker's own figures: what one session shows, and what several add up to."""

import pytest

from bench.pacing_scene import spoken
from voiceprep.core.events import Language
from voiceprep.core.listening.baseline import ENOUGH, MOST, Sample, combine, measure
from voiceprep.core.units import Media, Span


def regions(voiced: tuple[tuple[float, float], ...]) -> list[Span]:
    return [Span(Media(start), Media(end)) for start, end in voiced]


def test_a_minute_at_one_s_own_pace() -> None:
    voiced, words = spoken("go " * 75 + "|" + "um, " * 3 + "go " * 72, 2.0, "en", 150.0, pause=1.0)
    sample = measure(words, regions(voiced), "en")
    assert sample is not None
    assert sample.seconds == pytest.approx(61.0, abs=0.1)
    assert sample.rate == pytest.approx(150 * 60 / 61, rel=0.02)
    assert sample.pause == pytest.approx(1.0)
    assert sample.fillers == pytest.approx(3 * 60 / 61, rel=0.05)


def test_nothing_is_known_of_who_said_nothing() -> None:
    assert measure((), [], "en") is None
    assert measure((), [Span(Media(0.0), Media(30.0))], "en") is None
    assert combine([], "en") is None


def sample(seconds: float, rate: float, language: Language = "en") -> Sample:
    return Sample(language, seconds, rate, 0.5, 2.0)


def test_samples_count_by_how_long_they_are_and_only_in_their_own_language() -> None:
    own = combine([sample(90, 140), sample(30, 180), sample(600, 240, "zh")], "en")
    assert own is not None
    assert own.rate == pytest.approx(150)
    assert own.seconds == 120


@pytest.mark.parametrize(("seconds", "known"), [(ENOUGH - 1, False), (ENOUGH, True)])
def test_less_than_most_of_a_minute_is_no_baseline(seconds: float, known: bool) -> None:
    assert (combine([sample(seconds, 140)], "en") is not None) == known


def test_the_latest_hour_counts() -> None:
    own = combine([sample(MOST, 140), sample(MOST, 200)], "en")
    assert own is not None
    assert own.rate == pytest.approx(140)
