"""What every sink does, the real ones and the fake."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import CollectingSink, FakeCard, noise
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import VOICE_RATE, Samples, Sink
from voiceprep.audio.sink_file import FileSink
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.speaker import SpeakerSink

TICK = 768  # samples of 32 ms
VOICE = noise(0.96, VOICE_RATE)


@dataclass
class Subject:
    """A sink, and what came out of it (None where nothing can)."""

    sink: Sink
    heard: Callable[[], Samples | None]
    tasks: list[asyncio.Future[None]] = field(default_factory=list)


def make(kind: str, folder: Path) -> Subject:
    match kind:
        case "none":
            return Subject(NullSink(), lambda: None)
        case "file":
            return Subject(FileSink(folder / "out.wav"), lambda: soundfile.read(folder / "out.wav", dtype="float32")[0])
        case "speaker":
            return speaker()
        case _:
            sink = CollectingSink(hold=2 * TICK)
            return Subject(sink, lambda: sink.samples)


def speaker() -> Subject:
    card = FakeCard(VOICE_RATE)
    sink = SpeakerSink(card.device, open_stream=card.open_output)
    heard: list[Samples] = []

    async def run_the_card() -> None:
        while not card.streams[0].closed:
            heard.append(card.play(0.01))
            await asyncio.sleep(0.01)

    return Subject(sink, lambda: np.trim_zeros(np.concatenate(heard)), [asyncio.ensure_future(run_the_card())])


every_sink = pytest.mark.parametrize("kind", ["none", "file", "speaker", "collecting"])


@every_sink
def test_what_is_written_sounds(kind: str, tmp_path: Path) -> None:
    async def main() -> Samples | None:
        subject = make(kind, tmp_path)
        assert subject.sink.name
        assert subject.sink.latency >= 0
        for at in range(0, len(VOICE), TICK):
            subject.sink.write(VOICE[at : at + TICK])
            await asyncio.sleep(0.032)
        await subject.sink.close()
        await asyncio.gather(*subject.tasks)
        return subject.heard()

    heard = run_virtually(main())
    assert (heard is None) == (kind == "none")
    if heard is not None:
        np.testing.assert_array_equal(heard, VOICE)


@every_sink
def test_drop_takes_back_what_has_not_sounded_and_no_more(kind: str, tmp_path: Path) -> None:
    async def main() -> tuple[int, int, int, Samples | None]:
        subject = make(kind, tmp_path)
        untouched = subject.sink.drop()
        subject.sink.write(VOICE)
        await asyncio.sleep(0.5)
        dropped, again = subject.sink.drop(), subject.sink.drop()
        await subject.sink.close()
        await asyncio.gather(*subject.tasks)
        return untouched, dropped, again, subject.heard()

    untouched, dropped, again, heard = run_virtually(main())
    assert untouched == 0
    assert 0 <= dropped <= len(VOICE)
    assert again == 0
    if heard is not None:
        np.testing.assert_array_equal(heard, VOICE[: len(VOICE) - dropped])


@every_sink
def test_close_may_come_twice_and_later_writes_are_ignored(kind: str, tmp_path: Path) -> None:
    async def main() -> Samples | None:
        subject = make(kind, tmp_path)
        subject.sink.write(np.empty(0, np.float32))
        subject.sink.write(VOICE[:TICK])
        await subject.sink.close()
        await subject.sink.close()
        subject.sink.write(VOICE)
        subject.sink.drop()
        await asyncio.gather(*subject.tasks)
        return subject.heard()

    heard = run_virtually(main())
    if heard is not None:
        np.testing.assert_array_equal(heard[:TICK], VOICE[: len(heard)])
        assert len(heard) <= TICK


def test_the_file_is_24_khz_mono_pcm16(tmp_path: Path) -> None:
    async def main() -> None:
        sink = FileSink(tmp_path / "out.wav")
        sink.write(np.array([0.0, 2.0, -2.0, np.nan], np.float32))
        await sink.close()

    run_virtually(main())
    info = soundfile.info(tmp_path / "out.wav")
    assert (info.samplerate, info.channels, info.subtype, info.frames) == (24_000, 1, "PCM_16", 4)
    written, _ = soundfile.read(tmp_path / "out.wav", dtype="int16")
    assert list(written) == [0, 32_767, -32_768, 0]
