from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.review.test_analysis import Echo, Loudness, recording
from voiceprep.cli.report import report
from voiceprep.core.events import Language, Word
from voiceprep.core.listening.filled_pauses import LABELS, find_fillers
from voiceprep.core.units import Media, Span
from voiceprep.review.analysis import analyze
from voiceprep.review.analysis_document import document
from voiceprep.speech.fillers import HeldSound

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases" / "audio"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the recordings of ../shared/cases/audio are not here")


def said(*texts: str, gap_before: int | None = None) -> list[Word]:
    """Words of 0.2 s each without silence between, but for 0.5 s before the one numbered `gap_before`."""
    out, clock = [], 0.0
    for number, text in enumerate(texts):
        clock += 0.5 if number == gap_before else 0.0
        out.append(Word(text, Media(clock), Media(clock + 0.2), 0.9))
        clock += 0.2
    return out


def test_english_fillers_with_their_times() -> None:
    (first, second) = find_fillers(said("Um,", "I", "think", "uhh", "so."))
    assert (first.text, first.start, first.end) == ("Um", 0.0, 0.2)
    assert second.text == "uhh"


@pytest.mark.parametrize("word", ["umbrella", "her", "mm-hm", "I", "him", "error", "am", "m", "hem"])
def test_words_that_only_look_alike(word: str) -> None:
    assert [f.text for f in find_fillers(said("the", word, "is"))] == []


@pytest.mark.parametrize("word", ["um", "uh", "er", "erm", "hmm", "Uh...", "嗯，", "呃", "嗯嗯"])
def test_every_kind_of_filled_pause(word: str) -> None:
    assert len(find_fillers(said(word))) == 1


def test_chinese_words_with_a_meaning_are_no_fillers() -> None:
    assert find_fillers(said("那", "个", "项", "目", "就", "是", "说", "金", "额", "，")) == ()


def test_chinese_words_that_stand_alone_are() -> None:
    assert [f.text for f in find_fillers(said("我", "们，", "那", "个，", "做", "完。"))] == ["那个"]
    assert [f.text for f in find_fillers(said("做", "完，", "额，", "后", "来"))] == ["额"]
    assert [f.text for f in find_fillers(said("我", "就", "是", gap_before=1))] == ["就是"]


def test_said_twice_is_hesitation() -> None:
    found = find_fillers(said("我", "那", "个", "那", "个", "项", "目"))
    assert [f.text for f in found] == ["那个", "那个"]


def test_nothing_said_nothing_found() -> None:
    assert find_fillers([]) == ()


ALL = (Span(Media(0.0), Media(100.0)),)
CLEAR, DOUBTFUL = 4.0, 1.5


def word(text: str, start: float, end: float, confidence: float = 0.98) -> Word:
    return Word(text, Media(start), Media(end), confidence)


def test_a_written_filler_and_its_sound_are_one_with_the_times_of_the_sound() -> None:
    written = [word("so", 0.0, 0.3), word("um,", 0.4, 0.5), word("we", 1.2, 1.4)]
    (found,) = find_fillers(written, [HeldSound(0.6, 1.05, CLEAR)], ALL)
    assert (found.text, found.start, found.end, found.source) == ("um", 0.6, 1.05, "both")


def test_a_written_filler_vouches_for_a_doubtful_sound_and_counts_without_one() -> None:
    written = [word("um", 0.4, 0.6)]
    assert [f.source for f in find_fillers(written, [HeldSound(0.4, 0.7, -3.0)], ALL)] == ["both"]
    assert [f.source for f in find_fillers(written, [HeldSound(5.0, 5.4, -3.0)], ALL)] == ["words"]


def test_two_written_fillers_do_not_share_a_sound() -> None:
    written = [word("um", 0.4, 0.6), word("uh", 0.6, 0.8)]
    assert [f.source for f in find_fillers(written, [HeldSound(0.4, 0.7, CLEAR)], ALL)] == ["both", "words"]


@pytest.mark.parametrize(("language", "label"), list(LABELS.items()))
def test_a_clear_sound_without_a_word_is_a_filler_with_a_label(language: Language, label: str) -> None:
    (found,) = find_fillers([word("so", 0.0, 0.3)], [HeldSound(1.0, 1.5, DOUBTFUL)], ALL, language=language)
    assert (found.text, found.source) == (label, "audio")


