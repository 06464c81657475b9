"""Holds a take of a drill against what the drill asks. Pure: the same take gives the same result, live and from the log.

What was not heard is told as that, never as a fault: it may have been said in words that nobody knows. Nothing about words is
measured where there are none to trust, and nothing at all where nobody spoke.
"""

from __future__ import annotations

from dataclasses import replace

from voiceprep.core.drills.judge_time import fillers, hush, length, onset, rate, steady, unflagged, yielded
from voiceprep.core.drills.judge_words import (
    consistent,
    count,
    differs,
    gap,
    heard,
    kept,
    layers,
    needs_words,
    order,
    part_times,
    parts,
    reading,
    unheard,
)
from voiceprep.core.drills.listening import Listening
from voiceprep.core.drills.measures import (
    Consistent,
    Count,
    Differs,
    Fillers,
    Gap,
    Heard,
    Hush,
    Kept,
    Layers,
    Length,
    Measure,
    Onset,
    Order,
    Parts,
    Rate,
    Reading,
    Steady,
    Unflagged,
    Unheard,
    Yielded,
)
from voiceprep.core.drills.pack import Criterion, Drill
from voiceprep.core.drills.take import CriterionResult, DrillResult, Take
from voiceprep.core.drills.verdict import Verdict, cannot
from voiceprep.core.pack import tongue_of

ADVICE = 3
"""More than this is not remembered into the next take."""
NEEDS_NO_WORDS = (Length, Onset, Hush, Fillers, Yielded, Unflagged)


def judge(drill: Drill, take: Take) -> DrillResult:
    """What came of this take of this drill. Never fails: what is not there is not measured."""
    listening = Listening(drill, take)
    results = tuple(_result(criterion, listening) for criterion in drill.criteria)
    worst = [result for result in results if result.outcome in {"not_met", "not_heard"}]
    return DrillResult(
        drill=drill.id,
        prompt=take.prompt,
        language=take.language,
        criteria=results,
        passed=_passed(results) if take.spoke else False,
        next_time=tuple(dict.fromkeys(result.advice for result in sorted(worst, key=lambda one: not one.required)))[:ADVICE],
        parts=part_times(listening),
        heard=_all_heard(listening),
    )


def _passed(results: tuple[CriterionResult, ...]) -> bool | None:
    """What an earlier take is needed for does not count in the first one."""
    deciding = [one for one in results if one.required and one.why != "earlier-take"]
    if any(one.outcome in {"not_met", "not_heard"} for one in deciding):
        return False
    return None if not deciding or any(one.outcome == "not_measured" for one in deciding) else True


def _all_heard(listening: Listening) -> tuple[str, ...]:
    take = listening.take
    if not (take.recognised and take.trusted):
        return ()
    shown = {one for floor in take.floors for one in listening.heard(floor)}
    return tuple(detector.id for detector in listening.drill.detectors if detector.id in shown)


def _result(criterion: Criterion, listening: Listening) -> CriterionResult:
    tongue = tongue_of(listening.take.language)
    verdict = _verdict(criterion.measure, listening)
    lines = {"met": criterion.passed, "not_met": criterion.failed, "not_heard": criterion.failed}
    return CriterionResult(
        id=criterion.id,
        asked=criterion.asked[tongue],
        outcome=verdict.outcome,
        measured=verdict.measured,
        unit=verdict.unit,
        low=verdict.low,
        high=verdict.high,
        evidence=verdict.evidence,
        missing=verdict.missing,
        advice=lines[verdict.outcome][tongue] if verdict.outcome in lines else "",
        why=verdict.why,
        required=criterion.required,
    )


def _verdict(measure: Measure, listening: Listening) -> Verdict:
    take = listening.take
    if not take.spoke:
        return cannot("speech")
    by_clock = isinstance(measure, Parts) and not needs_words(listening.drill.parts)
    if not (by_clock or isinstance(measure, NEEDS_NO_WORDS)):
        if not take.recognised:
            return cannot("words")
        if not take.trusted:
            return cannot("trusted-words")
    verdict = _measured(measure, listening)
    last = take.floors[-1] if take.floors else None  # after an earlier one the interviewer went on: it was over by that
    broken_off = last is not None and last.speech and not last.reason
    if broken_off and last in listening.floors(getattr(measure, "of", ())) and _left_open(measure, verdict):
        return replace(verdict, outcome="not_measured", why="ending")
    return verdict


def _left_open(measure: Measure, verdict: Verdict) -> bool:
    """Whether the rest of an answer that broke off could have changed this verdict."""
    match measure:
        case Length():
            over = measure.high is not None and verdict.measured is not None and verdict.measured > measure.high
            return not over and (measure.high is not None or verdict.outcome != "met")
        case Unflagged() | Unheard() | Gap():
            return verdict.outcome == "met"
        case Hush() | Count():
            return verdict.outcome == "met" and measure.high is not None
        case _:
            return False


def _measured(measure: Measure, listening: Listening) -> Verdict:
    match measure:
        case Length():
            return length(measure, listening)
        case Onset():
            return onset(measure, listening)
        case Hush():
            return hush(measure, listening)
        case Fillers():
            return fillers(measure, listening)
        case Yielded():
            return yielded(measure, listening)
        case Unflagged():
            return unflagged(measure, listening)
        case Rate():
            return rate(measure, listening)
        case Steady():
            return steady(measure, listening)
        case Heard():
            return heard(measure, listening)
        case Unheard():
            return unheard(measure, listening)
        case Count():
            return count(measure, listening)
        case Order():
            return order(measure, listening)
        case Parts():
            return parts(measure, listening)
        case Layers():
            return layers(measure, listening)
        case Differs():
            return differs(measure, listening)
        case Consistent():
            return consistent(measure, listening)
        case Kept():
            return kept(measure, listening)
        case Gap():
            return gap(measure, listening)
        case Reading():
            return reading(measure, listening)
