"""Which voice is chosen, and what happens when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.voice import ToneVoice
from voiceprep.config import Places, Settings, load
from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.tts import choose as choosing
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.cache import RenderCache, RenderRequest
from voiceprep.speech.tts.choose import choose
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.layered import FallbackVoice, LayeredVoice
from voiceprep.speech.tts.probe import LIVE_FACTOR, real_time_factor
from voiceprep.speech.tts.silent import SilentVoice, duration

STYLE = VoiceStyle("low-calm")
ENGLISH: frozenset[Tongue] = frozenset({"en"})


def failed(code: str = "voice-failed") -> VoiceprepError:
    return VoiceprepError("it broke", code=code)


class Machine:
    """A machine with these engines, Kokoro of this speed."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.places = Places(folder, folder / "recordings")
        self.here: dict[str, ToneVoice] = {
            "hibari": ToneVoice("hibari", languages=ENGLISH),
            "espeak": ToneVoice("espeak"),
            "pyttsx3": ToneVoice("pyttsx3"),
            "kokoro": ToneVoice("kokoro"),
        }
        self.factor = 1.3
        patch.setattr(choosing._Shelf, "_make", lambda _, name: self._make(name))
        patch.setattr(choosing._Shelf, "kokoro_folder", lambda _: folder)
        patch.setattr(choosing, "KokoroVoice", lambda _: self.here["kokoro"])
        patch.setattr(choosing, "real_time_factor", self._speed)

    def settings(self, **given: str) -> Settings:
        return load({"VOICEPREP_HOME": str(self.places.home)}).with_arguments(**given)

    def _make(self, name: str) -> Engine:
        if name not in self.here:
            raise MissingError(f"{name} is not here", code="voice-missing", hint="run: make setup")
        return self.here[name]

    async def _speed(self, voice: Engine, language: Tongue, store: Path) -> float:
        await voice.render("one", language, STYLE)
        return self.factor


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


async def test_each_language_has_its_voice_and_the_reason_says_why(machine: Machine) -> None:
    voices = await choose(machine.settings(), machine.places)
    assert (await voices.render("Go on.", "en", STYLE)).engine == "hibari"
    assert (await voices.render("继续。", "zh", STYLE)).engine == "espeak"
    assert "English: hibari" in voices.reason
    assert "1.30" in voices.reason
    assert voices.info.live
    await voices.close()
    assert all(machine.here[name].closed for name in machine.here)


async def test_warming_loads_what_will_speak(machine: Machine) -> None:
    machine.here["hibari"] = ToneVoice("hibari", languages=ENGLISH, errors=(failed("voice-timeout"),))
    voices = await choose(machine.settings(), machine.places)
    await voices.warm(STYLE)
    assert machine.here["espeak"].rendered == ["one", "一"], "hibari failed, and espeak stood in"
    assert (await voices.render("Go.", "en", STYLE)).engine == "espeak"


async def test_case_095_hanzi_never_reach_an_english_voice(machine: Machine) -> None:
    voices = await choose(machine.settings(), machine.places)
    assert (await voices.render("The word 调度器.", "en", STYLE)).engine == "espeak"
    only_english = await choose(machine.settings(), machine.places, languages=["en"])
    with pytest.raises(VoiceprepError) as refused:
        await only_english.render("调度器", "en", STYLE)
    assert refused.value.code == "voice-cannot-speak"


async def test_lines_rendered_ahead_use_the_better_voice(machine: Machine) -> None:
    voices = await choose(machine.settings(), machine.places, languages=["zh"])
    lines = [RenderRequest("第一题。", "zh", STYLE), RenderRequest("English", "en", STYLE)]
    assert await voices.render_ahead(lines) == 1
    assert (await voices.render("第一题。", "zh", STYLE)).engine == "kokoro"
    assert (await voices.render("没准备的。", "zh", STYLE)).engine == "espeak"


async def test_a_line_sounds_the_same_all_session(machine: Machine) -> None:
    voices = await choose(machine.settings(), machine.places, languages=["zh"])
    before = await voices.render("第一题。", "zh", STYLE)
    await voices.render_ahead([RenderRequest("第一题。", "zh", STYLE)])
    assert (await voices.render("第一题。", "zh", STYLE)).engine == before.engine == "espeak"
    next_session = await choose(machine.settings(), machine.places, languages=["zh"])
    assert (await next_session.render("第一题。", "zh", STYLE)).engine == "kokoro"
    steady = await choose(machine.settings(), machine.places, languages=["zh"], live_only=True)
    assert (await steady.render("第一题。", "zh", STYLE)).engine == "espeak"


async def test_a_fast_machine_speaks_with_kokoro_live(machine: Machine) -> None:
    machine.factor = LIVE_FACTOR
    voices = await choose(machine.settings(), machine.places)
    assert (await voices.render("没准备的。", "zh", STYLE)).engine == "kokoro"
    assert (await voices.render("Go on.", "en", STYLE)).engine == "hibari"
    assert not voices.ahead


@pytest.mark.parametrize("factor", [LIVE_FACTOR, 4 * LIVE_FACTOR])
async def test_a_line_that_must_not_be_kept_lies_nowhere(machine: Machine, factor: float) -> None:
    machine.factor = factor
    voices = await choose(machine.settings(), machine.places, languages=["zh"], keeps=lambda text: text == "第一题。")
    lines = [RenderRequest(text, "zh", STYLE) for text in ("第一题。", "你简历上写了调度。")]
    await voices.render_ahead(lines)
    for line in lines:
        assert (await voices.render(line.text, "zh", STYLE)).engine == "kokoro"
    assert len(list(machine.places.cache.rglob("*.flac"))) == 1


