"""A drill on paper: short lines that are easy to recognise in a log."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.content import PERSONA, content, line
from voiceprep.core.drills.drill import DrillContent, as_round
from voiceprep.core.drills.measures import Length
from voiceprep.core.drills.pack import Criterion, Drill, Mark, Part, Prompt, Step
from voiceprep.core.pack import Persona
from voiceprep.core.units import Seconds


def both(text: str) -> dict[str, str]:
    return {"en": text, "zh": f"中文{text}"}


def step(name: str, *, at: Seconds | None = None, limit: Seconds | None = None) -> Step:
    return Step(id=name, line=line(name), at=at, budget=20.0, limit=limit)


def prompt(*steps: Step, name: str = "p1") -> Prompt:
    return Prompt(id=name, line=line(name), steps=steps)


def mark(name: str, at: Seconds, *, spoken: bool = False, step: str = "prompt") -> Mark:
    return Mark(id=name, at=at, spoken=spoken, text=both(name), step=step)  # type: ignore[arg-type]


def part(name: str, budget: Seconds, *opens: str, step: str = "") -> Part:
    return Part(id=name, title=both(name), budget=budget, opens=opens, step=step)  # type: ignore[arg-type]


def drill(*prompts: Prompt, **more: object) -> Drill:
    made = Drill(
        id="paper-drill",
        title=both("Paper"),  # type: ignore[arg-type]
        goal=both("a goal"),  # type: ignore[arg-type]
        rounds=("gpu-hm-screen",),
        requirements=("G-R1b",),
        source="tests",
        persona="tester",
        budget=60.0,
        limit=90.0,
        prompts=prompts or (prompt(),),
        criteria=(
            Criterion(
                id="length",
                asked=both("under a minute"),  # type: ignore[arg-type]
                measure=Length(high=60.0),
                passed=both("in time"),  # type: ignore[arg-type]
                failed=both("too long"),  # type: ignore[arg-type]
            ),
        ),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def drill_content(made: Drill, persona: Persona = PERSONA, *, brief: bool = False) -> DrillContent:
    """With `patience` the drill's own, as the loader does."""
    if made.patience is not None:
        persona = replace(persona, patience_short=made.patience, patience_long=made.patience)
    common = content()
    return DrillContent(
        round=as_round(made, made.prompts[0], persona),
        detectors=common.detectors,
        endings=common.endings,
        pacing=common.pacing,
        drill=replace(made, detectors=common.detectors),
        prompt=made.prompts[0],
        brief=brief,
    )
