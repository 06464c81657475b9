"""What the program prints, and where: results on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from voiceprep.errors import VoiceprepError

Progress = Callable[[float, str], None]
"""Called with how much is done, 0..1, and what is being done."""


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, sets its title or turns its text around, instead of being seen."""


def printable(text: str) -> str:
    """The text, a mark in place of what would steer the terminal: it may come from a file, a voice or a model."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    """The text as `printable`, on one line: a cell of a table, a line of a list."""
    return " ".join(printable(text).split())


class _Screen(Console):
    """Only rich itself may steer the terminal, never what it prints."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def console() -> Console:
    """The console for results. Made anew each time, so that it follows a redirected stdout."""
    return _Screen(highlight=False)


def messages() -> Console:
    """The console for everything that is not the result: progress, notes, errors."""
    return _Screen(stderr=True, highlight=False)


def print_json(document: Mapping[str, Any]) -> None:
    """Print the one JSON document of a `--json` run: UTF-8 text, finite numbers only (else ValueError)."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write(text + "\n")


@contextlib.contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A progress bar on stderr while the block runs; nothing where stderr is not a terminal."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    target = messages()
    with Bar(*columns, console=target, transient=True, disable=not target.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda done, what: bar.update(task, completed=min(1.0, max(0.0, done)), description=what or title)


def have_streams() -> None:
    """Whoever closed stdin, stdout or stderr has none (`None`): then nothing is read, and what is written goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (as long as the process)


def speak_utf8() -> None:
    """Write UTF-8 whatever the locale says: a Chinese transcript must not end in a UnicodeEncodeError."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def print_error(error: VoiceprepError) -> None:
    """What happened on one line of stderr, and what to do about it on the next."""
    sys.stderr.write(f"voiceprep: {printable(error.message.rstrip('.'))}.\n")
    if error.hint:
        sys.stderr.write(f"  {printable(error.hint)}\n")
