"""What every voice keeps to, the fake and the real ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from tests.speech.tts.conftest import EVERY
from voiceprep.audio.base import VOICE_RATE
from voiceprep.core.pack import Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.silent import duration

STYLE = VoiceStyle("low-calm")
LINES: dict[Tongue, str] = {"en": "Why did p99 drop to 100ms on K8s?", "zh": "为什么P99降到100毫秒？"}
WEIRD = (
    "x",
    "Zzz",
    "<speak>hello</speak> [[inpt PHON]]",
    "nul \0 here",
    "a" * 300,
    "Ω ≈ ß ñ",
    "-e --help",
    "one\ntwo\r\n\tthree",
)
FAST = ["tone", "espeak", "pyttsx3", pytest.param("hibari", marks=pytest.mark.models)]
"""All but Kokoro, for what would take it minutes."""
pytestmark = pytest.mark.asyncio(loop_scope="module")
"""One loop for all, so that a model is loaded once."""
every = pytest.mark.parametrize("engine", EVERY, indirect=True)


def children() -> set[str]:
    """Process ids of our children."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = status.read_text().partition(" (")
        except OSError:
            continue
        if rest.rpartition(")")[2].split()[1] == str(Path("/proc/self").resolve().name):
            found.add(pid)
    return found


@every
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_speech_is_as_long_as_its_text_and_sounds(engine: Engine, language: Tongue) -> None:
    text = for_ear(LINES[language], language)
    if language not in engine.info.languages:
        with pytest.raises(VoiceprepError) as refused:
            await engine.render(text, language, STYLE)
        assert refused.value.code == "voice-cannot-speak"
        return
    utterance = await engine.render(text, language, STYLE)
    samples = utterance.samples
    assert utterance.engine == engine.info.engine
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert 0.4 * duration(text) < samples.size / VOICE_RATE < 2.5 * duration(text)
    assert 0.1 < np.abs(samples).max() <= 10 ** (-3 / 20) + 1e-4
    sounding = np.flatnonzero(np.abs(samples) > 0.01)
    assert sounding[0] < 0.06 * VOICE_RATE, "silence before the first word"
    assert samples.size - sounding[-1] < 0.3 * VOICE_RATE


@every
async def test_the_same_line_is_the_same_samples(engine: Engine) -> None:
    first, second = [(await engine.render("Tell me why.", "en", STYLE)).samples for _ in range(2)]
    assert np.array_equal(first, second)


@every
async def test_loudness_is_alike(engine: Engine) -> None:
    samples = (await engine.render("Tell me what you decided, and who disagreed.", "en", STYLE)).samples
    frames = samples[: samples.size // 480 * 480].reshape(-1, 480)
    power = (frames**2).mean(axis=1)
    level = 10 * np.log10(power[power > power.max() * 1e-3].mean())
    assert -23.5 < level < -19.5


@every
async def test_characters_differ(engine: Engine) -> None:
    low, bright = [(await engine.render("Go on.", "en", VoiceStyle(name))).samples for name in ("low-calm", "bright-brisk")]
    assert not np.array_equal(low, bright)


@every
async def test_pace_makes_it_shorter(engine: Engine) -> None:
    text = "Tell me what you decided yourself."
    slow, fast = [(await engine.render(text, "en", VoiceStyle("mid-neutral", pace))).samples.size for pace in (0.85, 1.25)]
    assert fast < 0.9 * slow


@every
async def test_chinese_is_never_dropped_or_spelled_in_english(engine: Engine) -> None:
    text = "The word is 调度器."
    if "zh" in engine.info.languages:
        without = (await engine.render("The word is.", "en", STYLE)).samples.size
        assert (await engine.render(text, "en", STYLE)).samples.size > without
    else:
        with pytest.raises(VoiceprepError) as refused:
            await engine.render(text, "en", STYLE)
        assert refused.value.code == "voice-cannot-speak"


@every
async def test_an_empty_text_is_an_empty_utterance(engine: Engine) -> None:
    for text in ("", " ", "...", "?!"):
        assert (await engine.render(text, "en", STYLE)).samples.size == 0


@every
async def test_weird_text_ends(engine: Engine) -> None:
    """It sounds, or it fails as the seam says; it never hangs (the test's own time limit) and never takes the voice down."""
    for text in WEIRD[2:4] if engine.info.engine == "kokoro" else WEIRD:  # Kokoro takes seconds for each
        outcome = await asyncio.gather(engine.render(text, "en", STYLE), return_exceptions=True)
        match outcome[0]:
            case VoiceprepError(code=code):
                assert code in {"voice-failed", "voice-cannot-speak"}
            case Utterance(samples=samples):
                assert np.isfinite(samples).all()
            case other:
                pytest.fail(f"neither an utterance nor an error of the seam: {other!r}")
    assert (await engine.render("Fine.", "en", STYLE)).samples.size


@pytest.mark.parametrize("engine", FAST, indirect=True)
async def test_a_long_text_is_said_whole(engine: Engine) -> None:
    sentence = "We chose the simpler scheduler because the team could run it. "
    one = (await engine.render(sentence, "en", STYLE)).samples.size
    many = (await engine.render(sentence * 20, "en", STYLE)).samples.size
    assert 16 * one < many < 28 * one


@pytest.mark.parametrize("engine", [name for name in EVERY if name != "tone"], indirect=True)
async def test_cancelling_leaves_no_process(engine: Engine) -> None:
    before = children()
    work = asyncio.create_task(engine.render("This line is not wanted any more. " * 5, "en", STYLE))
    for _ in range(20):
        await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert children() <= before
    # And the voice still works.
    assert (await engine.render("Fine.", "en", STYLE)).samples.size
