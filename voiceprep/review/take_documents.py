"""What came of takes as JSON: one shape for the terminal and for the page."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from voiceprep.core.drills.pack import Drill
from voiceprep.core.drills.take import DrillResult
from voiceprep.core.pack import Tongue
from voiceprep.review.takes import Comparison, Suggestion, answered, thought
from voiceprep.store.codec import rounded
from voiceprep.store.drills import Kept


def result_document(kept: Kept) -> dict[str, Any]:
    """What came of a take, in the field's own names. `times`: seconds of the answer, and of thought before it (null: none)."""
    times = {"answered": answered(kept), "thinking": thought(kept)}
    document: dict[str, Any] = rounded(asdict(kept.result) | {"times": times})
    return document | {"grade": kept.grade, "complete": kept.complete}


def result_in(tongue: Tongue, result: DrillResult, drill: Drill | None) -> DrillResult:
    """The result with what was asked and advised in `tongue`: it was kept in the take's, and the drill's file has both.

    What the file does not hold any more, or a drill that is gone, stays as it was told.
    """
    both: dict[str, str] = {}
    for criterion in drill.criteria if drill is not None else ():
        for text in (criterion.asked, criterion.passed, criterion.failed):
            both |= dict.fromkeys(text.values(), text[tongue])
    criteria = (
        replace(one, asked=both.get(one.asked, one.asked), advice=both.get(one.advice, one.advice)) for one in result.criteria
    )
    return replace(result, criteria=tuple(criteria), next_time=tuple(both.get(line, line) for line in result.next_time))


def comparison_document(compared: Comparison) -> dict[str, Any]:
    """Two takes; each pair of criteria with its `change`: better, worse or ""."""
    document: dict[str, Any] = rounded(asdict(compared))
    for pair, row in zip(compared.criteria, document["criteria"], strict=True):
        row["change"] = pair.change
    return document


def suggestion_document(suggestion: Suggestion) -> dict[str, Any]:
    """A drill that is worth holding next, and why."""
    return {"drill": suggestion.drill, "why": suggestion.why, "what": list(suggestion.what)}
