"""A recording in the place of a microphone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Literal

from voiceprep.audio import files
from voiceprep.audio.base import BLOCK, RATE, Block
from voiceprep.audio.blocks import BlockCutter

Pace = Literal["live", "fast"]
"""live: as if spoken now. fast: as quickly as the listener takes it."""


class FileSource:
    """Any audio file, as blocks. Raises BadInputError at once when the file cannot be used."""

    on_demand = True

    def __init__(self, path: str | PathLike[str], pace: Pace = "live") -> None:
        self.path = Path(path)
        self.name = self.path.name
        self.info = files.probe(self.path)
        self._pace = pace
        self._closed = False

    async def blocks(self) -> AsyncIterator[Block]:
        """From the file's first sample on. At live pace a block comes no earlier than its first sample is due."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        with closing(self._cut()) as cut:
            for number, block in enumerate(cut):
                due = start + number * BLOCK / RATE
                # Towards a deadline: what the listener spends on a block is not added to the waits. At fast pace the
                # other tasks of the session still get their turn between two blocks.
                await asyncio.sleep(max(0.0, due - loop.time()) if self._pace == "live" else 0)
                if self._closed:
                    return
                yield block

    def floor_opened(self) -> None:
        """A recording does not listen."""

    async def close(self) -> None:
        self._closed = True

    def _cut(self) -> Generator[Block, None, None]:
        cutter = BlockCutter()
        for samples in files.decode(self.path):
            yield from cutter.feed(samples)
        yield from cutter.flush()
