"""What a Chinese character is, in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voiceprep.core.text import HANZI, has_hanzi, is_hanzi, is_wide, joined

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
