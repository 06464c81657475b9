"""What happened, in five sentences at most. Every sentence is one of prompts/review.toml, chosen by the numbers it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

from voiceprep.core.text import mmss
from voiceprep.core.units import Seconds
from voiceprep.review.debrief import best_of, worst_of
from voiceprep.review.document import Review
from voiceprep.review.exchange import line_id
from voiceprep.review.material import Material

OVER: Seconds = 1.0
"""A part that went past its budget by less than this kept to it."""

OF_ROUNDS = frozenset({"budget_none", "content_unknown", "pressure_none"})
"""What is not said of a drill: it has its own judge, and nobody missed a round's parts or follow-ups in it."""


def story(material: Material, review: Review) -> tuple[str, ...]:
    """The sentences, in the review's language; `review` has everything but them."""
    texts, tongue = material.texts, review.tongue
    return tuple(
        texts.say("story", name, tongue, **slots)
        for name, slots in (
            _scene(material, review),
            _budget(material, review),
            _clock(material, review),
            _content(material),
            _pressure(material, review),
        )
        if not (material.header.drill and name in OF_ROUNDS)
    )


Sentence = tuple[str, dict[str, object]]


def _scene(material: Material, review: Review) -> Sentence:
    facts, tongue = review.facts, review.tongue
    elapsed, spoken = mmss(facts.duration), mmss(facts.spoken)  # as long as the recording: the opening question lies before it
    answers = sum(turn.speaker == "candidate" for turn in review.turns)
    if any(said.id == line_id(0) for said in material.timeline.utterances):
        told = material.texts.count("answers", answers, tongue)
        return "two_people", {"elapsed": elapsed, "answers": told, "spoken": spoken}
    if not facts.round or not material.timeline.utterances:
        return "recording", {"elapsed": elapsed, "spoken": spoken}
    return "scene", {
        "interviewer": facts.interviewer,
        "round": facts.round_title,
        "elapsed": elapsed,
        "answers": material.texts.count("answers", answers, tongue),
        "spoken": spoken,
        "ended": material.texts.ended(facts.ended, tongue),
    }


def _budget(material: Material, review: Review) -> Sentence:
    planned = [section for section in review.sections if section.budget]
    if not planned:
        return "budget_none", {}
    late = sorted((section for section in planned if section.over >= OVER), key=lambda section: -section.over)
    worst = late[0] if late else max(planned, key=lambda section: section.seconds / section.budget)
    slots: dict[str, object] = {"section": worst.title, "took": mmss(worst.seconds), "budget": mmss(worst.budget)}
    if len(late) > 1:
        return "budget_more", slots | {"more": material.texts.count("parts", len(late) - 1, review.tongue)}
    return ("budget_one" if late else "budget_kept"), slots


def _clock(material: Material, review: Review) -> Sentence:
    measures = review.measures
    if measures.longest_answer is None:
        return "clock_silent", {}
    slots: dict[str, object] = {
        "answer": mmss(measures.longest_answer.duration),
        "pause": mmss(measures.longest_pause.duration if measures.longest_pause else 0.0),
    }
    if not review.flags:
        return "clock_quiet", slots
    rules = Counter(flag.rule for flag in review.flags)
    flags = material.texts.count("flags", len(review.flags), review.tongue)
    most = material.texts.rule(rules.most_common(1)[0][0], review.tongue)
    return ("clock_flags" if len(rules) > 1 else "clock_flag"), slots | {"flags": flags, "rule": most}


def _content(material: Material) -> Sentence:
    found, tongue = material.findings, material.tongue
    if found is None:
        return "content_unknown", {}
    if not found.trusted:
        return "content_doubts", {"doubt": found.doubts[0]}
    if found.doubts:
        answers = material.texts.count("answers", found.answers, tongue)
        return "content_little", {"spoken": mmss(found.spoken), "answers": answers}
    best, worst = best_of(found), worst_of(found)
    slots: dict[str, object] = {}
    if best is not None:
        slots["best"] = material.committee.have[best.signal][tongue]
    if worst:
        slots["worst"] = material.committee.lack[worst][tongue]
    match best is not None, bool(worst):
        case True, True:
            return "content_both", slots
        case True, False:
            return "content_best", slots
        case False, True:
            return "content_worst", slots
        case _:
            return "content_none", {}


def _pressure(material: Material, review: Review) -> Sentence:
    texts, tongue = material.texts, review.tongue
    steps = [step for thread in review.threads for step in thread.steps]
    follow = [step.answered for step in steps if step.move != "pushback" and step.answered is not None]
    push = [reply.answered for reply in review.pushbacks if reply.answered is not None]
    if not follow and not push:
        return (
            ("pressure_open", {"followups": texts.count("followups", len(steps), tongue)}) if steps else ("pressure_none", {})
        )
    told: dict[str, object] = {}
    if follow:
        told |= {"answered": sum(map(bool, follow)), "followups": texts.count("followups", len(follow), tongue)}
    if push:
        told |= {"met": sum(map(bool, push)), "pushbacks": texts.count("pushbacks", len(push), tongue)}
    if not push or not follow:
        return ("pressure_follow" if follow else "pressure_push"), told
    shifts = list(_shifts(review))
    return ("pressure_shift", told | {"shift": signed(median(shifts))}) if shifts else ("pressure_held", told)


def _shifts(review: Review) -> Iterator[float]:
    for reply in review.pushbacks:
        if reply.shift is not None:
            yield reply.shift


def signed(share: float) -> str:
    """A change for people: ``+12 %``."""
    return f"{share * 100:+.0f} %"
