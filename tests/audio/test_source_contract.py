"""What every source does, the real ones and the fake."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.fakes.audio import FakeCard, ScriptedSource, noise
from tests.fakes.virtual_time import run_virtually
from voiceprep.audio.base import BLOCK, RATE, Block, Samples, Source
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.microphone import MicrophoneSource
from voiceprep.audio.source_file import FileSource

SOUND = noise(1.0)  # no whole number of blocks


@dataclass(frozen=True, slots=True)
class Subject:
    """A source that will give SOUND (padded to blocks), `feed` being what happens outside meanwhile."""

    source: Source
    feed: Callable[[], Awaitable[None]]


async def nothing() -> None:
    pass


def from_file(folder: Path, pace: str) -> Subject:
    path = folder / "candidate.wav"
    soundfile.write(path, SOUND, RATE, subtype="PCM_16")
    return Subject(FileSource(path, "live" if pace == "live" else "fast"), nothing)


def from_frames() -> Subject:
    source = FrameSource()

    async def feed() -> None:
        for at in range(0, len(SOUND), 320):
            await asyncio.sleep(0.02)
            source.push(SOUND[at : at + 320], at)
        source.end()

    return Subject(source, feed)


def from_microphone() -> Subject:
    card = FakeCard()
    read = asyncio.get_running_loop().time
    source = MicrophoneSource(card.device, lambda _code, _message: None, open_stream=card.open_input, read=read)

    async def feed() -> None:
        padded = np.concatenate((SOUND, np.zeros(-len(SOUND) % BLOCK, np.float32)))
        for at in range(0, len(padded), 441):
            await asyncio.sleep(441 / RATE)
            card.capture(padded[at : at + 441])

    return Subject(source, feed)


def make(kind: str, folder: Path) -> Subject:
    match kind:
        case "file-live" | "file-fast":
            return from_file(folder, kind.removeprefix("file-"))
        case "frames":
            return from_frames()
        case "microphone":
            return from_microphone()
        case _:
            return Subject(ScriptedSource([SOUND], delay=0, tail=0, waits=False), nothing)


every_source = pytest.mark.parametrize("kind", ["file-live", "file-fast", "frames", "microphone", "scripted"])
COUNT = -(-len(SOUND) // BLOCK)


async def take(subject: Subject, count: int) -> list[Block]:
    blocks: list[Block] = []
    feeding = asyncio.ensure_future(subject.feed())
    async for block in subject.source.blocks():
        blocks.append(block)
        if len(blocks) == count:
            break
    await feeding
    return blocks


@every_source
def test_it_gives_all_sound_in_whole_blocks(kind: str, tmp_path: Path) -> None:
    async def main() -> tuple[list[Block], Source]:
        subject = make(kind, tmp_path)
        blocks = await take(subject, COUNT)
        await subject.source.close()
        return blocks, subject.source

    blocks, source = run_virtually(main())
    assert source.name
    assert isinstance(source.on_demand, bool)
    assert [block.samples.shape for block in blocks] == [(BLOCK,)] * COUNT
    assert {block.samples.dtype for block in blocks} == {np.dtype(np.float32)}
    assert all(block.lost == 0 and block.reason == "" for block in blocks)
    heard: Samples = np.concatenate([block.samples for block in blocks])
    np.testing.assert_array_equal(heard[: len(SOUND)], SOUND)
    assert not heard[len(SOUND) :].any()


@every_source
def test_close_ends_the_blocks_and_may_come_twice(kind: str, tmp_path: Path) -> None:
    async def main() -> tuple[int, int]:
        subject = make(kind, tmp_path)
        feeding = asyncio.ensure_future(subject.feed())
        before = after = 0
        closed = False
        async for _ in subject.source.blocks():
            if closed:
                after += 1
            else:
                before += 1
            if before == 3 and not closed:
                await subject.source.close()
                await subject.source.close()
                closed = True
        await feeding  # what arrives after the close is ignored
        return before, after

    assert run_virtually(main()) == (3, 0)


@every_source
def test_close_wakes_a_reader_that_waits(kind: str, tmp_path: Path) -> None:
    async def main() -> bool:
        subject = make(kind, tmp_path)
        subject.source.floor_opened()

        async def read() -> None:
            async for _ in subject.source.blocks():
                pass

        reading = asyncio.ensure_future(read())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await subject.source.close()
        await asyncio.wait_for(reading, 1.0)
        return True

    assert run_virtually(main())


@every_source
def test_the_floor_may_open_at_any_time(kind: str, tmp_path: Path) -> None:
    async def main() -> int:
        subject = make(kind, tmp_path)
        subject.source.floor_opened()
        blocks = await take(subject, COUNT)
        subject.source.floor_opened()
        await subject.source.close()
        subject.source.floor_opened()
        return len(blocks)

    assert run_virtually(main()) == COUNT


def test_at_live_pace_each_block_has_its_moment(tmp_path: Path) -> None:
    """However long the listener takes over a block, the next is not pushed back: no drift."""

    async def main() -> list[float]:
        source = from_file(tmp_path, "live").source
        loop = asyncio.get_running_loop()
        start = loop.time()
        moments = []
        async for _ in source.blocks():
            moments.append(loop.time() - start)
            await asyncio.sleep(0.011)
        return moments

    assert run_virtually(main()) == pytest.approx([n * BLOCK / RATE for n in range(COUNT)], abs=1e-6)


def test_at_fast_pace_no_time_passes_and_others_run(tmp_path: Path) -> None:
    async def main() -> tuple[float, int]:
        source = from_file(tmp_path, "fast").source
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        task = asyncio.ensure_future(other())
        async for _ in source.blocks():
            pass
        task.cancel()
        return asyncio.get_running_loop().time(), turns

    passed, turns = run_virtually(main())
    assert passed == 0.0
    assert turns >= COUNT - 1  # between any two blocks


def test_a_scripted_candidate_answers_when_the_floor_opens() -> None:
    async def main() -> list[Block]:
        source = ScriptedSource([noise(0.5), noise(0.5, seed=2)], delay=0.2, tail=0.1)
        blocks = []
        async for block in source.blocks():
            blocks.append(block)
            if len(blocks) in {10, 50}:
                source.floor_opened()
        return blocks

    sound = np.concatenate([block.samples for block in run_virtually(main())])
    loud = np.flatnonzero(sound)
    assert loud[0] >= 10 * BLOCK + 0.2 * RATE - BLOCK
    second = loud[np.flatnonzero(np.diff(loud) > RATE // 10) + 1]
    assert len(second) == 1
    assert second[0] >= 50 * BLOCK + 0.2 * RATE - BLOCK
