"""The command line: every option of every command, with values that nobody would give."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.door import answered, fuzz
from voiceprep.cli import main
from voiceprep.cli.output import speak_utf8
from voiceprep.errors import VoiceprepError

BUSY = frozenset({"serve", "bench", "models", "sound-check", "doctor"})
"""Commands that listen, measure, fetch or open devices where they get good values; their options are like the others'."""
WRITES = frozenset({"rounds new", "rounds check"})
"""The one writes into the shipped prompts, the other reads all of them and takes no value."""
STOPPED = frozenset({"practice", "drill", "loop"})
"""Begin a session where all is well: they are given a round or drill that does not exist."""
NOT_THERE = "/nowhere/at-all.wav"
VALUES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        (
            *(
                "",
                "-",
                "--",
                "-1",
                "0",
                "1e999",
                "nan",
                "9" * 5_000,
                "9" * 19,
                "\0",
                "\ud800",
                "a\0b",
                "../../etc/passwd",
                "/",
                ".",
            ),
            *(
                "/dev/null",
                NOT_THERE,
                "latest",
                "\x1b[2J",
                "en",
                "json",
                "~nobody-there/x",
                "%s%n",
                "{x}",
                "[bold]x[/]",
                "x" * 300,
            ),
        )
    ),
)
"""Half a surrogate pair is what Python makes of a byte on the command line that is no UTF-8."""


def _commands(command: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if hasattr(command, "commands") and command.commands:
        return [one for name, inner in command.commands.items() for one in _commands(inner, (*path, name))]
    return [(path, command)]


def _all() -> dict[str, tuple[tuple[str, ...], list[str]]]:
    """The words of each command, and its options by their longest names."""
    found = {}
    for name in main.BY_NAME:
        if name in BUSY:
            continue
        for path, command in _commands(main.load(name), (name,)):
            if " ".join(path) in WRITES:
                continue
            options = [max(one.opts, key=len) for one in command.params if one.param_type_name == "option"]
            found[" ".join(path)] = (path, [one for one in options if one != "--help"])
    return found


COMMANDS = _all()


def run(arguments: list[str]) -> int:
    """The program in this process, without the last line of defence that turns a defect into a sentence: its exit code."""
    speak_utf8()  # as the program does first of all
    group = typer.main.get_command(main.app)
    try:
        with pytest.raises(SystemExit) as end:
            group(args=arguments, prog_name="voiceprep")
    except click.exceptions.Abort:
        return 1
    return end.value.code if isinstance(end.value.code, int) else 0


@pytest.fixture
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VOICEPREP_RECORDINGS", str(tmp_path / "recordings"))
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "stdin").open("w+") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield


@pytest.mark.usefixtures("_home")
@pytest.mark.parametrize("name", COMMANDS)
@given(data=st.data())
@fuzz(10, among=len(COMMANDS))
def test_a_command_refuses_in_one_sentence(capsys: Any, name: str, data: st.DataObject) -> None:
    path, options = COMMANDS[name]
    given = list(path)
    if path[0] in STOPPED:
        given.append(data.draw(st.sampled_from(("no-such-thing", "\ud800", "../x", "-\0"))))
    else:
        given += data.draw(st.lists(VALUES, max_size=2))
    for option in data.draw(st.lists(st.sampled_from(options), max_size=3)) if options else ():
        given += [option, data.draw(VALUES)] if data.draw(st.booleans()) else [option]
    done = answered(lambda: run(given))
    capsys.readouterr()
    assert isinstance(done, VoiceprepError) or done in {0, 1, 2}
