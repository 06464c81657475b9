"""Two people in one recording: on a channel each, and who has the floor when."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.review.test_analysis import Echo, Loudness
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Event
from voiceprep.core.timeline import fold
from voiceprep.core.units import Media, Span
from voiceprep.errors import BadInputError
from voiceprep.review.exchange import UNKNOWN, lines_of
from voiceprep.review.recording import TELLING, Recording, Who, analyze_recording, separate
from voiceprep.review.separation import Separated, sound_of

ROOM = 0.1
"""Of the neighbour's sound that the other microphone hears."""


def tone(seconds: float, parts: list[tuple[float, float]], level: float = 0.2) -> Samples:
    sound = np.zeros(round(seconds * RATE), np.float32)
    for start, end in parts:
        sound[round(start * RATE) : round(end * RATE)] = level
    return sound


INTERVIEWER = [(1.0, 4.0), (20.0, 23.0)]
CANDIDATE = [(5.0, 10.0), (11.0, 19.0), (24.0, 30.0)]


def stereo(tmp_path: Path, left: Samples, right: Samples) -> Path:
    path = tmp_path / "two.wav"
    soundfile.write(path, np.stack([left, right], axis=1), RATE, subtype="FLOAT")
    return path


def interview(tmp_path: Path) -> Path:
    return stereo(tmp_path, tone(31.0, INTERVIEWER), tone(31.0, CANDIDATE))


@pytest.fixture(autouse=True)
def loudness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)


def nobody() -> object:
    raise AssertionError("two channels need no voices told apart")


async def told(path: Path, who: Who | None = None) -> Separated | None:
    return await separate(path, who or Who(), nobody)  # type: ignore[arg-type]


async def heard(path: Path, separated: Separated | None, events: list[Event] | None = None) -> Recording:
    return await analyze_recording(
        path, recogniser=Echo(), language="en", separated=separated, on_event=events.append if events is not None else None
    )


async def test_who_speaks_more_is_the_candidate_and_each_has_their_own_words(tmp_path: Path) -> None:
    path = interview(tmp_path)
    separated = await told(path)
    assert separated is not None
    assert (separated.how, separated.candidate) == ("channels", 1)
    assert "the right one" in separated.note
    events: list[Event] = []
    found = await heard(path, separated, events)
    assert found.interviewer is not None
    assert [(round(s.start), round(s.end)) for s in found.interviewer.speech] == INTERVIEWER
    assert [(round(s.start), round(s.end)) for s in found.analysis.speech] == CANDIDATE
    timeline = fold(events)
    assert [(turn.speaker, round(turn.start), round(turn.end), turn.reason) for turn in timeline.turns] == [
        ("interviewer", 1, 4, "finished"),
        ("candidate", 5, 19, "yielded"),
        ("interviewer", 20, 23, "finished"),
        ("candidate", 24, 31, "session-ended"),
    ]
    assert all(turn.text for turn in timeline.turns)
    assert [pause.kind for pause in found.analysis.pauses if 10 <= pause.start < 11] == ["mid_answer"]


async def test_the_user_knows_better(tmp_path: Path) -> None:
    path = interview(tmp_path)
    for who in (Who(side="left"), Who(swap=True)):
        separated = await told(path, who)
        assert separated is not None
        assert separated.candidate == 0


@pytest.mark.parametrize("channels", [1, 2])
async def test_one_person_has_nobody_to_be_swapped_with(tmp_path: Path, channels: int) -> None:
    path = tmp_path / "alone.wav"
    soundfile.write(path, np.repeat(tone(31.0, CANDIDATE)[:, None], channels, axis=1), RATE)
    with pytest.raises(BadInputError, match="only one voice") as caught:
        await told(path, Who(swap=True))
    assert caught.value.code == "one-voice"
    assert "--swap" in caught.value.hint


@pytest.mark.parametrize("left", [1.0, 0.3, 0.0])
async def test_one_voice_on_two_channels_is_one_person(tmp_path: Path, left: float) -> None:
    voice = tone(31.0, CANDIDATE)
    assert await told(stereo(tmp_path, left * voice, voice)) is None


