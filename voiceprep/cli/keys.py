"""Single keys while a session runs: the terminal must not wait for Enter, and must be left as it was."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # heavy: numpy comes with it
    from voiceprep.live.session import Session


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


def pause_or_go_on(session: Session) -> None:
    """What the key of the pause does: the session stands still and hears nothing, and goes on where it stood."""
    if session.held:
        session.go_on()
    else:
        session.pause()


def finish_or_go_on(session: Session) -> None:
    """What Enter does: the answer is finished; in a pause nobody answers, and it goes on."""
    if session.held:
        session.go_on()
    else:
        session.hand_over()
