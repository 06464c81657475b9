"""Sessions over the socket: a real server, a real session, real folders; models are fakes."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]
from websockets.exceptions import ConnectionClosed

from tests.fakes.content import content, rule
from tests.live.test_session import Watched
from tests.web.studio import SOON, FakeHolds, House, Page, noticed, open_house, pcm_of, tone
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.source_file import FileSource
from voiceprep.core.events import AudioGap, Event, FlagRaised, SessionEnded, SessionPaused, SessionResumed, SpeakingFinished
from voiceprep.core.pack import Stopped
from voiceprep.web.live import Patience


def recorded(house: House, session: str) -> np.ndarray[Any, Any]:
    """The candidate's track, as PCM16."""
    samples, rate = soundfile.read(house.archive.find(session) / "candidate.flac", dtype="int16")
    assert rate == RATE
    return np.asarray(samples)


def same(sound: np.ndarray[Any, Any], said: Samples) -> bool:
    """Whether exactly this was recorded first."""
    return sound[: len(said)].tobytes() == pcm_of(said)


def events(house: House, session: str, *kinds: type[Event]) -> list[Any]:
    return [event for event in house.archive.read(session)[1] if isinstance(event, kinds)]


async def finish(page: Page) -> str:
    """End the session from the page; its id."""
    await page.say("end")
    return str((await page.until("saved"))["session"])


