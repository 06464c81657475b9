"""Voice activity: one contract for the fake and the real detector, then edges and silences of real speech."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from tests.fakes.speech import ScriptedActivity, real_speech
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.speech.vad.base import Activity, VoiceActivity
from voiceprep.speech.vad.levels import Levels
from voiceprep.speech.vad.silero import SileroActivity

pytestmark = pytest.mark.models


def silence(seconds: float, dbfs: float | None = None) -> Samples:
    count = round(seconds * RATE)
    if dbfs is None:
        return np.zeros(count, dtype=np.float32)
    return (np.random.default_rng(1).standard_normal(count) * 10 ** (dbfs / 20)).astype(np.float32)


def blocks(samples: Samples) -> list[Samples]:
    whole = np.pad(samples, (0, -len(samples) % BLOCK))
    return list(whole.reshape(-1, BLOCK))


def activities(detector: VoiceActivity, samples: Samples) -> list[Activity]:
    found = [activity for block in blocks(samples) for activity in detector.feed(block)]
    return found + detector.flush()


def regions(found: list[Activity]) -> list[tuple[float, float]]:
    edges = [activity.media for activity in found if activity.kind in {"started", "stopped"}]
    return list(zip(edges[::2], edges[1::2], strict=True))


def loud_bounds(samples: Samples, below_peak: float = 35.0) -> tuple[float, float]:
    """Where the sound of a clip begins and ends, by its level alone, in steps of 10 ms."""
    powers = np.square(samples[: len(samples) // 160 * 160].reshape(-1, 160)).mean(axis=1)
    loud = np.flatnonzero(powers > powers.max() * 10 ** (-below_peak / 10))
    return float(loud[0]) * 0.01, float(loud[-1] + 1) * 0.01


def speech_clip() -> Samples:
    """A sentence that begins and ends exactly at its edges."""
    clip = real_speech("en_libri_1995.wav")
    start, end = loud_bounds(clip, 32)
    return clip[round(start * RATE) : round(end * RATE)]


# --- the contract -------------------------------------------------------------------------------------------------------

SCRIPT = (Activity("started", 1.0), Activity("quiet", 1.8, -40.0), Activity("stopped", 3.0), Activity("started", 4.0))


@pytest.fixture(params=["scripted", "silero"])
def make(request: pytest.FixtureRequest) -> Callable[[], VoiceActivity]:
    return (lambda: ScriptedActivity(SCRIPT)) if request.param == "scripted" else SileroActivity


def contract_sound() -> Samples:
    return np.concatenate((silence(1.0, -70), speech_clip(), silence(1.0, -70), speech_clip()[: 2 * RATE]))


def test_edges_alternate_in_order_and_quiet_places_lie_inside(make: Callable[[], VoiceActivity]) -> None:
    found = activities(make(), contract_sound())
    assert [a.kind for a in found if a.kind in {"started", "stopped"}] == ["started", "stopped"] * len(regions(found))
    assert regions(found)
    places = [activity.media for activity in found if activity.kind in {"started", "stopped", "quiet"}]
    assert places == sorted(places)
    for quiet in (activity for activity in found if activity.kind == "quiet"):
        assert any(start < quiet.media < end for start, end in regions(found))
        assert -80 <= quiet.level < 0


def test_nothing_is_told_before_it_was_fed(make: Callable[[], VoiceActivity]) -> None:
    detector = make()
    for index, block in enumerate(blocks(contract_sound())):
        for activity in detector.feed(block):
            assert 0 <= activity.media <= (index + 1) * BLOCK / RATE


def test_flush_closes_an_open_region_once(make: Callable[[], VoiceActivity]) -> None:
    detector = make()
    sound = contract_sound()
    before = [activity for block in blocks(sound) for activity in detector.feed(block)]
    assert before[-1].kind != "stopped"
    last = detector.flush()
    assert [activity.kind for activity in last] == ["stopped"]
    assert last[0].media <= len(blocks(sound)) * BLOCK / RATE
    assert detector.flush() == []


def test_the_same_samples_give_the_same_activities(make: Callable[[], VoiceActivity]) -> None:
    assert activities(make(), contract_sound()) == activities(make(), contract_sound())


def test_a_block_of_another_size_is_refused(make: Callable[[], VoiceActivity]) -> None:
    with pytest.raises(ValueError, match="512"):
        make().feed(silence(0.01))


# --- the real one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gain", "noise"), [(1.0, -90), (1.0, -75), (1.0, -50), (0.1, -75), (0.03, -90)])
def test_edges_are_where_the_sound_is(gain: float, noise: float) -> None:
    clip = speech_clip() * np.float32(gain)
    sound = np.concatenate((silence(2.0, noise), clip, silence(2.0, noise)))
    found = regions(activities(SileroActivity(), sound))
    assert found[0][0] == pytest.approx(2.0, abs=0.05)
    assert found[-1][1] == pytest.approx(2.0 + len(clip) / RATE, abs=0.05)


def test_soft_speech_is_heard() -> None:
    clip = speech_clip() * np.float32(0.01)  # 40 dB down
    found = regions(activities(SileroActivity(), np.concatenate((silence(1.0, -80), clip, silence(1.0, -80)))))
    assert sum(end - start for start, end in found) > 0.7 * len(clip) / RATE


@pytest.mark.parametrize("noise", [None, -70, -46])
def test_a_long_pause_has_no_speech(noise: float | None) -> None:
    clip = speech_clip()
    sound = np.concatenate((silence(1.0, noise), clip, silence(45.0, noise), clip))
    inside = [(s, e) for s, e in regions(activities(SileroActivity(), sound)) if e > 1.5 + len(clip) / RATE and s < 45.0]
    assert inside == []


def test_noise_is_not_speech() -> None:
    found = regions(activities(SileroActivity(), real_speech("noise_33s.wav")))
    assert sum(end - start for start, end in found) < 0.5


def test_clicks_are_not_speech() -> None:
    sound = silence(4.0, -70)
    for place in range(RATE // 2, len(sound) - RATE, RATE // 2):
        sound[place : place + 40] += 0.8 * np.sign(np.sin(np.arange(40)))
    assert activities(SileroActivity(), sound) == []


def test_the_pause_between_two_speakers_has_true_edges() -> None:
    sound = real_speech("derived/zh_then_en_46s_silence_between.mp3")
    found = regions(activities(SileroActivity(), sound))
    pauses = [(stop, start) for (_, stop), (start, _) in pairwise(found)]
    pause_start, pause_end = max(pauses, key=lambda pause: pause[1] - pause[0])
    # each clip has a room of its own around the voice, 30 dB under it
    _, true_start = loud_bounds(sound[: 20 * RATE], 25)
    true_end, _ = loud_bounds(sound[45 * RATE :], 25)
    assert pause_start == pytest.approx(true_start, abs=0.1)
    assert pause_end == pytest.approx(45 + true_end, abs=0.1)


def test_a_room_that_rings_does_not_lengthen_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    clip, luck = speech_clip(), np.random.default_rng(2)
    place = np.arange(RATE) / RATE
    tail = 0.02 * luck.standard_normal(RATE) * 10 ** (-60 * place / 20)  # falls by 60 dB a second
    tail[0] = 1.0
    wet = np.convolve(np.concatenate((silence(1.0), clip, silence(2.0))), tail)[: len(clip) + 3 * RATE]
    sound = (wet / np.abs(wet).max()).astype(np.float32)
    truth = 1.0 + len(clip) / RATE
    corrected = regions(activities(SileroActivity(), sound))[-1][1] - truth
    monkeypatch.setattr(Levels, "held", lambda _self, _start, end, _ringing: end)  # a tail that wavers
    by_tail = regions(activities(SileroActivity(), sound))[-1][1] - truth
    monkeypatch.setattr(Levels, "ringing", lambda _self, _start, _end: 0.0)
    found = regions(activities(SileroActivity(), sound))[-1][1] - truth
    assert abs(corrected) < 0.03 < found
    assert corrected < by_tail == pytest.approx(found - 2 / 60, abs=0.02)


def test_what_dies_away_steadily_rings_and_what_stops_or_stays_does_not() -> None:
    noise = silence(1.0, -10).astype(np.float64)
    places = np.arange(RATE) / RATE
    sounds: dict[str, np.ndarray] = {
        "room": noise * 10 ** (-60 * places / 20),
        "dry": noise * np.where(places < 0.1, 1.0, 1e-3),
        "fan": noise,
        "speech that goes on": noise * np.where(places % 0.2 < 0.1, 1.0, 0.1),
    }
    rates = {}
    for name, sound in sounds.items():
        levels = Levels(seconds=2.5)
        for block in blocks(sound.astype(np.float32)):
            levels.append(block)
        rates[name] = levels.ringing(0.0, 0.3)
    assert rates.pop("room") == pytest.approx(60, abs=8)
    assert set(rates.values()) == {0.0}


@pytest.mark.parametrize("rate", [45, 60, 90, 120])
def test_a_voice_ended_where_the_level_began_to_fall_like_the_room(rate: int) -> None:
    noise, places = silence(1.0, -10).astype(np.float64), np.arange(RATE) / RATE
    sounds: dict[str, np.ndarray] = {
        "stops": noise * 10 ** (-rate * np.maximum(places - 0.5, 0) / 20),
        "softer, and stops": noise * np.where(places < 0.4, 1.0, 0.5) * 10 ** (-rate * np.maximum(places - 0.5, 0) / 20),
        "stopped long before": noise * 10 ** (-rate * np.maximum(places - 0.2, 0) / 20),
    }
    ends = {}
    for name, sound in sounds.items():
        levels = Levels(seconds=2.5)
        for block in blocks(sound.astype(np.float32)):
            levels.append(block)
        ends[name] = levels.held(0.4, 0.7, rate)
    assert ends.pop("stopped long before") == 0.4
    assert list(ends.values()) == [pytest.approx(0.53, abs=0.025)] * 2  # late by what it takes to be sure


def test_unbroken_speech_names_a_quiet_place_about_once_a_second() -> None:
    sound = real_speech("en_kolja_demo_52s.wav")
    found = activities(SileroActivity(), sound)
    quiets = [activity for activity in found if activity.kind == "quiet"]
    spoken = sum(end - start for start, end in regions(found))
    assert 0.6 * spoken <= len(quiets) <= spoken
    for quiet in quiets:  # each is quieter than what is around it
        middle = round(quiet.media * RATE)
        around = sound[max(middle - RATE // 2, 0) : middle + RATE // 2]
        assert quiet.level < 10 * np.log10(np.square(around).mean())


def test_a_broken_sample_does_not_poison_what_follows() -> None:
    detector = SileroActivity()
    detector.feed(np.full(BLOCK, np.nan, dtype=np.float32))
    detector.feed(np.full(BLOCK, np.inf, dtype=np.float32))
    assert regions(activities(detector, np.concatenate((silence(1.0, -70), speech_clip(), silence(1.0, -70)))))


@pytest.mark.models
@pytest.mark.parametrize("seconds", [30, 45, 60])
def test_the_first_word_after_a_long_digital_silence_is_heard_as_soon_as_after_a_short_one(seconds: int) -> None:
    clip = speech_clip()

    def onset(word: Samples, silence: int) -> float:
        sound = np.concatenate([clip[-RATE:], np.zeros(silence * RATE, np.float32), word])
        return [a.media for a in activities(SileroActivity(), sound) if a.kind == "started"][-1] - silence

    words = [clip[first : first + RATE] for first in range(0, len(clip) - RATE, RATE // 2)]
    assert max(onset(word, seconds) - onset(word, 3) for word in words) < 0.15
