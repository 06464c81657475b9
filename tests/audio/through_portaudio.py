"""Run by test_virtual_card in a child process, whose environment leads to the virtual sound card.

microphone OUT.npz: captures until its standard input ends; says "capturing" when the first block is there.
speaker IN.wav: plays the file through the sink as a session does, a block's worth each 32 ms.
devices: prints what is found, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import numpy as np

from voiceprep.audio import devices, files
from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block, Source


async def microphone(out: Path) -> None:
    troubles: list[str] = []
    source = devices.open_source("", "live", lambda code, _message: troubles.append(code))
    until = asyncio.create_task(close_at_end_of_input(source))
    blocks: list[Block] = []
    async for block in source.blocks():
        if not blocks:
            print("capturing", flush=True)  # noqa: T201 - this is how the test learns of it
        blocks.append(block)
    await until
    np.savez(
        out,
        samples=np.concatenate([block.samples for block in blocks]),
        lost=sum(block.lost for block in blocks),
        troubles=np.array(troubles, dtype=str),
    )


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
        case ["speaker", path]:
            asyncio.run(speaker(Path(path)))
        case ["devices"]:
            show()
