"""A real `voiceprep practice`, killed at random moments of its work."""

from __future__ import annotations

import json
import random
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.room import speech, wav
from tests.faults.conftest import End, Mortals
from voiceprep.core.events import AudioProgress, SessionEnded
from voiceprep.core.timeline import fold
from voiceprep.exporters import json_document
from voiceprep.store import log
from voiceprep.store.archive import Archive
from voiceprep.store.recovery import recover

KILLS, BEFORE = 22, 3
"""Within a session, and while it is still prepared."""
SEED = 8


@dataclass
class Desk:
    """Where the sessions of one test are held."""

    mortals: Mortals
    folder: Path
    mic: Path

    def environment(self) -> dict[str, str]:
        return {"VOICEPREP_HOME": str(self.folder / "home"), "VOICEPREP_RECORDINGS": str(self.folder / "recordings")}

    def practise(self, **how: float) -> End:
        options = ("--mic", str(self.mic), "--pace", "fast", "--stt", "off", "--voice", "none", "--speaker", "none", "--json")
        return self.mortals.run(argv=["practice", "gpu-hm-screen", *options], environment=self.environment(), **how)

    def run(self, *argv: str) -> End:
        return self.mortals.run(argv=argv, environment=self.environment())


@pytest.fixture
def desk(mortals: Mortals, tmp_path: Path) -> Desk:
    rng = np.random.default_rng(1)
    said = speech((3.0, True), (1.0, False), (4.0, True), (12.0, False), (4.0, True), (1.0, False))
    said += rng.normal(0.0, 0.05, len(said)).astype(np.float32)
    return Desk(mortals, tmp_path, wav(tmp_path / "mic.wav", said.clip(-1, 1)))


def check(recordings: Path, end: End, said: np.ndarray) -> str:
    """Nothing that was handed over is lost. Returns how the session is shown to have ended, "" for none."""
    if not end.began or not Archive(recordings).list():
        assert end.events == 0
        assert recover(recordings) == []
        return ""
    folder = Archive(recordings).find("latest")
    before = log.read(folder / log.NAME).events
    assert len(before) >= end.events
    recover(recordings)
    assert recover(recordings) == []
    (shown,) = Archive(recordings).list()
    header, events = Archive(recordings).read(shown.id)
    assert events[: len(before)] == before
    assert isinstance(events[-1], SessionEnded)
    assert shown.ended == events[-1].reason
    assert shown.ended == "interrupted" or isinstance(before[-1], SessionEnded)
    sound = folder / "candidate.flac"
    kept = soundfile.read(sound, dtype="int16")[0] if sound.is_file() else np.zeros(0, dtype=np.int16)
    assert len(kept) >= end.samples
    assert np.array_equal(kept, said[: len(kept)])
    media = max((event.media for event in events if isinstance(event, AudioProgress)), default=0.0)
    assert len(kept) / 16_000 >= media - 1e-6  # the log speaks of nothing that is not in the recording
    assert json_document.document(header, fold(events))["session"]
    return shown.ended


def test_at_any_moment(desk: Desk) -> None:
    whole = desk.practise()
    assert whole.status == 0, whole.said
    said = np.append(soundfile.read(desk.mic, dtype="int16")[0], np.zeros(512, dtype=np.int16))  # the last block is filled up
    luck, ends = random.Random(SEED), []
    moments = [{"after": luck.uniform(0.0, whole.began)} for _ in range(BEFORE)]
    moments += [{"within": luck.uniform(0.0, whole.cpu - whole.began)} for _ in range(KILLS)]
    for number, moment in enumerate(moments):
        here = Desk(desk.mortals, desk.folder / str(number), desk.mic)
        end = here.practise(**moment)
        assert end.status in (-signal.SIGPROF, 0), end.said  # 0: it needed less than the first one did
        ends.append(check(here.folder / "recordings", end, said))
    assert ends.count("interrupted") >= KILLS // 2, ends


def test_the_next_start_says_so_and_it_can_be_read_on_and_taken_along(desk: Desk) -> None:
    whole = desk.practise()
    one = Desk(desk.mortals, desk.folder / "one", desk.mic)
    end = one.practise(within=(whole.cpu - whole.began) / 3)
    assert end.status == -signal.SIGPROF
    listed = one.run("sessions", "--json")
    assert listed.status == 0
    assert "Recovered" in listed.said
    (session,) = json.loads(listed.said[listed.said.index("{") :])["sessions"]
    assert session["ended"] == "interrupted"
    for argv in (("replay",), ("export", "--to", "json"), ("review", "--json")):
        command, *options = argv
        read = one.run(command, "latest", *options)
        assert read.status == 0, read.said
        assert len(read.said) > 100
    again = one.practise()
    assert again.status == 0, again.said
    assert len(Archive(one.folder / "recordings").list()) == 2
