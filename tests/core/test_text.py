"""What a Chinese character is, in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voiceprep.core.events import Word
from voiceprep.core.text import HANZI, beginning, has_hanzi, is_hanzi, is_wide, joined, shortened, text_of
from voiceprep.core.units import Media

REPO = Path(__file__).parents[2]


@pytest.mark.parametrize("character", ["一", "龥", "鿿", "㐀", "䶿", "〇", "豈", "𠮷", "𰻝"])
def test_ideographs_of_every_block_and_the_round_zero_are_chinese_characters(character: str) -> None:
    assert is_hanzi(character)
    assert has_hanzi(f"Mr {character}")
    assert re.findall(f"[{HANZI}]", f"a{character}b") == [character]
    assert joined([character, character]) == character * 2


@pytest.mark.parametrize("character", ["a", "é", "7", "，", "。", "カ", "한", "䷀", "々", " ", "😀"])
def test_marks_kana_hangul_and_hexagrams_are_none(character: str) -> None:
    assert not is_hanzi(character)
    assert not has_hanzi(character)


def test_what_is_written_without_blanks() -> None:
    assert all(map(is_wide, ["卡", "GPU 卡", "，", "！"]))
    assert not any(map(is_wide, ["GPU", "...", ""]))


def test_no_other_module_says_what_a_chinese_character_is() -> None:
    own_range = re.compile(r"\\u(?:3400|4e00)|[㐀一]-[䶿龥鿿]")
    files = [path for folder in ("voiceprep", "bench") for path in (REPO / folder).rglob("*.py")]
    found = [path.relative_to(REPO).as_posix() for path in files if own_range.search(path.read_text(encoding="utf-8"))]
    assert found == ["voiceprep/core/text.py"]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("We cut it.", "We cut it."),
        ("which I think is a pretty good showcase", "which I think is a…"),
        ("designed to showcase its slides", "designed to…"),
        ("we took the plan that", "we took the plan…"),
        ("我们把调度器先停掉，然后把训练队列一个一个地迁过去，再看指标。", "我们把调度器先停掉，然后把训练队列一…"),
        ("averyveryverylongwordwithoutblanks", "averyveryverylongw…"),
    ],
)
def test_a_text_is_cut_between_words_and_says_so(text: str, short: str) -> None:
    assert shortened(text, 19) == short


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("It ran before morning. And some people stayed", "It ran before morning."),
        ("It ran before the morning and some people stayed", "It ran before the morning"),
        ("It ran all night.", "It ran all night."),
    ],
)
def test_what_is_quoted_of_a_beginning_is_whole_sentences(said: str, quoted: str) -> None:
    words = [Word(text, Media(float(at)), Media(at + 0.5), 1.0) for at, text in enumerate(said.split())]
    assert text_of(beginning(words, 5)) == quoted
