"""The whole program, as its users start it: real models, real files, a real (virtual) sound card, real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from tests.fakes.table import of_kind
from tests.live.test_session import story
from tests.soundcard import SoundCard
from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Event, FlagRaised, MoveChosen, SpeakingStarted, TurnEnded, VoiceStarted, WordsCommitted
from voiceprep.core.policy import Policy
from voiceprep.intake.kept import content_of
from voiceprep.live.assembly import assemble, replay
from voiceprep.store.archive import Archive
from voiceprep.store.codec import as_logged
from voiceprep.store.header import Header

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

ANSWER = (
    "We had one cluster of four hundred GPUs and the queue was nine hours long. "
    "I decided that every team gets a guaranteed quota and the rest is lent out. "
    "That is my answer."
)
STORY = "It was the first great sorrow of his life. It was not so much the loss of the cotton itself."


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), dtype=np.float32)


def wav(path: Path, *pieces: Samples) -> Path:
    soundfile.write(path, np.concatenate(pieces), RATE, subtype="PCM_16")
    return path


def environment(recordings: Path, base: dict[str, str] | None = None) -> dict[str, str]:
    """This machine's models, but recordings of our own."""
    return (base or dict(os.environ)) | {
        "VOICEPREP_HOME": str(config.places().home),
        "VOICEPREP_RECORDINGS": str(recordings),
        "PYTHONUNBUFFERED": "1",
    }


def voiceprep(recordings: Path, *arguments: str) -> Any:
    """Run a command with `--json`; its document."""
    done = subprocess.run(
        [sys.executable, "-m", "voiceprep", *arguments, "--json"],
        env=environment(recordings),
        capture_output=True,
        text=True,
        check=False,
        timeout=560,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def log_of(recordings: Path, session: str) -> tuple[Header, list[Event]]:
    header, events = Archive(recordings).read(session)
    return header, list(events)


def practise(recordings: Path, mic: Path, *more: str) -> tuple[Header, list[Event]]:
    done = voiceprep(recordings, "practice", "gpu-hm-screen", "--mic", str(mic), *more)
    assert done["ended"] == "audio-ended"
    return log_of(recordings, done["session"])


@pytest.mark.parametrize("stt", ["base", "off"])
def test_a_silence_of_46_seconds_is_flagged_where_it_is(tmp_path: Path, spoken: Callable[[str], Samples], stt: str) -> None:
    speech = spoken(STORY)
    mic = wav(tmp_path / "mic.wav", speech, silence(46), speech)
    _, events = practise(tmp_path, mic, "--pace", "fast", "--stt", stt)
    end = max(np.flatnonzero(np.abs(speech) > 0.01)) / RATE
    flags = [e for e in of_kind(events, FlagRaised) if e.rule == "long_pause"]
    assert [e.level for e in flags] == ["notice", "warning"]
    for flag, threshold in zip(flags, (10, 45), strict=True):
        assert flag.start == pytest.approx(end, abs=0.15)
        assert flag.end == pytest.approx(end + threshold, abs=0.15)
        assert 0 <= media(events, flag.at) - flag.end <= 0.25


def media(events: list[Event], at: float) -> float:
    """The place in the recording at a session time: the recording begins when the opening question ends."""
    opening = next(e for e in events if isinstance(e, TurnEnded))
    return at - opening.at


def test_twelve_and_a_half_minutes_of_speech_are_a_monologue(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    speech = np.concatenate([spoken(STORY), silence(0.7)])
    times = int(750 * RATE / len(speech)) + 1
    mic = wav(tmp_path / "mic.wav", np.tile(speech, times)[: 750 * RATE])
    _, events = practise(tmp_path, mic, "--pace", "fast", "--stt", "off")
    begin = min(np.flatnonzero(np.abs(speech) > 0.01)) / RATE
    flags = [e for e in of_kind(events, FlagRaised) if e.rule == "monologue"]
    assert [e.level for e in flags] == ["notice", "warning", "fail"]
    for flag, threshold in zip(flags, (120, 300, 720), strict=True):
        assert flag.start == pytest.approx(begin, abs=0.15)
        assert flag.end == pytest.approx(begin + threshold, abs=0.15)
        assert media(events, flag.at) == pytest.approx(flag.end, abs=0.25)


def test_live_and_fast_are_the_same_session(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    mic = wav(tmp_path / "mic.wav", spoken(ANSWER), silence(9.0), spoken("We measured it. That is my answer."), silence(2.5))
    header, live = practise(tmp_path, mic, "--pace", "live", "--speaker", "none")
    _, fast = practise(tmp_path, mic, "--pace", "fast")
    assert story(live) == story(fast)
    moves = of_kind(fast, MoveChosen)
    assert len(moves) >= 3
    assert moves[1].move in {"followup", "pushback"}

    content = content_of(tmp_path / header.id, header)
    again = replay(live, assemble(content, Policy(**header.policy), header.language, header.seed))  # type: ignore[arg-type]
    assert [as_logged(e) for e in again] == live


@pytest.mark.sound
def test_a_round_through_the_sound_card(tmp_path: Path, spoken: Callable[[str], Samples], sound_card: SoundCard) -> None:
    """A person speaks into the (virtual) microphone, and the interviewer is heard from the (virtual) speaker."""
    answer = wav(tmp_path / "answer.wav", silence(0.5), spoken(ANSWER), silence(1.0))
    command = [sys.executable, "-m", "voiceprep", "practice", "gpu-hm-screen", "--headphones"]
    with (
        sound_card.listening() as speaker,
        subprocess.Popen(
            command,
            env=environment(tmp_path, sound_card.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        ) as program,
    ):
        assert program.stdout is not None
        lines: list[str] = []

        def wait_for(count: int) -> None:
            """Until the interviewer has begun to speak so many times."""
            assert program.stdout is not None
            while sum("Dana:" in line for line in lines) < count:
                line = program.stdout.readline()
                assert line, "".join(lines)
                lines.append(line)

        wait_for(1)
        speaker.wait_for_more(12 * 48_000)  # the opening question
        sound_card.speak(answer)
        wait_for(2)
        speaker.wait_for_more(3 * 48_000)
        program.send_signal(signal.SIGINT)
        lines += program.stdout.readlines()
        program.wait(60)
    output = "".join(lines)
    assert program.returncode == 0, output
    header, events = log_of(tmp_path, "latest")
    assert header.clock == "wall"
    text = " ".join(w.text for e in of_kind(events, WordsCommitted) for w in e.words).lower()
    assert "cluster" in text
    assert "quota" in text
    assert len(of_kind(events, VoiceStarted)) >= 1
    assert len(of_kind(events, SpeakingStarted)) == 2
    assert float(np.abs(speaker.samples).max()) > 0.1
    assert "ended: user" in output
