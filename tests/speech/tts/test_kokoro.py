"""Kokoro's child, its phonemes and its limits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from tests.speech.tts.conftest import kokoro
from voiceprep.errors import MissingError
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.characters import CHARACTERS
from voiceprep.speech.tts.kokoro import KokoroVoice
from voiceprep.speech.tts.kokoro_phonemes import IDS, LONGEST, Phonemes, pieces


def test_its_alphabet_is_the_one_the_english_converter_uses() -> None:
    hibari = pytest.importorskip("hibari")
    import json

    assert json.loads((Path(hibari.__file__).parent / "assets/vocab.json").read_text(encoding="utf-8")) == IDS


def test_pieces_lose_nothing_and_fit() -> None:
    text = ("abc def, ghi. " * 100 + "x" * 900).strip()
    cut = list(pieces(text))
    assert all(len(piece) <= LONGEST for piece in cut)
    assert "".join(cut).replace(" ", "") == text.replace(" ", "")
    assert cut[0].endswith(".")
    assert list(pieces("")) == []


@pytest.mark.models
@pytest.mark.filterwarnings("ignore")  # jieba and misaki warn about themselves
def test_latin_inside_chinese_is_said_in_english() -> None:
    phonemes = Phonemes()
    (mixed,) = phonemes("你的 G.P.U 集群", "zh")
    (english,) = phonemes("G.P.U", "en")
    (chinese,) = phonemes("集群", "zh")
    assert english.rstrip(".") in mixed
    assert mixed.endswith(chinese)
    assert set(mixed) <= set(IDS)


def test_a_folder_without_the_model_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(MissingError) as missing:
        KokoroVoice(tmp_path)
    assert missing.value.code == "voice-missing"


@pytest.mark.models
async def test_characters_have_voices_and_a_dead_child_is_replaced() -> None:
    voice = kokoro()
    folder = voice.folder / "voices"
    assert all((folder / f"{name}.bin").is_file() for who in CHARACTERS.values() for name in who.kokoro.values())
    style = VoiceStyle("bright-brisk")
    first = await voice.render("好。", "zh", style)
    pid = voice.servant.pid
    assert pid is not None
    await voice.close()
    assert voice.servant.pid is None
    again = await voice.render("好。", "zh", style)
    assert voice.servant.pid != pid
    assert np.array_equal(first.samples, again.samples)
    await voice.close()


@pytest.mark.models
async def test_case_094_lines_asked_for_together_wait_for_each_other() -> None:
    voice = kokoro()
    style = VoiceStyle("low-dry")
    one, other = await asyncio.gather(voice.render("好。", "zh", style), voice.render("不行。", "zh", style))
    assert np.array_equal(one.samples, (await voice.render("好。", "zh", style)).samples)
    assert not np.array_equal(one.samples, other.samples)
    await voice.close()
