"""What one measure of a drill says about a take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from voiceprep.core.drills.take import Outcome, Unit
from voiceprep.core.events import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """As in `CriterionResult`, without the words around it."""

    outcome: Outcome
    measured: float | None = None
    unit: Unit = ""
    low: float | None = None
    high: float | None = None
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    why: str = ""


def cannot(why: str) -> Verdict:
    return Verdict(outcome="not_measured", why=why)


def within(measured: float, unit: Unit, low: float | None, high: float | None, evidence: Iterable[Evidence] = ()) -> Verdict:
    """A figure against its bounds, both inclusive."""
    met = (low is None or measured >= low) and (high is None or measured <= high)
    return Verdict(
        outcome="met" if met else "not_met",
        measured=round(measured, 3),
        unit=unit,
        low=low,
        high=high,
        evidence=tuple(evidence),
    )


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Of several floors, the one that decides; `floor` where there is none.

    That is the first that misses, else the first that could not be measured, else the one with the largest figure.
    """
    found = list(verdicts)
    for outcome in ("not_met", "not_heard", "not_measured"):
        if bad := next((one for one in found if one.outcome == outcome), None):
            return bad
    return max(found, key=lambda one: one.measured or 0.0, default=cannot("floor"))
