"""Servers that are killed: `python -m tests.faults.mortal_server` reads a home a line, and forks a server there for each.

It says where it listens, in one line of JSON, and then, once it is dead, by what signal.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import faster_whisper  # type: ignore[import-untyped]  # noqa: F401 - loaded here once, and not by each child

from tests.web.studio import open_house


async def _serve(home: Path) -> None:
    async with open_house(home) as house:
        say({"pid": os.getpid(), "port": house.address.port, "token": house.token})
        await asyncio.Event().wait()


def say(told: object) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        pid = os.fork()
        if pid == 0:
            try:
                asyncio.run(_serve(Path(line.strip())))
            finally:
                os._exit(70)
        say({"status": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])})


if __name__ == "__main__":
    main()
