"""What the program notes about itself: one JSON object a line, a file a day, in the `logs` folder of voiceprep's home.

    {"time": "2026-11-30T09:05:12.345Z", "level": "warning", "logger": "voiceprep.live.session", "message": "...",
     "error": "ValueError", "where": ["voiceprep/live/session.py:305 run"]}

`error` and `where` only where something was raised. Nothing that was said, asked for or typed is ever among it: messages name
codes, modules and files; of an exception only its type is kept (its text may quote the candidate) and the places in the code.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from voiceprep.config import places
from voiceprep.errors import VoiceprepError

FOLDER = "logs"
KEPT_DAYS = 30
"""Days that a log file is kept."""
_SAFE_MESSAGES = (OSError, ImportError, NameError, AttributeError, TypeError)
"""Their text names files, modules and types, and nothing else."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC)
        told: dict[str, Any] = {
            "time": f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            told |= {"error": _named(error), "where": list(_places(error))}
        return json.dumps(told, ensure_ascii=False).encode("utf-8", errors="replace").decode("utf-8")


def keep_logs() -> None:
    """Send what the program logs to today's file, never to the terminal. Without a place for it, it is dropped."""
    logging.raiseExceptions = False  # a full disk is no reason to print stacks over the screen of a session
    root = logging.getLogger("voiceprep")
    root.propagate = False
    root.setLevel(logging.INFO)
    handler: logging.Handler = logging.NullHandler()
    with contextlib.suppress(OSError, VoiceprepError):
        handler = logging.FileHandler(log_path(), encoding="utf-8", delay=True)
        handler.setFormatter(JsonLines())
    for before in root.handlers:
        before.close()
    root.handlers = [handler]


def log_path() -> Path:
    """Today's file, made if it is not there, private. Files too old are removed on the way. Raises OSError, UsageError."""
    folder = places().home / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{datetime.now(UTC):%Y-%m-%d}.log"
    if not path.exists():
        _sweep(folder)
    os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    return path


def print_defect(error: BaseException) -> None:
    """An exception nobody expected: one line for the user, the details in the log file."""
    name = type(error).__name__
    try:
        where = log_path()
        record = logging.LogRecord(
            "voiceprep.cli", logging.ERROR, "", 0, "a defect in the command %s", (_command(),), (type(error), error, None)
        )
        with where.open("a", encoding="utf-8") as file:
            file.write(f"{JsonLines().format(record)}\n")
    except (OSError, VoiceprepError) as refused:
        sys.stderr.write(f"voiceprep: something went wrong inside voiceprep ({name}); no details kept: {refused}\n")
    else:
        sys.stderr.write(f"voiceprep: something went wrong inside voiceprep ({name}). Details: {where}\n")


def _command() -> str:
    """The command's name alone: what follows may be words of the user's."""
    from voiceprep.cli.main import BY_NAME

    name = sys.argv[1] if len(sys.argv) > 1 else ""
    return name if name in BY_NAME else ""


def _sweep(folder: Path) -> None:
    oldest = datetime.now(UTC).timestamp() - KEPT_DAYS * 86_400
    for file in folder.glob("*.log"):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < oldest:
                file.unlink()


def _named(error: BaseException) -> str:
    name = type(error).__name__
    if isinstance(error, VoiceprepError):
        return f"{name}: {error.code}"
    return f"{name}: {error}" if isinstance(error, _SAFE_MESSAGES) else name


def _places(error: BaseException) -> Iterator[str]:
    """Where in the code it was raised, the innermost place last; then the same of what caused it."""
    seen: BaseException | None = error
    while seen is not None:
        if seen is not error:
            yield f"because of {_named(seen)}"
        for frame in traceback.extract_tb(seen.__traceback__):
            yield f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


def _short(file: str) -> str:
    """From the package on: where a user has installed it is nobody's business."""
    parts = Path(file).parts
    roots = [n for n, part in enumerate(parts) if part in {"voiceprep", "site-packages"} or part.startswith("python3")]
    return "/".join(parts[roots[-1] :] if roots else parts[-1:])