async def test_the_setting_is_obeyed_where_it_can_be(machine: Machine) -> None:
    voices = await choose(machine.settings(voice="espeak"), machine.places)
    assert {(await voices.render("Go.", language, STYLE)).engine for language in ("en", "zh")} == {"espeak"}
    voices = await choose(machine.settings(voice="hibari"), machine.places)
    assert "hibari cannot speak it" in voices.reason
    assert (await voices.render("继续。", "zh", STYLE)).engine == "espeak"
    voices = await choose(machine.settings(voice="kokoro"), machine.places)
    await voices.render_ahead([RenderRequest("Go.", "en", STYLE)])
    assert (await voices.render("Go.", "en", STYLE)).engine == "kokoro"
    assert (await voices.render("Unknown.", "en", STYLE)).engine == "hibari"


async def test_a_setting_that_is_not_here_is_an_error(machine: Machine) -> None:
    del machine.here["hibari"]
    with pytest.raises(MissingError) as missing:
        await choose(machine.settings(voice="hibari"), machine.places)
    assert missing.value.exit_code == 3
    voices = await choose(machine.settings(), machine.places, languages=["en"])
    assert (await voices.render("Go.", "en", STYLE)).engine == "espeak"
    assert "hibari is not here" in voices.reason


async def test_case_095_without_any_voice_lines_take_their_time(machine: Machine) -> None:
    machine.here.clear()
    voices = await choose(machine.settings(), machine.places)
    assert "no voice is installed" in voices.reason
    assert (await voices.render("Go on.", "en", STYLE)).engine == "none"
    quiet = await choose(machine.settings(voice="none"), machine.places)
    assert (await quiet.render("继续。", "zh", STYLE)).engine == "none"


async def test_a_kokoro_that_fails_its_test_is_left_out(machine: Machine) -> None:
    machine.here["kokoro"] = ToneVoice("kokoro", errors=(failed(),))
    voices = await choose(machine.settings(), machine.places, languages=["zh"])
    assert (await voices.render("继续。", "zh", STYLE)).engine == "espeak"
    assert "Kokoro is not used: it broke" in voices.reason


async def test_a_failing_voice_is_reported_once_and_given_up() -> None:
    first, second = ToneVoice("first", errors=(failed(),) * 9), ToneVoice("second")
    reports: list[VoiceprepError] = []
    voice = FallbackVoice([first, second], reports.append)
    said = [(await voice.render("Go on.", "en", STYLE)).engine for _ in range(5)]
    assert said == ["second"] * 5
    assert len(reports) == 1
    assert len(first._errors) == 7, "two lines were tried, then no more"
    assert voice.info.engine == "second"


async def test_one_bad_line_does_not_cost_a_voice_but_a_timeout_does() -> None:
    first = ToneVoice("first", errors=(failed(),))
    voice = FallbackVoice([first, ToneVoice("second")], lambda _: None)
    assert [(await voice.render("Go.", "en", STYLE)).engine for _ in range(2)] == ["second", "first"]
    slow = ToneVoice("slow", errors=(failed("voice-timeout"),))
    voice = FallbackVoice([slow, ToneVoice("second")], lambda _: None)
    assert [(await voice.render("Go.", "en", STYLE)).engine for _ in range(2)] == ["second", "second"]


async def test_a_refusal_is_no_failure() -> None:
    reports: list[VoiceprepError] = []
    voice = FallbackVoice([ToneVoice("english", languages=ENGLISH), ToneVoice("both")], reports.append)
    assert (await voice.render("继续。", "zh", STYLE)).engine == "both"
    assert (await voice.render("Go.", "en", STYLE)).engine == "english"
    assert not reports


async def test_when_all_fail_the_last_says_why() -> None:
    voice = FallbackVoice([ToneVoice(errors=(failed(),)), ToneVoice(errors=(failed("voice-missing"),))], lambda _: None)
    with pytest.raises(VoiceprepError) as error:
        await voice.render("Go.", "en", STYLE)
    assert error.value.code == "voice-missing"


async def test_a_kept_line_that_is_damaged_is_said_live(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path, ToneVoice("better"))
    await cache.render("Go.", "en", STYLE)
    voice = LayeredVoice(cache, ToneVoice("live"))
    cache.path("Go.", "en", STYLE).write_bytes(b"rubbish")
    assert [(await voice.render("Go.", "en", STYLE)).engine for _ in range(2)] == ["live", "live"]


async def test_speed_is_measured_once_for_each_version(tmp_path: Path) -> None:
    store = tmp_path / "cache" / "voices.json"
    voice = ToneVoice()
    factor = await real_time_factor(voice, "en", store)
    assert await real_time_factor(voice, "en", store) == factor
    assert len(voice.rendered) == 2
    other = ToneVoice(version="2")
    await real_time_factor(other, "en", store)
    assert len(other.rendered) == 2
    assert len(json.loads(store.read_text())) == 4
    for rubbish in ("", "[]", '{"a": "b"}', "\0"):
        store.write_text(rubbish)
        await real_time_factor(voice, "zh", store)
    assert len(voice.rendered) == 10


async def test_silence_lasts_as_long_as_speech() -> None:
    text = "Tell me about a decision you made yourself."
    seconds = (await SilentVoice().render(text, "en", STYLE)).samples.size / 24_000
    assert 2 < seconds < 5
    assert not np.any((await SilentVoice().render(text, "en", STYLE)).samples)
    assert duration("请介绍一个你自己做的决定。") == pytest.approx(12 / 4.5)
    assert duration("...") == 0
    faster = await SilentVoice().render(text, "en", VoiceStyle("x", 2.0))
    assert faster.samples.size == pytest.approx(seconds * 12_000, abs=2)
