"""Words, scripts and guards: pure functions on what a recogniser may write."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.events import Word
from voiceprep.core.units import Media
from voiceprep.speech.stt import guard
from voiceprep.speech.stt.guard import Decoded, judge, without_directions, without_loops
from voiceprep.speech.stt.script import one_script
from voiceprep.speech.stt.words import Piece, split_words, tidy_times


def spoken(text: str) -> tuple[Word, ...]:
    return tuple(Word(word, Media(i * 0.3), Media(i * 0.3 + 0.3), 0.9) for i, word in enumerate(text.split()))


def texts(words: list[Word] | tuple[Word, ...]) -> list[str]:
    return [word.text for word in words]


def pieces(*parts: str) -> list[Piece]:
    return [Piece(part, float(i), float(i + 1), 0.8) for i, part in enumerate(parts)]


# --- words --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((" Hello", ",", " it's", " me", "."), ["Hello,", "it's", "me."]),
        (("广州", "市", "，", "好", "。"), ["广", "州", "市，", "好。"]),
        (("我用", " Kube", "rn", "etes", " 部署", "。"), ["我", "用", "Kubernetes", "部", "署。"]),
        (("用GPU", "跑"), ["用", "GPU", "跑"]),
        ((" real", "-", "time", " 3", ".", "5", " p", "99"), ["real-time", "3.5", "p99"]),
        ((" “Yes", "”", " he"), ["“Yes”", "he"]),
        ((" life", ".", "It", " was"), ["life.", "It", "was"]),
        ((" Node", ".js", " $5"), ["Node.js", "$5"]),
        (("。。", "！"), []),
        ((" a", " -", " b"), ["a-", "b"]),
        ((), []),
    ],
)
def test_pieces_become_words(parts: tuple[str, ...], words: list[str]) -> None:
    assert texts(split_words(pieces(*parts))) == words


def test_characters_of_a_piece_share_its_time() -> None:
    words = split_words([Piece("广州市。", 1.0, 2.5, 0.7)])
    assert [(word.start, word.end) for word in words] == [(1.0, 1.5), (1.5, 2.0), (2.0, 2.5)]
    assert [word.confidence for word in words] == pytest.approx([0.7] * 3)


def test_a_full_stop_does_not_lengthen_its_word() -> None:
    (word,) = split_words([Piece(" done", 1.0, 1.4, 0.9), Piece(".", 1.4, 9.0, 0.5)])
    assert word.text == "done."
    assert word.end == pytest.approx(1.4)


times = st.one_of(st.just(math.nan), st.floats(-5, 40))


@given(st.lists(st.tuples(times, times)), st.floats(0.1, 30))
def test_times_are_in_order_and_inside(pairs: list[tuple[float, float]], duration: float) -> None:
    words = [Word("w", Media(start), Media(end), 0.5) for start, end in pairs]
    tidied = tidy_times(words, duration)
    assert len(tidied) == len(words)
    places = [place for word in tidied for place in (word.start, word.end)]
    assert places == sorted(places)
    assert all(0 <= place <= duration + 0.0005 for place in places)


def test_missing_times_are_spread_between_their_neighbours() -> None:
    words = [Word("w", Media(start), Media(end), 0.5) for start, end in ((1.0, 1.5), (math.nan, math.nan), (3.0, 3.5))]
    assert [(word.start, word.end) for word in tidy_times(words, 4.0)] == [(1.0, 1.5), (2.0, 3.0), (3.0, 3.5)]


def test_good_times_are_left_alone() -> None:
    assert tidy_times(spoken("we measured it"), 5.0) == tuple(
        Word(word.text, Media(round(word.start, 3)), Media(round(word.end, 3)), word.confidence)
        for word in spoken("we measured it")
    )


# --- one script ---------------------------------------------------------------------------------------------------------


def test_traditional_characters_become_simplified_and_keep_their_times() -> None:
    words = split_words([Piece("廣州市佛地產中間協會", 0.0, 5.0, 0.9)])
    converted = one_script(words)
    assert "".join(texts(converted)) == "广州市佛地产中间协会"
    assert [word.start for word in converted] == [word.start for word in words]


def test_characters_are_converted_in_context() -> None:
    assert "".join(texts(one_script(split_words(pieces("乾隆喝乾了"))))) == "乾隆喝干了"


def test_marks_after_chinese_are_wide_and_english_ones_stay() -> None:
    words = one_script(split_words(pieces("好", ".", "是", ",", "吗", "?", " OK", ".", " v1", ".", "5")))
    assert texts(words) == ["好。", "是，", "吗？", "OK.", "v1.5"]


def test_english_is_untouched() -> None:
    assert one_script(spoken("We cut it, twice.")) == list(spoken("We cut it, twice."))


# --- guards -------------------------------------------------------------------------------------------------------------


def decoded(text: str, *, logprob: float = -0.2, no_speech: float = 0.05, tokens: int = 10, duration: float = 10.0) -> Decoded:
    return Decoded(spoken(text), tokens, logprob, no_speech, duration)


@pytest.mark.parametrize("text", ["Thanks for watching", "you", "Thank you.", "no no no no", "对 对 对 对 对"])
def test_real_speech_survives_whatever_it_says(text: str) -> None:
    verdict = judge(decoded(text))
    assert (verdict.words, verdict.reasons) == (spoken(text), ())


def test_clear_speech_survives_a_doubtful_no_speech_probability() -> None:
    assert judge(decoded("it was the first", logprob=-0.2, no_speech=0.8)).words


@pytest.mark.parametrize(("logprob", "no_speech"), [(-1.6, 0.95), (-0.6, 0.9)])
def test_what_was_heard_in_silence_is_dropped_without_distrust(logprob: float, no_speech: float) -> None:
    verdict = judge(decoded("Thanks for watching", logprob=logprob, no_speech=no_speech))
    assert (verdict.words, verdict.reasons) == ((), ())


def test_a_guess_is_dropped_with_a_reason() -> None:
    verdict = judge(decoded("greg and I speech", logprob=-1.2))
    assert verdict.words == ()
    assert verdict.reasons


def test_a_loop_is_cut_and_told() -> None:
    verdict = judge(decoded("we built a queue and then" + " the cost of it" * 12 + " the cost"))
    assert " ".join(texts(verdict.words)) == "we built a queue and then the cost of it"
    assert verdict.reasons == ("the recogniser repeated itself",)


def test_output_that_is_all_loop_is_dropped() -> None:
    verdict = judge(decoded("I don't know, " * 40, tokens=100))
    assert verdict.words == ()
    assert verdict.reasons


def test_speech_after_a_loop_is_kept() -> None:
    words = spoken("so first of all we had " + "语 " * 9 + "and then it worked out well in the end")
    assert " ".join(texts(without_loops(words))) == "so first of all we had 语 and then it worked out well in the end"


def test_more_than_can_be_said_is_not_trusted() -> None:
    verdict = judge(decoded(" ".join(f"w{n}" for n in range(20)), tokens=60, duration=2.0))
    assert verdict.reasons == ("the recogniser wrote more than can be said in that time",)


def test_a_repetition_that_no_phrase_shows_is_caught_by_its_compression() -> None:
    text = " ".join(f"and the thing that we have to do about it is {n}" for n in range(30))
    assert guard.compression_ratio(text) > guard.MAX_COMPRESSION
    assert judge(decoded(text, tokens=100, duration=30)).words == ()


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        ((" [SPE", "AKING CHINESE]", " Hello"), " Hello"),
        ((" (music)",), ""),
        (("♪ la la ♪", " so"), " so"),
        (("（笑声）", "好"), "好"),
        ((" *laughs*", " yes"), "  yes"),
        ((" f(x", " is"), " f(x is"),
    ],
)
def test_stage_directions_are_filtered(parts: tuple[str, ...], left: str) -> None:
    kept = without_directions(pieces(*parts))
    assert "".join(piece.text for piece in kept).strip() == left.strip()


@given(st.lists(st.sampled_from(["a", "b", "c", "对"]), max_size=60))
def test_guards_only_ever_remove(heard: list[str]) -> None:
    words = spoken(" ".join(heard))
    kept = list(without_loops(words))
    remaining = iter(words)
    assert all(word in remaining for word in kept)


@pytest.mark.parametrize(
    ("known", "said", "kept"),
    [
        ("", "we had forty teams and we had forty teams", "we had forty teams and"),
        ("We had forty teams,", "sharing it we had forty", "sharing it"),
        ("we had", "we had forty", "we had forty"),
        ("one zero zero", "one zero one", "one zero one"),
        ("our cost", "went down", "went down"),
    ],
)
def test_a_quick_decode_that_begins_again_is_cut_there(known: str, said: str, kept: str) -> None:
    assert " ".join(texts(guard.without_restart(known, spoken(said)))) == kept


def test_a_word_said_again_in_no_time_is_the_models_and_one_that_takes_time_the_speakers() -> None:
    said = [Word("Nobody.", Media(19.24), Media(19.74), 0.9), Word("Nobody.", Media(19.94), Media(19.94), 0.4)]
    stammered = [Word("I", Media(20.0), Media(20.1), 0.9), Word("I", Media(20.2), Media(20.3), 0.9)]
    cut_off = [Word("had", Media(21.0), Media(21.0), 0.9)]
    assert texts(guard.without_echoes([*said, *stammered, *cut_off])) == ["Nobody.", "I", "I", "had"]


@pytest.mark.parametrize(
    ("said", "seconds", "kept"),
    [
        ("Alright Alright", 0.5, "Alright"),
        ("All right. All right", 0.6, "All right."),
        ("Yeah, yeah.", 0.5, "Yeah, yeah."),
        ("Alright, alright", 0.9, "Alright, alright"),
        ("对 的 对 的", 0.5, "对 的 对 的"),
    ],
)
def test_a_short_sound_written_twice_is_written_once_where_nobody_speaks_so_fast(said: str, seconds: float, kept: str) -> None:
    parts = said.split()
    step = seconds / len(parts)
    words = [Word(part, Media(3 + n * step), Media(3 + (n + 1) * step), 0.5) for n, part in enumerate(parts)]
    assert " ".join(texts(guard.without_double(words))) == kept


def test_signs_of_phonetics_and_halves_of_characters_are_no_words() -> None:
    assert texts(split_words(guard.without_directions(pieces(" on", " ˈˈˈˈ", "ˈ\ufffd", " every")))) == ["on", "every"]


def test_case_005_a_sentence_that_repeats_is_cut_and_the_text_is_not_trusted() -> None:
    verdict = judge(
        decoded("we moved it to the new cluster. " + "It was very fast and it was cheap. " * 9, tokens=90, duration=28.0)
    )
    assert " ".join(texts(verdict.words)) == "we moved it to the new cluster. It was very fast and it was cheap."
    assert verdict.reasons  # so nothing is counted from it as if it were all that was said
    dots = judge(Decoded(spoken("... " * 60), 120, -0.1, 0.1, 28.0))
    assert dots.words == ()


def test_case_007_you_you_you_is_dropped() -> None:
    assert judge(decoded("you " * 12, no_speech=0.1)).words == ()
    assert judge(decoded("you you you you", logprob=-0.7, no_speech=0.9)).words == ()


SHOWN = "以下是普通话的句子。"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("以下是普通话的句子。", ""),
        ("以下是普通话", ""),
        ("这位是普通话的句子。", ""),
        ("以下是普通话的句子 我 先 说 结论", "我先说结论"),
        ("嗯 以下是普通话的句子 以下是普通话的句子", "嗯"),
        ("以下是 我 的 判断", "以下是我的判断"),
        ("这 是 普通话", "这是普通话"),
        ("", ""),
    ],
)
def test_the_line_that_the_model_was_shown_is_nobody_s_words(said: str, kept: str) -> None:
    words = spoken(" ".join(split for part in said.split() for split in part))
    assert "".join(texts(guard.without_prompt(words, SHOWN))) == kept


def test_a_few_words_of_a_shown_line_may_be_said_and_no_line_shows_nothing() -> None:
    mixed = "我先说一下 background。We built a system, 用的是 Kubernetes。"
    words = spoken("我 先 说 一 下 background We decided to wait")
    assert guard.without_prompt(words, mixed) == words
    assert guard.without_prompt(words, "") == words
    assert guard.without_prompt(spoken("unbelievably以下是普通话的句子unbelievably"), SHOWN) != ()  # one word is not torn
