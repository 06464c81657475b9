"""A whole round with the real recogniser's own processes, in which the model hangs, dies, or finds no memory, each time.

The round goes on by silence and by key; the fault is an event with a plain sentence; the recording is whole; and the words come
later, by decoding it again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from tests.fakes.edges import CountingRecogniser, LoudnessActivity
from tests.fakes.room import speech, wav
from tests.fakes.table import of_kind
from tests.faults.broken import Broken, crashed, hung, starved
from voiceprep.audio.source_file import FileSource
from voiceprep.cli.screen import said_of
from voiceprep.config import Places, load
from voiceprep.core.events import (
    AudioGap,
    EdgeFailed,
    Event,
    FlagRaised,
    QuestionAsked,
    SessionEnded,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStopped,
    WordsCommitted,
)
from voiceprep.live.plan import Brought, Plan
from voiceprep.live.practice import practise
from voiceprep.review.redecoding import decode_again
from voiceprep.speech.stt import whisper
from voiceprep.speech.stt.probe import Choice
from voiceprep.speech.stt.whisper import FasterWhisper
from voiceprep.speech.vad.silero import SileroActivity
from voiceprep.store import transcripts
from voiceprep.store.archive import Archive

SAID = speech((4.0, True), (12.0, False), (4.0, True), (66.0, False), (4.0, True), (2.0, False))
"""An answer with a long pause, silence until the floor is taken for granted, and an answer that a key ends."""


class ByKey:
    """A watcher whose candidate presses the key when the last answer is said."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def show(self, event: Event) -> None:
        if isinstance(event, VoiceStopped) and event.media > 88.0:
            self._session.hand_over()

    def clock(self, at: float) -> None: ...

    def level(self, *_: Any) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.setattr(SileroActivity, "__new__", lambda _: LoudnessActivity())  # a tone is no speech to the real one
    return Places(home=tmp_path, recordings=tmp_path / "recordings")


async def held(places: Places, recogniser: Any, language: str) -> tuple[Path, list[Event]]:
    settings = load().with_arguments(language=language, voice="none", speaker="none")
    source = FileSource(wav(places.home / "mic.wav", SAID), "fast")
    result = await practise(
        Plan("gpu-hm-screen", "fast"),
        settings,
        places,
        lambda _, session: ByKey(session),
        lambda _: None,
        source,
        Brought(recogniser=recogniser, listens_to_signals=False),
    )
    return result.folder, list(Archive(places.recordings).read(result.session)[1])


@pytest.mark.parametrize(
    ("broken", "code", "language"),
    [(hung, "recogniser-timeout", "en"), (crashed, "recogniser-crashed", "zh"), (starved, "recogniser-failed", "en")],
    ids=["hung", "crashed each time", "out of memory"],
)
async def test_a_round_goes_on_without_one_and_its_words_come_later(
    places: Places, monkeypatch: pytest.MonkeyPatch, broken: Callable[..., Broken], code: str, language: str
) -> None:
    model = places.home / "model"
    model.mkdir()
    for name in whisper._FILES:
        (model / name).touch()
    monkeypatch.setattr(whisper, "_decoder", broken)
    monkeypatch.setattr(whisper, "choose_device", lambda *_: Choice("cpu", "int8", "a test"))
    patience = 0.2 if broken is hung else 60.0  # one that crashes takes its time about it on a busy machine
    monkeypatch.setattr(whisper, "_QUICK_TIMEOUT", patience)
    monkeypatch.setattr(whisper, "_THOROUGH_TIMEOUT", patience)
    recogniser = FasterWhisper(model, name="broken", device="cpu")
    await recogniser.start()
    try:
        folder, events = await held(places, recogniser, language)
    finally:
        await recogniser.close()
    told_in_plain_words(events, code)
    went_on(events)
    kept, _ = soundfile.read(folder / "candidate.flac", dtype="int16")
    said, _ = soundfile.read(places.home / "mic.wav", dtype="int16")
    assert np.array_equal(kept[: len(said)], said)
    await words_come_later(folder, events, language)


def told_in_plain_words(events: list[Event], code: str) -> None:
    failures = of_kind(events, EdgeFailed)
    assert len(failures) >= 2
    assert {failure.code for failure in failures} == {code}
    for failure in failures:
        assert failure.message.startswith("the recogniser ")
        assert "Traceback" not in failure.message
        assert said_of(failure, None, None).endswith(failure.message)  # type: ignore[arg-type]


def went_on(events: list[Event]) -> None:
    """The pause is flagged, silence and the key each end a turn, the next question is asked, and the end is the recording's."""
    assert not of_kind(events, WordsCommitted)
    assert not of_kind(events, AudioGap)
    assert {flag.rule for flag in of_kind(events, FlagRaised)} >= {"long_pause"}
    mine = [event for event in of_kind(events, TurnEnded) if event.speaker == "candidate"]
    assert len([event for event in of_kind(events, TurnStarted) if event.speaker == "candidate"]) >= 2
    assert len(mine) >= 2
    assert of_kind(events, TurnHandedOver)
    assert len(of_kind(events, QuestionAsked)) >= 1
    assert of_kind(events, SessionEnded)[0].reason == "audio-ended"


async def words_come_later(folder: Path, events: list[Event], language: Any) -> None:
    made = await decode_again(folder, tuple(events), CountingRecogniser(), language, lambda *_: None)
    transcripts.add(folder, made)
    _, again = transcripts.read_session(folder)
    words = [word for event in of_kind(list(again), WordsCommitted) for word in event.words]
    assert len(words) >= 20
    assert max(word.end for word in words) > 85.0
