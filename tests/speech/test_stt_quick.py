"""A smaller model for captions and drafts: when it is taken, what it is asked, and that nothing asked before is lost."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import numpy as np

from voiceprep.core.events import Language
from voiceprep.errors import MissingError
from voiceprep.speech.stt.quick import PATIENCE, TOO_SLOW, Candidate, Quick
from voiceprep.speech.worker import Worker

SOUND = np.ones(100, np.float32)


class Model:
    """Stands for a worker; each call takes `seconds` on the clock it shares with its friends."""

    def __init__(self, name: str, seconds: float, clock: list[float]) -> None:
        self.name, self.seconds, self.clock = name, seconds, clock
        self.calls: list[tuple[Any, ...]] = []
        self.ended = ""
        self.gate: asyncio.Event | None = None

    async def call(self, method: str, *args: Any, **_: Any) -> str:
        self.calls.append((method, *args[1:]))
        self.clock[0] += self.seconds
        if self.gate is not None:
            await self.gate.wait()
        return self.name

    async def finish(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        self.ended = "finished"

    async def close(self) -> None:
        self.ended = self.ended or "closed"


def quick(clock: list[float], first: Model, *smaller: tuple[Model, bool]) -> Quick:
    def candidate(model: Model, english: bool) -> Candidate:
        async def open_it() -> Worker:
            if not model.name:
                raise MissingError("it is damaged", code="model-corrupt")
            return cast("Worker", model)

        return Candidate(model.name, english, open_it)

    candidates = [candidate(model, english) for model, english in smaller]
    return Quick(first.name, cast("Worker", first), candidates, lambda: clock[0])


async def asked(of: Quick, times: int, language: Language = "en") -> list[str]:
    answers = [await of.call("hypothesize", SOUND, language, "known") for _ in range(times)]
    if of._change is not None:
        await of._change
    return answers


async def test_a_machine_that_is_too_slow_takes_the_next_smaller_model() -> None:
    clock = [0.0]
    base, tiny = Model("base", TOO_SLOW + 0.1, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (tiny, False))
    assert await asked(of, PATIENCE) == ["base"] * PATIENCE
    assert await asked(of, 3 * PATIENCE) == ["tiny"] * 3 * PATIENCE
    assert tiny.calls[0] == ("hypothesize", "en", "known")
    assert (of.name, base.ended) == ("tiny", "finished")
    await of.close()
    assert tiny.ended == "closed"


async def test_a_machine_that_keeps_up_keeps_its_model() -> None:
    clock = [0.0]
    base, tiny = Model("base", TOO_SLOW - 0.1, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (tiny, False))
    assert await asked(of, 3 * PATIENCE) == ["base"] * 3 * PATIENCE


async def test_a_slow_moment_changes_nothing() -> None:
    clock = [0.0]
    base, tiny = Model("base", 0.3, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (tiny, False))
    await asked(of, PATIENCE)
    base.seconds = 5.0
    await asked(of, 1)
    base.seconds = 0.3
    assert await asked(of, 2 * PATIENCE) == ["base"] * 2 * PATIENCE


async def test_a_model_that_knows_english_only_is_not_asked_for_chinese() -> None:
    clock = [0.0]
    base, english, tiny = Model("base", 2.0, clock), Model("tiny.en", 0.3, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (english, True), (tiny, False))
    await asked(of, PATIENCE, "mixed")
    assert await asked(of, 1, "mixed") == ["tiny"]
    alone = quick(clock, base, (english, True))
    assert await asked(alone, 2 * PATIENCE, "zh") == ["base"] * 2 * PATIENCE


async def test_what_was_asked_before_is_answered_by_the_model_that_was_asked() -> None:
    clock = [0.0]
    base, tiny = Model("base", 2.0, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (tiny, False))
    await asked(of, PATIENCE - 1)
    base.gate = asyncio.Event()
    draft = asyncio.create_task(of.call("draft", SOUND, "en"))
    last = asyncio.create_task(of.call("hypothesize", SOUND, "en"))
    await asyncio.sleep(0)
    base.gate.set()
    assert [await draft, await last] == ["base", "base"]
    assert base.ended != "closed"
    await asked(of, 1)
    assert of.name == "tiny"


async def test_a_damaged_smaller_model_leaves_the_first_and_the_next_is_tried() -> None:
    clock = [0.0]
    base, bad, tiny = Model("base", 2.0, clock), Model("", 0.3, clock), Model("tiny", 0.3, clock)
    of = quick(clock, base, (bad, False), (tiny, False))
    await asked(of, PATIENCE)
    assert of.name == "base"
    await asked(of, PATIENCE)
    assert of.name == "tiny"
