"""Is everything here that a session needs? Each thing is looked at for itself, and says how to mend it."""

from __future__ import annotations

import asyncio
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from voiceprep.config import Places, Settings, places, user_path
from voiceprep.errors import VoiceprepError
from voiceprep.store import reserve

if TYPE_CHECKING:  # numpy comes with it
    from voiceprep.audio.echo_probe import EchoMeasure

HOURS = 5
"""Hours of recording that there should be room for, the machine's other programs not counted."""

WORTH = 10.0
"""Decibels of echo that the canceller must take off in its first seconds, or a session will stay half duplex."""

OLDEST_PYTHON = (3, 11)
OFF = "off"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    `detail` says what was found, `fix` what to do when `ok` is False. `needed`: no session is possible without it.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a check found. `needed` overrides, when not None, how the check is entered in the list."""

    ok: bool
    detail: str
    fix: str = ""
    needed: bool | None = None


def run_checks(settings: Settings, where: Places | None = None, *, sound: bool = False) -> list[Check]:
    """Look at everything, in the order a session needs it. Never raises: trouble in a check is what it reports.

    `sound`: the echo is measured with three seconds of soft noise from the speaker; otherwise nothing sounds.

    Blocks, the first time for seconds (the speed of the voices is measured); from asyncio call it in a thread.
    """
    where = where or places()
    looks: tuple[tuple[str, bool, Callable[[], _Finding]], ...] = (
        ("python", True, _python),
        ("packages", True, _packages),
        ("model", True, lambda: _model(settings, where)),
        ("recogniser", False, lambda: _recogniser(settings, where)),
        ("sound library", False, _sound_library),
        ("microphone", False, lambda: _microphone(settings)),
        ("speaker", False, lambda: _speaker(settings)),
        ("echo", False, lambda: _echo(settings, sound=sound)),
        ("voices", False, lambda: _voices(settings, where)),
        ("recordings folder", True, lambda: _recordings(where.recordings)),
        ("disk", False, lambda: _disk(where.recordings)),
        ("rounds", True, _rounds),
        ("language model", False, lambda: _language_model(settings, where)),
    )
    return [_look(name, needed, look) for name, needed, look in looks]


def _look(name: str, needed: bool, look: Callable[[], _Finding]) -> Check:
    try:
        found = look()
    except VoiceprepError as error:
        found = _Finding(ok=False, detail=error.message, fix=error.hint)
    except Exception as error:  # noqa: BLE001  (a broken library must not keep the other checks from being seen)
        found = _Finding(ok=False, detail=f"the check failed: {type(error).__name__}: {error}", fix="make setup")
    return Check(name, found.ok, found.detail, found.fix, needed if found.needed is None else found.needed)


def _python() -> _Finding:
    detail = f"{platform.python_version()} ({sys.executable})"
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    return _Finding(ok, detail, "" if ok else "install Python 3.11 or newer, then: make setup")


def _packages() -> _Finding:
    """Every package that voiceprep itself asks for on this Python, besides those of an extra."""
    from packaging.requirements import Requirement

    wanted = [Requirement(line) for line in metadata.requires("voiceprep") or ()]
    names = [item.name for item in wanted if item.marker is None or item.marker.evaluate({"extra": ""})]
    missing = [name for name in names if not _installed(name)]
    if missing:
        return _Finding(ok=False, detail=f"missing: {', '.join(missing)}", fix="make setup")
    return _Finding(ok=True, detail=f"all {len(names)} are installed")


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _model_folder(settings: Settings, where: Places) -> Path | None:
    from voiceprep.speech.models import find_model

    given = settings["model_folder"]
    return find_model(settings["stt"], models=where.models, folder=user_path(given) if given else None)


def _model(settings: Settings, where: Places) -> _Finding:
    name = settings["stt"]
    if name == OFF:
        return _Finding(ok=True, detail="off: sessions run without a transcript")
    found = _model_folder(settings, where)
    if found is None:
        fix = f"voiceprep models get {name}; or practise without a transcript: --stt off"
        return _Finding(ok=False, detail=f"{name} is not here, or is damaged", fix=fix)
    return _Finding(ok=True, detail=f"{name}, verified ({found})")


def _recogniser(settings: Settings, where: Places) -> _Finding:
    if settings["stt"] == OFF:
        return _Finding(ok=True, detail="off")
    folder = _model_folder(settings, where)
    if folder is None:
        return _Finding(ok=False, detail="cannot be tried without its model", fix=f"voiceprep models get {settings['stt']}")
    from voiceprep.speech.stt.probe import choose_device

    chosen = choose_device(settings["device"], folder)
    refused = settings["device"] == "cuda" and chosen.device != "cuda"
    fix = "set device = auto, or install what is missing" if refused else ""
    return _Finding(not refused, f"{chosen.device}, {chosen.compute_type}: {chosen.reason}", fix)


def _voices(settings: Settings, where: Places) -> _Finding:
    from voiceprep.speech.tts.choose import choose

    async def look() -> tuple[bool, str]:
        voices = await choose(settings, where)
        silent = any(voice.info.engine == "none" for voice in voices.voices.values())
        await voices.close()
        return silent and settings["voice"] != "none", voices.reason

    lacking, reason = asyncio.run(look())
    return _Finding(not lacking, reason, "make setup" if lacking else "")


def _sound_library() -> _Finding:
    from voiceprep.audio import portaudio

    try:
        version = str(portaudio.load().get_portaudio_version()[1]).partition(",")[0]
    except VoiceprepError as error:
        return _Finding(ok=False, detail=error.message, fix=error.hint)
    return _Finding(ok=True, detail=version)


def _microphone(settings: Settings) -> _Finding:
    from voiceprep.audio import devices

    if wanted := settings["microphone"]:
        is_file = user_path(wanted).is_file()
        return _Finding(ok=True, detail=f"as set: {wanted if is_file else devices.find('input', wanted).name}")
    ok, detail = devices.has_microphone()
    fix = "connect one and allow it; or give a recording: voiceprep practice ROUND --mic FILE"
    return _Finding(ok, detail, "" if ok else fix)


def _speaker(settings: Settings) -> _Finding:
    from voiceprep.audio import devices

    if settings["speaker"]:
        return _Finding(ok=True, detail=f"as set: {settings['speaker']}")
    ok, detail = devices.has_speaker()
    return _Finding(ok, detail, "" if ok else "connect one; or read along: voiceprep practice ROUND --speaker none")


def _echo(settings: Settings, *, sound: bool) -> _Finding:
    """What a session does about the interviewer's voice at the microphone, and with `sound` how well that works here."""
    from voiceprep.audio.devices import open_sink, open_source
    from voiceprep.audio.duplex import choose_duplex
    from voiceprep.audio.echo_probe import measure

    async def look() -> _Finding:
        source = open_source(settings["microphone"], "live", lambda _code, _message: None)
        sink = open_sink(settings["speaker"])
        try:
            plan = choose_duplex(settings["duplex"], source, sink)
            if not sound or source.on_demand:
                return _Finding(ok=True, detail=f"{plan.reason} (not measured: voiceprep doctor --sound)")
            return _judged(settings["duplex"], plan.reason, await measure(source, sink))
        finally:
            await source.close()
            await sink.close()

    return asyncio.run(look())


