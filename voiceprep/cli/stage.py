"""The terminal around a session: what is told while it is prepared, then its screen and its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from voiceprep.cli.keys import finish_or_go_on, keys, pause_or_go_on
from voiceprep.cli.output import console, messages
from voiceprep.cli.scene import Card
from voiceprep.cli.screen import QuietScreen, Screen, open_screen
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.pack import Content

if TYPE_CHECKING:  # heavy: numpy comes with them
    from voiceprep.config import Settings
    from voiceprep.live.session import Session

PAUSE = "p: pause    "
"""A recording cannot be paused: its row of keys goes without."""


def preparing() -> Callable[[str], None]:
    """Tells on stderr what is being prepared, each thing once however often it comes."""
    tell, last = messages(), ""

    def told(what: str) -> None:
        nonlocal last
        if what != last:
            tell.print(f"… {what}", style="dim", markup=False)
        last = what

    return told


def watching(
    stack: ExitStack, settings: Settings, row: str, more: Callable[[Session], Mapping[str, Callable[[], None]]], *, quiet: bool
) -> Callable[[Content, Session], Screen]:
    """Opens a session's screen and listens to its keys, until `stack` is closed; `quiet`: neither.

    `row` tells the keys: those that every session has, and `more`.
    """

    def watch(content: Content, session: Session) -> Screen:
        if quiet:
            return QuietScreen()
        actions = {
            "\n": lambda: finish_or_go_on(session),
            " ": lambda: finish_or_go_on(session),
            "p": lambda: pause_or_go_on(session),
            "q": lambda: session.stop("user"),
            **more(session),
        }
        listening = stack.enter_context(keys(actions))
        shown = row if session.pausable else row.replace(PAUSE, "")
        card = Card.of(
            content.round,
            settings["language"],
            coach=settings["mode"] == "coach",
            keys=shown if listening else "Ctrl-C: end",
            drill=content.drill if isinstance(content, DrillContent) else None,
        )
        screen = open_screen(card, console())
        stack.callback(screen.close)
        return screen

    return watch
