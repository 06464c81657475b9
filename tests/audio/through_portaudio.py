"""Run by test_virtual_card in a child process, whose environment leads to the virtual sound card.

microphone OUT.npz: captures until its standard input ends; says "capturing" when the first block is there, and each trouble
    as it is told.
both OUT.npz: the same, while a tone sounds from the speaker.
speaker IN.wav: plays the file through the sink as a session does, a block's worth each 32 ms.
devices: prints what is found, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import numpy as np

from voiceprep.audio import devices, files
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block, Source


def say(what: str) -> None:
    print(what, flush=True)  # noqa: T201 - this is how the test learns of it


async def microphone(out: Path) -> None:
    troubles: list[str] = []

    def trouble(code: str, _message: str) -> None:
        troubles.append(code)
        say(code)

    source = devices.open_source("", "live", trouble)
    until = asyncio.create_task(close_at_end_of_input(source))
    blocks: list[Block] = []
    began = wall = 0.0
    async for block in source.blocks():
        if not blocks:
            began = time.monotonic()
            say("capturing")
        blocks.append(block)
        wall = time.monotonic() - began
    await until
    np.savez(
        out,
        samples=np.concatenate([block.samples for block in blocks]),
        lost=sum(block.lost for block in blocks),
        reasons=np.array(sorted({block.reason for block in blocks if block.lost}), dtype=str),
        troubles=np.array(troubles, dtype=str),
        wall=wall,
    )


async def both(out: Path) -> None:
    sink = devices.open_sink("", lambda code, _message: say(code))

    async def sound() -> None:
        moments = np.arange(BLOCK * VOICE_RATE // RATE) / VOICE_RATE
        while True:
            sink.write((0.2 * np.sin(2 * np.pi * 500 * moments)).astype(np.float32))
            await asyncio.sleep(BLOCK / RATE)

    sounding = asyncio.create_task(sound())
    await microphone(out)
    sounding.cancel()
    await sink.close()


async def close_at_end_of_input(source: Source) -> None:
    await asyncio.to_thread(sys.stdin.read)
    await source.close()


async def speaker(path: Path) -> None:
    sink = devices.open_sink("")
    sound = files.read(path, rate=VOICE_RATE)
    step = BLOCK * VOICE_RATE // RATE
    loop = asyncio.get_running_loop()
    start = loop.time()
    for number, at in enumerate(range(0, len(sound), step)):
        await asyncio.sleep(max(0.0, start + number * BLOCK / RATE - loop.time()))
        sink.write(sound[at : at + step])
    await sink.close()


def show() -> None:
    found = {
        "microphone": devices.has_microphone(),
        "speaker": devices.has_speaker(),
        "inputs": [device.name for device in devices.inputs()],
        "rate": devices.find("input").rate,
    }
    print(json.dumps(found))  # noqa: T201 - the answer


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["microphone", out]:
            asyncio.run(microphone(Path(out)))
        case ["both", out]:
            asyncio.run(both(Path(out)))
        case ["speaker", path]:
            asyncio.run(speaker(Path(path)))
        case ["devices"]:
            show()
