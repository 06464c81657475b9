"""The truth of a rendered answer is exact, and the same each time."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import truth
from bench.truth import AUDIBLE, answers, lectures, lengths, parse, take
from tests.bench.sounds import text, tone
from voiceprep import config
from voiceprep.audio.base import RATE
from voiceprep.content import load_content
from voiceprep.core.events import Language
from voiceprep.core.turns.ending import ending
from voiceprep.errors import BadInputError
from voiceprep.speech.tts.choose import choose

ROUNDS = ("gpu-hm-screen", "anyscale-system-design")


def test_marks_become_sounds_and_kinds_of_silence() -> None:
    sounds, holds = parse("We had one queue. And then we, {um} | found 2.5 hours.\nI decided it.")
    assert [(s.text, s.filler) for s in sounds] == [
        ("We had one queue.", False),
        ("And then we,", False),
        ("um", True),
        ("found 2.5 hours.", False),
        ("I decided it.", False),
    ]
    assert holds == ("sentence", "filler", "hesitation", "sentence")


def test_chinese_sentences_need_no_space_between_them() -> None:
    sounds, holds = parse("我定的。让我想一下， | 九个小时。{嗯} 降了。")
    assert [s.text for s in sounds] == ["我定的。", "让我想一下，", "九个小时。", "嗯", "降了。"]
    assert holds == ("sentence", "hesitation", "sentence", "filler")


def test_nothing_said_is_no_answer() -> None:
    with pytest.raises(ValueError, match="nothing"):
        parse(" | ... |")


@given(
    st.lists(st.tuples(st.floats(0.12, 0.5), st.floats(0.0, 3.0)), min_size=1, max_size=6),
    st.floats(0.12, 0.5),
)
def test_ends_and_silences_are_exact_to_the_sample(pieces: list[tuple[float, float]], last: float) -> None:
    sounds = [*(tone(seconds) for seconds, _ in pieces), tone(last)]
    made = take(text(*["hesitation"] * len(pieces)), sounds, [silence for _, silence in pieces])
    loud = np.flatnonzero(np.abs(made.samples) >= AUDIBLE)
    assert (made.start, made.end) == (loud[0], loud[-1] + 1)
    assert [pause.end - pause.start for pause in made.pauses] == [round(silence * RATE) for _, silence in pieces]
    for pause, (before, after) in zip(made.pauses, pairwise(made.sounds), strict=True):
        assert (pause.start, pause.end) == (before.end, after.start)
        assert np.all(np.abs(made.samples[pause.start : pause.end]) < AUDIBLE)
    for sound in made.sounds:
        assert np.abs(made.samples[[sound.start, sound.end - 1]]).min() >= AUDIBLE


def test_a_sound_that_nobody_hears_is_told() -> None:
    with pytest.raises(BadInputError) as told:
        take(text("sentence"), [tone(0.2), 0.001 * tone(0.2)], [1.0])
    assert told.value.code == "silent-voice"


def test_pauses_are_drawn_within_their_limits_and_are_the_same_for_the_same_seed() -> None:
    drawn = {"hesitation": list[float](), "sentence": list[float](), "filler": list[float]()}
    for seed in range(40):
        for each in answers("en", "dev"):
            assert lengths(each, seed) == lengths(each, seed)
            for kind, seconds in zip(each.holds, lengths(each, seed), strict=True):
                drawn[kind].append(seconds)
    assert 1.0 <= min(drawn["hesitation"]) < 1.3
    assert 40.0 < max(drawn["hesitation"]) <= 60.0
    long = sum(seconds > 10 for seconds in drawn["hesitation"]) / len(drawn["hesitation"])
    assert 0.08 < long < 0.17
    assert 0.2 <= min(drawn["sentence"]) < max(drawn["sentence"]) <= 1.2
    assert max(drawn["filler"]) <= 0.4


def test_a_lecture_has_sentences_with_pauses_of_half_a_second_to_three() -> None:
    for part in ("dev", "held"):
        for language in ("en", "zh", "mixed"):
            (talk,) = lectures(language, part)
            assert set(talk.holds) == {"sentence"}
            assert all(0.5 <= seconds <= 3.0 for seconds in lengths(talk, 1, lecture=True))
            assert len(talk.sounds) >= 13


@pytest.mark.parametrize(("language", "least"), [("en", 40), ("zh", 25), ("mixed", 12)])
def test_both_parts_of_every_language_are_there_and_share_no_text(language: Language, least: int) -> None:
    dev, held = answers(language, "dev"), answers(language, "held")
    assert len(dev) + len(held) >= least
    assert not {each.sounds for each in dev} & {each.sounds for each in held}
    assert len({each.id for each in (*dev, *held)}) == len(dev) + len(held)


def test_answers_fit_questions_that_are_asked() -> None:
    packs = [load_content(name).round for name in ROUNDS]
    asked = {question.id for pack in packs for question in pack.questions}
    for part in ("dev", "held"):
        english = {question for each in answers("en", part) for question in each.questions}
        assert english == asked | {"your-questions"}
        for language in ("zh", "mixed"):
            assert {q for each in answers(language, part) for q in each.questions} <= asked | {"your-questions"}
            assert any("your-questions" in each.questions for each in answers(language, part))


def test_most_answers_just_end() -> None:
    endings = load_content(ROUNDS[0]).endings
    for language in ("en", "zh"):
        texts = [each for part in ("dev", "held") for each in answers(language, part)]
        closed = sum(ending(each.sounds[-1].text, language, endings).kind == "closer" for each in texts)
        assert closed / len(texts) < 0.3


@pytest.mark.models
def test_the_real_voice_is_laid_out_exactly_too() -> None:
    async def speak() -> truth.Take:
        voices = await choose(config.load(), config.places(), languages=("en",), live_only=True)
        try:
            each = answers("en", "dev")[0]
            sounds = await truth.render([each], voices, lambda _done, _of: None)
        finally:
            await voices.close()
        return take(each, sounds[each.id], lengths(each, 1))

    made = asyncio.run(speak())
    loud = np.flatnonzero(np.abs(made.samples) >= AUDIBLE)
    assert (made.start, made.end) == (loud[0], loud[-1] + 1)
    assert [s.kind for s in made.sounds].count("filler") == 1
    for pause in made.pauses:
        assert np.all(np.abs(made.samples[pause.start : pause.end]) < AUDIBLE)
        assert np.abs(made.samples[[pause.start - 1, pause.end]]).min() >= AUDIBLE
