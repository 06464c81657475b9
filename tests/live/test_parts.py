"""The shell's small parts: player, recent audio, inbox, sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block
from voiceprep.audio.recent import Recent
from voiceprep.core.events import AudioProgress
from voiceprep.core.turns.speaking import heard_text
from voiceprep.core.units import At, Media
from voiceprep.errors import VoiceprepError
from voiceprep.live.clock import AudioClock
from voiceprep.live.inbox import LIMIT, NOW, Inbox
from voiceprep.live.interpreter import sentences
from voiceprep.live.player import Player


def tone(seconds: float, value: float = 0.5) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.full(round(seconds * VOICE_RATE), value, dtype=np.float32)


class TestPlayer:
    def test_sentences_follow_each_other_and_the_end_is_told_once(self) -> None:
        player = Player()
        player.begin("s1")
        player.add("s1", "One. ", tone(0.1))
        player.add("s1", "Two.", tone(0.1, 0.25))
        player.complete("s1")
        first, begun, over = player.pull(VOICE_RATE // 8)
        assert (begun, over) == ("s1", None)
        assert list(first[[0, -1]]) == [0.5, 0.25]
        rest, begun, over = player.pull(VOICE_RATE // 8)
        assert begun == ""
        assert over is not None
        assert (over.of, over.heard, over.complete) == ("s1", "One. Two.", True)
        assert over.seconds == pytest.approx(0.2)
        assert rest[-1] == 0
        assert not player.busy
        assert player.pull(10)[2] is None

    def test_a_sentence_that_is_late_is_waited_for_in_silence(self) -> None:
        player = Player()
        player.begin("s1")
        assert player.pull(100)[1:] == ("", None)
        player.add("s1", "One. ", tone(0.01))
        samples, begun, over = player.pull(VOICE_RATE // 10)
        assert begun == "s1"
        assert over is None
        assert samples[-1] == 0
        player.complete("s1")
        ended = player.pull(1)[2]
        assert ended is not None
        assert (ended.heard, ended.complete) == ("One.", True)

    def test_stopped_speech_is_what_was_heard_and_no_more(self) -> None:
        player = Player()
        player.begin("s1")
        player.add("s1", "What was your own decision there?", tone(2.0))
        player.complete("s1")
        player.pull(VOICE_RATE)
        outcome = player.stop("s1", dropped=VOICE_RATE // 10)
        assert outcome is not None
        assert not outcome.complete
        assert outcome.seconds == pytest.approx(0.9)
        assert outcome.heard == "What was your"
        assert player.stop("s1") is None

    def test_paused_it_goes_on_where_the_ear_left_off(self) -> None:
        player = Player()
        player.begin("s1")
        player.add("s1", "Ramp.", np.linspace(0, 1, VOICE_RATE, dtype=np.float32))
        player.complete("s1")
        heard, _, _ = player.pull(VOICE_RATE // 2)
        player.pause("s1", dropped=VOICE_RATE // 10)
        assert not player.pull(1000)[0].any()
        player.resume("s1")
        again, _, _ = player.pull(100)
        assert again[0] == pytest.approx(heard[-VOICE_RATE // 10])

    def test_silence_that_is_dropped_after_a_pause_takes_nothing_from_what_was_heard(self) -> None:
        player = Player()
        player.begin("s1")
        player.add("s1", "What was your own decision there?", tone(2.0))
        player.complete("s1")
        player.pull(VOICE_RATE)
        player.pause("s1", dropped=VOICE_RATE // 10)
        player.pull(VOICE_RATE // 2)
        outcome = player.stop("s1", dropped=VOICE_RATE // 2)
        assert outcome is not None
        assert outcome.seconds == pytest.approx(0.9)
        assert outcome.heard == "What was your"

    def test_what_could_not_be_rendered_is_not_said(self) -> None:
        player = Player()
        player.begin("s1")
        player.add("s1", "One. ", tone(0.01))
        player.complete("s1", whole=False)
        ended = player.pull(VOICE_RATE)[2]
        assert ended is not None
        assert (ended.heard, ended.complete) == ("One.", False)

    def test_a_sentence_for_a_stopped_utterance_is_not_played(self) -> None:
        player = Player()
        player.begin("s1")
        player.stop("s1")
        player.begin("s2")
        player.add("s1", "Old.", tone(1))
        assert player.pull(10)[1] == ""


class TestHeardText:
    @given(st.text(max_size=80), st.floats(0, 1))
    def test_it_is_the_beginning_of_what_was_said(self, text: str, share: float) -> None:
        assert text.startswith(heard_text(text, share))

    def test_all_and_nothing(self) -> None:
        assert heard_text("All of it.", 1.0) == "All of it."
        assert heard_text("All of it.", 0.0) == ""

    def test_chinese_is_cut_between_characters(self) -> None:
        assert heard_text("你在里面决定了什么", 0.5) == "你在里面"


class TestRecent:
    @given(st.lists(st.integers(0, 3 * RATE), max_size=12))
    def test_what_is_still_there_is_what_was_written(self, sizes: list[int]) -> None:
        recent = Recent(seconds=2.0)
        everything = np.arange(sum(sizes), dtype=np.float32)
        done = 0
        for size in sizes:
            recent.append(everything[done : done + size])
            done += size
        assert recent.media == pytest.approx(done / RATE)
        kept = recent.between(Media(0), Media(1e9))
        assert np.array_equal(kept, everything[max(0, done - 2 * RATE) :])

    def test_a_stretch_by_media_time(self) -> None:
        recent = Recent(seconds=5.0)
        recent.append(np.zeros(RATE, dtype=np.float32))
        recent.append(np.ones(RATE, dtype=np.float32))
        recent.silence(RATE)
        assert recent.between(Media(0.5), Media(2.5)).mean() == pytest.approx(0.5)


class TestInbox:
    def test_it_stamps_on_arrival(self) -> None:
        clock = AudioClock()
        inbox = Inbox(clock)
        clock.advance(3.5)
        inbox.put(AudioProgress(at=NOW, media=Media(1)))
        clock.advance(1.0)
        item = inbox.take()
        assert item is not None
        assert isinstance(item.what, AudioProgress)
        assert item.what.at == item.at == At(3.5)
        assert inbox.take() is None

    def test_audio_is_bounded_but_a_fact_finds_room(self) -> None:
        inbox, block = Inbox(AudioClock()), Block(np.zeros(BLOCK, dtype=np.float32))
        for _ in range(LIMIT):
            inbox.put(block)
        with pytest.raises(VoiceprepError, match="does not keep up"):
            inbox.put(block)
        inbox.put(AudioProgress(at=NOW, media=Media(1)))

    async def test_waiting_ends(self) -> None:
        assert await Inbox(AudioClock()).wait(0.0) is None


def test_sentences() -> None:
    assert sentences("Hello. What did you decide? 3.5 is fine!") == ["Hello.", "What did you decide?", "3.5 is fine!"]
    assert sentences("你好。你决定了什么？说说看") == ["你好。", "你决定了什么？", "说说看"]
    assert sentences("  ") == []
