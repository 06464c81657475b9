"""How fast the pure core is: hours of an interview on the simulated clock."""

from __future__ import annotations

import random
import time
from typing import Any

from tests.fakes.content import content
from tests.fakes.table import Table

ANSWERS = (
    "our gpu cluster had a queue and i decided who goes first that's my answer",
    "we measured it and it went down by ten percent and then",
    "we traded some money for it and that's my answer",
)


def run(hours: float = 1.0, **_: Any) -> dict[str, Any]:
    """Returns ``{"events", "seconds"}``: events of `hours` of interview, and the wall seconds they took."""
    began, events, played = time.perf_counter(), 0, 0.0
    seed = 0
    while played < hours * 3600:
        seed += 1
        minutes = min(75.0, (hours * 3600 - played) / 60)
        t = Table(content(minutes=75, questions=30), seed=seed)
        t.start()
        luck = random.Random(seed)
        now = 4.0
        while now < minutes * 60:
            length = luck.uniform(10, 60)
            t.say(now, now + length, luck.choice(ANSWERS))
            now += length + luck.uniform(1, 12)
        t.stop(minutes * 60)
        events += len(t.run())
        played += minutes * 60
    return {"events": events, "seconds": round(time.perf_counter() - began, 3)}


if __name__ == "__main__":
    print(run())
