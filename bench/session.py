"""What a long practice costs: memory, processor, disk, and whether both tracks keep time. Real models, captions on.

The candidate is the project's own (`bench/candidate.py`). A round ends by itself after an hour or less, so longer runs hold
one after another in this process, and memory is followed over all of them. At pace live a session runs on the wall clock, as
with a device; the candidate keeps that clock exactly, so what drifts is what the session does with it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import soundfile  # type: ignore[import-untyped]  # ships no types

from bench.candidate import BenchCandidate
from bench.choosing import Chooser
from bench.lines import Line, lines_of
from bench.voice_to_voice import Cast, machine, rendered_cast, tell, track
from voiceprep import config
from voiceprep.content import load_content
from voiceprep.core.events import AudioProgress, Event
from voiceprep.core.units import Seconds
from voiceprep.errors import UsageError
from voiceprep.live.plan import Pace, Plan
from voiceprep.live.practice import practise
from voiceprep.store.archive import Archive

ROUNDS = ("anyscale-system-design", "gpu-hm-screen")
SETTLED: Seconds = 30.0
"""By then models are loaded, and memory counts."""
EVERY: Seconds = 10.0
LEAST = 0.5
"""Minutes: what is left below this is not worth a session."""


@dataclass
class Costs:
    """What the sessions of a run used, one after another."""

    rss: list[tuple[Seconds, float]] = field(default_factory=list)
    """Session time over all sessions, and MB of this process and all its children."""
    by_process: list[tuple[Seconds, dict[str, float]]] = field(default_factory=list)
    """The same moments, each process for itself."""
    media: Seconds = 0.0
    events: int = 0
    size: int = 0
    ended: list[str] = field(default_factory=list)
    drifts: list[tuple[float, float]] = field(default_factory=list)
    """ms by which the candidate's and the interviewer's track moved against the session clock, a session each."""


class Meter(BenchCandidate):
    """A candidate that has an eye on the memory."""

    rss: list[tuple[Seconds, dict[str, float]]]

    def clock(self, at: float) -> None:
        if not self.rss or at - self.rss[-1][0] >= EVERY:
            self.rss.append((at, rss_mb()))


def run(minutes: float = 75.0, pace: str = "live", **_: Any) -> dict[str, Any]:
    """Practise for so many minutes of recording.

    Returns:
        ``{"rss_start_mb", "rss_end_mb", "drift_ms", "drift", "cpu_share", "events", "bytes_per_hour", ...}``: memory of the
        whole process tree from 30 s on; `drift_ms` the larger movement of the two tracks against the session clock in any
        session; `cpu_share` processor seconds for a second of recording, the candidate's own included.

    Raises:
        UsageError: a pace that there is none of.
    """
    if pace not in {"live", "fast"}:
        raise UsageError(f"--pace {pace} is none of: live, fast", code="bad-option")
    given: Pace = "fast" if pace == "fast" else "live"
    return asyncio.run(_run(minutes, given))


async def _run(minutes: float, pace: Pace) -> dict[str, Any]:
    cast = await rendered_cast("en", "dev", variants=1)
    costs = Costs()
    cpu, wall = _cpu(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        while minutes - costs.media / 60 > LEAST or not costs.ended:
            round_id = ROUNDS[len(costs.ended) % len(ROUNDS)]
            tell(f"session {len(costs.ended) + 1}: {round_id}, {pace}")
            await _session(round_id, minutes * 60 - costs.media, pace, cast, Path(folder), costs)
            if costs.ended[-1] not in {"audio-ended", "completed"}:
                break
    return _figures(costs, _cpu() - cpu, time.perf_counter() - wall, pace)


async def _session(round_id: str, seconds: Seconds, pace: Pace, cast: Cast, folder: Path, costs: Costs) -> None:
    settings = config.load().with_arguments(speaker="none", language=cast.language, duplex="full")
    own = config.Places(home=config.places().home, recordings=folder)
    chooser = Chooser(cast.takes, [question.id for question in load_content(round_id).round.questions])
    candidate = Meter(chooser, pace, seconds, cast.beds, seed=len(costs.ended), tell=tell)
    candidate.rss = []
    result = await practise(Plan(round_id, pace), settings, own, lambda _c, _s: candidate, tell, candidate)
    _, events = Archive(folder).read(result.session)
    before = costs.media
    costs.by_process += [(before + at, each) for at, each in candidate.rss]
    costs.rss += [(before + at, round(sum(each.values()), 1)) for at, each in candidate.rss]
    costs.media += soundfile.info(result.folder / "candidate.flac").duration
    costs.events += len(events)
    costs.size += sum(path.stat().st_size for path in result.folder.iterdir())
    costs.ended.append(result.ended)
    costs.drifts.append((candidate_drift(events), interviewer_drift(lines_of(events, track(result)))))


def _figures(costs: Costs, cpu: Seconds, wall: Seconds, pace: Pace) -> dict[str, Any]:
    settled = [mb for at, mb in costs.rss if at >= SETTLED] or [mb for _, mb in costs.rss]
    candidate, interviewer = (max((abs(pair[n]) for pair in costs.drifts), default=0.0) for n in (0, 1))
    return {
        "rss_start_mb": settled[0],
        "rss_end_mb": settled[-1],
        "rss_peak_mb": max(settled),
        "rss_by_process_mb": by_process(costs.by_process),
        "rss_every_five_minutes_mb": settled[:: round(300 / EVERY)],
        "drift_ms": round(max(candidate, interviewer), 3),
        "drift": {"candidate_ms": round(candidate, 3), "interviewer_ms": round(interviewer, 3)},
        "cpu_share": round(cpu / costs.media, 3),
        "events": costs.events,
        "bytes_per_hour": round(costs.size / costs.media * 3600),
        "audio_seconds": round(costs.media, 1),
        "wall_seconds": round(wall, 1),
        "pace": pace,
        "sessions": costs.ended,
        "machine": machine(),
    }


# --- measuring ----------------------------------------------------------------------------------------------------------


def candidate_drift(events: Sequence[Event]) -> float:
    """Milliseconds by which the recording fell behind the session clock from its first minute to its last.

    Of each minute the smallest offset counts: larger ones are blocks that waited in a queue.
    """
    progress = [e for e in events if isinstance(e, AudioProgress) and e.media > 0]
    if not progress:
        return 0.0
    first = [e.at - e.media for e in progress if e.at <= progress[0].at + 60]
    last = [e.at - e.media for e in progress if e.at >= progress[-1].at - 60]
    return 1000 * (min(last) - min(first))


def interviewer_drift(lines: Sequence[Line]) -> float:
    """Milliseconds by which the interviewer's track fell behind the session clock, from the first lines to the last.

    The first third of them against the last, and of each the one that was written soonest: a busy machine is no drift.
    """
    third = len(lines) // 3
    if not third:
        return 0.0
    late = [line.started - line.placed for line in lines]
    return 1000 * (min(late[-third:]) - min(late[:third]))


def rss_mb() -> dict[str, float]:
    """Resident MB of this process and of all its descendants, by name; pages that they share count in each.

    A descendant is called by the worker whose process it is; those that only help (Python's resource tracker) by their command.
    """
    own = psutil.Process()
    names = {child.pid: child.name for child in multiprocessing.active_children()}
    found: dict[str, float] = {}
    for process in (own, *own.children(recursive=True)):
        try:
            name = "session" if process.pid == own.pid else names.get(process.pid, process.name())
            mb = round(process.memory_info().rss / 2**20, 1)
        except psutil.NoSuchProcess:  # it ended while we looked
            continue
        found[name if name not in found else f"{name} {process.pid}"] = mb
    return found


def by_process(seen: Sequence[tuple[Seconds, dict[str, float]]]) -> dict[str, list[float]]:
    """Of each process its MB when settled (or first seen), at the end (or last seen), and at most."""
    told: dict[str, list[float]] = {}
    for at, each in seen:
        if at < SETTLED:
            continue
        for name, mb in each.items():
            first, _, most = told.get(name, (mb, mb, mb))
            told[name] = [first, mb, max(most, mb)]
    return told


def _cpu() -> Seconds:
    """CPU seconds of this process and of the children it has waited for (the recogniser's and the voices')."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    print(json.dumps(run()))