def _judged(wanted: str, plan: str, found: EchoMeasure) -> _Finding:
    if found.delay is None:
        return _Finding(ok=True, detail="no echo, as with headphones: you can interrupt the interviewer")
    heard = f"the microphone hears the speaker after {found.delay:.2f} s at {found.level:+.0f} dB"
    if wanted == "half":
        return _Finding(ok=True, detail=f"{heard}; {plan}")
    if wanted == "full":
        return _Finding(ok=False, detail=f"{heard}, and the interviewer would hear itself", fix="set duplex = auto")
    if found.removed < WORTH:
        why = found.canceller or f"cancellation takes only {found.removed:.0f} dB off"
        return _Finding(ok=False, detail=f"{heard}; half duplex: {why}", fix="wear headphones, or turn the speaker down")
    return _Finding(ok=True, detail=f"{heard}; echo cancelled by {found.removed:.0f} dB: you can interrupt the interviewer")


def _recordings(folder: Path) -> _Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        fix = "set VOICEPREP_RECORDINGS to a folder that can be written"
        return _Finding(ok=False, detail=f"{folder}: {error.strerror}", fix=fix)
    return _Finding(ok=True, detail=str(folder))


def _disk(folder: Path) -> _Finding:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(there).free
    ok = free >= HOURS * reserve.HOUR
    fix = "" if ok else "make room, or set VOICEPREP_RECORDINGS to a folder on another disk"
    return _Finding(ok, f"{free / 1e9:.1f} GB free for recordings", fix, needed=free < reserve.LEAST)


def _rounds() -> _Finding:
    """A broken pack of the user's own does not keep the other rounds from being held."""
    from voiceprep.content import check_all, load_content, round_ids

    ready = []
    for name in round_ids():
        with suppress(VoiceprepError):
            load_content(name)
            ready.append(name)
    problems = check_all()
    if problems:
        return _Finding(
            ok=False,
            detail=f"{len(problems)} problems in the rounds' files, the first: {problems[0]}",
            fix="voiceprep rounds check tells them all",
            needed=not ready,
        )
    if not ready:
        return _Finding(ok=False, detail="there are none", fix="the program's files are incomplete: install it again")
    return _Finding(ok=True, detail=", ".join(ready))


def _language_model(settings: Settings, where: Places) -> _Finding:
    """Asks a configured server what it can do, anew each time: that is the check."""
    from voiceprep.agent.client import ModelClient
    from voiceprep.agent.opening import asked
    from voiceprep.agent.server import server_of

    server = server_of(settings)
    if server is None:
        return _Finding(ok=True, detail="none is set up, and none is needed: nothing leaves this machine")

    async def look() -> str:
        client = ModelClient(server, server.key())
        try:
            can = await asked(client, where)
        finally:
            await client.close()
        slow = "; it reasons before each line, and most will come too late" if can.reasons else ""
        return f"{server.leaves(settings)}{slow}"

    return _Finding(ok=True, detail=asyncio.run(look()))