async def test_a_spoken_round(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        assert (await page.until("preparing"))["what"] == "tuning the fake voice"
        welcome = await page.welcomed()
        assert (welcome["position"], welcome["resumed"], welcome["rate"], welcome["voice_rate"]) == (0, False, RATE, 24_000)
        line = await page.until("speak")
        number = await page.until("utterance", of=line["id"])
        started = await page.until("speaking_started", of=line["id"])
        finished = await page.until("speaking_finished", of=line["id"])
        assert (started["of"], finished["complete"]) == (line["id"], True)
        mine = [frame for frame in page.heard if frame.number == number["number"]]
        loud = np.concatenate([np.frombuffer(frame.pcm, "<i2") for frame in mine])
        assert np.count_nonzero(loud > 9_000) >= 24_000 * 0.3  # every sample of the first sentence, and none twice
        assert [frame.position for frame in mine] == sorted({frame.position for frame in mine})
        said = np.concatenate([tone(2.0), tone(0.6, loud=False)])
        await page.speak(said)
        await page.until("voice_started", speaker="candidate")
        await page.until("turn_started", speaker="candidate")
        await page.say("hand_over")
        assert (await page.until("turn_ended", speaker="candidate"))["reason"] == "handed-over"
        session = await finish(page)
        assert await page.closed() == 1000
        assert sum(len(message["words"]) for message in page.told if message["kind"] == "words_committed") >= 4
        assert same(recorded(house, session), said)
        header, _ = house.archive.read(session)
        assert (header.source, header.clock) == ("browser", "wall")
        clocks = [message["at"] for message in page.told if message["kind"] == "clock"]
        assert clocks == sorted(clocks)
        assert any(message["kind"] == "level" for message in page.told)


async def test_case_041_a_dropped_socket_loses_nothing(tmp_path: Path) -> None:
    said = np.concatenate([tone(0.8), tone(0.7, hertz=330.0), tone(0.9, hertz=550.0)])
    async with open_house(tmp_path) as house:
        async with house.page() as page:
            session = (await page.welcomed())["session"]
            await page.speak(said[:24_000])
            acked = (await page.until("ack"))["position"]
        async with house.page(session=session, acked=acked) as back:
            welcome = await back.welcomed()
            assert welcome["resumed"]
            assert acked <= welcome["position"] <= 24_000
            history = await back.until("history")
            assert {"session_started", "speak"} <= {event["kind"] for event in history["events"]}
            # The page does not look how far the server got: it sends again all that was not acknowledged.
            await back.speak(said[acked:], at=acked)
            await back.kept(len(said))
            session = await finish(back)
        assert same(recorded(house, session), said)
        assert events(house, session, AudioGap) == []
        paused = events(house, session, SessionPaused, SessionResumed)
        assert [type(event) for event in paused] == [SessionPaused, SessionResumed]
        assert paused[0].reason == "away"
        assert paused[1].at - paused[0].at < 0.1  # no time passed for the session


async def test_a_page_is_told_what_a_round_that_goes_on_had_used_of_its_sections(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        made = house.holds.content
        stopped = Stopped("second", "q4", 170.0, 130.0, frozenset(), frozenset(), (("first", 130.0),))
        house.holds.content = replace(made, round=replace(made.round, stopped=stopped))
        async with house.page() as page:
            welcome = await page.welcomed()
            assert welcome["spent"] == {"first": 130.0, "second": 40.0}
            began = await page.until("section_changed")
            assert (began["section"], began["at"] < 1.0) == ("second", True)
        async with house.page(session=welcome["session"], acked=0) as back:  # and so is one that comes back
            assert (await back.welcomed())["spent"] == welcome["spent"]


async def test_a_reload_leaves_a_gap_that_is_told(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        async with house.page() as page:
            session = (await page.welcomed())["session"]
            await page.speak(tone(1.0))
            await page.kept(RATE)
        live = house.services.studio.live
        assert live is not None
        await noticed(live)
        assert live._lost_at is not None
        live._lost_at -= 0.3  # the reload takes its time, and what is spoken meanwhile reaches nobody
        async with house.page(session=session) as anew:
            welcome = await anew.welcomed()
            assert welcome["position"] > RATE
            await anew.speak(tone(0.5))
            await anew.until("audio_gap", reason="network")
            await anew.kept(anew.position)
            session = await finish(anew)
        (gap,) = events(house, session, AudioGap)
        assert gap.end - gap.start > 0.2
        sound = recorded(house, session)
        assert same(sound, tone(1.0))
        assert same(sound[welcome["position"] :], tone(0.5))


async def test_a_page_that_comes_back_late_leaves_no_long_silence(tmp_path: Path) -> None:
    async with open_house(tmp_path, Patience(gap=0.5)) as house:
        async with house.page() as page:
            session = (await page.welcomed())["session"]
            await page.speak(tone(1.0))
            await page.kept(RATE)
        live = house.services.studio.live
        assert live is not None
        await noticed(live)
        assert live._lost_at is not None
        live._lost_at -= 240.0
        async with house.page(session=session) as anew:
            await anew.welcomed()
            await anew.speak(tone(0.5))
            await anew.until("audio_gap", reason="network")
            await anew.kept(anew.position)
            session = await finish(anew)
        (gap,) = events(house, session, AudioGap)
        assert 0.4 < gap.end - gap.start <= 0.5


async def test_nobody_comes_back(tmp_path: Path) -> None:
    patience = Patience(leave=0.4)
    async with open_house(tmp_path, patience) as house:
        async with house.page() as page:
            session = (await page.welcomed())["session"]
            await page.speak(tone(1.0))
            await page.kept(RATE)
        assert house.services.studio._task is not None
        await asyncio.wait({house.services.studio._task}, timeout=SOON)
        assert events(house, session, SessionEnded)[0].reason == "interrupted"
        logged = events(house, session, Event)
        paused = next(event for event in logged if isinstance(event, SessionPaused))
        (resumed,) = (event for event in logged if isinstance(event, SessionResumed))
        assert resumed.at - paused.at < 0.1, "the absence is nobody's time"
        assert [event for event in logged if paused.at < event.at < resumed.at] == []
        assert not [event for event in logged if isinstance(event, AudioGap)], "nothing was recorded, so nothing is lost"
        assert len(recorded(house, session)) < 1.1 * RATE
        async with house.page(session=session) as late:
            assert (await late.until("refused"))["code"] == "session-over"


async def test_case_098_a_second_tab_asks_first_and_may_take_over(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page(tab="one") as first:
        session = (await first.welcomed())["session"]
        async with house.page(tab="two", session=session) as second:
            refused = await second.until("refused")
            assert (refused["code"], refused["session"]) == ("other-tab", session)
            assert await second.closed() == 4000
        async with house.page(tab="two", session=session, take_over=True) as second:
            assert (await second.welcomed())["resumed"]
            await first.until("taken_over")
            assert await first.closed() == 4001
            await second.speak(tone(0.6))
            await second.kept(second.position)
            session = await finish(second)
        assert events(house, session, SessionPaused) == []


async def test_the_same_tab_again_needs_no_permission(tmp_path: Path) -> None:
    """The server may not have noticed yet that the socket before is dead."""
    async with open_house(tmp_path) as house, house.page() as before:
        session = (await before.welcomed())["session"]
        async with house.page(session=session, acked=0) as after:
            assert (await after.welcomed())["resumed"]
            assert await before.closed() == 4001
            assert not any(message["kind"] == "taken_over" for message in before.told)
            await finish(after)


async def test_one_session_at_a_time(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        session = (await page.welcomed())["session"]
        async with house.page(tab="other") as other:
            refused = await other.until("refused")
            assert (refused["code"], refused["session"]) == ("busy", session)
        await finish(page)
        async with house.page(tab="other") as other:
            await other.welcomed()
            await finish(other)
        assert len(house.archive.list()) == 2


async def test_a_page_that_leaves_during_preparation_begins_nothing(tmp_path: Path) -> None:
    holds = FakeHolds(tmp_path / "recordings")
    holds.gate.clear()
    async with open_house(tmp_path, holds=holds) as house:
        async with house.page() as page:
            await page.until("preparing")
        assert house.services.studio._task is not None
        await asyncio.wait({house.services.studio._task}, timeout=SOON)
        assert house.archive.list() == ()


async def test_pause_records_nothing_and_costs_no_time(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        await page.welcomed()
        await page.speak(tone(1.0))
        await page.kept(RATE)
        await page.say("pause")
        await page.until("session_paused", reason="asked")
        await page.speak(tone(1.0, hertz=440.0))  # a page that goes on sending all the same
        await page.say("ping", sent=1.0)
        await page.until("pong")
        await page.say("resume")
        await page.until("session_resumed")
        await page.speak(tone(1.0, hertz=550.0))
        await page.until("ack")
        await page.say("ping", sent=2.0)
        await page.until("pong", sent=2.0)
        session = await finish(page)
        sound = recorded(house, session)
        assert same(sound, tone(1.0))
        assert same(sound[RATE:], tone(1.0, hertz=550.0))
        assert len(sound) < 2 * RATE + 512
        assert events(house, session, AudioGap) == []


async def test_the_page_pauses_a_microphone_of_the_server(tmp_path: Path) -> None:
    """It goes on delivering: in the pause to nobody. Whoever comes back to it finds it paused."""
    holds = FakeHolds(tmp_path / "recordings")
    microphone = holds.device = Watched()
    async with open_house(tmp_path, holds=holds) as house:
        async with house.page(round="gpu-hm-screen", audio="device") as page:
            welcome = await page.welcomed()
            assert (welcome["audio"], welcome["pausable"], welcome["paused"]) == ("device", True, False)
            await page.until("speaking_finished")
            microphone.push(tone(0.6), 0)
            await microphone.taken(round(0.5 * RATE))
            await page.say("pause")
            await page.until("session_paused", reason="asked")
            for second in range(4):
                microphone.push(tone(1.0, hertz=440.0), round((0.6 + second) * RATE))
            await microphone.taken(4 * RATE)
            live = house.services.studio.live
            assert live is not None
        await noticed(live)
        async with house.page(session=welcome["session"], audio="device") as page:
            assert (await page.until("welcome"))["paused"]
            await page.say("resume")
            await page.until("session_resumed")
            microphone.push(tone(0.6, hertz=550.0), round(4.6 * RATE))
            await microphone.taken(5 * RATE)
            session = await finish(page)
        sound = recorded(house, session)
        assert same(sound, tone(0.5))
        assert RATE / 2 < len(sound) < 2 * RATE, "of the four seconds in the pause nothing is on record"
        (paused,), (resumed,) = events(house, session, SessionPaused), events(house, session, SessionResumed)
        assert (paused.reason, resumed.at - paused.at < 0.1) == ("asked", True)


async def test_nobody_comes_back_to_a_paused_microphone_of_the_server(tmp_path: Path) -> None:
    holds = FakeHolds(tmp_path / "recordings")
    holds.device = FrameSource()
    async with open_house(tmp_path, Patience(leave=0.05), holds=holds) as house:
        async with house.page(round="gpu-hm-screen", audio="device") as page:
            session = (await page.welcomed())["session"]
            await page.say("pause")
            await page.until("session_paused", reason="asked")
            task = house.services.studio._task
            assert task is not None
        await asyncio.wait({task}, timeout=SOON)
        (ended,) = events(house, session, SessionEnded)
        assert ended.reason == "interrupted"


async def test_what_the_server_s_own_sound_cannot_do_is_said(tmp_path: Path) -> None:
    holds = FakeHolds(tmp_path / "recordings")
    soundfile.write(tmp_path / "recording.wav", np.zeros(600 * RATE, np.int16), RATE)
    holds.device = FileSource(tmp_path / "recording.wav", "live")
    async with open_house(tmp_path, holds=holds) as house, house.page(round="gpu-hm-screen", audio="device") as page:
        assert not (await page.welcomed())["pausable"]
        for what, code in (("pause", "no-pause"), ("mute", "no-mute"), ("talk", "no-mute")):
            await page.say(what, **({} if what == "pause" else {"on": False}))
            assert (await page.until("warned"))["code"] == code
        session = await finish(page)
        assert events(house, session, SessionPaused) == []


async def test_mute_is_a_gap_and_push_to_talk_is_silence(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        await page.welcomed()
        await page.say("mute", on=True)
        await page.until("muted", on=True)
        await page.speak(tone(1.0))
        await page.until("audio_gap", reason="muted")
        await page.say("mute", on=False)
        await page.until("muted", on=False)
        await page.say("talk", on=False)
        await page.speak(tone(1.0))
        await page.say("talk", on=True)
        await page.speak(tone(1.0))
        await page.kept(page.position)
        session = await finish(page)
        sound = recorded(house, session)
        assert not sound[: 2 * RATE].any()
        assert same(sound[2 * RATE :], tone(1.0))
        assert {gap.reason for gap in events(house, session, AudioGap)} == {"muted"}


async def test_barge_in_stops_the_voice_and_logs_what_was_heard(tmp_path: Path) -> None:
    holds = FakeHolds(tmp_path / "recordings")
    holds.voice.seconds = 8.0
    async with open_house(tmp_path, holds=holds) as house, house.page() as page:
        await page.welcomed()
        line = await page.until("speaking_started")
        while len(page.heard) < 20:
            await page.receive()
        await page.say("heard", position=page.heard[9].position, latency=0.02)
        await page.speak(tone(2.0))
        stop = await page.until("voice_stop")
        assert stop["position"] >= page.heard[-1].position
        finished = await page.until("speaking_finished", of=line["of"])
        assert not finished["complete"]
        session = await finish(page)
        (logged,) = [each for each in events(house, session, SpeakingFinished) if each.of == line["of"]]
        assert logged.seconds < 8.0


async def test_notes_and_exam_mode(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page(round="gpu-hm-screen", mode="exam") as page:
        assert (await page.welcomed())["mode"] == "exam"
        await page.say("note", text="a thought <b>bold</b>")
        assert (await page.until("note_added"))["text"] == "a thought <b>bold</b>"
        await finish(page)


@pytest.mark.parametrize("mode", ["coach", "exam"])
async def test_an_exam_tells_no_page_of_a_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """Neither the page that was there when it was raised, nor one that is told afterwards what has happened so far."""
    quick = replace(content(), pacing={**content().pacing, "monologue": rule("monologue", 1.0, 2.0, 3.0)})
    monkeypatch.setattr("tests.web.studio.content", lambda: quick)
    async with open_house(tmp_path) as house:
        async with house.page(round="gpu-hm-screen", mode=mode) as page:
            welcome = await page.welcomed()
            await page.until("speaking_finished")
            await page.speak(np.concatenate([tone(5.0), tone(0.6, loud=False)]))
            await page.until("voice_stopped")
        live = house.services.studio.live
        assert live is not None
        await noticed(live)
        async with house.page(session=welcome["session"], acked=0) as again:
            await again.welcomed()
            session = await finish(again)
        raised = events(house, session, FlagRaised)
        assert [flag.level for flag in raised] == ["notice", "warning", "fail"]
        for told in (page.told, again.told):
            each = [event for message in told for event in message.get("events", [message])]
            shown = [event["level"] for event in each if event["kind"] == "flag_raised"]
            assert shown == ([flag.level for flag in raised] if mode == "coach" else [])
            assert ("monologue" in str(told)) == (mode == "coach")


async def test_a_server_that_stops_keeps_the_session(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        session = (await page.welcomed())["session"]
        await page.speak(tone(1.0))
        await page.kept(RATE)
    assert house.archive.list()[0].ended == "interrupted"
    assert same(recorded(house, session), tone(1.0))


class TestMisbehaviour:
    """Costs the page its socket, never the session."""

    async def test_a_frame_from_far_ahead(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house, house.page() as page:
            session = (await page.welcomed())["session"]
            await page.speak(tone(0.1), at=10**9)
            assert (await page.until("warned"))["code"] == "bad-frame"
            assert await page.closed() == 4003
            async with house.page(session=session, acked=0) as again:
                await again.welcomed()
                await finish(again)

    @pytest.mark.parametrize("text", ["{", '{"kind": "launch"}', '{"kind": "mute", "on": "please"}', '{"kind": "end", "x": 1}'])
    async def test_what_is_no_message(self, tmp_path: Path, text: str) -> None:
        async with open_house(tmp_path) as house, house.page() as page:
            await page.welcomed()
            await page.connection.send(text)
            assert (await page.until("warned"))["code"] == "bad-message"
            assert await page.closed() == 4003

    async def test_case_120_binary_that_is_no_frame(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house, house.page() as page:
            await page.welcomed()
            await page.connection.send(b"\x07" * 40)
            assert await page.closed() == 4003

    async def test_case_120_a_message_larger_than_a_second_of_sound(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house, house.page() as page:
            session = (await page.welcomed())["session"]
            await page.connection.send(bytes(200_000))
            assert await page.closed() in {1009, None}
            async with house.page(session=session, acked=0) as again:
                await again.welcomed()
                await finish(again)

    async def test_a_flood_of_messages(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house, house.page() as page:
            await page.welcomed()
            with contextlib.suppress(ConnectionClosed):
                for number in range(1_000):
                    await page.say("ping", sent=number)
            assert await page.closed() == 4002

    async def test_hello_must_come_first_and_know_the_token(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house:
            for said in (
                '{"kind": "end"}',
                '{"kind": "hello", "version": 1, "token": "guessed", "tab": "t", "round": "test-round"}',
                '{"kind": "hello", "version": 1, "token": "guessed", "tab": "../t", "round": "test-round"}',
            ):
                async with house.socket() as connection:
                    await connection.send(said)
                    assert await Page(connection).closed() == 4003
            assert house.services.studio.live is None

    async def test_hello_must_come_in_time(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("voiceprep.web.socket.HELLO_WITHIN", 0.05)
        async with open_house(tmp_path) as house, house.socket() as connection:
            assert await Page(connection).closed() == 4004

    async def test_an_old_page(self, tmp_path: Path) -> None:
        async with open_house(tmp_path) as house, house.socket() as connection:
            page = Page(connection)
            await page.say("hello", version=0, token=house.token, tab="t", round="gpu-hm-screen")
            assert (await page.until("refused"))["code"] == "wrong-version"


@pytest.mark.parametrize(
    ("page_language", "advice"), [("zh", "monologue建议"), ("en", "monologue advice"), (None, "monologue advice")]
)
async def test_advice_is_told_in_the_language_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page_language: str | None, advice: str
) -> None:
    """The session is English; a page that comes back in another language is told all of it anew."""
    quick = replace(content(), pacing={**content().pacing, "monologue": rule("monologue", 1.0, 2.0, 3.0)})
    monkeypatch.setattr("tests.web.studio.content", lambda: quick)
    async with open_house(tmp_path) as house:
        async with house.page(round="gpu-hm-screen", page=page_language) as page:
            session = (await page.welcomed())["session"]
            await page.until("speaking_finished")
            await page.speak(np.concatenate([tone(2.5), tone(0.6, loud=False)]))
            assert (await page.until("flag_raised"))["advice"] == advice
        async with house.page(session=session, acked=0, page="zh") as again:
            await again.welcomed()
            told = (await again.until("history"))["events"]
            await finish(again)
    assert "monologue建议" in {event["advice"] for event in told if event["kind"] == "flag_raised"}