@pytest.mark.parametrize("channels", [1, 2])
async def test_looking_for_speakers_tells_how_far_it_is_and_can_be_broken_off(tmp_path: Path, channels: int) -> None:
    path = tmp_path / "long.wav"
    soundfile.write(path, np.zeros((20 * RATE, channels), np.float32), RATE)
    seen: list[float] = []

    class Enough(Exception):  # noqa: N818  (it is none that anybody made)
        pass

    def advance(share: float, what: str) -> None:
        assert what == "looking for speakers"
        seen.append(share)
        if share >= until:
            raise Enough

    until = 1.0
    with pytest.raises(BadInputError, match="only one voice"):
        await separate(path, Who("2"), object, progress=advance)  # type: ignore[arg-type]  # nobody speaks: none is asked
    assert seen == sorted(seen)
    assert 0.9 * TELLING < seen[-1] <= TELLING
    for until in (0.2 * TELLING, 0.7 * TELLING):
        seen.clear()
        with pytest.raises(Enough):
            await separate(path, Who("2"), object, progress=advance)  # type: ignore[arg-type]
        assert [share >= until for share in seen].count(True) == 1


async def test_one_speaker_can_be_insisted_on(tmp_path: Path) -> None:
    assert await told(interview(tmp_path), Who(speakers="1")) is None


async def test_what_comes_over_from_the_other_microphone_is_nobodys(tmp_path: Path) -> None:
    mine, theirs = tone(31.0, CANDIDATE), tone(31.0, INTERVIEWER)
    path = stereo(tmp_path, theirs + ROOM * mine, mine + ROOM * theirs)
    separated = await told(path)
    assert separated is not None
    sound = np.concatenate(list(sound_of(path, separated, "candidate")))
    assert len(sound) == 31 * RATE
    assert not sound[round(1.3 * RATE) : round(3.7 * RATE)].any()
    np.testing.assert_allclose(sound[round(5.3 * RATE) : round(9.7 * RATE)], 0.2, atol=1e-6)


async def test_both_at_once_are_both_heard(tmp_path: Path) -> None:
    """Case 10: two people talk at once, and neither loses their words."""
    path = stereo(tmp_path, tone(21.0, [(1.0, 4.0), (9.0, 13.0)]), tone(21.0, [(5.0, 11.0), (14.0, 20.0)]))
    separated = await told(path)
    events: list[Event] = []
    found = await heard(path, separated, events)
    assert found.interviewer is not None
    assert [(round(s.start), round(s.end)) for s in found.interviewer.speech] == [(1, 4), (9, 13)]
    assert [(round(s.start), round(s.end)) for s in found.analysis.speech] == [(5, 11), (14, 20)]
    assert [(cut.who, cut.by) for cut in fold(events).interruptions] == [("candidate", "interviewer")]


async def test_a_sound_of_listening_takes_no_turn(tmp_path: Path) -> None:
    path = stereo(tmp_path, tone(31.0, [(1.0, 4.0), (8.0, 8.6)]), tone(31.0, CANDIDATE))
    events: list[Event] = []
    await heard(path, await told(path), events)
    timeline = fold(events)
    assert [turn.speaker for turn in timeline.turns] == ["interviewer", "candidate"]
    assert [said.move for said in timeline.utterances] == ["question", "backchannel"]


async def test_a_side_of_a_recording_that_has_none(tmp_path: Path) -> None:
    voice = tone(31.0, CANDIDATE)
    with pytest.raises(BadInputError) as caught:
        await told(stereo(tmp_path, voice, voice), Who(side="left"))
    assert caught.value.code == "not-two-channels"
    assert "two.wav" in caught.value.message


def test_lines_without_words_are_still_lines() -> None:
    (line,) = lines_of([Span(Media(1.0), Media(2.0)), Span(Media(3.0), Media(4.0))], ())
    assert (line.start, line.end, line.text) == (1.0, 4.0, UNKNOWN)
