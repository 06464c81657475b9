"""The sound check: what is said of a microphone, by sounds whose faults are known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import CollectingSink, ScriptedSource, noise, silence
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.config import Places
from voiceprep.live.sound_check import Checked, Verdict, judge, judge_speaker, listen, play, play_and_listen

ANSWER = "I would start with the failure I have seen most often, and then say what I would measure before I change anything."
AUSTEN = Path(__file__).parents[2] / "../shared/derived/austen_minus_40dB.flac"


@pytest.fixture(scope="module")
def answer(spoken: Callable[[str], Samples]) -> Samples:
    """Some seconds of clear speech at -24 dBFS, with a second of a quiet room before and after it."""
    speech = spoken(ANSWER)
    speech = speech * np.float32(10 ** (-24 / 20) / np.sqrt(np.mean(np.square(speech))))
    sound: Samples = np.concatenate((silence(1.0), speech, silence(1.0)))
    return sound + noise(len(sound) / RATE, level=0.001)[: len(sound)]


def by_name(sound: Samples) -> dict[str, Verdict]:
    return {verdict.name: verdict for verdict in judge(sound)[1]}


def faults(sound: Samples) -> set[str]:
    return {name for name, verdict in by_name(sound).items() if not verdict.ok}


@pytest.mark.models
def test_clear_speech_passes(answer: Samples) -> None:
    measured, verdicts = judge(answer)
    assert all(verdict.ok for verdict in verdicts), verdicts
    assert measured.level == pytest.approx(-23, abs=3)
    assert measured.noise == pytest.approx(-65, abs=3)
    assert measured.voiced == pytest.approx(len(answer) / RATE - 2, abs=1.0)


@pytest.mark.models
def test_each_fault_is_told_with_what_to_do(answer: Samples) -> None:
    clipped = np.clip(answer * 12, -1, 1)
    assert {"clipping", "level"} <= faults(clipped)
    assert faults(answer + noise(len(answer) / RATE, level=0.06)[: len(answer)]) == {"noise"}
    time = np.arange(len(answer)) / RATE
    hum = np.asarray(0.006 * np.sin(2 * np.pi * 50 * time) + 0.006 * np.sin(2 * np.pi * 100 * time), np.float32)
    assert "hum" in faults(answer + hum)
    for sound in (clipped, answer + hum):
        assert all(verdict.ok or verdict.fix for verdict in judge(sound)[1])


@pytest.mark.models
def test_case_061_soft_speech_is_told_to_be_too_quiet(answer: Samples) -> None:
    verdict = by_name(answer * np.float32(10 ** (-40 / 20)))["level"]
    assert not verdict.ok
    assert "too quiet" in verdict.detail
    assert "closer" in verdict.fix


@pytest.mark.models
@pytest.mark.skipif(not AUSTEN.exists(), reason="the soft recording of case 061 is not on this machine")
def test_case_061_the_soft_recording_itself() -> None:
    sound, rate = soundfile.read(AUSTEN, dtype="float32")
    assert rate == RATE
    assert not by_name(sound[: 10 * RATE])["level"].ok


@pytest.mark.models
def test_case_056_zeros_are_told_to_be_mute_or_refused() -> None:
    verdict = by_name(silence(10.0))["sound"]
    assert not verdict.ok
    assert "muted" in verdict.detail
    assert "permitted" in verdict.detail


def test_it_listens_as_long_as_it_was_told_and_shows_the_level() -> None:
    levels: list[tuple[float, float]] = []

    async def main() -> Samples:
        source = ScriptedSource([noise(20.0)], delay=0, waits=False, on_demand=False)
        try:
            return await listen(source, 10.0, lambda level, at: levels.append((level, at)))
        finally:
            await source.close()

    assert len(run_virtually(main())) == 10 * RATE
    assert len(levels) == -(-10 * RATE // BLOCK)
    assert levels[-1][1] == pytest.approx(10.0, abs=0.04)
    assert levels[0][0] == pytest.approx(-18.8, abs=0.5)


def test_a_short_recording_is_all_there_is() -> None:
    async def main() -> Samples:
        return await listen(ScriptedSource([noise(2.0)], delay=0, tail=0, waits=False), 10.0, lambda _level, _at: None)

    assert len(run_virtually(main())) == pytest.approx(2 * RATE, abs=BLOCK)


def test_it_plays_back_what_was_said() -> None:
    said = noise(2.0, level=0.1)
    sink = CollectingSink()

    async def main() -> Samples:
        source = ScriptedSource([noise(3.0, level=0.02)], delay=0, waits=False, on_demand=False)
        return await play_and_listen(sink, source, said)

    heard = run_virtually(main())
    assert len(heard) == 2 * RATE
    assert len(sink.samples) == pytest.approx(2 * VOICE_RATE, abs=10)
    assert np.std(sink.samples) == pytest.approx(np.std(said), rel=0.05)
    assert run_virtually(play(sink, np.zeros(0, np.float32))) is None


def test_a_microphone_that_hears_the_speaker_asks_for_headphones() -> None:
    quiet = noise(5.0, level=0.001)
    loud = quiet.copy()
    loud[2 * RATE : 4 * RATE] += noise(2.0, level=0.05)
    assert judge_speaker(-65.0, quiet).ok
    heard = judge_speaker(-65.0, loud)
    assert not heard.ok
    assert "headphones" in heard.fix


def test_a_microphone_is_remembered(tmp_path: Path) -> None:
    places = Places(home=tmp_path / "home", recordings=tmp_path)
    assert "usb" not in Checked(places)
    Checked(places).add("usb")
    Checked(places).add("内置麦克风")
    assert "usb" in Checked(places)
    assert "内置麦克风" in Checked(places)
    assert "us" not in Checked(places)


@pytest.mark.parametrize("content", ["", "{", '{"a": 1}', "[1, 2]", "\x00"])
def test_a_spoilt_memory_is_forgotten(tmp_path: Path, content: str) -> None:
    places = Places(home=tmp_path, recordings=tmp_path)
    (tmp_path / "sound-checks.json").write_text(content)
    assert "usb" not in Checked(places)
    Checked(places).add("usb")
    assert "usb" in Checked(places)
