from __future__ import annotations

import pytest

from voiceprep.core.events import Word
from voiceprep.core.units import Media
from voiceprep.review.fillers import find_fillers


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
