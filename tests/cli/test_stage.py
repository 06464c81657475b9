"""The terminal around a session: its row of keys, what they do, and what is told before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tests.fakes.content import content
from voiceprep import config
from voiceprep.cli import stage
from voiceprep.cli.screen import PlainScreen, QuietScreen

ROW = f"Enter: my answer is finished    {stage.PAUSE}q: end"


@dataclass
class Held:
    """What the keys ask of a session."""

    pausable: bool = True
    held: bool = False
    asked: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given: self.asked.append(" ".join((name, *given)))


@pytest.fixture
def pressed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], None]]:
    """The keys that are listened to, once a screen is open."""
    listened: dict[str, Callable[[], None]] = {}

    @contextmanager
    def keys(actions: Mapping[str, Callable[[], None]]) -> Iterator[bool]:
        listened.update(actions)
        yield True
        listened.clear()

    monkeypatch.setattr(stage, "keys", keys)
    return listened


def opened(stack: ExitStack, session: Held, *, quiet: bool = False) -> Any:
    more = stage.watching(stack, config.load(), ROW, lambda held: {"n": lambda: held.note("")}, quiet=quiet)
    return more(content(), cast("Any", session))


def test_keys_do_what_the_row_says(pressed: dict[str, Callable[[], None]]) -> None:
    session = Held()
    with ExitStack() as stack:
        screen = opened(stack, session)
        assert isinstance(screen, PlainScreen)
        assert screen._card.keys == ROW
        for key in ("\n", "p", "n", "q"):
            pressed[key]()
        session.held = True
        pressed["\n"]()
    assert session.asked == ["hand_over", "pause", "note ", "stop user", "go_on"]
    assert not pressed, "the keys are the terminal's again"


def test_a_recording_offers_no_pause(pressed: dict[str, Callable[[], None]]) -> None:
    with ExitStack() as stack:
        assert opened(stack, Held(pausable=False))._card.keys == "Enter: my answer is finished    q: end"


def test_with_json_nothing_is_shown_and_no_key_is_taken(pressed: dict[str, Callable[[], None]]) -> None:
    with ExitStack() as stack:
        assert isinstance(opened(stack, Held(), quiet=True), QuietScreen)
        assert not pressed


def test_what_is_prepared_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    tell = stage.preparing()
    for what in ("loading", "loading", "a voice", "loading"):
        tell(what)
    assert capsys.readouterr().err.split() == ["…", "loading", "…", "a", "voice", "…", "loading"]
