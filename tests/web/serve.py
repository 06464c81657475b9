"""`python -m tests.web.serve HOME PORT`: the server of the tests in a process of its own, which may be killed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvicorn

from tests.web.studio import FakeHolds, services
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.serving import Address, listen, uvicorn_config


async def main(home: Path, port: int) -> None:
    address = Address(port=port)
    made = services(home, port, FakeHolds(home / "recordings"), Patience())
    sock = listen(address)
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    await uvicorn.Server(uvicorn_config(create_app(made), address)).serve([sock])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
