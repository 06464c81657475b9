"""What a table alone cannot say about itself: twice the same id, a ladder without depth, a pattern that cannot be built.

These look at the raw values, so that they also speak up in a file whose shapes are wrong: an author sees everything at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from voiceprep.content.patterns import NAMED, compiled, filled
from voiceprep.content.problems import Key, spelled

POINTS = 4
DEPTH = 3

Found = Iterator[tuple[Key, str]]


def tables(value: Any) -> list[dict[str, Any]]:
    """The tables of a list; whatever else stands there is the schema's to refuse."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def ids(value: Any) -> list[str]:
    return [str(item["id"]) for item in tables(value) if "id" in item]


def check_round(raw: Mapping[str, Any]) -> Found:
    for name in ("sections", "interjections", "answers"):
        yield from _twice(raw.get(name), (name,))
    yield from _rungs_twice(raw)
    yield from _ladders(raw)
    yield from _unreachable(raw)
    yield from _pushback_kinds(raw)
    sections = ids(raw.get("sections"))
    used = {question.get("section") for question in tables(raw.get("questions"))}
    for index, section in enumerate(tables(raw.get("sections"))):
        asked = section.get("kind") == "questions"
        if section.get("id") in sections and asked and section["id"] not in used:
            yield ("sections", index), "no question is asked in this section"
    minutes = raw.get("minutes")
    budgets = [section.get("budget_minutes") for section in tables(raw.get("sections"))]
    if isinstance(minutes, list) and all(isinstance(n, int | float) for n in [*minutes, *budgets]) and minutes:
        total = sum(float(budget) for budget in budgets if budget is not None)
        if total > max(minutes):
            yield ("sections",), f"budgets add up to {total:g} minutes; the round has {max(minutes)}"


def check_general(raw: Mapping[str, Any]) -> Found:
    yield from _twice(raw.get("points"), ("points",))


def _twice(value: Any, key: Key) -> Found:
    seen: set[str] = set()
    for index, item in enumerate(tables(value)):
        name = str(item.get("id"))
        if "id" in item and name in seen:
            yield (*key, index, "id"), f"{name!r} is there already"
        seen.add(name)


def _ladders(raw: Mapping[str, Any]) -> Found:
    for index, question in enumerate(tables(raw.get("questions"))):
        points = tables(question.get("points"))
        key: Key = ("questions", index, "points")
        if len(points) < POINTS:
            yield key, f"has {len(points)} points; an answer needs at least {POINTS} to be held against"
        if points and max(1 + len(tables(point.get("chain"))) for point in points) < DEPTH:
            yield key, f"no ladder is {DEPTH} deep: give a point a chain of at least {DEPTH - 1}"
        yield from _twice(question.get("facts"), ("questions", index, "facts"))


def _rungs_twice(raw: Mapping[str, Any]) -> Found:
    """What was asked is remembered by its id: of two rungs with one id in a round, the second would never be asked."""
    seen: dict[str, str] = {}
    for key, rung in _rungs(raw):
        if "id" in rung:
            name = str(rung["id"])
            if name in seen:
                yield (*key, "id"), f"{name!r} is there already, as {seen[name]}: a point's id is its own in the whole round"
            seen.setdefault(name, spelled(key))


def _rungs(raw: Mapping[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Everything that can be asked once in a round."""
    for kind in ("questions", "pushbacks"):
        for index, holder in enumerate(tables(raw.get(kind))):
            yield (kind, index), holder
            for number, point in enumerate(tables(holder.get("points"))):
                key: Key = (kind, index, "points", number)
                yield key, point
                yield from (((*key, "chain", below), rung) for below, rung in enumerate(tables(point.get("chain"))))
    for kind in ("deeper", "challenges"):
        yield from (((kind, index), point) for index, point in enumerate(tables(raw.get(kind))))


def _unreachable(raw: Mapping[str, Any]) -> Found:
    """What could never be said."""
    sections = {question.get("id"): question.get("section") for question in tables(raw.get("questions"))}
    for kind in ("pushbacks", "interjections"):
        for index, one in enumerate(tables(raw.get(kind))):
            only, parts = one.get("questions"), one.get("sections")
            if only and parts and isinstance(only, list) and not any(sections.get(name) in parts for name in only):
                yield (kind, index, "questions"), "none of these questions is asked in one of its sections"
            if one.get("measured") == "heard" and not one.get("when"):
                yield (kind, index, "when"), 'is empty, so there is nothing to be heard: measured = "heard" counts from that'
    for index, section in enumerate(tables(raw.get("sections"))):
        if section.get("kind") == "reverse" and section.get("hard"):
            yield ("sections", index, "hard"), "the candidate's questions end with the round, not before"


def _pushback_kinds(raw: Mapping[str, Any]) -> Found:
    if not tables(raw.get("pushbacks")):
        yield ("pushbacks",), "there is none: an interviewer who never objects tests nothing"


def check_signals(raw: Mapping[str, Any]) -> Found:
    """Patterns that name a fragment which is not there, or do not compile once the fragments are in."""
    fragments = raw.get("fragments")
    detectors = raw.get("detectors")
    if not isinstance(fragments, dict) or not isinstance(detectors, dict):
        return
    for name, detector in detectors.items():
        if isinstance(detector, dict):
            for key, pattern, tongue in _patterns(detector):
                if problem := _broken(pattern, fragments.get(tongue)):
                    yield ("detectors", name, *key), problem


def _patterns(detector: Mapping[str, Any]) -> Iterator[tuple[Key, str, str]]:
    for tongue in ("en", "zh"):
        cues = detector.get(tongue)
        for index, cue in enumerate(cues if isinstance(cues, list) else []):
            if isinstance(cue, str):
                yield (tongue, index), cue, tongue
            elif isinstance(cue, dict):
                yield from (((tongue, index, part), str(cue[part]), tongue) for part in ("pattern", "unless") if part in cue)
        if isinstance(veto := detector.get(f"unless_{tongue}"), str):
            yield (f"unless_{tongue}",), veto, tongue


def _broken(pattern: str, fragments: Any) -> str | None:
    known = {name: str(text) for name, text in fragments.items()} if isinstance(fragments, dict) else {}
    if not NAMED.search(pattern):
        return None
    try:
        compiled(filled(pattern, known))
    except KeyError as absent:
        return f"{{{absent.args[0]}}} is not one of the fragments: {', '.join(sorted(known))}"
    except ValueError as error:
        return str(error)
    return None
