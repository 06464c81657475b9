"""The minute at one's own pace: measured as a session is, and known to the first session after it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.audio import silence
from tests.review.test_analysis import Echo, Loudness
from tests.test_end_to_end import wav
from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.live.own_pace import own_pace
from voiceprep.store.baseline import baseline_of

TALK = (
    "Last week I looked at a queue that was too long. Four teams were waiting for the same machines. "
    "I asked each of them what they would do with an answer a day earlier, and three of them had none. "
    "So we gave the machines to the fourth, and I wrote down why. "
)


def sound(*parts: float) -> Samples:
    """Silence and sound in turn, in seconds, silence first."""
    return np.concatenate([np.full(round(seconds * RATE), 0.1 * (n % 2), np.float32) for n, seconds in enumerate(parts)])


async def test_a_minute_of_talk_is_a_pace() -> None:
    found = await own_pace(sound(1.0, 27.0, 1.0, 28.0, 3.0), "en", Echo(), Loudness())
    assert found.reason == ""
    assert found.sample is not None
    assert found.sample.rate == pytest.approx(120.0, rel=0.05)  # a word each half second, the pause of a second among them
    assert found.sample.seconds == pytest.approx(56.0, abs=0.2)
    assert found.sample.pause == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("parts", "recogniser", "reason"),
    [
        ((1.0, 20.0, 30.0, 5.0, 4.0), Echo(), "too-little"),
        ((60.0,), Echo(), "too-little"),
        ((1.0, 27.0, 1.0, 28.0, 3.0), Echo(confidence=0.3), "not-trusted"),
        ((1.0, 27.0, 1.0, 28.0, 3.0), Echo(trusted=False, reasons=("noise",)), "not-trusted"),
    ],
)
async def test_what_cannot_be_used_is_not(parts: tuple[float, ...], recogniser: Echo, reason: str) -> None:
    found = await own_pace(sound(*parts), "en", recogniser, Loudness())
    assert (found.sample, found.reason) == (None, reason)


@pytest.mark.models
@pytest.mark.timeout(600)
def test_by_the_command_it_is_known_to_the_first_session(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    recordings = tmp_path / "recordings"
    environment = dict(os.environ) | {"VOICEPREP_HOME": str(config.places().home), "VOICEPREP_RECORDINGS": str(recordings)}

    def program(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "voiceprep", "sound-check", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=500)

    talk = spoken(TALK)
    audio = wav(tmp_path / "minute.wav", np.concatenate([talk, silence(0.5), talk, silence(0.5), talk, silence(1.0)]))
    done = program("--mic", str(audio), "--own-pace", "--lang", "en", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["own_pace"]
    assert told["kept"], told
    own = baseline_of(recordings, "en")
    assert own is not None
    assert own.rate == pytest.approx(told["rate"], abs=0.01)
    said = len(TALK.split()) * (60.0 / (len(talk) / RATE))
    assert own.rate == pytest.approx(said, rel=0.12), "what the voice was given to say, over the time that it took"
    off = program("--mic", str(audio), "--own-pace", "--stt", "off")
    assert (off.returncode, "Traceback" in off.stderr) == (2, False)
    forgotten = program("--forget-pace")
    assert forgotten.returncode == 0
    assert baseline_of(recordings, "en") is None
