"""Which sessions belong to which passage through a loop. The folders' headers are all there is: nothing can get out of step."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import ascii_lowercase

from voiceprep.core.interviewer.loop import Seat
from voiceprep.errors import BadInputError, UsageError
from voiceprep.store import header, log
from voiceprep.store.archive import sessions_in
from voiceprep.store.header import Header
from voiceprep.store.migrations import migrate

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Of a loop and of a passage: nothing that steers a terminal, as a spoiled log, or one that somebody sent, may hold."""


@dataclass(frozen=True, slots=True)
class Run:
    """One passage through a loop: its sessions, oldest first, each with the header of its log (`id`: the folder's name)."""

    loop: str
    id: str
    sessions: tuple[tuple[str, Header], ...]

    @property
    def started(self) -> str:
        """When its first session that is still there began."""
        return self.sessions[0][1].started

    @property
    def latest(self) -> str:
        return self.sessions[-1][1].started

    def at(self, number: int) -> tuple[tuple[str, Header], ...]:
        """The sessions of round `number`, oldest first: more than one where one broke off and was held again."""
        return tuple((name, found) for name, found in self.sessions if found.loop_round == number)


def runs(recordings: Path) -> tuple[Run, ...]:
    """Every passage through a loop of which a session is left, the one that was last worked on first.

    A session whose log cannot be read, or names no loop that could be ours, is left out: nobody can tell where it belongs.
    """
    found: dict[tuple[str, str], list[tuple[str, Header]]] = {}
    for name, head in _headers(recordings):
        found.setdefault((head.loop, head.loop_run), []).append((name, head))
    made = (
        Run(loop, run, tuple(sorted(sessions, key=lambda item: (item[1].started, item[0]))))
        for (loop, run), sessions in found.items()
    )
    return tuple(sorted(made, key=lambda run: (run.latest, run.id), reverse=True))


def find(recordings: Path, wanted: str = "") -> Run:
    """The run of this id, or of this loop, or (for "") the one that was last worked on. Raises UsageError (`unknown-run`)."""
    known = runs(recordings)
    for run in known:
        if wanted in {"", run.id, run.loop}:
            return run
    if not known:
        raise UsageError("no loop was begun yet", code="unknown-run", hint="Begin one with: voiceprep loop start LOOP")
    ids = ", ".join(run.id for run in known[:5])
    raise UsageError(f"no loop {wanted!r} was begun", code="unknown-run", hint=f"The latest are: {ids}")


def new_run(loop: str, now: datetime) -> str:
    """The id of a passage through a loop that begins now: ``gpu-20261130-091500-kwzb``, also if another begins right now."""
    return f"{loop}-{now:%Y%m%d-%H%M%S}-{''.join(secrets.choice(ascii_lowercase) for _ in range(4))}"


def seat_in(folder: Path) -> Seat | None:
    """Which round of which loop the session in this folder is, or None."""
    head = _header(folder)
    return Seat(head.loop, head.loop_run, head.loop_round) if head is not None else None


def _headers(recordings: Path) -> Iterator[tuple[str, Header]]:
    for folder in sessions_in(recordings):
        head = _header(folder)
        if head is not None:
            yield folder.name, head


def _header(folder: Path) -> Header | None:
    """The header of a session that is a round of a loop, by ids that can be printed anywhere; else None."""
    with suppress(BadInputError, OSError, UnicodeDecodeError), (folder / log.NAME).open(encoding="utf-8") as file:
        head = header.decode(migrate([file.readline().rstrip("\n")])[0])
        if _ID.fullmatch(head.loop) and _ID.fullmatch(head.loop_run):
            return head
    return None
