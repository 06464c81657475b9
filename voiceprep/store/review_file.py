"""`review.json` of a session: the review and the scores, each made by a module of its own and each free to be made again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from voiceprep.files import parse_json
from voiceprep.store import disk
from voiceprep.store.locks import acquire, free, lock_in

NAME = "review.json"
SCORES = frozenset({"scores", "scored_from"})
"""What of it rests on the recording alone."""
DERIVED = "derived"
"""Folder of a session for what was made of it, and can be made again."""
LOCK = ".review.lock"
PATIENCE = 10.0
"""Seconds to wait for somebody else who writes it."""


def kept(folder: Path) -> dict[str, Any]:
    """What stands in review.json; nothing where there is none that can be read: it can be made again."""
    with suppress(OSError, ValueError, RecursionError):
        document = parse_json(disk.read(folder / NAME))
        if isinstance(document, dict):
            return document
    return {}


def update(folder: Path, changes: Mapping[str, Any]) -> None:
    """Put these keys into review.json; what else stands there stays, whoever writes at the same time. Raises MissingError."""
    _write(folder, lambda document: {**document, **changes})


def forget(folder: Path) -> None:
    """Take away all that was made of the session but its scores: it may quote what is forgotten. Raises MissingError."""
    if (folder / NAME).exists():
        _write(folder, lambda document: {key: value for key, value in document.items() if key in SCORES})
    with disk.writing(folder):
        if (folder / DERIVED).is_dir() and not (folder / DERIVED).is_symlink():
            shutil.rmtree(folder / DERIVED)


def _write(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    with disk.writing(folder):
        lock = lock_in(folder, LOCK)
        acquire(lock, PATIENCE)
        try:
            document = change(kept(folder))
            text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
            disk.replace_file(folder / NAME, text.encode("utf-8", errors="replace"))
        finally:
            free(lock)
