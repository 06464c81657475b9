"""`review.json` of a session: the review and the scores, each made by a module of its own and each free to be made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock

from voiceprep.files import parse_json
from voiceprep.store import disk
from voiceprep.store.folder import free

NAME = "review.json"
LOCK = ".review.lock"
PATIENCE = 10.0
"""Seconds to wait for somebody else who writes it."""


def kept(folder: Path) -> dict[str, Any]:
    """What stands in review.json; nothing where there is none that can be read: it can be made again."""
    with suppress(OSError, ValueError, RecursionError):
        document = parse_json((folder / NAME).read_bytes())
        if isinstance(document, dict):
            return document
    return {}


def update(folder: Path, changes: Mapping[str, Any]) -> None:
    """Put these keys into review.json; what else stands there stays, whoever writes at the same time. Raises MissingError."""
    with disk.writing(folder):
        lock = FileLock(folder / LOCK, mode=disk.FILE_MODE, thread_local=False)
        lock.acquire(timeout=PATIENCE)
        try:
            document = {**kept(folder), **changes}
            text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
            disk.replace_file(folder / NAME, text.encode("utf-8", errors="replace"))
        finally:
            free(lock)
