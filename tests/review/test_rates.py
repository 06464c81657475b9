from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.test_pauses import recordings, spans
from voiceprep.core.events import Language, Word
from voiceprep.core.listening.rates import measure_rates, syllables_of
from voiceprep.core.listening.spoken import spoken_tokens
from voiceprep.core.units import Media, Span
from voiceprep.speech.stt.words import Piece, split_words


def split(text: str) -> tuple[Word, ...]:
    """The words as the recogniser's adapter makes them: one Chinese character, or one Latin word or number, each."""
    return tuple(split_words([Piece(text, 0.0, 1.0, 1.0)]))


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


@pytest.mark.parametrize(
    ("written", "said", "language"),
    [
        ("It cost $40,000 on June 3, 1871.", "it cost forty thousand dollars on June three eighteen seventy one", "en"),
        ("in the 1990s, on the 21st", "in the nineteen nineties on the twenty first", "en"),
        ("R&D grew 12%", "R and D grew twelve percent", "en"),
        ("收入是3.5亿", "收入是三点五亿", "zh"),
        ("p99 200毫秒", "p 九十九 二百毫秒", "zh"),
        ("2023年增长50%", "二零二三年增长百分之五十", "zh"),
        ("３．５亿", "三点五亿", "zh"),
        ("我们有 400 张卡 和 3 containers", "我们有四百张卡和 three containers", "mixed"),
        ("收入 3.5 亿，增长 50%", "收入三点五亿增长百分之五十", "mixed"),
        ("第 3 步 is 50% of 3,000", "第三步 is fifty percent of three thousand", "mixed"),
    ],
)
def test_case_020_digits_count_as_what_was_said(written: str, said: str, language: Language) -> None:
    one, other = (measure_rates(split(text), spans(0.0, 30.0), 30.0, language) for text in (written, said))
    assert (one.words, one.characters) == (other.words, other.characters)
    if language != "mixed":
        assert one.narration == pytest.approx(other.narration)


def test_mixed_shows_both_counts_and_counts_a_character_as_a_syllable() -> None:
    rates = measure_rates(split("我们的 latency 降了 3.5 倍"), spans(0.0, 60.0), 60.0, "mixed")
    assert (rates.words, rates.characters, rates.syllables) == (1, 3 + 2 + 4, 3 + 3 + 2 + 4)
    assert rates.timeline == rates.syllables


def test_the_pause_that_narration_leaves_out_is_of_two_seconds() -> None:
    kept = measure_rates(words("word " * 30), spans(0.0, 5.0, 6.9, 12.0), 20.0, "en")
    left_out = measure_rates(words("word " * 30), spans(0.0, 5.0, 7.1, 12.2), 20.0, "en")
    assert kept.narration == pytest.approx(30 / 12.0 * 60)
    assert left_out.narration == pytest.approx(30 / 10.1 * 60)
    assert kept.articulation == left_out.articulation
