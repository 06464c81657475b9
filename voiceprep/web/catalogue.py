"""REST: what can be practised, and what this machine is like."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from voiceprep import __version__
from voiceprep.agent.server import server_of
from voiceprep.audio import devices
from voiceprep.audio.base import BLOCK, RATE
from voiceprep.audio.samples import from_pcm16
from voiceprep.config import TABLE, Settings, data_folder
from voiceprep.content import Problem, finished_rounds, load_content, round_ids
from voiceprep.content.lenses import lens_ids, load_lens
from voiceprep.content.maps import lens_of, map_of, summary_of
from voiceprep.core.interviewer.lens import through
from voiceprep.core.pack import RoundPack
from voiceprep.errors import BadInputError, UsageError, VoiceprepError
from voiceprep.live.doctor import run_checks
from voiceprep.live.sound_check import judge
from voiceprep.review.results import keep_missing_results
from voiceprep.review.trend import readiness
from voiceprep.store.archive import Archive
from voiceprep.store.drills import header_in
from voiceprep.store.figures import digest_of
from voiceprep.web.services import AnId, Served

router = APIRouter(prefix="/api", tags=["practice"])

LONGEST_CHECK = 30
"""Seconds of a sound check."""
HALF = 0.5
_reading = threading.Lock()


class CheckRow(BaseModel):
    """One thing that the doctor looked at; `fix` says what to do where it is not `ok`."""

    name: str
    ok: bool
    detail: str
    fix: str
    needed: bool


class SettingRow(BaseModel):
    """A setting, its value, and where that came from. A key is never among them: only the name of its variable is."""

    name: str
    value: str | float | int
    origin: str
    default: str | float | int
    choices: tuple[str, ...]
    help: str


@router.get("/rounds")
def rounds(served: Served) -> dict[str, Any]:
    """Every round that can be held, with your last session in it."""
    packs, unfinished = _known_rounds()
    last = _last(served.archive)
    return {
        "rounds": [summary_of(pack) | {"last": last.get(pack.id)} for pack in packs.values()],
        "lenses": lens_ids(),
        "problems": [asdict(problem) for problems in unfinished.values() for problem in problems],
    }


@router.get("/rounds/{round_id}")
def round_map(round_id: AnId, lens: Annotated[str | None, Query(pattern=r"^[a-z0-9-]{1,60}$")] = None) -> dict[str, Any]:
    """The map of one round, through a company's eyes where a lens is named."""
    if round_id not in round_ids():
        raise UsageError(f"there is no round {round_id!r}", code="unknown-round")
    pack = load_content(round_id).round
    if lens is None:
        return map_of(pack)
    seen = load_lens(lens)
    pack = through(pack, seen)
    return map_of(pack) | {"lens": lens_of(pack, seen)}


@router.get("/doctor")
async def doctor(served: Served) -> dict[str, list[CheckRow]]:
    """Everything a session needs, looked at now: takes a few seconds."""
    checks = await run_in_threadpool(run_checks, served.settings(), served.places)
    return {"checks": [CheckRow(**asdict(check)) for check in checks]}


@router.get("/settings")
def settings(served: Served) -> dict[str, Any]:
    """The settings in force. They are changed in config.toml. `sends_to`: where the conversation's words go, or ""."""
    values = served.settings()
    rows = [
        SettingRow(
            name=row.name,
            value=values[row.name],
            origin=values.origin(row.name),
            default=row.default,
            choices=row.choices,
            help=row.help,
        )
        for row in TABLE
    ]
    file = str(served.places.home / "config.toml")
    return {"version": __version__, "file": file, "sends_to": sends_to(values), "settings": rows}


def sends_to(settings: Settings) -> str:
    """The host of a language model elsewhere, that the words of a conversation are sent to; "": nothing leaves this machine."""
    try:
        server = server_of(settings)
    except VoiceprepError:  # no session begins with it either
        return ""
    return "" if server is None or server.local else server.host


@router.get("/devices")
def sound_devices() -> dict[str, Any]:
    """Microphones and speakers of the machine that the server runs on; `trouble` where there are none."""
    found: dict[str, Any] = {"inputs": [], "outputs": [], "trouble": ""}
    looks: dict[str, Callable[[], list[devices.Device]]] = {"inputs": devices.inputs, "outputs": devices.outputs}
    for name, look in looks.items():
        try:
            found[name] = [{"name": each.name, "default": each.default} for each in look()]
        except VoiceprepError as error:
            found["trouble"] = str(error)
    return found


@router.post("/sound-check")
async def sound_check(request: Request) -> dict[str, Any]:
    """What the page recorded in its sound check: PCM16 at 16 kHz, at most half a minute. Nothing of it is kept."""
    data = await request.body()
    if len(data) % 2 or not BLOCK * 2 <= len(data) <= LONGEST_CHECK * RATE * 2:
        raise BadInputError("a sound check is PCM16 at 16 kHz, up to 30 s of it", code="bad-frame")
    measured, verdicts = await run_in_threadpool(judge, from_pcm16(data))
    plain = {name: _finite(value) for name, value in asdict(measured).items()}
    return {"measured": plain, "verdicts": [asdict(each) for each in verdicts]}


def _finite(value: Any) -> Any:
    """JSON has no infinity: the level of digital silence is none."""
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _last(archive: Archive) -> dict[str, dict[str, Any]]:
    """Your last session of each round, with its level, 1..4; None: it was not scored. A demonstration is nobody's practice."""
    found: dict[str, dict[str, Any]] = {}
    for each in archive.list():
        if each.round and each.round not in found and not _demonstrated(archive.recordings / each.id):
            found[each.round] = {
                "session": each.id,
                "started": each.started,
                "duration": each.duration,
                "ended": each.ended,
                "level": _level(archive.recordings / each.id),
            }
    return found


def _demonstrated(folder: Path) -> bool:
    header = header_in(folder)
    return header is not None and header.demonstration


def _level(folder: Path) -> int | None:
    """The level of a session, read anew only when what it is made from has changed: a long review is a megabyte."""
    return _level_of(folder, digest_of(folder))


@lru_cache(maxsize=64)
def _level_of(folder: Path, _digest: str) -> int | None:
    keep_missing_results(folder)
    level = readiness(folder)
    return None if level is None else int(level + HALF)


def _known_rounds() -> tuple[dict[str, RoundPack], dict[str, list[Problem]]]:
    """All rounds; who comes while they are being read waits for that."""
    with _reading:
        return _rounds(_stamp())


@lru_cache(maxsize=1)
def _rounds(_files: tuple[Any, ...]) -> tuple[dict[str, RoundPack], dict[str, list[Problem]]]:
    """All rounds, read anew only when a file has changed: it takes a second or two."""
    return finished_rounds()


def _stamp() -> tuple[Any, ...]:
    """Changes with every file that rounds are made of."""
    found = []
    for folder in (data_folder("prompts"), data_folder("rubrics")):
        for path in sorted(folder.rglob("*")):
            with suppress(OSError):
                stat = path.stat()
                found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)


def warm() -> None:
    """Read the rounds before the first page asks."""
    with suppress(VoiceprepError):  # it will be told to whoever asks
        _known_rounds()
