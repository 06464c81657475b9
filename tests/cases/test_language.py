"""Public bug cases: another language than the session's, mixed languages, Chinese scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bench.stt import error_rate
from tests.cases.conftest import Shared
from tests.fakes.room import wav
from tests.fakes.speech import AUDIO, real_speech
from voiceprep.audio.base import RATE, Samples
from voiceprep.config import load
from voiceprep.core.events import Language, Word
from voiceprep.core.text import is_hanzi, text_of
from voiceprep.core.units import Media, Span
from voiceprep.errors import UsageError
from voiceprep.review.analysis import Analysis
from voiceprep.review.quality import Doubts, judge_transcript
from voiceprep.speech.stt.script import one_script
from voiceprep.speech.stt.words import Piece, split_words

BINHAI = "我想问我在滨海新区有房"
LIBRI = (
    "it was the first great sorrow of his life it was not so much the loss of the cotton itself "
    "but the fantasy the hopes the dreams built around it"
)


def clip(name: str) -> Path:
    real_speech(name)
    return AUDIO / name


def alphabets(text: str) -> set[str]:
    return {"hanzi" if is_hanzi(c) else "latin" if c.isascii() else "other" for c in text if c.isalpha()}


# --- 021, 023, 024: which language is heard -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["ko", "it", "auto", "zh-TW", ""])
def test_case_021_no_other_language_can_be_chosen(language: str) -> None:
    with pytest.raises(UsageError) as told:
        load({}).with_arguments(language=language)
    assert "en, zh, mixed" in f"{told.value.message} {told.value.hint}".replace(" or ", ", ")


@pytest.mark.models
@pytest.mark.parametrize("language", ["mixed"])
def test_case_021_a_short_noisy_turn_is_in_a_language_of_the_session(
    runner: asyncio.Runner, whisper: Shared, language: Language
) -> None:
    """The German half of a recording stands for what a guess would take for a third language."""
    hiss = np.random.default_rng(4).normal(0.0, 0.02, RATE * 3 // 2).astype(np.float32)
    german = real_speech("mix_multilingual_en-de_60s.mp3")[40 * RATE :]
    for turn in (real_speech("en_sr_mono-16-bit.aiff")[: len(hiss)], german[: len(hiss)]):
        words = runner.run(whisper.transcribe(turn + hiss[: len(turn)], language)).words
        assert alphabets(text_of(words)) <= {"latin", "hanzi"}


@pytest.mark.models
@pytest.mark.parametrize("language", ["zh"])
def test_case_023_and_024_chinese_is_written_in_characters(
    analysed: Callable[[Path, Language], Analysis], language: Language
) -> None:
    analysis = analysed(clip("zh_binhai_6s.wav"), language)
    assert error_rate(BINHAI, analysis.text) <= 0.4
    assert alphabets(analysis.text) == {"hanzi"}  # no pinyin
    assert not set("[]()（）【】") & set(analysis.text)


@pytest.mark.models
@pytest.mark.parametrize("name", ["zh_binhai_6s.wav", "zh_aishell_0724.wav"])
def test_case_023_and_024_chinese_in_an_english_session_is_told_and_never_translated(
    analysed: Callable[[Path, Language], Analysis], name: str
) -> None:
    analysis = analysed(clip(name), load({})["language"])
    assert alphabets(analysis.text) <= {"hanzi"}
    assert not analysis.quality.trusted
    assert any("sounds like Chinese" in reason for reason in analysis.quality.reasons)


@pytest.mark.models
@pytest.mark.parametrize("name", ["en_marcelo_accent.mp3", "en_digits_pauses.wav"])
def test_case_024_accents_and_learners_are_not_taken_for_chinese(
    analysed: Callable[[Path, Language], Analysis], name: str
) -> None:
    analysis = analysed(clip(name), "en")
    assert analysis.words
    assert not any("Chinese" in reason for reason in analysis.quality.reasons)


# --- 025: both in one session -------------------------------------------------------------------------------------------


@pytest.mark.models
def test_case_025_both_sides_of_the_switch_are_kept_and_nothing_is_translated(
    analysed: Callable[[Path, Language], Analysis],
) -> None:
    analysis = analysed(clip("derived/zh_then_en_46s_silence_between.mp3"), "mixed")
    chinese = [word for word in analysis.words if word.end < 25.0]
    english = [word for word in analysis.words if word.start > 25.0]
    assert len(chinese) + len(english) == len(analysis.words)
    assert error_rate("广州市房地产中介协会分析", text_of(chinese)) <= 0.4
    assert error_rate(LIBRI, text_of(english)) <= 0.2


@pytest.mark.models
def test_case_025_english_words_stay_english_between_chinese_ones(
    runner: asyncio.Runner, whisper: Shared, spoken: Callable[[str], Samples]
) -> None:
    """The shared recordings have no such sentence: an English word spoken by the product stands between two halves."""
    chinese = real_speech("zh_autumn_53s.wav")
    gap = np.zeros(RATE // 5, np.float32)
    sound = np.concatenate((chinese[: round(5.3 * RATE)], gap, spoken("Kubernetes rolling update."), gap))
    text = text_of(runner.run(whisper.transcribe(sound, "mixed")).words).lower()
    assert "秋天" in text
    assert "update" in text
    assert text.count("update") == 1


# --- 026, 028: one script, no lost words --------------------------------------------------------------------------------


def test_case_026_a_mixed_script_becomes_one_with_its_own_full_stops() -> None:
    words = one_script(split_words([Piece("注意对于卡点的处理 . 申請用例之後", 0.0, 8.0, 0.9)]))
    assert text_of(words) == "注意对于卡点的处理。申请用例之后"


@pytest.mark.models
def test_case_026_and_028_the_script_never_flips_and_no_sentence_is_lost(
    tmp_path: Path, analysed: Callable[[Path, Language], Analysis]
) -> None:
    half = real_speech("zh_autumn_53s.wav")[: round(26.4 * RATE)]
    analysis = analysed(wav(tmp_path / "answer.wav", half), "zh")
    simplified = one_script(analysis.words)
    assert text_of(simplified) == analysis.text
    assert not set(",.?!;:") & set(analysis.text)
    assert error_rate(AUTUMN, analysis.text) <= 0.35
    assert analysis.quality.trusted


def test_case_028_speech_that_gave_too_few_words_is_told() -> None:
    said = [Word("我", Media(n * 0.3), Media(n * 0.3 + 0.3), 0.9) for n in range(10)]
    quality = judge_transcript(said, [Span(Media(0.0), Media(12.0))], Doubts(), recognised=True)
    assert not quality.trusted
    assert quality.reasons == ("9.0 s of 12.0 s that sound like speech gave no words",)


AUTUMN = (
    "秋天总是那么富有诗意树叶渐渐变红街道旁的银杏树也开始落叶人们穿上厚重的外套享受着凉爽的秋风黄昏时分夕阳洒在街道上"
    "给忙碌的一天增添了一抹温暖无论是散步还是小憩这个季节总能带来宁静和满足"
)
