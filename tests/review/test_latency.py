"""The wait for a reply, split by what it was spent on, from a log alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from voiceprep.audio.base import VOICE_RATE
from voiceprep.core.events import (
    AudioProgress,
    Draft,
    DraftReady,
    Event,
    FloorYielded,
    MoveKind,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    VoiceStopped,
)
from voiceprep.core.units import At, Media
from voiceprep.review.latency import figures, leading_in, replies
from voiceprep.store import log
from voiceprep.store.track import Track, seal

DATA = Path(__file__).parents[1] / "data"


def said(at: float, of: str, move: MoveKind = "followup", wait: float = 0.05) -> list[Event]:
    return [
        Speak(at=At(at), id=of, text="Why?", language="en", move=move),
        SpeakingStarted(at=At(at + wait), of=of, media=Media(at), latency=0.1),
        SpeakingFinished(at=At(at + wait + 1.0), of=of, media=Media(at + 1.0), heard="Why?", seconds=1.0, complete=True),
    ]


def answered(end: float, yielded: float, reason: str = "yielded") -> list[Event]:
    """Speech that ends at media `end`, half a second behind the session clock; the draft comes with the decision."""
    return [
        AudioProgress(at=At(end + 0.5), media=Media(end)),
        VoiceStopped(at=At(end + 0.75), speaker="candidate", media=Media(end)),
        Draft(at=At(end + 0.65), id="d", start=Media(0), end=Media(end), turn=2),
        DraftReady(at=At(yielded), of="d", words=()),
        FloorYielded(at=At(yielded), turn=2, media=Media(end), reason=reason),
    ]


def one(events: Sequence[Event]) -> dict[str, object]:
    (reply,) = replies(events)
    return reply.document()


def test_each_step_has_its_part_of_the_wait() -> None:
    got = one([*said(0.0, "s1", "question"), *answered(10.0, 11.4), *said(11.6, "s2")])
    parts = {"endpoint": 0.15, "stt": 0.75, "interviewer": 0.2, "tts": 0.05, "leading_silence": None, "device": 0.1}
    assert got == {"turn": 2, "move": "followup", "reason": "yielded", "media": 11.6, "total": 1.25} | parts


def test_a_draft_that_came_before_the_decision_held_nothing_up() -> None:
    events = answered(10.0, 11.4)
    events[3] = DraftReady(at=At(11.0), of="d", words=())
    got = one([*events, *said(11.4, "s2")])
    assert (got["endpoint"], got["stt"]) == (0.9, 0.0)


def test_by_key_the_wait_begins_with_the_key() -> None:
    got = one([*answered(10.0, 40.0, "handed-over"), *said(40.0, "s2")])
    assert (got["endpoint"], got["stt"], got["total"]) == (0.0, 0.0, 0.15)


def test_what_answers_nobody_is_no_reply() -> None:
    """The opening, an encouragement, and the second of two lines."""
    events = [
        *said(0.0, "s1", "question"),
        *said(3.0, "p", "prompt"),
        *answered(10.0, 11.0),
        *said(11.0, "s2"),
        *said(13.0, "s3"),
    ]
    assert [reply.media for reply in replies(events)] == [11.0]


def test_a_recording_that_fell_behind_for_good_is_measured_from_where_it_is() -> None:
    """A laptop that slept for an hour: the clock went on, the recording did not."""
    slept = [AudioProgress(at=At(3_600.0), media=Media(5.0)), AudioProgress(at=At(3_605.0), media=Media(10.0))]
    end = VoiceStopped(at=At(3_605.3), speaker="candidate", media=Media(10.0))
    decided = FloorYielded(at=At(3_606.0), turn=2, media=Media(10.0), reason="yielded")
    assert one([*answered(4.0, 5.0), *slept, end, decided, *said(3_606.0, "s2")])["endpoint"] == 1.0


def test_the_silence_a_line_begins_with_is_looked_up_in_its_track(tmp_path: Path) -> None:
    track = Track(tmp_path, "interviewer", VOICE_RATE)
    faint, loud = np.full(VOICE_RATE // 4, 0.002, np.float32), np.full(VOICE_RATE, 0.3, np.float32)
    track.write_silence(round(11.46 * VOICE_RATE))  # a little behind the clock, as on a busy machine
    track.write(np.concatenate([faint, loud]))
    track.file.close()
    seal(tmp_path / "interviewer.pcm")
    (reply,) = replies([*answered(10.0, 11.4), *said(11.4, "s2")], leading_in(tmp_path))
    assert reply.leading_silence == pytest.approx(0.25, abs=0.001)
    (tmp_path / "interviewer.flac").write_bytes(b"fLaC")
    assert replies([*answered(10.0, 11.4), *said(11.4, "s2")], leading_in(tmp_path))[0].leading_silence is None


def test_figures_of_an_old_log_and_of_none() -> None:
    events = log.read(DATA / "session-schema-3" / log.NAME).events
    found = figures(replies(events))
    assert found["response_gap"]["n"] == len(found["replies"]) > 3
    assert found["breakdown"]["device"] == {"p50": None, "p95": None}
    assert 0.0 < found["response_gap"]["p50"] <= found["response_gap"]["p95"]
    assert figures([])["response_gap"] == {"p50": None, "p95": None, "n": 0}
