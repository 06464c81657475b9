"""A server that can be killed in the middle of its work, and started again where it was."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r'name="voiceprep-token" content="([^"]+)"')


class Mortal:
    """The server of `tests/web/serve.py`, at one address through all its lives."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Until it listens."""
        command = [sys.executable, "-m", "tests.web.serve", str(self.home), str(self.port)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "listening\n"

    def kill(self) -> None:
        """As the machine's power would."""
        self._process.kill()
        self._process.communicate()
        assert self._process.returncode == -signal.SIGKILL

    def token(self) -> str:
        with urllib.request.urlopen(self.origin, timeout=60) as answer:
            found = TOKEN.search(answer.read().decode())
        assert found is not None
        return found[1]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
