"""Whether two claims are about the same, and whether they then say the same. Pure. In doubt they are not compared."""

from __future__ import annotations

from voiceprep.core.claims.dates import Date
from voiceprep.core.claims.facts import WHO, Fact, Reasons
from voiceprep.core.claims.measures import Quantity
from voiceprep.core.claims.people import Agent
from voiceprep.core.claims.subjects import GENERIC, PHASES

EXACT, ROUND, HEDGED, LOOSE = 0.03, 0.06, 0.25, 0.35
"""How far two figures may be apart, as a share of the larger: exact, one round, one hedged, in different units of time."""
FEWEST_SHARED = 3
"""Terms that two claims from different stories must have in common."""
DETAILED = 3
"""... and two within a story, when nobody had asked for the second."""
UNASKED = 0.2
"""So much less certain is a difference that nobody had asked for."""
MOST_EXTRA = 2
"""Terms that one claim may have beyond the other's."""
FARTHEST = 30.0
"""Figures that are so many times apart (months and hours) are not of one thing, whatever was said around them."""
_TEENS = frozenset((10 + n, 10 * n) for n in range(3, 10))
"""Fifteen and fifty are one sound to a recogniser."""
_SUPERIORS = frozenset({"boss", "director", "vp", "cto", "ceo", "cfo", "coo", "lead", "skip-level", "skip level"})
_VAGUE = frozenset({"boss", "skip-level", "skip level", "lead"})


def same_subject(first: Fact, second: Fact, *, linked: bool, one_story: bool) -> float:
    """0..1: how certain it is that both are about the same. 0: they must not be compared.

    `linked`: the second answers the interviewer who asked for the first again. `one_story`: both answer one main question.
    """
    if not _comparable(first, second):
        return 0.0
    if linked and (second.elliptic or first.about & second.about or not second.about):
        return 0.9
    if first.under != second.under:
        return 0.0
    if first.kind in {"name", "reason"}:
        return 0.8 if first.kind == "name" and one_story else 0.5 if first.kind == "reason" else 0.0
    certain = _overlap(first, second)
    if one_story:
        return certain if _asked_for(first, second) else certain - UNASKED if _detailed(first, second) else 0.0
    shared = first.about & second.about - GENERIC
    return certain - 0.1 if len(shared) >= FEWEST_SHARED and first.about == second.about else 0.0


def _comparable(first: Fact, second: Fact) -> bool:
    one, other = first.value, second.value
    match one, other:
        case Quantity(), Quantity():
            return one.unit == other.unit and one.part == other.part and "offset" not in first.under | second.under
        case Agent(), Agent():
            return one.act == other.act
        case _:
            return type(one) is type(other)


def _asked_for(first: Fact, second: Fact) -> bool:
    """Whether the second was an answer to a question about the very subject of the first.

    Who was not asked for it may well go on to another month, another customer or another price of the same thing.
    """
    if first.kind == "decider":
        return WHO in second.asked
    plain = GENERIC | ({first.value.unit} if isinstance(first.value, Quantity) else set())
    counts = isinstance(first.value, Quantity) and first.value.unit in second.asked and first.about <= plain
    return bool((first.about & second.asked) - GENERIC) or counts


def _detailed(first: Fact, second: Fact) -> bool:
    """Whether both tell, unasked, of the same change, or of the same in several words."""
    shared = first.about & second.about - GENERIC
    latin = sum(term.isascii() for term in shared)
    change = isinstance(first.value, Quantity) and first.value.part == "from"
    return first.about == second.about and (change or latin + (latin < len(shared)) >= DETAILED)


def _overlap(first: Fact, second: Fact) -> float:
    a, b = first.about, second.about
    if a == b and a:
        return 0.6 if a <= GENERIC else 0.9
    unit = first.value.unit if isinstance(first.value, Quantity) else ""
    # "The migration" may look back to "the migration of the billing service"; the other way round it may be another one.
    extra = a - b
    fits = not extra & PHASES and len(extra) <= MOST_EXTRA and not any(_modifies(term, b) for term in extra)
    if b < a and not b <= GENERIC | {unit} and fits:
        return 0.7
    counted = isinstance(first.value, Quantity) and unit not in {"days", "%", "usd", "cny", "x", "time", ""} and "/" not in unit
    if counted and (a | b) <= GENERIC | {unit}:  # "we had twelve engineers", "we had seven engineers"
        return 0.65
    final = first.kind == "decider" and not a and not b  # who had the last word in this story
    return 0.7 if final else 0.0


def _modifies(extra: str, terms: frozenset[str]) -> bool:
    """Whether a pair of Chinese characters runs into a term: 新老板 is another one than 老板."""
    return not extra.isascii() and any(extra[1:] == term[:1] or extra[:1] == term[1:] for term in terms if not term.isascii())


def differ(first: Fact, second: Fact, quote: str, again: str) -> str:
    """What is not the same, as a sentence; "" where they agree, or may."""
    one, other = first.value, second.value
    match one, other:
        case Quantity(), Quantity():
            apart = _figures_differ(one, other)
            return f"The figure is not the same: first “{quote}”, then “{again}”." if apart else ""
        case Date(), Date():
            return f"The time is not the same: first “{quote}”, then “{again}”." if one.differs(other) else ""
        case Agent(), Agent() if first.kind == "name":
            return f"The name is not the same: first “{quote}”, then “{again}”." if one.who != other.who else ""
        case Agent(), Agent():
            return f"Somebody else decided: first “{quote}”, then “{again}”." if _others(one.who, other.who) else ""
        case Reasons(), Reasons():
            shared = one.words & other.words
            return f"The reasons share no word: first “{quote}”, then “{again}”. Read them side by side." if not shared else ""
    return ""


def _figures_differ(one: Quantity, other: Quantity) -> bool:
    if max(one.low, other.low) <= min(one.high, other.high):
        return False
    low, high = sorted((one, other), key=lambda figure: figure.low)
    below, above = low.high, high.low
    if low.high <= 0 or above / below > FARTHEST or (low.bare, high.bare) in _TEENS:
        return False
    tolerance = EXACT
    if _round(one) or _round(other):
        tolerance = ROUND
    if one.hedged or other.hedged:
        tolerance = HEDGED
    if one.said != other.said and one.unit.startswith("days"):
        tolerance = LOOSE if one.hedged or other.hedged else HEDGED
    return above - below > tolerance * above


def _round(figure: Quantity) -> bool:
    return figure.low > 0 and figure.low % 10 == 0


def _others(one: str, other: str) -> bool:
    """Whether two deciders cannot be one. "We" may be anybody, "my boss" any superior."""
    if one == other or "we" in {one, other}:
        return False
    if {one, other} <= _SUPERIORS:
        return not {one, other} & _VAGUE
    return True
