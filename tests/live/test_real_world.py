"""What happens to microphones in the real world, and to a session with one: hours pass in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.audio import FakeCard, noise, silence
from tests.fakes.room import Room, speech
from tests.fakes.table import of_kind
from tests.fakes.virtual_time import run_virtually
from tests.live.test_session import hold
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.microphone import RETURN, MicrophoneSource
from voiceprep.core.events import (
    AudioGap,
    AudioProgress,
    EdgeFailed,
    Event,
    FlagRaised,
    SessionEnded,
    SpeakingFinished,
    WordsCommitted,
)
from voiceprep.live.clock import WallClock
from voiceprep.live.inbox import NOW

BUFFER = 0.04


class Desk:
    """A session with a microphone on a fake card. `asleep` is what the machine's own clock has skipped."""

    def __init__(self, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        self.asleep = 0.0
        read: Callable[[], float] = lambda: loop.time() + self.asleep  # noqa: E731 - a clock in one line
        self.card = FakeCard()
        self.source = MicrophoneSource(
            self.card.device, self._trouble, open_stream=self.card.open_input, seek=self.card.seek, read=read
        )
        self.room = Room(folder, self.source, clock=WallClock(read))

    def _trouble(self, code: str, message: str) -> None:
        self.room.session._parts.inbox.put(EdgeFailed(at=NOW, code=code, message=message))

    async def say(self, sound: Samples) -> None:
        step = round(BUFFER * RATE)
        for at in range(0, len(sound), step):
            await asyncio.sleep(BUFFER)
            self.card.capture(sound[at : at + step])

    async def hold(self, candidate: Callable[[Desk], Coroutine[None, None, None]]) -> list[Event]:
        """A session in which the candidate does this; then it is stopped, unless it has ended by itself."""

        async def talk() -> None:
            await candidate(self)
            self.room.session.stop("user")

        talking = asyncio.ensure_future(talk())
        events = await self.room.run()
        talking.cancel()
        return events


def hissing(*pieces: tuple[float, bool]) -> Samples:
    """Speech and pauses as a real microphone hears them: never exactly silent."""
    sound = speech(*pieces)
    return sound + noise(len(sound) / RATE, level=0.001)[: len(sound)]


def run(folder: Path, candidate: Callable[[Desk], Coroutine[None, None, None]]) -> list[Event]:
    async def main() -> list[Event]:
        return await Desk(folder).hold(candidate)

    return run_virtually(main())


def codes(events: list[Event]) -> list[str]:
    return [event.code for event in of_kind(events, EdgeFailed)]


def lost(events: list[Event], reason: str) -> float:
    return sum(gap.end - gap.start for gap in of_kind(events, AudioGap) if gap.reason == reason)


def long_pauses(events: list[Event]) -> list[FlagRaised]:
    return [flag for flag in of_kind(events, FlagRaised) if flag.rule == "long_pause"]


async def opening(desk: Desk) -> None:
    """The room hisses until the interviewer has asked."""
    while not of_kind(desk.room.watcher.events, SpeakingFinished):
        await desk.say(hissing((0.4, False)))


def test_cases_053_054_an_unplugged_microphone_pauses_the_session_and_nobody_else(tmp_path: Path) -> None:
    """A minute away: the session lives, the recording keeps its length, and no silence is held against the candidate."""

    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((5.0, True), (0.4, False)))
        desk.card.refuse = True
        await asyncio.sleep(60.0)
        desk.card.refuse = False
        await asyncio.sleep(4.0)
        await desk.say(hissing((5.0, True), (0.4, False)))

    events = run(tmp_path, candidate)
    assert codes(events) == ["microphone-lost", "microphone-back"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="user")
    assert lost(events, "stalled") == pytest.approx(64.0, abs=0.1)
    assert long_pauses(events) == []
    last = of_kind(events, AudioProgress)[-1]
    first = next(event for event in of_kind(events, AudioProgress) if event.media > 0)
    assert last.at - first.at == pytest.approx(last.media - first.media, abs=0.1)
    assert sum(len(event.words) for event in of_kind(events, WordsCommitted)) >= 20


def test_case_053_one_that_stays_away_ends_the_session_with_what_was_said(tmp_path: Path) -> None:
    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((5.0, True), (0.4, False)))
        desk.card.refuse = True
        await asyncio.sleep(RETURN + 60.0)

    events = run(tmp_path, candidate)
    assert codes(events) == ["microphone-lost", "microphone-lost"]
    assert events[-1] == SessionEnded(at=events[-1].at, reason="microphone-lost")
    assert sum(len(event.words) for event in of_kind(events, WordsCommitted)) >= 10


def test_case_056_a_muted_microphone_is_told_of_and_is_no_pause(tmp_path: Path) -> None:
    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((5.0, True), (0.4, False)))
        await desk.say(silence(60.0))
        await desk.say(hissing((5.0, True), (0.4, False)))

    events = run(tmp_path, candidate)
    assert codes(events) == ["microphone-silent", "microphone-back"]
    assert lost(events, "muted") == pytest.approx(57.0, abs=0.2)
    assert long_pauses(events) == []


def test_a_candidate_who_thinks_for_as_long_is_flagged(tmp_path: Path) -> None:
    """The test above can fail: the same minute with a hiss in it is a pause."""

    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((5.0, True), (60.0, False), (5.0, True), (0.4, False)))

    assert long_pauses(run(tmp_path, candidate))


def test_case_103_a_night_with_the_lid_closed_is_neither_talk_nor_pause(tmp_path: Path) -> None:
    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((5.0, True), (0.4, False)))
        desk.asleep = 2 * 3600.0
        desk.card.time += 2 * 3600.0
        await desk.say(hissing((5.0, True), (0.4, False)))

    events = run(tmp_path, candidate)
    assert lost(events, "asleep") == pytest.approx(1.0, abs=0.1)
    assert events[-1].at < 60.0
    assert of_kind(events, FlagRaised) == []
    assert codes(events) == []
    # The next session does not know of it.
    again = run(tmp_path / "again", opening)
    assert again[-1] == SessionEnded(at=again[-1].at, reason="user")
    assert of_kind(again, AudioGap) == []


def test_clipping_is_told_once_while_the_round_goes_on(tmp_path: Path) -> None:
    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(np.clip(hissing((20.0, True)) * 5, -1.0, 1.0))

    assert codes(run(tmp_path, candidate)) == ["microphone-clipping"]


def test_soft_speech_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fakes.edges.LOUD", 0.003)

    async def candidate(desk: Desk) -> None:
        await opening(desk)
        await desk.say(hissing((30.0, True)) * np.float32(0.02))

    assert codes(run(tmp_path, candidate)) == ["microphone-quiet"]


async def test_in_a_recording_nothing_can_be_done_about_its_level(tmp_path: Path) -> None:
    events = await hold(tmp_path, np.clip(speech((12.0, True), (1.0, False)) * 5, -1.0, 1.0))
    assert codes(events) == []


async def test_case_056_silence_in_a_file_is_silence(tmp_path: Path) -> None:
    """Exact zeros from a device are a lack of sound; in a file they are what was recorded."""
    events = await hold(tmp_path, speech((1.0, False), (3.0, True), (20.0, False), (2.0, True), (1.0, False)))
    assert of_kind(events, AudioGap) == []
    assert long_pauses(events)


def test_the_session_clock_counts_no_sleep() -> None:
    now = 100.0
    clock = WallClock(lambda: now)
    for _ in range(10):
        now += 1.0
        clock.now()
    assert clock.now() == 10.0
    now += 7_200.0
    assert clock.now() == 11.0
    now += 1.0
    assert clock.now() == 12.0
