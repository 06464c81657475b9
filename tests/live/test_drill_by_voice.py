"""Drills by voice: real models, rendered speech as the microphone, on the audio clock. One take for each kind of mechanism."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.table import of_kind
from tests.test_end_to_end import log_of, silence, voiceprep, wav
from voiceprep.audio.base import RATE, Samples
from voiceprep.content.drills import load_drill
from voiceprep.core.events import (
    ClockStarted,
    CueGiven,
    Event,
    Interrupted,
    InterruptionDue,
    MoveWithdrawn,
    QuestionAsked,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
)
from voiceprep.core.policy import Policy
from voiceprep.intake.kept import content_of
from voiceprep.live.assembly import assemble, replay
from voiceprep.store.codec import as_logged
from voiceprep.store.header import Header

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

Spoken = Callable[[str], Samples]
HEADLINE = "It has three levels, and I would begin with the first one, because cold starts are what hurts. That is my answer."
STORY = "We had one cluster of four hundred machines and the queue was nine hours long, and every team wanted more of it."


def held(recordings: Path, drill: str, mic: Path, *more: str) -> tuple[dict[str, Any], Header, list[Event]]:
    done = voiceprep(recordings, "drill", drill, "--mic", str(mic), "--pace", "fast", *more)
    header, events = log_of(recordings, done["session"])
    return done, header, events


def begin_of(speech: Samples) -> float:
    return float(np.flatnonzero(np.abs(speech) > 0.01)[0]) / RATE


def end_of(speech: Samples) -> float:
    return float(np.flatnonzero(np.abs(speech) > 0.01)[-1]) / RATE


def outcome(done: dict[str, Any], criterion: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in done["result"]["criteria"] if one["id"] == criterion)
    return found


def test_marks_come_at_their_seconds_and_the_result_has_the_candidates_own_words(tmp_path: Path, spoken: Spoken) -> None:
    answer = spoken(HEADLINE)
    mic = wav(tmp_path / "mic.wav", silence(2.0), answer, silence(45.0))
    done, header, events = held(tmp_path, "headline-30", mic)
    begin = 2.0 + begin_of(answer)
    (clock,) = (one for one in of_kind(events, ClockStarted) if one.step == "prompt")
    assert clock.media == pytest.approx(begin, abs=0.15)
    marks = {mark.id: mark for mark in load_drill("headline-30").marks}
    cues = of_kind(events, CueGiven)
    assert [cue.cue for cue in cues] == [name for name, mark in sorted(marks.items(), key=lambda item: item[1].at)]
    for cue in cues:
        assert cue.media == pytest.approx(clock.media + marks[cue.cue].at)
        assert bool(cue.of) == marks[cue.cue].spoken
    said = {one.of: one for one in of_kind(events, SpeakingFinished)}
    assert all(said[cue.of].complete for cue in cues if cue.of), "a spoken cue was heard, over speech or silence"
    headline = outcome(done, "headline")
    assert headline["outcome"] == "met"
    assert "three levels" in headline["evidence"][0]["quote"]
    assert outcome(done, "yield")["measured"] == pytest.approx(end_of(answer) - begin_of(answer), abs=0.3)
    assert done["result"]["times"]["thinking"] == pytest.approx(begin, abs=0.15)
    assert done["comparison"] is None

    content = content_of(tmp_path / header.id, header)
    again = replay(events, assemble(content, Policy(**header.policy), header.language, header.seed))  # type: ignore[arg-type]
    assert [as_logged(event) for event in again] == events


def test_without_a_recogniser_the_same_cues_come_and_words_are_not_measured(tmp_path: Path, spoken: Spoken) -> None:
    mic = wav(tmp_path / "mic.wav", silence(2.0), spoken(HEADLINE), silence(45.0))
    done, _, events = held(tmp_path, "headline-30", mic, "--stt", "off")
    assert [cue.cue for cue in of_kind(events, CueGiven)] == [mark.id for mark in load_drill("headline-30").marks]
    assert outcome(done, "headline")["outcome"] == "not_measured"
    assert outcome(done, "yield")["outcome"] == "met"


def test_the_interviewer_breaks_in_at_the_mark(tmp_path: Path, spoken: Spoken) -> None:
    """The second prompt of the drill is cut into after two minutes."""
    speech = np.concatenate([spoken(STORY), silence(0.7)])
    talk = np.tile(speech, int(128 * RATE / len(speech)) + 1)[: 128 * RATE]
    reply = spoken("It depends on one assumption, that the audit is part of it. I would cut the scope. That is my answer.")
    mic = wav(tmp_path / "mic.wav", silence(1.0), talk, silence(5.0), reply, silence(6.0))
    done, _, events = held(tmp_path, "wrong-path", mic, "--prompt", "2", "--stt", "off")
    (clock, *_) = of_kind(events, ClockStarted)
    due = of_kind(events, InterruptionDue)[0]
    broken = of_kind(events, Interrupted)[0]
    assert due.interjection == broken.reason == "stop"
    assert broken.media - clock.media == pytest.approx(120.0, abs=2.3)  # at a micro-pause, or two seconds later without one
    assert [asked.question for asked in of_kind(events, QuestionAsked)] == ["prompt", "stop"]
    assert outcome(done, "quick")["outcome"] == "met"


def test_a_chain_of_follow_ups_is_gone_down_to_its_end(tmp_path: Path, spoken: Spoken) -> None:
    replies = (
        "I would rank the jobs by a priority, and whoever waits longest goes first. That is my answer.",
        "The head of the platform sets it, she owns the quota. That is my answer.",
        "The director settles it within one day, and the customer work goes first. That is my answer.",
        "Nobody may mark more than ten percent as urgent, and we audit it. That is my answer.",
        "We would measure the waiting time and switch it off if it is over two hours. That is my answer.",
    )
    pieces = [piece for reply in replies for piece in (silence(1.5), spoken(reply), silence(9.0))]
    mic = wav(tmp_path / "mic.wav", *pieces)
    done, _, events = held(tmp_path, "corner", mic)
    withdrawn = {one.of for one in of_kind(events, MoveWithdrawn)}  # where the candidate and the interviewer began at once
    asked = [one.question for one in of_kind(events, QuestionAsked) if one.of not in withdrawn]
    assert asked == ["prompt", "layer-1", "layer-2", "layer-3", "layer-4"]
    assert [one.step for one in of_kind(events, ClockStarted)] == asked
    turns = [turn for turn in of_kind(events, TurnEnded) if turn.speaker == "candidate"]
    assert [turn.reason for turn in turns][:4] == ["yielded"] * 4
    assert outcome(done, "owner")["outcome"] == "met"
    assert outcome(done, "survived")["measured"] >= 3


def test_ten_silent_seconds_are_not_taken_away(tmp_path: Path, spoken: Spoken) -> None:
    first = spoken("Let me think about that.")
    answer = spoken("Somebody said that I never listen, and it was a fair thing to say. That is my answer.")
    pause = 12.0
    mic = wav(tmp_path / "mic.wav", silence(pause), first, silence(pause), answer, silence(45.0))
    done, _, events = held(tmp_path, "pause-tolerance", mic)
    turns = [turn for turn in of_kind(events, TurnEnded) if turn.speaker == "candidate"]
    assert len(turns) == 1, "the silence inside the answer did not end it"
    hushes = [one for one in done["result"]["criteria"] if one["unit"] == "s" and one["low"] == 10]
    assert hushes
    assert all(one["outcome"] == "met" for one in hushes)
    assert max(one["measured"] for one in hushes) == pytest.approx(pause + 0.1, abs=0.6)


def test_the_ladder_asks_for_the_same_answer_three_times_each_with_its_own_clock(tmp_path: Path, spoken: Spoken) -> None:
    story = spoken(f"{STORY} I decided on quotas for every team. That is my answer.")
    mic = wav(tmp_path / "mic.wav", *(piece for _ in range(3) for piece in (silence(1.5), story, silence(75.0))))
    done, _, events = held(tmp_path, "pace-ladder", mic, "--stt", "off")
    made = load_drill("pace-ladder")
    asked = [one.question for one in of_kind(events, QuestionAsked)]
    assert asked == ["prompt", *(step.id for step in made.prompts[0].steps)]
    clocks = {one.step: one for one in of_kind(events, ClockStarted)}
    assert list(clocks) == asked
    for step in made.prompts[0].steps:
        assert clocks[step.id].budget == (step.budget or 0.0)
    budgets = [clocks[step].budget for step in asked]
    assert budgets[1:] == sorted(budgets[1:], reverse=True), "each is shorter than the one before"
    assert done["result"]["complete"]


def test_a_spoken_cue_sounds_over_the_answer_at_its_mark_and_takes_nothing_from_it(tmp_path: Path, spoken: Spoken) -> None:
    """Of the drill's two marks one is shown and one is said: fifteen seconds before the end, into the middle of a sentence."""
    made = load_drill("star-two-minutes")
    shown, said = sorted(made.marks, key=lambda mark: mark.at)
    assert (shown.spoken, said.spoken) == (False, True)
    sentence = spoken(STORY)
    end = spoken("What I learned is that a quota without an owner is a wish. That is my answer.")
    talk = np.tile(np.concatenate([sentence, silence(0.5)]), int(said.at * RATE / len(sentence)) + 1)[: round(said.at * RATE)]
    talk = np.concatenate([talk, sentence, silence(0.5), end])
    mic = wav(tmp_path / "mic.wav", silence(1.0), talk, silence(12.0))
    done, header, events = held(tmp_path, made.id, mic, "--stt", "off")  # no words are needed for it

    (clock,) = (one for one in of_kind(events, ClockStarted) if one.step == "prompt")
    cues = {cue.cue: cue for cue in of_kind(events, CueGiven)}
    assert {cue.cue: cue.media for cue in cues.values()} == {
        mark.id: pytest.approx(clock.media + mark.at) for mark in (shown, said)
    }
    assert cues[shown.id].of == ""
    cue = cues[said.id]
    (begun,) = (one for one in of_kind(events, SpeakingStarted) if one.of == cue.of)
    (over,) = (one for one in of_kind(events, SpeakingFinished) if one.of == cue.of)
    assert begun.at - cue.at <= 0.25, "it was rendered beforehand"
    assert (over.heard.strip(), over.complete) == (cue.text, True)

    voice, rate = soundfile.read(tmp_path / header.id / "interviewer.flac", dtype="float32")
    loud = np.abs(voice[round(begun.at * rate) : round(over.at * rate)]) > 0.01
    assert loud.mean() > 0.1, "it is in the interviewer's recording, where the log says"

    turns = [turn for turn in of_kind(events, TurnEnded) if turn.speaker == "candidate" and turn.reason != "no-words"]
    assert turns[0].media > over.media, "the floor stayed where it was"
    assert outcome(done, "two-minutes")["measured"] == pytest.approx(end_of(talk) - begin_of(talk), abs=0.5)
