"""Sounds of listening in the shell: at once, over whatever the candidate does, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.test_backchannels import CLAUSE, SOUNDS
from tests.fakes.content import PERSONA, content
from tests.fakes.edges import CountingRecogniser, ToneVoice
from tests.fakes.room import Room, speech
from tests.fakes.table import of_kind
from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.duplex import Duplex
from voiceprep.audio.echo import EchoControl, HalfDuplex
from voiceprep.audio.recent import Recent
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.webrtc import EchoRemover
from voiceprep.config import load
from voiceprep.core.events import (
    Event,
    Fact,
    Language,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    Word,
    WordsCommitted,
)
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media
from voiceprep.live.candidate import CandidateSource
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.opened import listens, makes_sounds
from voiceprep.live.player import Player
from voiceprep.live.session import TICK
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.tts.base import Utterance, VoiceStyle

LISTENER = replace(PERSONA, reluctance=6.0, room=4.0, backchannels=SOUNDS, backchannel_every=30.0)
ON = Policy(captions=False, backchannels=True)
SOUND = Utterance(np.full(round(0.4 * VOICE_RATE), 0.2, dtype=np.float32), "tone")


class Whole(CountingRecogniser):
    """Whatever it hears is a whole clause."""

    def _words(self, samples: Samples) -> Transcript:
        heard = super()._words(samples).words
        if not heard:
            return Transcript(())
        start, end, said = heard[0].start, heard[-1].end, CLAUSE.split()
        step = (end - start) / len(said)
        return Transcript(
            tuple(Word(word, Media(start + n * step), Media(start + (n + 1) * step), 0.9) for n, word in enumerate(said))
        )


def edges(**how: Any) -> Edges:
    language: Language = "en"
    plain = Edges(None, ToneVoice(), Player(), NullSink(), Recent(), language, VoiceStyle("low-calm"), sounds={"Mm-hm.": SOUND})
    return replace(plain, **how)


def listen(of: Edges, text: str = "Mm-hm.", before: str = "") -> tuple[Interpreter, list[Fact]]:
    posted: list[Fact] = []
    interpreter = Interpreter(of, posted.append)
    if before:
        of.player.begin(before)
        of.player.add(before, "What was your part?", np.full(VOICE_RATE, 0.2, dtype=np.float32))
    interpreter.execute(Speak(at=At(1.0), id="b1", text=text, language="en", move="backchannel"))
    return interpreter, posted


def test_it_sounds_with_the_next_samples() -> None:
    of = edges()
    _, posted = listen(of)
    samples, begun, _ = of.player.pull(round(0.1 * VOICE_RATE))
    assert begun == "b1"
    assert samples.all()
    _, _, over = of.player.pull(VOICE_RATE)
    assert over is not None
    assert (over.of, over.heard, over.complete, over.floor) == ("b1", "Mm-hm.", True, False)
    assert posted == []  # the session tells of it, once it has sounded


@pytest.mark.parametrize(
    ("how", "text", "before"),
    [({}, "Go on.", ""), ({"listens": lambda: False}, "Mm-hm.", ""), ({}, "Mm-hm.", "s1")],
    ids=["not rendered", "the candidate is not heard meanwhile", "a line is being said"],
)
def test_or_not_at_all(how: dict[str, Any], text: str, before: str) -> None:
    of = edges(**how)
    _, (answer,) = listen(of, text, before)
    assert isinstance(answer, SpeakingFinished)
    assert (answer.of, answer.heard, answer.seconds, answer.complete) == ("b1", "", 0.0, False)
    assert of.player.of == before


async def test_a_line_does_not_wait_for_it() -> None:
    of = edges()
    interpreter, posted = listen(of)
    of.player.pull(round(0.1 * VOICE_RATE))
    interpreter.execute(Speak(at=At(1.2), id="s2", text="Why?", language="en", move="followup"))
    (answer,) = posted
    assert isinstance(answer, SpeakingFinished)
    assert (answer.of, answer.complete) == ("b1", False)
    assert of.player.of == "s2"
    await interpreter.settle()


@pytest.mark.parametrize(
    ("changed", "control", "made"),
    [
        ({"backchannels": "on"}, None, True),
        ({"backchannels": "on"}, "cancelling", True),
        ({}, None, False),
        ({"backchannels": "on", "mode": "exam"}, None, False),
        ({"backchannels": "on"}, "half", False),
    ],
    ids=["headphones", "loudspeakers, cancelled", "as it comes", "an exam", "loudspeakers, half duplex"],
)
def test_where_they_are_made_at_all(changed: dict[str, str], control: str | None, made: bool) -> None:
    controls: dict[str, EchoControl] = {"cancelling": Cancelling(EchoRemover()), "half": HalfDuplex()}
    duplex = Duplex(controls[control] if control else None, "a test")
    assert makes_sounds(load({"VOICEPREP_HOME": "/nowhere"}).with_arguments(**changed), duplex) is made


def test_a_canceller_has_to_show_first_that_the_candidate_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    canceller = Cancelling(EchoRemover())
    assert listens(Duplex(None, "headphones"))
    assert not listens(Duplex(canceller, "not proven yet"))
    monkeypatch.setattr(Cancelling, "converged", True)
    assert listens(Duplex(canceller, "proven"))
    assert not listens(Duplex(HalfDuplex(), "half duplex"))


async def _held(folder: Path, policy: Policy) -> list[Event]:
    """A demonstration candidate who gives two answers of 45 seconds with breaths in them."""
    piece = ((9.0, True), (0.7, False))
    source = CandidateSource([speech(*piece, *piece, *piece, *piece, (5.0, True))] * 2, "fast")
    sounds = dict.fromkeys(SOUNDS.phrasings["en"], SOUND)
    room = Room(folder, source, recogniser=Whole(), made=content(LISTENER), policy=policy, sounds=sounds, heard_by="demo")
    return await room.run()


async def test_a_session_with_them_goes_as_without(tmp_path: Path) -> None:
    logs = []
    for number, policy in enumerate((ON, replace(ON, backchannels=False))):
        folder = tmp_path / str(number)
        folder.mkdir()
        logs.append(await _held(folder, policy))
    with_them, plain = logs
    said = [e for e in of_kind(with_them, Speak) if e.move == "backchannel"]
    started = {e.of: e.at for e in of_kind(with_them, SpeakingStarted)}
    over = {e.of: e for e in of_kind(with_them, SpeakingFinished)}
    assert said
    assert all(started[e.id] - e.at <= 2 * TICK for e in said)
    assert all((over[e.id].heard, over[e.id].complete) == (e.text, True) for e in said)
    ours = {e.id for e in said}
    assert of_kind(with_them, TurnEnded) == of_kind(plain, TurnEnded)  # answers begin when questions end
    assert of_kind(with_them, WordsCommitted) == of_kind(plain, WordsCommitted)
    assert [e for e in of_kind(with_them, SpeakingStarted) if e.of not in ours] == of_kind(plain, SpeakingStarted)
