"""How much a claim is worth probing: where there must have been a decision, and where the words leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voiceprep.intake.claims import Claim
from voiceprep.intake.demands import Demand, speaks_to
from voiceprep.intake.lexicon import Deed, Lexicon
from voiceprep.intake.terms import terms

_DEEDS: dict[Deed, float] = {"decided": 3.0, "led": 2.2, "part": 2.0, "built": 1.6, "moved": 1.4}
_OPEN_FIGURE = 1.2
"""A figure that does not say where it started,"""
_BASED_FIGURE = 0.6
"""... and one that does."""
_MUST, _NICE = 1.5, 0.7
"""For each demand of the job that it speaks to, two at most."""
_FIRST = 1.0
"""The latest job stands first in a CV: so much more for the first claim, less and less for those below."""
_UNSAID = -10.0


def ranked(claims: Sequence[Claim], demands: Sequence[Demand], lexicon: Lexicon) -> tuple[Claim, ...]:
    """The claims, most worth probing first, with their scores and the demands they speak to, numbered anew from `cv-1`."""
    scored = [_scored(claim, place / max(1, len(claims)), demands, lexicon) for place, claim in enumerate(claims)]
    ordered = sorted(scored, key=lambda claim: -claim.score)  # a stable sort: of equals, the one that stands first
    return tuple(replace(claim, id=f"cv-{n}") for n, claim in enumerate(ordered, 1))


def _scored(claim: Claim, place: float, demands: Sequence[Demand], lexicon: Lexicon) -> Claim:
    about = terms(claim.text, lexicon)
    wanted = [demand for demand in demands if speaks_to(about, demand, lexicon)]
    best = sorted((_MUST if demand.must else _NICE for demand in wanted), reverse=True)[:2]
    score = _DEEDS[claim.deed] + sum(best) + _FIRST * (1 - place)
    if claim.figures:
        score += _BASED_FIGURE if claim.baseline else _OPEN_FIGURE
    if not claim.object and not claim.figures:
        score += _UNSAID
    return replace(claim, wanted=tuple(demand.id for demand in wanted), score=round(score, 3))
