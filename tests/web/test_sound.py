"""A page as microphone and speaker."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import numpy as np

from tests.web.studio import pcm_of, tone
from voiceprep.audio.base import VOICE_RATE
from voiceprep.web.protocol import DOWN, Frame, VoiceStop, unpack
from voiceprep.web.socket import Allowance
from voiceprep.web.sound import GUESS, LONGEST, PageSink, PageSource

TICK = VOICE_RATE * 32 // 1000
LOUD = np.full(TICK, 0.3, np.float32)
QUIET = np.zeros(TICK, np.float32)


@dataclass
class Loudspeaker:
    """A sink with its page: `sent` frames, `stops`, and a clock that is moved by hand."""

    now: float = 0.0
    sent: list[Frame] = field(default_factory=list)
    stops: list[VoiceStop] = field(default_factory=list)

    def sink(self) -> PageSink:
        return PageSink(lambda data: self.sent.append(unpack(data, DOWN)), self.stops.append, lambda: self.now)


class TestSink:
    def test_silence_between_lines_is_not_sent_but_counted(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        for block in (QUIET, LOUD, QUIET, LOUD):
            sink.write(block)
        assert [frame.position for frame in page.sent] == [TICK, 3 * TICK]

    def test_silence_inside_a_line_is_sent(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        sink.write(LOUD)
        sink.sounding, sink.number = True, 7
        sink.write(QUIET)
        assert [(frame.number, frame.position) for frame in page.sent] == [(0, 0), (7, TICK)]

    def test_much_at_once_goes_out_in_frames(self) -> None:
        page = Loudspeaker()
        page.sink().write(np.full(2 * LONGEST + 5, 0.5, np.float32))
        assert [frame.position for frame in page.sent] == [0, LONGEST, 2 * LONGEST]
        assert sum(len(frame.pcm) for frame in page.sent) == 2 * (2 * LONGEST + 5)

    def test_what_the_page_has_not_sounded_is_dropped(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        sink.sounding = True
        for _ in range(10):
            sink.write(LOUD)
        sink.heard(4 * TICK, 0.01)
        assert sink.drop() == 6 * TICK
        assert page.stops == [VoiceStop(position=10 * TICK)]
        assert sink.drop() == 0  # nothing was written since

    def test_a_report_is_carried_on_for_a_moment_and_no_longer(self) -> None:
        for later, dropped in ((0.1, 6 * TICK - VOICE_RATE // 10), (99.0, 0)):
            page = Loudspeaker()
            sink = page.sink()
            sink.sounding = True
            for _ in range(10):
                sink.write(LOUD)
            sink.heard(4 * TICK, 0.01)
            page.now = later
            assert sink.drop() == dropped

    def test_a_page_that_reports_nothing(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        sink.sounding = True
        for _ in range(100):
            sink.write(LOUD)
        assert sink.drop() == round(GUESS * VOICE_RATE)

    def test_never_more_than_this_line(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        for _ in range(50):
            sink.write(QUIET)
        sink.sounding = True
        sink.write(LOUD)
        assert sink.drop() == TICK

    def test_the_delay_is_what_the_page_says_it_is(self) -> None:
        page = Loudspeaker()
        sink = page.sink()
        sink.sounding = True
        for _ in range(10):
            sink.write(LOUD)
        sink.heard(5 * TICK, 0.02)
        assert sink.latency == 5 * 0.032


async def heard(source: PageSource) -> tuple[bytes, list[str]]:
    """All that a source gives until it has ended."""
    sound, lost = [], []
    async for block in source.blocks():
        if block.lost:
            sound.append(np.zeros(block.lost, np.float32))
            lost.append(block.reason)
        sound.append(block.samples)
    return pcm_of(np.concatenate(sound)) if sound else b"", lost


class TestSource:
    async def test_frames_out_of_step_are_put_right(self) -> None:
        source, pcm = PageSource(), pcm_of(tone(0.4))
        for at in (0, 1600, 800, 3200, 1600):  # the third overlaps, the last was sent before
            source.push(Frame(0, at, pcm[2 * at : 2 * (at + 1600)]))
        assert source.position == 4800
        ended: list[str] = []
        source.finish(lambda: ended.append("yes"))
        assert ended == []
        sound, lost = await heard(source)
        assert sound[: 2 * 4800] == pcm[: 2 * 4800]
        assert (lost, ended) == ([], ["yes"])

    async def test_after_a_pause_the_page_s_count_does_not_matter(self) -> None:
        for resumes_at in (1600, 90_000, 0):
            source, pcm = PageSource(), pcm_of(tone(0.2))
            source.push(Frame(0, 0, pcm[:3200]))
            source.paused()
            source.push(Frame(1, resumes_at, pcm[3200:]))
            assert source.position == resumes_at + 1600
            assert source.counted(3200) == resumes_at + 1600
            source.finish(lambda: None)
            sound, lost = await heard(source)
            assert (sound[: 2 * 3200], lost) == (pcm[: 2 * 3200], [])

    async def test_mute_counts_what_it_swallows(self) -> None:
        source, pcm = PageSource(), pcm_of(tone(1.0))
        source.mute(on=True)
        source.push(Frame(0, 0, pcm[:3200]))
        assert source.position == 1600
        source.push(Frame(0, 0, pcm[:3200]))  # sent again
        assert source.position == 1600
        source.mute(on=False)
        source.push(Frame(1, 1600, pcm[3200:6400]))
        source.finish(lambda: None)
        sound, lost = await heard(source)
        assert not any(sound[:3200])
        assert sound[3200:6400] == pcm[3200:6400]
        assert lost == ["muted"]

    async def test_a_minute_at_once_after_a_drop(self) -> None:
        source, pcm = PageSource(), pcm_of(tone(60.0))
        reading = asyncio.create_task(heard(source))
        for at in range(0, len(pcm), 32_000):
            source.push(Frame(0, at // 2, pcm[at : at + 32_000]))
        source.finish(lambda: None)
        sound, lost = await reading
        assert (sound[: len(pcm)] == pcm, lost) == (True, [])


def test_an_allowance_comes_back_with_time() -> None:
    now = 0.0
    allowance = Allowance(10.0, 20.0, lambda: now)
    assert allowance.take(20)
    assert not allowance.take(1)
    now = 1.0
    assert allowance.take(9)
    assert not allowance.take(1)
