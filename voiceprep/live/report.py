"""One file about this installation that a user can attach to a bug report: what runs here, how it went, and no word of theirs.

What could tell who they are is taken out: names of folders, of the user and of the machine, whose headset it is, where a
language model runs. Of the last session there are counts, codes and times, never a text; of the log, lines that hold none.
"""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from voiceprep import __version__
from voiceprep.agent.server import OFF, server_of
from voiceprep.audio import devices
from voiceprep.config import TABLE, Places, Settings
from voiceprep.core.events import AudioGap, EdgeFailed, Event, FlagRaised
from voiceprep.core.text import HANZI
from voiceprep.core.timeline import fold
from voiceprep.errors import VoiceprepError
from voiceprep.live.doctor import Check
from voiceprep.review.latency import figures, leading_in, replies
from voiceprep.store import track
from voiceprep.store.archive import LATEST, Archive
from voiceprep.store.header import Header

SCHEMA = 1
LINES = 200
"""Of the log, the latest."""
PLACES = frozenset({"pacing_file", "cv", "jd", "model_folder", "microphone", "speaker"})
"""Settings that may name a file of the user's."""
TOLD = frozenset({"version", "started", "round", "persona", "language", "mode", "source", "clock", "models", "policy", "drill"})
"""Of a session's header. Ids of intakes and loops are nobody's business."""
_WHOSE = re.compile(rf"\b[\w.-]+(?: [\w.-]+)?['\u2019]s (?=\w)|[\w{HANZI}]+的(?=\s?\w)")
"""Dana's AirPods: systems name a headset after who wears it."""


def report(settings: Settings, where: Places, checks: Sequence[Check], now: datetime | None = None) -> dict[str, Any]:
    """The whole report as a JSON document. Never raises: what cannot be told is left out, or told as an error's code."""
    document = {
        "schema": SCHEMA,
        "made": f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "voiceprep": __version__,
        "python": platform.python_version(),
        "system": {
            "name": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "processors": os.cpu_count(),
        },
        "packages": _packages(),
        "settings": {row.name: _setting(settings, row.name) for row in TABLE},
        "devices": _devices(),
        "checks": [asdict(check) for check in checks],
        "last_session": _last_session(where),
        "log": _log(where.home / "logs"),
    }
    taken_out: dict[str, Any] = _without(document, _secrets(settings, where))
    return taken_out


def _packages() -> dict[str, str]:
    found = {}
    for line in metadata.requires("voiceprep") or ():
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _setting(settings: Settings, name: str) -> dict[str, Any]:
    value = settings[name]
    if name in PLACES and (Path(str(value)).suffix or os.sep in str(value)):
        value = "(a file)"
    elif name == "llm_url" and value not in {"", OFF}:
        value = _whereabouts(settings)
    return {"value": value, "origin": settings.origin(name)}


def _whereabouts(settings: Settings) -> str:
    try:
        server = server_of(settings)
    except VoiceprepError as error:
        return f"({error.code})"
    return "(on this machine)" if server is not None and server.local else "(elsewhere)"


def _devices() -> dict[str, Any]:
    try:
        return {"inputs": [asdict(each) for each in devices.inputs()], "outputs": [asdict(each) for each in devices.outputs()]}
    except VoiceprepError as error:
        return {"error": error.code}


def _last_session(where: Places) -> dict[str, Any]:
    archive = Archive(where.recordings)
    try:
        folder = archive.find(LATEST)
        header, events = archive.read(folder.name)
        return _session(folder, header, events)
    except VoiceprepError as error:
        return {"error": error.code}


def _session(folder: Path, header: Header, events: Sequence[Event]) -> dict[str, Any]:
    """Its facts: numbers, ids of ours, codes."""
    told = fold(events)
    waits = figures(replies(events, leading_in(folder)))
    return {
        **{name: value for name, value in asdict(header).items() if name in TOLD},
        "ended": told.ended,
        "seconds": {"elapsed": told.elapsed, "recorded": told.duration, "spoken": told.spoken},
        "tracks": {name: track.seconds(folder, name) for name in track.RATES},
        "events": _counted(type(event).__name__ for event in events),
        "failures": _counted(event.code for event in events if isinstance(event, EdgeFailed)),
        "gaps": _counted(event.reason for event in events if isinstance(event, AudioGap)),
        "flags": _counted(f"{event.rule} {event.level}" for event in events if isinstance(event, FlagRaised)),
        "files": {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()},
        "latency": {name: waits[name] for name in ("response_gap", "breakdown")},
    }


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _log(folder: Path) -> list[Any]:
    """The latest lines that are lines of ours; an older version wrote other ones."""
    lines: list[Any] = []
    for file in sorted(folder.glob("*.log"))[-2:]:
        with suppress(OSError):
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, RecursionError):
                    told = json.loads(line)
                    lines += [told] if isinstance(told, dict) else []
    return lines[-LINES:]


def _secrets(settings: Settings, where: Places) -> list[tuple[re.Pattern[str], str]]:
    """What to take out, and what stands in its place; the longest first, for a home lies in a home."""
    plain = {
        str(where.recordings): "(recordings)",
        str(where.home): "(home)",
        str(Path.cwd()): "(here)",
        str(Path.home()): "~",
        platform.node(): "(machine)",
    }
    plain |= {str(settings[name]): "(a file)" for name in PLACES if os.sep in str(settings[name])}
    with suppress(OSError, KeyError, ImportError):
        plain[getpass.getuser()] = "(user)"
    with suppress(VoiceprepError):
        if (server := server_of(settings)) is not None and not server.local:
            plain[server.host] = "(server)"
    for variable, value in os.environ.items():
        if re.search(r"KEY|TOKEN|PASSWORD|SECRET", variable, re.IGNORECASE) and len(value) >= 6:  # noqa: PLR2004 - no word
            plain[value] = "(secret)"
    found = sorted((item for item in plain.items() if len(item[0]) > 1), key=lambda item: -len(item[0]))
    return [(re.compile(rf"(?<![\w]){re.escape(secret)}(?![\w])"), mark) for secret, mark in found]


def _without(value: Any, secrets: Sequence[tuple[re.Pattern[str], str]]) -> Any:
    match value:
        case str():
            for secret, mark in secrets:
                value = secret.sub(mark, value)
            return _WHOSE.sub("(somebody's) ", value)
        case dict():
            return {key: _without(item, secrets) for key, item in value.items()}
        case list() | tuple():
            return [_without(item, secrets) for item in value]
    return value
