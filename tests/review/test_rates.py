from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.test_pauses import recordings, spans
from voiceprep.core.events import Language, Word
from voiceprep.core.units import Media, Span
from voiceprep.review.rates import measure_rates, syllables_of
from voiceprep.review.spoken import spoken_tokens


def words(text: str) -> tuple[Word, ...]:
    return tuple(Word(part, Media(0.0), Media(0.0), 1.0) for part in text.split())


def test_each_rate_divides_by_its_own_time() -> None:
    speech = spans(10.0, 20.0, 21.0, 31.0, 61.0, 71.0, 71.4, 80.0)
    rates = measure_rates(words("word " * 60), speech, 120.0, "en")
    assert rates.unit == "wpm"
    assert rates.timeline == pytest.approx(60 / 120 * 60)
    assert rates.narration == pytest.approx(60 / (38.6 + 1.4) * 60)
    assert rates.phrase == pytest.approx(60 / (38.6 + 0.4) * 60)
    assert rates.articulation == pytest.approx(60 / 38.6 * 60)


def test_chinese_counts_characters_and_mixed_shows_both() -> None:
    speech = spans(0.0, 60.0)
    chinese = measure_rates(words("我 们 用 数 据，"), speech, 60.0, "zh")
    assert (chinese.unit, chinese.articulation) == ("cpm", 5.0)
    mixed = measure_rates(words("我 们 用 containers 做 rolling update。"), speech, 60.0, "mixed")
    assert (mixed.unit, mixed.words, mixed.characters) == ("spm", 3, 4)
    assert mixed.articulation == mixed.syllables == 4 + 3 + 2 + 2


@pytest.mark.parametrize(("speech", "text"), [((), "hello"), (spans(0.0, 0.5), "hello"), (spans(0.0, 9.0), "")])
def test_too_little_to_tell_is_none(speech: tuple[Span, ...], text: str) -> None:
    rates = measure_rates(words(text), speech, 0.5, "en")
    assert {rates.timeline, rates.narration, rates.phrase, rates.articulation} == {None}


@given(recordings(), st.integers(0, 5000), st.sampled_from(["en", "zh", "mixed"]))
def test_rates_are_finite_and_in_order(recording: tuple[tuple[Span, ...], float], count: int, language: Language) -> None:
    speech, duration = recording
    rates = measure_rates(words("word " * count), speech, duration, language)
    known = [r for r in (rates.timeline, rates.narration, rates.phrase, rates.articulation) if r is not None]
    assert all(rate > 0 and math.isfinite(rate) for rate in known)
    assert all(slower <= faster * (1 + 1e-9) for slower, faster in pairwise(known))


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$40,000", "forty thousand dollars"),
        ("1871", "eighteen seventy one"),
        ("2005", "two thousand five"),
        ("3.14", "three point one four"),
        ("p99", "p ninety nine"),
        ("007", "zero zero seven"),
        ("it's", "it's"),
        ("—", ""),
        ("1,250,000", "one million two hundred fifty thousand"),
    ],
)
def test_english_numbers_count_as_spoken(written: str, spoken: str) -> None:
    assert sorted(spoken_tokens(written, "en")) == sorted(spoken.split())  # a sign may be counted before its number


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3.5亿", "三点五亿"),
        ("200毫秒", "二百毫秒"),
        ("105", "一百零五"),
        ("12000", "一万二千"),
        ("50%", "五十百分之"),
        ("0", "零"),
    ],
)
def test_chinese_numbers_count_as_spoken(written: str, spoken: str) -> None:
    assert "".join(spoken_tokens(written, "zh")) == spoken


@given(st.text(max_size=60), st.sampled_from(["en", "zh", "mixed"]))
def test_any_text_can_be_counted(text: str, language: Language) -> None:
    assert all(spoken_tokens(text, language))


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("product", 2),
        ("decide", 2),
        ("decided", 3),
        ("table", 2),
        ("GPU", 3),
        ("latency", 3),
        ("the", 1),
        ("SQL", 3),
        ("hmm", 3),
    ],
)
def test_syllables(word: str, count: int) -> None:
    assert syllables_of(word) == count
