"""What a drill's table alone cannot say about itself: a mark that comes too late, a criterion that no take could meet.

Like checks.py it looks at the raw values, so that an author sees everything at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from voiceprep.content.checks import Found, tables
from voiceprep.content.drill_schema import SHAPES
from voiceprep.content.problems import Key
from voiceprep.content.reading import reasons
from voiceprep.core.drills.pack import PROMPT


@dataclass(frozen=True, slots=True)
class Known:
    """What a drill may name: ids that can be listened for (None: unknown, nothing is refused), and pacing rules."""

    listened: Collection[str] | None
    rules: Collection[str]


def check_drill(raw: Mapping[str, Any], known: Known) -> Found:
    for name in ("prompts", "steps", "facts", "marks", "parts", "criteria"):
        yield from _twice(raw.get(name), (name,))
    yield from _times(raw)
    yield from _steps(raw)
    yield from _dialogue(raw)
    for index, criterion in enumerate(tables(raw.get("criteria"))):
        measure = criterion.get("measure")
        if isinstance(measure, dict):
            for place, reason in _measure(measure, raw, known):
                yield ("criteria", index, "measure", *place), reason


def _twice(value: Any, key: Key) -> Found:
    seen: set[str] = set()
    for index, item in enumerate(tables(value)):
        name = str(item.get("id"))
        if "id" in item and name in seen:
            yield (*key, index, "id"), f"{name!r} is there already"
        seen.add(name)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _past(value: Any, bound: Any) -> bool:
    """Whether both are numbers and the first is the larger one."""
    first, second = _number(value), _number(bound)
    return first is not None and second is not None and first > second


# --- the clock ----------------------------------------------------------------------------------------------------------


def _times(raw: Mapping[str, Any]) -> Found:
    budget, limit = raw.get("budget_seconds"), raw.get("limit_seconds")
    if _past(budget, limit):
        yield ("limit_seconds",), f"{limit:g} s is less than the budget, {budget:g} s"
    for index, mark in enumerate(tables(raw.get("marks"))):
        step = mark.get("step", PROMPT)
        bound = budget if step == PROMPT else min(_budgets(raw, str(step)), default=None)
        if _past(mark.get("at_seconds"), bound):
            yield ("marks", index, "at_seconds"), f"{mark['at_seconds']:g} s is beyond its budget, {bound:g} s"
        if step != PROMPT and step not in _common(raw):
            yield ("marks", index, "step"), f"{step!r} is no step of every prompt"
    for key, step in _all_steps(raw):
        for name in ("at_seconds", "budget_seconds", "limit_seconds"):
            if _past(step.get(name), limit):
                yield (*key, name), f"{step[name]:g} s is beyond the drill's limit, {limit:g} s"
        if _past(step.get("budget_seconds"), step.get("limit_seconds")):
            yield (*key, "limit_seconds"), "is less than the step's budget"
    parts = tables(raw.get("parts"))
    total = sum(_number(part.get("budget_seconds")) or 0.0 for part in parts)
    if _past(total, budget):
        yield ("parts",), f"budgets add up to {total:g} s; the drill has {budget:g} s"
    for index, prompt in enumerate(tables(raw.get("prompts"))):
        for number, shown in enumerate(tables(prompt.get("shows"))):
            if _past(shown.get("at_seconds"), budget):
                yield ("prompts", index, "shows", number, "at_seconds"), f"is beyond the drill's budget, {budget:g} s"


def _budgets(raw: Mapping[str, Any], step: str) -> Iterator[float]:
    """How long the clock of a step runs, wherever it stands."""
    for _, one in _all_steps(raw):
        bound = _number(one.get("budget_seconds", one.get("limit_seconds", raw.get("limit_seconds"))))
        if one.get("id") == step and bound is not None:
            yield bound


# --- steps, parts, who asks ---------------------------------------------------------------------------------------------


def _all_steps(raw: Mapping[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    yield from ((("steps", index), step) for index, step in enumerate(tables(raw.get("steps"))))
    for number, prompt in enumerate(tables(raw.get("prompts"))):
        yield from ((("prompts", number, "steps", index), step) for index, step in enumerate(tables(prompt.get("steps"))))


def _of_prompt(raw: Mapping[str, Any], prompt: Mapping[str, Any]) -> list[str]:
    own = tables(prompt.get("steps")) or tables(raw.get("steps"))
    return [str(step.get("id")) for step in own]


def _common(raw: Mapping[str, Any]) -> set[str]:
    """The steps that every prompt has."""
    each = [set(_of_prompt(raw, prompt)) for prompt in tables(raw.get("prompts"))]
    return set.intersection(*each) if each else set()


def _steps(raw: Mapping[str, Any]) -> Found:
    for key, step in _all_steps(raw):
        if step.get("id") == PROMPT:
            yield (*key, "id"), f"{PROMPT!r} is the name of the prompt's own floor"
    for number, prompt in enumerate(tables(raw.get("prompts"))):
        yield from _twice(prompt.get("steps"), ("prompts", number, "steps"))
        if bool(prompt.get("shows")) != ("meant" in prompt):
            yield ("prompts", number), "shows and meant come together or not at all"
    for index, part in enumerate(tables(raw.get("parts"))):
        if "step" in part and part["step"] not in _common(raw):
            yield ("parts", index, "step"), f"{part['step']!r} is no step of every prompt"
        if index and bool(part.get("opens")) == ("step" in part):
            yield ("parts", index), "begins either with a step or with something that opens it"


def _dialogue(raw: Mapping[str, Any]) -> Found:
    prompts = tables(raw.get("prompts"))
    if raw.get("dialogue", "none") == "none":
        if raw.get("facts") or "assume" in raw or any(prompt.get("facts") for prompt in prompts):
            yield ("dialogue",), 'facts are never told while it is "none"'
        return
    if "assume" not in raw:
        yield ("dialogue",), "needs an assume: what is said where no fact fits"
    for index, prompt in enumerate(prompts):
        if not (prompt.get("facts") or raw.get("facts")):
            yield ("prompts", index, "facts"), "is missing: there is nothing to answer questions with"


# --- criteria -----------------------------------------------------------------------------------------------------------


def _measure(measure: Mapping[str, Any], raw: Mapping[str, Any], known: Known) -> Found:
    kind = str(measure.get("kind"))
    if kind not in SHAPES:
        yield ("kind",), f"{measure.get('kind')!r} is not one of: {', '.join(sorted(SHAPES))}"
        return
    try:
        SHAPES[kind].model_validate(measure)
    except ValidationError as error:
        yield from reasons(error).items()
        return
    yield from _named(measure, raw, known)
    yield from _reachable(kind, measure, raw)


def _named(measure: Mapping[str, Any], raw: Mapping[str, Any], known: Known) -> Found:
    steps = {PROMPT, *_common(raw)}
    for index, step in enumerate(measure.get("of", ())):
        if step not in steps:
            yield ("of", index), f"{step!r} is not one of: {', '.join(sorted(steps))}"
    named = [(name, one) for name in ("ids", "but", "unless", "on_track", "off_track") for one in measure.get(name, ())]
    named += [("groups", one) for group in measure.get("groups", ()) for one in group]
    for name, one in named:
        if known.listened is not None and one not in known.listened:
            yield (name,), f"{one!r} is neither a signal nor a trap nor a cue"
    for rule in measure.get("rules", ()):
        if rule not in known.rules:
            yield ("rules",), f"{rule!r} is not one of: {', '.join(sorted(known.rules))}"


def _reachable(kind: str, measure: Mapping[str, Any], raw: Mapping[str, Any]) -> Found:
    """What no take could meet, or every one."""
    limit = raw.get("limit_seconds")
    for name in ("by", "low"):
        timed = name == "by" or kind in {"length", "onset", "hush"}
        if timed and _past(measure.get(name), limit):
            yield (name,), f"{measure[name]:g} s is beyond the drill's limit, {limit:g} s"
    if _past(measure.get("low"), measure.get("high")):
        yield ("low",), "is more than high: no take can meet it"
    if kind in {"length", "onset", "hush", "count"} and "low" not in measure and "high" not in measure:
        yield ("high",), "is missing, and so is low: every take meets it"
    needed = {"heard": "groups", "layers": "of"}.get(kind)
    if needed and _past(measure.get("least", 0), len(measure.get(needed, ()))):
        yield ("least",), f"is more than there are {needed}: no take can meet it"
    if kind in {"steady", "kept"} and len(measure.get("of", ())) < 2:  # noqa: PLR2004  (a comparison)
        yield ("of",), "names fewer than two floors: there is nothing to compare"
    if kind == "parts" and not raw.get("parts"):
        yield ("kind",), "the drill has no parts"
    if kind == "reading" and not all("meant" in prompt for prompt in tables(raw.get("prompts"))):
        yield ("kind",), "not every prompt says what its signals meant"
    if kind == "rate" and set(measure.get("between", ())) != {"en", "zh"}:
        yield ("between",), "needs both languages"
