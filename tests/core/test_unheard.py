"""What is said once more of a line that was spoken over."""

from __future__ import annotations

import pytest

from voiceprep.core.interviewer.unheard import rest_of

OPENING = "Hi, I'm Dana, I run the team. We have about an hour. What did you do last?"


@pytest.mark.parametrize(
    ("heard", "rest"),
    [
        ("", OPENING),
        ("Hi, I'm Dana,", OPENING),
        ("Hi, I'm Dana, I run the team.", "We have about an hour. What did you do last?"),
        ("Hi, I'm Dana, I run the team. We have", "We have about an hour. What did you do last?"),
        (OPENING[:-1], "What did you do last?"),
        (OPENING, ""),
        ("Something else", OPENING),
    ],
)
def test_a_line_goes_on_with_the_sentence_that_was_broken(heard: str, rest: str) -> None:
    assert rest_of(OPENING, heard) == rest


def test_in_chinese_too() -> None:
    assert (
        rest_of("你好，我是林岚。咱们聊四十五分钟。你最近做了什么？", "你好，我是林岚。咱们聊四")
        == "咱们聊四十五分钟。你最近做了什么？"
    )
