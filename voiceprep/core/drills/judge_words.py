"""The measures of a drill that listen to what was said. Pure.

What is wanted and was not heard is `not_heard`; what was heard too late, too often or in the wrong order is `not_met`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from voiceprep.core.answers.coverage import assess_text
from voiceprep.core.answers.repeats import Repeats
from voiceprep.core.drills.listening import Listening, at_floor, same_share
from voiceprep.core.drills.measures import (
    Consistent,
    Count,
    Differs,
    Gap,
    Group,
    Heard,
    Kept,
    Layers,
    Order,
    Parts,
    Reading,
    Unheard,
)
from voiceprep.core.drills.pack import Part
from voiceprep.core.drills.take import Floor, PartTime
from voiceprep.core.drills.verdict import Verdict, cannot, within, worst
from voiceprep.core.events import Evidence
from voiceprep.core.pack import tongue_of
from voiceprep.core.text import text_of
from voiceprep.core.units import Media

ENOUGH = 3
"""An example or three is evidence; more is a list that nobody reads."""


def heard(measure: Heard, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if not floors or (measure.each and len(floors) < len(measure.of)):
        return cannot("floor")
    if measure.each:
        return worst(_heard(measure, listening, [floor]) for floor in floors)
    return _heard(measure, listening, floors)


def _heard(measure: Heard, listening: Listening, floors: Sequence[Floor]) -> Verdict:
    least = measure.least or len(measure.groups)
    found = [(group, _first(listening, floors, group)) for group in measure.groups]
    evidence = sorted((one for _, one in found if one is not None), key=lambda one: one.start)
    missing = tuple("|".join(group) for group, one in found if one is None)
    begun = at_floor(floors[0])
    if measure.by is None:
        return Verdict(
            outcome="met" if len(evidence) >= least else "not_heard",
            measured=len(evidence),
            unit="count",
            low=least,
            evidence=tuple(evidence),
            missing=missing,
        )
    if len(evidence) < least:
        return Verdict(outcome="not_heard", unit="s", high=measure.by, evidence=tuple(evidence), missing=missing)
    return within(max(0.0, evidence[least - 1].start - begun), "s", None, measure.by, evidence[:least])


def unheard(measure: Unheard, listening: Listening) -> Verdict:
    faults = [
        one
        for floor in listening.floors(measure.of)
        for one in listening.heard(floor).values()
        if one.signal in measure.ids and not listening.heard(floor).keys() & set(measure.unless)
    ]
    return within(len({fault.signal for fault in faults}), "count", None, 0, faults[:ENOUGH])


def count(measure: Count, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if not floors:
        return cannot("floor")
    begun = at_floor(floors[0])
    found = [one for floor in floors for one in listening.each(floor, measure.ids, measure.but)]
    if measure.by is not None:
        found = [one for one in found if one.start - begun <= measure.by]
    verdict = within(len(found), "count", measure.low, measure.high, found)
    if not found and verdict.outcome == "not_met":
        return Verdict(outcome="not_heard", measured=0, unit="count", low=measure.low, high=measure.high, missing=measure.ids)
    return verdict


def order(measure: Order, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    found = [_first(listening, floors, group) for group in measure.groups]
    there = [one for one in found if one is not None]
    missing = tuple("|".join(group) for group, one in zip(measure.groups, found, strict=True) if one is None)
    if missing:
        return Verdict(outcome="not_heard", evidence=tuple(there), missing=missing)
    right = all(before.start <= after.start for before, after in pairwise(there))
    return Verdict(outcome="met" if right else "not_met", evidence=tuple(there))


def part_times(listening: Listening) -> tuple[PartTime, ...]:
    """How long the parts of the drill were, as far as they were reached; none without words to tell them by."""
    drill, take = listening.drill, listening.take
    if not take.spoke or (needs_words(drill.parts) and not (take.recognised and take.trusted)):
        return ()
    starts: list[Media | None] = []
    reached = at_floor(take.floors[0])
    for number, part in enumerate(drill.parts):
        start = reached if number == 0 else _opened(part, reached, listening)
        starts.append(start)
        reached = start if start is not None else reached
    tongue = tongue_of(take.language)
    times = []
    for number, (part, start) in enumerate(zip(drill.parts, starts, strict=True)):
        end = next((later for later in starts[number + 1 :] if later is not None), _last(take.floors))
        seconds = max(0.0, end - start) if start is not None else 0.0
        times.append(PartTime(id=part.id, title=part.title[tongue], budget=part.budget, start=start, seconds=seconds))
    return tuple(times)


def needs_words(parts_of: Sequence[Part]) -> bool:
    """Whether a part begins with what is said, and not with a step."""
    return any(not part.step for part in parts_of[1:])


def _opened(part: Part, after: Media, listening: Listening) -> Media | None:
    if part.step:
        return next((floor.start for floor in listening.floors((part.step,))), None)
    opened = (one.start for floor in listening.take.floors for one in listening.all(floor, part.opens))
    return min((start for start in opened if start > after), default=None)


def parts(measure: Parts, listening: Listening) -> Verdict:
    times = part_times(listening)
    missing = tuple(part.id for part in times if part.start is None)
    shares = [part.seconds / part.budget for part in times]
    places = [Evidence(part.id, "", part.start, Media(part.start + part.seconds)) for part in times if part.start is not None]
    if missing:
        return Verdict(outcome="not_heard", evidence=tuple(places), missing=missing)
    return within(max(shares, default=0.0), "share", None, measure.slack, places)


def layers(measure: Layers, listening: Listening) -> Verdict:
    """Replies in a row, from the first follow-up on, that each went a layer deeper."""
    told = Repeats()
    seen: set[str] = set()
    survived = 0
    found: list[Evidence] = []
    standing = True
    for floor in listening.take.floors:
        shown = listening.heard(floor)
        text = text_of(floor.words)
        if floor.step in measure.of and standing:
            new = [one for name, one in shown.items() if name in measure.ids and name not in seen]
            aim = _target(floor, listening)
            new += [shown[aim]] if aim in shown and not told.has(text) and shown[aim] not in new else []
            standing = bool(new)
            survived += standing
            found += new[:1]
        seen |= shown.keys()
        told.keep(text)
    asked = listening.floors(measure.of)
    if not asked:
        return cannot("floor")
    return within(survived, "count", measure.least, None, found)


def _target(floor: Floor, listening: Listening) -> str:
    prompt = listening.drill.prompt(listening.take.prompt)
    step = prompt.step(floor.step) if prompt is not None else None
    return step.target if step is not None else ""


def differs(measure: Differs, listening: Listening) -> Verdict:
    if listening.take.prior is None:
        return cannot("earlier-take")
    said = text_of(word for floor in listening.floors(measure.of) for word in floor.words)
    return within(same_share(said, listening.take.prior), "share", None, measure.most)


def consistent(measure: Consistent, listening: Listening) -> Verdict:
    if listening.take.prior is None:
        return cannot("earlier-take")
    then = assess_text(listening.take.prior, listening.drill.detectors, listening.take.language)
    return _share(
        {one.signal for one in then} & set(measure.ids), listening.floors(measure.of), measure.ids, measure.least, listening
    )


def kept(measure: Kept, listening: Listening) -> Verdict:
    floors = listening.floors(measure.of)
    if len(floors) < len(measure.of):
        return cannot("floor")
    first = {name for name in listening.heard(floors[0]) if name in measure.ids}
    return _share(first, floors[-1:], measure.ids, measure.least, listening)


def _share(wanted: set[str], floors: Sequence[Floor], ids: Group, least: float, listening: Listening) -> Verdict:
    """How many of the ids that were shown once are shown again."""
    if not wanted:
        return Verdict(outcome="not_heard", unit="share", low=least, missing=ids)
    now = {name: one for floor in floors for name, one in listening.heard(floor).items() if name in wanted}
    verdict = within(len(now) / len(wanted), "share", least, None, now.values())
    return Verdict(
        outcome="met" if verdict.outcome == "met" else "not_heard",
        measured=verdict.measured,
        unit="share",
        low=least,
        evidence=verdict.evidence,
        missing=tuple(name for name in ids if name in wanted and name not in now),
    )


def gap(measure: Gap, listening: Listening) -> Verdict:
    """The longest stretch of a floor, beginning and end included, without any of what is listened for."""
    longest = Evidence("gap", "", Media(0.0), Media(0.0))
    for floor in listening.floors(measure.of):
        if not floor.speech:
            continue
        places = [one.start for one in listening.all(floor, measure.ids)]
        for start, end in pairwise([floor.speech[0].start, *places, floor.speech[-1].end]):
            if end - start > longest.end - longest.start:
                longest = Evidence("gap", "", start, end)
    return within(longest.end - longest.start, "s", None, measure.high, [longest])


def reading(measure: Reading, listening: Listening) -> Verdict:
    prompt = listening.drill.prompt(listening.take.prompt)
    floors = listening.floors(measure.of)
    if prompt is None or prompt.meant is None or not floors:
        return cannot("floor")
    cues = {"on-track": measure.on_track, "off-track": measure.off_track}
    read = {meant: _first(listening, floors, group) for meant, group in cues.items()}
    found = [(one.start, meant, one) for meant, one in read.items() if one is not None]
    if not found:
        return Verdict(outcome="not_heard", missing=cues[prompt.meant])
    _, meant, evidence = min(found, key=lambda one: one[0])
    return Verdict(outcome="met" if meant == prompt.meant else "not_met", evidence=(evidence,))


def _first(listening: Listening, floors: Iterable[Floor], group: Group) -> Evidence | None:
    return next((one for floor in floors if (one := listening.first(floor, group)) is not None), None)


def _last(floors: Sequence[Floor]) -> Media:
    """Where the candidate's last speech ended."""
    return max((floor.speech[-1].end for floor in floors if floor.speech), default=floors[-1].end)
