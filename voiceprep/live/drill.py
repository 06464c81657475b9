"""Holds a take of a drill: which take it is, the session itself, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from voiceprep.audio.base import Source
from voiceprep.config import Places, Settings
from voiceprep.content.drill_content import TakePlan
from voiceprep.content.drills import load_drill
from voiceprep.core.drills.pack import PROMPT
from voiceprep.core.pack import Content
from voiceprep.core.units import Seconds
from voiceprep.errors import UsageError
from voiceprep.live.plan import NOTHING, Brought, Plan, Progress, Result
from voiceprep.live.practice import practise
from voiceprep.live.session import Session, Watcher
from voiceprep.review import takes
from voiceprep.store import drills
from voiceprep.store.drills import Kept, TakeFolder
from voiceprep.store.header import Header


@dataclass(frozen=True, slots=True)
class Held:
    """A take that is over."""

    result: Result
    kept: Kept


async def hold(
    plan: Plan,
    settings: Settings,
    places: Places,
    watch: Callable[[Content, Session], Watcher],
    progress: Progress,
    source: Source | None = None,
    brought: Brought = NOTHING,
) -> Held:
    """Hold the take of `plan.take`, judge it and keep what came of it. Raises as `practise`, and UsageError (`drill-live`)."""
    with drills.alone(places.recordings):
        result = await practise(plan, settings, places, watch, progress, source, brought)
        return Held(result, await asyncio.to_thread(takes.keep, result.folder))


def new_take(places: Places, drill: str, prompt: int | None = None) -> TakePlan:
    """A take with this prompt; without one, with the prompt after the last take's, so that no answer is known by heart.

    Raises UsageError (`unknown-drill`, `unknown-prompt`) or BadInputError.
    """
    known = load_drill(drill)
    before = drills.takes(places.recordings, drill)
    following = before[-1].header.drill_prompt % len(known.prompts) + 1 if before else 1
    return TakePlan(drill, prompt if prompt is not None else following)


def retake(places: Places, drill: str) -> TakePlan:
    """The last take's prompt once more, said alone. Raises UsageError (`no-take`)."""
    load_drill(drill)
    before = drills.takes(places.recordings, drill)
    if not before:
        raise UsageError(
            f"there is no take of {drill} yet", code="no-take", hint=f"Hold the first one with: voiceprep drill {drill}"
        )
    return TakePlan(drill, before[-1].header.drill_prompt, brief=True)


def taken_up(places: Places, drill: str) -> TakePlan:
    """The last take, where it was broken off, from the step it had reached. Raises UsageError (`no-take`)."""
    load_drill(drill)
    found = broken_off(places, drill)
    if found is None:
        raise UsageError(
            f"no take of {drill} was broken off",
            code="no-take",
            hint=f"Hold a new one with: voiceprep drill {drill}",
        )
    take, kept = found
    used = _used(take.header, kept)
    last = kept.floors[-1] if kept.floors else None
    if used is None or last is None or last.step == PROMPT:
        return TakePlan(drill, take.header.drill_prompt, brief=True, resumes=take.path.name)
    return TakePlan(
        drill,
        take.header.drill_prompt,
        brief=True,
        resumes=take.path.name,
        step=last.step,
        used=used,
    )


def _used(head: Header, kept: Kept) -> Seconds | None:
    """How much of the drill's time was gone when its last step was asked; None where the time had not begun.

    Of a take that had itself been taken up, the header knows what was gone before it; only its own floors are added to that.
    """
    own = [floor for floor in kept.floors if not head.drill_step or floor.asked >= 0]
    begun = next((floor.start for floor in own if floor.start is not None), None)
    if begun is None:
        return head.drill_used if head.drill_step else None
    return head.drill_used + max(0.0, own[-1].asked - begun)


def broken_off(places: Places, drill: str) -> tuple[TakeFolder, Kept] | None:
    """The last take of this drill, if it was broken off; None where it was not, or is still running."""
    before = drills.takes(places.recordings, drill)
    if not before or not before[-1].finished:
        return None
    kept = {one.session: one for one in takes.kept_takes(places.recordings, drill)}.get(before[-1].path.name)
    return (before[-1], kept) if kept is not None and not kept.complete else None
