"""The shell around the core: real files, folders and clocks; speech models are fakes here."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from tests.fakes.edges import CountingRecogniser, Notebook, ToneVoice
from tests.fakes.room import Room, speech, wav
from tests.fakes.table import of_kind
from voiceprep.agent.interviewer import Worded
from voiceprep.audio.base import BLOCK, RATE, Block, Samples
from voiceprep.audio.echo import HalfDuplex
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.source_file import FileSource
from voiceprep.cli.keys import finish_or_go_on, pause_or_go_on
from voiceprep.core.events import (
    AudioGap,
    AudioProgress,
    EdgeFailed,
    Event,
    FlagRaised,
    HeldSound,
    MoveChosen,
    Reword,
    Reworded,
    SessionClosing,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TranscriptReady,
    TurnEnded,
    TurnHandedOver,
    VoiceStarted,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.units import At, Media
from voiceprep.errors import VoiceprepError
from voiceprep.live.assembly import assemble, replay
from voiceprep.live.candidate import CandidateSource
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.store.codec import as_logged


async def hold(tmp_path: Path, samples: Samples, **how: Any) -> list[Event]:
    return await Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", samples), "fast"), **how).run()


def story(events: list[Event]) -> list[tuple[object, ...]]:
    """What must not depend on the pace: flags with their places, turns with their reasons, moves with their words."""
    out: list[tuple[object, ...]] = []
    for e in events:
        match e:
            case FlagRaised():
                out.append(("flag", e.rule, e.level, round(e.start, 3), round(e.end, 3)))
            case TurnEnded():
                out.append(("turn", e.speaker, e.reason, round(e.media, 3)))
            case MoveChosen():
                out.append(("move", e.move, e.target, e.phrase))
            case _:
                pass
    return out


async def test_a_recording_in_place_of_a_microphone(tmp_path: Path) -> None:
    events = await hold(tmp_path, speech((1.0, False), (5.0, True), (46.0, False), (3.0, True), (1.0, False)))
    assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")
    started = of_kind(events, VoiceStarted)
    assert [round(e.media, 2) for e in started] == [0.99, 52.0]
    inside = [(e.level, round(e.start), round(e.end)) for e in of_kind(events, FlagRaised) if e.rule == "long_pause"]
    assert inside == [("notice", 6, 16), ("warning", 6, 51)]
    assert sum(len(e.words) for e in of_kind(events, WordsCommitted)) >= 14
    first = of_kind(events, AudioProgress)[0]
    opening = of_kind(events, SpeakingFinished)[0]
    assert first.media == Media(0)
    assert first.at == opening.at
    assert opening.media == Media(0)


async def test_the_folder_is_what_the_contract_says(tmp_path: Path) -> None:
    room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", speech((2.0, True), (1.0, False))), "fast"))
    await room.run()
    names = {p.name for p in room.folder.path.iterdir()}
    made_again = {name for name in names if name.startswith(".peaks-")}  # from the recordings, wherever it is missing
    assert names - made_again == {
        "session.json",
        "events.jsonl",
        "candidate.flac",
        "interviewer.flac",
        "annotations.json",
        "review.json",
    }
    assert soundfile.info(room.folder.path / "candidate.flac").duration == pytest.approx(3.0, abs=0.04)
    lines = [json.loads(line) for line in (room.folder.path / "events.jsonl").read_text("utf-8").splitlines()]
    assert all({"kind", "at"} <= set(line) for line in lines)
    assert lines[0]["kind"] == "Header"


async def test_live_and_fast_tell_the_same_story(tmp_path: Path) -> None:
    samples = speech((0.5, False), (1.2, True), (1.5, False), (0.8, True), (0.3, False))
    stories = []
    for pace in ("live", "fast"):
        folder = tmp_path / pace
        folder.mkdir()
        source = FileSource(wav(folder / "mic.wav", samples), pace)
        stories.append(story(await Room(folder, source).run()))
    assert stories[0] == stories[1]
    assert stories[0]


async def test_replaying_the_log_of_a_session_gives_the_same_log(tmp_path: Path) -> None:
    room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", speech((4.0, True), (3.0, False), (12.0, True))), "fast"))
    logged = await room.run()
    again = replay(logged, assemble(room.content, room.policy, "en", 1))
    assert [as_logged(e) for e in again] == logged


async def test_without_a_recogniser_floor_and_flags_work(tmp_path: Path) -> None:
    events = await hold(tmp_path, speech((3.0, True), (61.0, False), (2.0, True), (0.5, False)), recogniser=None)
    assert [e.level for e in of_kind(events, FlagRaised) if e.rule == "long_pause"][:2] == ["notice", "warning"]
    assert [e.move for e in of_kind(events, MoveChosen)] == ["question", "followup"]


class TestFaults:
    """The session goes on with what is left, and says what happened."""

    async def test_case_043_the_recogniser_dies(self, tmp_path: Path) -> None:
        samples = speech((10.0, True), (3.0, False), (10.0, True), (61.0, False), (1.0, True))
        events = await hold(tmp_path, samples, recogniser=CountingRecogniser(fail_after=2))
        failures = of_kind(events, EdgeFailed)
        assert {e.code for e in failures} == {"recogniser-crashed"}
        assert of_kind(events, WordsCommitted)
        assert [e.move for e in of_kind(events, MoveChosen)] == ["question", "followup"]

    async def test_the_voice_is_dead(self, tmp_path: Path) -> None:
        events = await hold(tmp_path, speech((3.0, True), (1.0, False)), voice=ToneVoice(dead=True))
        assert of_kind(events, EdgeFailed)[0].of == of_kind(events, Speak)[0].id
        assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")
        assert of_kind(events, WordsCommitted)

    async def test_the_source_fails_in_the_middle(self, tmp_path: Path) -> None:
        class Failing(FileSource):
            async def blocks(self) -> Any:
                async for block in super().blocks():
                    yield block
                    if not block.samples.any():
                        raise VoiceprepError("the microphone is gone", code="microphone-lost")

        source = Failing(wav(tmp_path / "mic.wav", speech((3.0, True), (9.0, False))), "fast")
        room = Room(tmp_path, source)
        events = await room.run()
        assert [e.code for e in of_kind(events, EdgeFailed)] == ["microphone-lost"]
        assert events[-1] == SessionEnded(at=events[-1].at, reason="microphone-lost")
        assert of_kind(events, WordsCommitted)
        assert soundfile.info(room.folder.path / "candidate.flac").duration == pytest.approx(3.0, abs=0.1)

    async def test_a_speaker_that_fails_is_told_once_and_the_session_goes_on(self, tmp_path: Path) -> None:
        class Broken(NullSink):
            def write(self, samples: Samples) -> None:
                raise VoiceprepError("the speaker is gone", code="speaker-lost")

        events = await hold(tmp_path, speech((3.0, True), (1.0, False)), sink=Broken())
        assert [e.code for e in of_kind(events, EdgeFailed)] == ["speaker-lost"]
        assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")
        assert of_kind(events, WordsCommitted)

    async def test_a_screen_that_fails_costs_nothing(self, tmp_path: Path) -> None:
        room = Room(tmp_path, FileSource(wav(tmp_path / "mic.wav", speech((3.0, True), (1.0, False))), "fast"))

        class Closed(Notebook):
            def show(self, event: Event) -> None:
                raise BrokenPipeError

        room.watcher = Closed()
        events = await room.run()
        assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")

    async def test_lost_audio_is_a_gap_and_shifts_nothing(self, tmp_path: Path) -> None:
        class Gappy(FileSource):
            async def blocks(self) -> Any:
                number = 0
                async for block in super().blocks():
                    number += 1
                    if 40 < number <= 60:
                        continue
                    yield Block(block.samples, lost=20 * BLOCK, reason="overflow") if number == 61 else block

        samples = speech((1.0, True), (2.0, False), (2.0, True), (1.0, False))
        room = Room(tmp_path, Gappy(wav(tmp_path / "mic.wav", samples), "fast"))
        events = await room.run()
        (gap,) = of_kind(events, AudioGap)
        assert gap.start == pytest.approx(40 * BLOCK / RATE)
        assert gap.end == pytest.approx(60 * BLOCK / RATE)
        assert [e.media for e in of_kind(events, VoiceStarted)][1] == pytest.approx(3.0, abs=0.04)
        assert soundfile.info(room.folder.path / "candidate.flac").duration == pytest.approx(6.0, abs=0.04)

    async def test_a_voice_that_fails_in_the_middle_was_heard_up_to_there(self, tmp_path: Path) -> None:
        class Breaks(ToneVoice):
            async def render(self, text: str, language: str, style: VoiceStyle) -> Any:
                self.dead = bool(self.said)
                return await super().render(text, language, style)

        events = await hold(tmp_path, speech((1.0, True), (0.5, False)), voice=Breaks())
        over = of_kind(events, SpeakingFinished)[0]
        assert (over.heard, over.complete) == ("Hello.", False)
        assert [(e.code, e.of) for e in of_kind(events, EdgeFailed)] == [("voice-failed", "")]


class Watched(FrameSource):
    """Tells when the session has taken so many samples."""

    def __init__(self) -> None:
        super().__init__()
        self._count, self._wanted, self._there = 0, 0, asyncio.Event()

    async def blocks(self) -> Any:
        async for block in super().blocks():
            self._count += len(block.samples)
            if self._count >= self._wanted:
                self._there.set()
            yield block

    async def taken(self, samples: int) -> None:
        self._wanted = samples
        self._there.clear()
        if self._count < samples:
            await self._there.wait()


class TestOnTheWallClock:
    """A source that cannot wait: frames as the page will send them, here as quickly as the session takes them."""

    async def test_frames_are_heard_and_the_user_ends_it(self, tmp_path: Path) -> None:
        source = FrameSource()
        room = Room(tmp_path, source)
        samples = speech((0.3, False), (0.6, True), (0.6, False))

        async def talk() -> None:
            await room.watcher.seen(SpeakingFinished)
            for first in range(0, len(samples), 320):
                source.push(samples[first : first + 320], first)
            await room.watcher.seen(WordsCommitted)
            room.session.stop("user")

        talking = asyncio.create_task(talk())
        events = await asyncio.wait_for(room.run(), 60)
        await talking
        assert events[-1] == SessionEnded(at=events[-1].at, reason="user")
        assert [round(e.media, 1) for e in of_kind(events, VoiceStarted)] == [0.3]

    async def test_a_pause_is_no_time_and_what_is_said_in_it_is_nobody_s_business(self, tmp_path: Path) -> None:
        """A microphone goes on delivering: in the pause to nobody. The answer goes on where it stood."""
        source = Watched()
        room = Room(tmp_path, source)
        first, aside, rest = speech((0.3, False), (0.6, True)), speech((4.0, True)), speech((0.5, True), (0.6, False))

        async def push(samples: Samples, at: int) -> int:
            for place in range(0, len(samples), 320):
                source.push(samples[place : place + 320], at + place)
            return at + len(samples)

        async def talk() -> None:
            await room.watcher.seen(SpeakingFinished)
            at = await push(first, 0)
            await room.watcher.seen(VoiceStarted)
            assert room.session.pausable
            pause_or_go_on(room.session)
            await room.watcher.seen(SessionPaused)
            at = await push(aside, at)
            await source.taken(at - BLOCK)
            assert room.session.held
            finish_or_go_on(room.session)
            await room.watcher.seen(SessionResumed)
            await push(rest, at)
            await room.watcher.seen(WordsCommitted)
            room.session.stop("user")

        talking = asyncio.create_task(talk())
        events = await asyncio.wait_for(room.run(), 60)
        await talking
        (paused,), (resumed,) = of_kind(events, SessionPaused), of_kind(events, SessionResumed)
        assert (paused.reason, resumed.at - paused.at < 0.1) == ("asked", True)
        recorded = soundfile.info(room.folder.path / "candidate.flac").frames / RATE
        assert recorded < 2.5, "of the four seconds in the pause next to nothing is on record"
        assert not of_kind(events, AudioGap)
        assert not of_kind(events, TurnHandedOver), "Enter ended the pause, not the answer"
        assert len(of_kind(events, VoiceStarted)) == 1

    async def test_it_can_be_ended_in_a_pause(self, tmp_path: Path) -> None:
        room = Room(tmp_path, FrameSource())

        async def leave() -> None:
            await room.watcher.seen(SpeakingFinished)
            room.session.pause()
            await room.watcher.seen(SessionPaused)
            room.session.stop("paused")

        leaving = asyncio.create_task(leave())
        events = await asyncio.wait_for(room.run(), 60)
        await leaving
        assert events[-1] == SessionEnded(at=events[-1].at, reason="paused")

    async def test_a_line_that_is_ready_when_the_session_wakes_late_begins_then(self, tmp_path: Path) -> None:
        """The moments slept through were silent: laid at their beginning, it would run ahead of the clock for good."""
        missed = [0.0]

        class Late(ToneVoice):
            async def render(self, text: str, language: str, style: VoiceStyle) -> Utterance:
                missed[0] = 30.0  # meanwhile the machine was busy with something else
                return await super().render(text, language, style)

        room = Room(tmp_path, FrameSource(), voice=Late())
        own = room.clock.now
        room.clock.now = lambda: At(round(own() + missed[0], 6))  # type: ignore[method-assign]  # a machine that stalls

        async def listen() -> None:
            await room.watcher.seen(SpeakingFinished)
            room.session.stop("user")

        listening = asyncio.create_task(listen())
        events = await asyncio.wait_for(room.run(), 60)
        await listening
        voice, rate = soundfile.read(room.folder.path / "interviewer.flac")
        begun = of_kind(events, SpeakingStarted)[0]
        assert begun.at > missed[0]
        # A busy machine takes its time between the two; who lays the line at the beginning is wrong by all that was missed.
        assert np.flatnonzero(voice)[0] / rate == pytest.approx(begun.at, abs=missed[0] / 10)

    async def test_nobody_waits_for_a_line_that_will_not_be_said_any_more(self, tmp_path: Path) -> None:
        class Hanging:
            async def reword(self, _: Reword) -> Worded:
                await asyncio.Event().wait()
                raise AssertionError

            def overtaken(self, _: str) -> Worded:
                return Worded(refused="overtaken", tokens_in=9)

        source = FrameSource()
        room = Room(tmp_path, source, wordsmith=Hanging())
        samples = speech((0.3, False), (6.0, True), (0.6, False))

        async def talk() -> None:
            await room.watcher.seen(SpeakingFinished)
            for first in range(0, len(samples), 320):
                source.push(samples[first : first + 320], first)
            await room.watcher.seen(WordsHeard)
            room.session.hand_over()
            await room.watcher.seen(Reword)
            room.session.stop("user")

        talking = asyncio.create_task(talk())
        events = await asyncio.wait_for(room.run(), 60)
        await talking
        assert [(each.refused, each.tokens_in) for each in of_kind(events, Reworded)] == [("overtaken", 9)]
        closing, ended = of_kind(events, SessionClosing)[0], events[-1]
        assert ended == SessionEnded(at=ended.at, reason="user")
        assert ended.at - closing.at < room.policy.farewell_wait


@pytest.mark.parametrize("pace", ["fast"])
async def test_a_scripted_candidate_answers_when_the_floor_opens(tmp_path: Path, pace: Literal["fast"]) -> None:
    answers = [speech((6.0, True)), speech((4.0, True), (2.0, False), (3.0, True))]
    room = Room(tmp_path, CandidateSource(answers, pace), recogniser=None)
    events = await room.run()
    assert [e.move for e in of_kind(events, MoveChosen)] == ["question", "followup", "followup"]
    assert [e.reason for e in of_kind(events, TurnEnded) if e.speaker == "candidate"] == ["yielded", "yielded"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="audio-ended")


async def test_a_defect_in_the_source_ends_the_session_and_says_so(tmp_path: Path) -> None:
    class Defective(FrameSource):
        async def blocks(self) -> Any:
            yield Block(np.zeros(BLOCK, dtype=np.float32))
            raise RuntimeError("a driver's own")

    events = await asyncio.wait_for(Room(tmp_path, Defective()).run(), 60)
    assert [e.code for e in of_kind(events, EdgeFailed)] == ["defect"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="defect")


def recorded_peak(recordings: Path) -> float:
    kept = soundfile.read(next(recordings.glob("*/candidate.flac")), dtype="float32")[0]
    return float(np.abs(kept).max())


class TestHalfDuplex:
    """On loudspeakers the interviewer must not hear itself, and must hear everything else."""

    async def events(self, tmp_path: Path, loud_after: type[Event] | None) -> list[Event]:
        """Loud sound from the start, or once the interviewer sounds. The opening line is rendered late."""
        source, rendered = FrameSource(), asyncio.Event()

        class Slow(ToneVoice):
            async def render(self, text: str, language: str, style: VoiceStyle) -> Any:
                await rendered.wait()
                return await super().render(text, language, style)

        room = Room(tmp_path, source, voice=Slow(), echo=HalfDuplex())

        async def talk() -> None:
            if loud_after is not None:
                rendered.set()
                await room.watcher.seen(loud_after)
            source.push(speech((0.25, True)), 0)  # all at once: no longer than a room takes to fall silent
            if loud_after is None:
                await room.watcher.seen(VoiceStarted)
                rendered.set()
            await room.watcher.seen(SpeakingFinished)
            room.session.stop("user")

        talking = asyncio.create_task(talk())
        events = await asyncio.wait_for(room.run(), 60)
        await talking
        return events

    async def test_while_a_line_is_rendered_the_candidate_is_heard(self, tmp_path: Path) -> None:
        assert of_kind(await self.events(tmp_path, None), VoiceStarted)

    async def test_while_the_interviewer_sounds_nothing_is_heard_but_all_is_recorded(self, tmp_path: Path) -> None:
        events = await self.events(tmp_path, SpeakingStarted)
        assert of_kind(events, VoiceStarted) == []
        assert recorded_peak(tmp_path) > 0.2


async def test_words_are_kept_when_fillers_cannot_be_listened_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> tuple[HeldSound, ...]:
        raise RuntimeError("no such sound")

    monkeypatch.setattr("voiceprep.live.interpreter.held_in", broken)
    events = await hold(tmp_path, speech((1.0, False), (5.0, True), (4.0, False)))
    assert [bool(event.words) for event in of_kind(events, TranscriptReady)] == [True]
    assert of_kind(events, EdgeFailed) == []
