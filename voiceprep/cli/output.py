"""What the program prints, and where: results on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import math
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from voiceprep.config import places
from voiceprep.errors import VoiceprepError

Progress = Callable[[float, str], None]
"""Called with how much is done, 0..1, and what is being done."""


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, sets its title or turns its text around, instead of being seen."""


def printable(text: str) -> str:
    """The text, a mark in place of what would steer the terminal: it may come from a file, a voice or a model."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


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


def mmss(seconds: float) -> str:
    """A length or a place in a recording for people: ``4:07``, ``1:02:03``."""
    whole = max(0, math.floor(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


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


def print_defect(error: BaseException) -> None:
    """An exception nobody expected: one line for the user, the details in a log file."""
    name = type(error).__name__
    try:
        where = _write_details(error)
    except (OSError, VoiceprepError) as refused:
        sys.stderr.write(f"voiceprep: something went wrong inside voiceprep ({name}); no details kept: {refused}\n")
    else:
        sys.stderr.write(f"voiceprep: something went wrong inside voiceprep ({name}). Details: {where}\n")


class _Details(logging.Formatter):
    """Log lines for a file of the user's own: an exception's message may quote the candidate, so only its place is kept."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the library's name
        return "".join([*traceback.format_tb(ei[2]), _named(ei[1])])


def keep_logs() -> None:
    """Send what the program logs to today's log file, never to the terminal. Without a place for it, it is dropped."""
    root = logging.getLogger("voiceprep")
    root.propagate = False
    handler: logging.Handler = logging.NullHandler()
    with contextlib.suppress(OSError, VoiceprepError):
        handler = logging.FileHandler(_log_path(), encoding="utf-8", delay=True)
        handler.setFormatter(_Details("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for before in root.handlers:
        before.close()
    root.handlers = [handler]


def _log_path() -> Path:
    folder = places().home / "logs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{datetime.now(UTC):%Y-%m-%d}.log"
    os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    return path


def _named(error: BaseException) -> str:
    message = f": {error}" if isinstance(error, _SAFE_MESSAGES) else ""
    return f"{type(error).__name__}{message}"


_SAFE_MESSAGES = (OSError, ImportError, NameError, AttributeError, TypeError)


def _write_details(error: BaseException) -> str:
    """Append the stack to today's log file; returns its path.

    Messages of other exceptions than these may quote the values at hand, and those can be what the candidate said. So only
    the places in the code go to the log, and messages that name nothing but files, modules and types.
    """
    path = _log_path()
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{datetime.now(UTC):%H:%M:%S} UTC voiceprep {sys.argv[1] if len(sys.argv) > 1 else ''}\n")
        cause: BaseException | None = error
        while cause is not None:
            log.writelines(traceback.format_tb(cause.__traceback__))
            log.write(f"{_named(cause)}\n")
            cause = cause.__cause__ or cause.__context__
    return str(path)