def test_a_word_the_recogniser_is_sure_of_explains_a_doubtful_sound_and_an_unsure_one_does_not() -> None:
    sound = [HeldSound(1.0, 1.4, DOUBTFUL)]
    assert find_fillers([word("now", 0.9, 1.5, 0.99)], sound, ALL) == ()
    assert len(find_fillers([word("I", 0.9, 1.5, 0.2)], sound, ALL)) == 1


def test_a_clear_sound_is_a_filler_although_the_recogniser_took_it_for_a_word() -> None:
    assert len(find_fillers([word("a", 0.9, 1.5, 0.9)], [HeldSound(1.0, 1.4, CLEAR)], ALL)) == 1


def test_without_a_recogniser_a_place_without_words_means_nothing() -> None:
    assert find_fillers([], [HeldSound(1.0, 1.4, 0.5)], ALL, recognised=False) == ()
    assert len(find_fillers([], [HeldSound(1.0, 1.4, DOUBTFUL)], ALL, recognised=False)) == 1


def test_a_sound_outside_of_speech_is_not_the_speakers() -> None:
    assert find_fillers([], [HeldSound(1.0, 1.4, CLEAR)], [Span(Media(1.3), Media(9.0))]) == ()


def test_a_sound_that_wavers_is_one_filler() -> None:
    (found,) = find_fillers([], [HeldSound(1.0, 1.3, CLEAR), HeldSound(1.38, 1.8, CLEAR)], ALL)
    assert (found.start, found.end) == (1.0, 1.8)


def test_words_with_a_meaning_of_their_own_take_no_sound() -> None:
    written = said("我", "们，", "那", "个，", "做", "完。")
    found = find_fillers(written, [HeldSound(1.5, 1.9, CLEAR)], ALL, language="zh")
    assert [(f.text, f.source) for f in found] == [("那个", "words"), (LABELS["zh"], "audio")]


@given(st.lists(st.tuples(st.floats(0, 60), st.floats(0.2, 2.0), st.floats(-4, 9)), max_size=12), st.integers(0, 8))
def test_fillers_are_in_order_and_none_is_counted_twice(sounds: list[tuple[float, float, float]], count: int) -> None:
    held = [HeldSound(start, start + length, odds) for start, length, odds in sounds]
    written = [word("um" if number % 2 else "then", number * 7.0, number * 7.0 + 0.3) for number in range(count)]
    found = find_fillers(written, held, ALL)
    assert [f.start for f in found] == sorted(f.start for f in found)
    assert sum(f.source != "audio" for f in found) == count // 2
    assert len(found) <= count // 2 + len(held)


@needs_cases
@pytest.mark.models
@pytest.mark.parametrize(
    "names",
    [
        ("en_libri_1995.wav", "en_lj_0131.wav", "en_jfk.mp3", "en_kolja_demo_52s.wav"),
        ("zh_aishell_0724.wav", "zh_autumn_53s.wav"),
    ],
)
async def test_fluent_reading_gives_at_most_one_false_filler_a_minute_by_its_sound_alone(names: tuple[str, ...]) -> None:
    heard = [await analyze(CASES / name, recogniser=None, language="en") for name in names]
    minutes = sum(one.audio.duration for one in heard) / 60
    assert sum(len(one.fillers) for one in heard) <= max(1.0, minutes)


@needs_cases
@pytest.mark.models
async def test_case_018_fillers_that_the_recogniser_drops_are_heard_and_called_an_estimate() -> None:
    """A meeting full of hesitation: no word of the reference draft is an um."""
    analysis = await analyze(CASES / "en_ami_meeting_float32_dev.wav", recogniser=None, language="en")
    assert analysis.fillers
    assert {filler.source for filler in analysis.fillers} == {"audio"}
    shown = document(analysis, 1.0)["fillers"]
    assert shown["estimated"] is True
    assert shown["count"] == len(shown["items"]) > 0
    assert all(set(item) == {"text", "start", "end", "source"} for item in shown["items"])


async def test_case_018_nothing_found_is_said_to_be_no_fact(tmp_path: Path) -> None:
    analysis = await analyze(recording(tmp_path, 1.0, 6.0, 1.0), recogniser=Echo(), language="en", activity=Loudness())
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(report("answer.wav", analysis))
    assert "none found; an estimate" in console.export_text()
    assert document(analysis, 1.0)["fillers"] == {"count": 0, "per_minute": 0.0, "estimated": True, "items": []}
