"""Single keys while a session runs: the terminal must not wait for Enter, and must be left as it was."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def keys(actions: Mapping[str, Callable[[], None]]) -> Iterator[bool]:
    """Run the action of a pressed key, on the running loop. Yields False where stdin is no terminal that can do this."""
    try:
        import termios
        import tty

        file = sys.stdin.fileno()
        before = termios.tcgetattr(file)
    except (ImportError, OSError, ValueError, termios.error):  # Windows; a pipe; a closed stdin
        yield False
        return
    loop = asyncio.get_running_loop()

    def read() -> None:
        pressed = os.read(file, 32).decode("utf-8", errors="ignore")
        if not pressed:  # the terminal went away
            loop.remove_reader(file)
        for key in pressed:
            action = actions.get(key)
            if action is not None:
                action()

    try:
        tty.setcbreak(file)
        loop.add_reader(file, read)
        yield True
    finally:
        loop.remove_reader(file)
        termios.tcsetattr(file, termios.TCSADRAIN, before)
