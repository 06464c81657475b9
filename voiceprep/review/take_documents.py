"""What came of takes as JSON: one shape for the terminal and for the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from voiceprep.review.takes import Comparison, Suggestion, answered, thought
from voiceprep.store.codec import rounded
from voiceprep.store.drills import Kept


def result_document(kept: Kept) -> dict[str, Any]:
    """What came of a take, in the field's own names. `times`: seconds of the answer, and of thought before it (null: none)."""
    times = {"answered": answered(kept), "thinking": thought(kept)}
    document: dict[str, Any] = rounded(asdict(kept.result) | {"times": times})
    return document | {"grade": kept.grade, "complete": kept.complete}


def comparison_document(compared: Comparison) -> dict[str, Any]:
    """Two takes; each pair of criteria with its `change`: better, worse or ""."""
    document: dict[str, Any] = rounded(asdict(compared))
    for pair, row in zip(compared.criteria, document["criteria"], strict=True):
        row["change"] = pair.change
    return document


def suggestion_document(suggestion: Suggestion) -> dict[str, Any]:
    """A drill that is worth holding next, and why."""
    return {"drill": suggestion.drill, "why": suggestion.why, "what": list(suggestion.what)}
