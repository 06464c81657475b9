"""What the voices say is understood by the recogniser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
import soxr  # type: ignore[import-untyped]  # ships no types

from tests.speech.tts.conftest import kokoro
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.config import places
from voiceprep.core.pack import Tongue
from voiceprep.speech.models import find_model
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.hibari import HibariVoice

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore")]  # other packages warn about themselves


@pytest.fixture(scope="module")
def recogniser() -> Any:
    folder = find_model("base", models=places().models)
    if folder is None:
        pytest.skip("the recogniser's model is not here: run make setup")
    from faster_whisper import WhisperModel  # type: ignore[import-untyped]  # ships no types

    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=2)


def understood(recogniser: Any, samples: Samples, language: Tongue) -> str:
    heard = soxr.resample(samples, VOICE_RATE, RATE)
    prompt = "以下是普通话的句子。" if language == "zh" else None
    segments, _ = recogniser.transcribe(heard, language=language, beam_size=5, initial_prompt=prompt)
    return "".join(segment.text for segment in segments)


def units(text: str, language: Tongue) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]" if language == "zh" else r"[a-z']+", text.lower())


def error_rate(said: Sequence[str], heard: Sequence[str]) -> float:
    """Edits that turn one into the other, for each unit said."""
    row = list(range(len(heard) + 1))
    for i, unit in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (unit != other))
    return row[-1] / len(said)


ENGLISH = (
    "Tell me about a decision you made yourself, and what you would do differently today. "
    "Who disagreed with you, and how did you find out that you were right?"
)
CHINESE = "请你讲一个自己做过的决定。当时谁不同意你的意见，后来你们是怎么解决的？"


@pytest.mark.parametrize("character", ["low-calm", "low-dry", "mid-neutral", "mid-slow", "bright-warm", "bright-brisk"])
async def test_every_character_of_hibari_is_understood(recogniser: Any, character: str) -> None:
    voice = HibariVoice()
    samples = (await voice.render(for_ear(ENGLISH, "en"), "en", VoiceStyle(character))).samples
    await voice.close()
    rate = error_rate(units(ENGLISH, "en"), units(understood(recogniser, samples, "en"), "en"))
    print(f"hibari {character}: word error rate {rate:.3f}")  # noqa: T201  (the figures are worth seeing with -s)
    assert rate <= 0.1


@pytest.mark.parametrize(
    ("shown", "terms"),
    [
        ("How many GPUs did you run on K8s?", ("gpus", "kubernetes")),
        ("What was your SLA, and who owned the API?", ("sla", "api")),
        ("Why PostgreSQL and not Redis?", ("postgres", "redis")),
        ("The CUDA kernels on an H100 with NVLink", ("cuda", "nvlink")),
        ("Why PyTorch with vLLM on PCIe?", ("vllm", "pcie")),
    ],
)
async def test_terms_are_understood(recogniser: Any, shown: str, terms: tuple[str, ...]) -> None:
    voice = HibariVoice()
    samples = (await voice.render(for_ear(shown, "en"), "en", VoiceStyle("mid-neutral"))).samples
    await voice.close()
    heard = re.sub(r"[^a-z]", "", understood(recogniser, samples, "en").lower())
    print(f"{shown} -> {heard}")  # noqa: T201  (the figures are worth seeing with -s)
    assert all(term in heard for term in terms)


async def test_kokoro_is_understood_in_chinese(recogniser: Any) -> None:
    voice = kokoro()
    samples = (await voice.render(for_ear(CHINESE, "zh"), "zh", VoiceStyle("mid-neutral"))).samples
    await voice.close()
    rate = error_rate(units(CHINESE, "zh"), units(understood(recogniser, samples, "zh"), "zh"))
    print(f"kokoro: character error rate {rate:.3f}")  # noqa: T201  (the figures are worth seeing with -s)
    assert rate <= 0.25
