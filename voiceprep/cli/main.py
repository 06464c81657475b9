"""The program `voiceprep`: which commands there are, and how a run ends."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from voiceprep import __version__
from voiceprep.cli.logs import keep_logs, print_defect
from voiceprep.cli.output import have_streams, print_error, speak_utf8
from voiceprep.errors import MissingError, VoiceprepError

PRACTISE, REVIEW, SET_UP = "Practise", "Review", "Set up"
STOPPED_BY_USER = 130
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of a disk that is full, behind whatever is written to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: where it is written (`module:attribute`, a function or a Typer app) and its line in the help."""

    name: str
    target: str
    panel: str
    summary: str


COMMANDS = (
    Entry("practice", "voiceprep.cli.practice:practice", PRACTISE, "Hold one spoken interview round, here in the terminal."),
    Entry("drill", "voiceprep.cli.drill:drill", PRACTISE, "One skill against the clock, with the result at once."),
    Entry(
        "loop", "voiceprep.cli.loop:loop_app", PRACTISE, "All rounds of one company, over days, with a committee at the end."
    ),
    Entry("serve", "voiceprep.cli.serve:serve", PRACTISE, "The page in your browser: practise, replay, drill, progress."),
    Entry("rounds", "voiceprep.cli.rounds:rounds_app", PRACTISE, "The rounds there are: who asks, about what, for how long."),
    Entry("intake", "voiceprep.cli.intake:intake", PRACTISE, "What your CV claims, and what would be asked about it."),
    Entry("sessions", "voiceprep.cli.sessions:sessions", REVIEW, "The sessions you have recorded, newest first."),
    Entry("replay", "voiceprep.cli.sessions:replay", REVIEW, "Read a session again: turns, pauses and flags with their times."),
    Entry("review", "voiceprep.cli.review:review", REVIEW, "Look back on a session: what happened, what mattered, what next."),
    Entry("annotate", "voiceprep.cli.annotate:annotate", REVIEW, "Note, star or label a place of a session; undo it."),
    Entry("analyze", "voiceprep.cli.analyze:analyze", REVIEW, "Look at any recording: words, pauses, pace, flags."),
    Entry("score", "voiceprep.cli.score:score", REVIEW, "How good a written answer is, and by which of its words."),
    Entry("redecode", "voiceprep.cli.redecode:redecode", REVIEW, "Write a session down again with another model."),
    Entry("followup", "voiceprep.cli.followup:followup", REVIEW, "What the interviewer would say to a written answer."),
    Entry("export", "voiceprep.cli.export:export", REVIEW, "Write a session as a page, subtitles, labels, a table or data."),
    Entry("latency", "voiceprep.cli.latency:latency", REVIEW, "Where the wait for each of a session's replies went."),
    Entry("consistency", "voiceprep.cli.sessions:consistency", REVIEW, "What you told twice, differently, over your sessions."),
    Entry(
        "progress", "voiceprep.cli.progress:progress", REVIEW, "How your takes and rounds develop, and where your time goes."
    ),
    Entry("delete", "voiceprep.cli.sessions:delete", REVIEW, "Delete a session with its audio."),
    Entry("doctor", "voiceprep.cli.doctor:doctor", SET_UP, "Check everything a session needs, and say how to mend it."),
    Entry("sound-check", "voiceprep.cli.sound_check:sound_check", SET_UP, "Is your microphone loud and clean? Hear yourself."),
    Entry("models", "voiceprep.cli.models:models_app", SET_UP, "The speech models on this machine; fetch others."),
    Entry("bench", "voiceprep.cli.bench:bench", SET_UP, "Measure this machine: recogniser, core, a whole session."),
)
BY_NAME = {entry.name: entry for entry in COMMANDS}


def load(name: str) -> Any:
    """Import the command of this name and make it runnable."""
    module, attribute = BY_NAME[name].target.split(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False)
        single.command(name)(found)
        found = single
    command = typer.main.get_command(found)
    command.name = name
    return command


class LazyGroup(TyperGroup):
    """The help lists stand-ins; only the command that is run is imported. So `voiceprep --help` needs none of them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in BY_NAME else stand_in, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command. What is left away is told with what it is, and where to find one."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            if not error.message:  # a value that is wrong has said so
                error.message = getattr(error.param, "help", "") or ""
            raise


HELP = """Practise job interviews aloud, with an interviewer that listens, pushes back and minds the clock.

You speak; it is transcribed on this machine and answered aloud, and you hear while it happens that you have talked for \
five minutes or been silent for one. Every session is kept in a folder of yours, to replay and to export. Nothing leaves \
the machine.

[dim]voiceprep COMMAND --help[/] says more about a command; commands with [dim]--json[/] print one JSON document.
"""

app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=(
        "[bold]First time:[/] voiceprep doctor, then voiceprep practice gpu-hm-screen.\n\n"
        "[bold]Any recording:[/] voiceprep analyze talk.m4a --lang en.\n\n"
        "[bold]Exit codes:[/] 0 done, 1 failed, 2 wrong usage, 3 something is missing here, 4 the input is bad.\n\n"
        "[bold]Files:[/] VOICEPREP_HOME moves everything voiceprep keeps, VOICEPREP_RECORDINGS the recordings alone."
    ),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"voiceprep {__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def voiceprep(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback has done the work)
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for _entry in COMMANDS:
    app.command(_entry.name, help=_entry.summary, rich_help_panel=_entry.panel)(lambda: None)


def run() -> None:
    """The entry point. Ends the process with the exit code of the contract, never with a traceback."""
    have_streams()
    speak_utf8()
    os.umask(0o077)  # whatever is written, by whatever library, in an export too, is the user's alone
    keep_logs()
    try:
        code = _run_app()
        sys.stdout.flush()
    except VoiceprepError as error:
        print_error(error)
        code = error.exit_code
    except BrokenPipeError:
        code = _reader_left()
    except KeyboardInterrupt:
        code = STOPPED_BY_USER
    except Exception as error:  # noqa: BLE001  (the last line of defence: a defect ends in one line, with the details in a log)
        code = _no_room(error) if isinstance(error, OSError) and error.errno in NO_ROOM else 1
        if code == 1:
            print_defect(error)
    if code == STOPPED_BY_USER:
        sys.stderr.write("\nStopped.\n")
    sys.exit(code)


def _run_app() -> int:
    """Run the command; typer itself reports wrong usage, and tells of a Ctrl-C by its exit code."""
    try:
        app(prog_name="voiceprep")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _no_room(error: OSError) -> int:
    """`voiceprep sessions > FILE` on a full disk. What is left to be written would be tried once more at the exit."""
    _reader_left()
    full = MissingError(
        f"the output cannot be written: {error.strerror}", code="disk-full", hint="make room, or write it elsewhere"
    )
    print_error(full)
    return full.exit_code


def _reader_left() -> int:
    """`voiceprep sessions | head -1`: nobody reads any more, which is no trouble of ours.

    Python flushes stdout once more when it exits; into a closed pipe that would print a complaint.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
