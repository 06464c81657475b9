"""Hours of a session, interrupted, flagged and disconnected all the time: what does not grow, and that the log replays.

`voiceprep bench endurance --hours 4` takes the whole shell through as long; here it goes through some minutes, and the core
through four hours.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from bench.endurance import run
from tests.fakes.content import PERSONA, content, rule
from tests.fakes.table import Table
from tests.store.samples import HEADER
from voiceprep.core.events import (
    Event,
    Fact,
    FlagRaised,
    Interrupted,
    SessionPaused,
    SessionResumed,
    TurnHandedOver,
)
from voiceprep.core.pack import Content
from voiceprep.core.units import At, Media
from voiceprep.live.assembly import assemble, replay
from voiceprep.store import log
from voiceprep.store.codec import DECIMALS, as_logged
from voiceprep.store.log import EventLog

HOURS, CYCLE = 4, 50.0


class Kept(list[Event]):
    """The log of a table, on the disk instead of in memory: only the last event stays."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.file = EventLog(path, HEADER)
        self.kinds: dict[type[Event], int] = {}

    def __iadd__(self, events: Iterable[Event]) -> Self:  # type: ignore[override, misc]  # it is the same list
        for event in events:
            self.file.append(as_logged(event))
            self.kinds[type(event)] = self.kinds.get(type(event), 0) + 1
            self[:] = [event]
        return self


class Precise(Table):
    """Decides, as a session does, on facts with the precision that the log keeps."""

    def put(self, at: float, fact: Fact) -> None:
        super().put(round(at, DECIMALS), as_logged(fact))


def marathon() -> Content:
    made = content(replace(PERSONA, followups=(30, 40)), minutes=HOURS * 120, questions=40)
    return replace(made, pacing={**made.pacing, "long_pause": rule("long_pause", 1.0, 2.0, 3.0)})


def cycle(table: Table, begin: float, number: int) -> None:
    """One of them: an answer with pauses that are flagged, handed over; talk into the next line; the page lost and back."""
    luck = random.Random(number)
    now = begin + 1.0
    for _ in range(4):
        length = luck.uniform(4.0, 7.0)
        table.say(now, now + length, "our gpu cluster had a queue and i decided who goes first and then")
        now += length + 3.5
    table.say(now, now + 2.0, "that's my answer")
    table.put(now + 2.5, TurnHandedOver(at=At(0), media=Media(now + 2.5)))
    into = 3.8 + 0.6 * (number % 3 == 0)  # hardly begun, or well under way
    table.say(now + into, now + into + 2.0, "sorry one more thing about the queue")
    if number % 2 == 0:
        table.put(begin + CYCLE - 2.0, SessionPaused(at=At(0), media=Media(begin + CYCLE - 2.0), reason="away"))
        table.put(begin + CYCLE - 2.0, SessionResumed(at=At(0), media=Media(begin + CYCLE - 2.0)))
    table.run(until=begin + CYCLE)


def test_four_hours_of_decisions(tmp_path: Path) -> None:
    table = Precise(marathon(), seed=1, decode=0.3)
    table.log = kept = Kept(tmp_path / log.NAME)
    table.start()
    table.run(until=4.0)
    objects, number = [], 0
    while table.now < HOURS * 3600 and not table.conductor.ended:
        cycle(table, 4.0 + number * CYCLE, number)
        number += 1
        if number % 72 == 0:
            table._words.clear()  # the table's own: what was said before is never asked for again
            gc.collect()
            objects.append(sys.getallocatedblocks())
    table.stop(table.now + 1.0)
    table.run()
    kept.file.file.close()
    assert kept.kinds[FlagRaised] >= 2_000
    assert kept.kinds[Interrupted] >= 200
    assert kept.kinds[SessionResumed] >= 100
    hourly = [later - earlier for earlier, later in pairwise(objects)]
    assert max(hourly) < 40_000, hourly  # what was said is remembered; nothing that grows with the hours
    assert hourly[-1] < 1.5 * hourly[0] + 2_000, hourly
    found = log.read(tmp_path / log.NAME)
    assert len(found.events) == sum(kept.kinds.values())
    again = replay(found.events, assemble(marathon(), table.policy, "en", 1))
    differing = [pair for pair in zip(map(as_logged, again), found.events, strict=True) if pair[0] != pair[1]]
    assert differing[:1] == []


def test_some_minutes_of_the_whole_shell() -> None:
    told: dict[str, Any] = run(0.15)
    assert told["ended"] == "user"
    assert told["replays"]
    assert told["flags"] >= 2_000 * 0.15 / HOURS
    assert told["interruptions"] >= 200 * 0.15 / HOURS
    assert told["reconnects"] >= 100 * 0.15 / HOURS
    assert told["handles_end"] == told["handles_start"]
    assert told["rss_end_mb"] - told["rss_start_mb"] < 8.0
    assert told["drift_ms"] < 20.0
