"""What reaches the terminal is text: only rich itself may steer it."""

from __future__ import annotations

import pytest
from rich.table import Table
from rich.text import Text

from voiceprep.cli.output import console, print_error, printable
from voiceprep.errors import UsageError

STEERING = ["\x1b]0;title\x07", "\x1b[2J", "\x9b31m", "\r", "\x08", "\u202e", "\u2066"]


@pytest.mark.parametrize("sign", STEERING)
def test_what_would_steer_the_terminal_is_shown_instead(sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title=f"a{sign}")
    table.add_column(f"b{sign}")
    table.add_row(Text(f"c{sign}"))
    console().print(f"d{sign}", table, markup=False)
    print_error(UsageError(f"no such file: e{sign}", code="x", hint=f"f{sign}"))
    for out in capsys.readouterr():
        assert not any(character in out for character in sign if not character.isprintable() or character == "\x9b")


def test_lines_tabs_and_any_language_stay() -> None:
    text = "one\ttwo\n三，四 🎙 é"
    assert printable(text) == text
