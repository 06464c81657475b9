"""Cases of what a voice is given to read."""

from __future__ import annotations

import pytest

from voiceprep.speech.tts.ear import for_ear


@pytest.mark.parametrize(
    ("shown", "heard"),
    [
        ("**bold**, and `code`", "bold, and code"),
        ("# Head\n- one\n- two", "Head. one. two."),
        ("[a link](https://a.b/c)", "a link"),
        ("Why 😀?", "Why?"),
        ("2 * 3", "two times three"),
    ],
)
def test_case_089_markdown_is_not_read_out(shown: str, heard: str) -> None:
    assert for_ear(shown, "en") == heard


@pytest.mark.parametrize(
    ("shown", "language", "heard"),
    [
        ("p99 of 3.14 ms", "en", "P ninety-nine of three point one four milliseconds"),
        ("at 1:49 PM", "en", "at one forty-nine P.M"),
        ("v1.2.3", "en", "version one point two point three"),
        ("O(n log n)", "en", "O of n log n"),
        ("2024/10/01", "zh", "二零二四年十月一日"),
        ("$50", "zh", "五十美元"),
    ],
)
def test_case_091_numbers_times_and_versions_keep_their_sense(shown: str, language: str, heard: str) -> None:
    assert for_ear(shown, "zh" if language == "zh" else "en") == heard
