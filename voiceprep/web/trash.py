"""Deleted, and for a while not yet gone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from voiceprep.core.units import Seconds
from voiceprep.errors import MissingError, UsageError
from voiceprep.store import disk
from voiceprep.store.archive import TRASH_KEPT, Archive, remove
from voiceprep.store.folder import LOCK, TRASH, take
from voiceprep.store.locks import free


class Trash:
    """Deleted sessions under a name of their own: who tidies up next leaves them their time, and then finishes it."""

    def __init__(self, archive: Archive, kept: Seconds = TRASH_KEPT, removed: Callable[[], None] = lambda: None) -> None:
        """`removed` is called when a session is gone for good, from any thread."""
        self._archive = archive
        self._kept = kept
        self._removed = removed
        self._waiting: dict[str, asyncio.TimerHandle | None] = {}

    def throw(self, wanted: str, loop: asyncio.AbstractEventLoop) -> str:
        """Take a session out of the archive; returns its id. From any thread. Raises as `Archive.delete` does."""
        folder = self._archive.find(wanted)
        with disk.writing(folder):
            lock = take(folder)
            try:
                os.utime(folder)  # its time begins now
                folder.rename(self._doomed(folder.name))
            finally:
                free(lock)
        self._waiting[folder.name] = None
        loop.call_soon_threadsafe(self._wait, folder.name, loop)
        return folder.name

    def restore(self, wanted: str) -> str:
        """Put it back. Raises UsageError (`unknown-session`): it is gone, or was never here."""
        doomed = self._doomed(wanted)
        if wanted not in self._waiting or not doomed.is_dir():
            raise UsageError("that session is gone", code="unknown-session")
        timer = self._waiting.pop(wanted)
        if timer is not None:
            timer.cancel()
        (doomed / LOCK).unlink(missing_ok=True)
        with disk.writing(doomed):
            doomed.rename(self._archive.recordings / wanted)
        return wanted

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of what can still be brought back, the last one that was thrown away first."""
        return tuple(reversed(self._waiting))

    def empty(self) -> None:
        """All of it is gone for good."""
        for name in list(self._waiting):
            self._remove(name)

    def _wait(self, name: str, loop: asyncio.AbstractEventLoop) -> None:
        if name in self._waiting:
            self._waiting[name] = loop.call_later(self._kept, lambda: loop.run_in_executor(None, self._remove, name))

    def _remove(self, name: str) -> None:
        timer = self._waiting.pop(name, None)
        if timer is not None:
            timer.cancel()
        with suppress(OSError, MissingError):  # nobody waits for it any more; a sweep comes back for what is left
            remove(self._doomed(name))
        self._removed()

    def _doomed(self, name: str) -> Path:
        return self._archive.recordings / f"{TRASH}{name}"
