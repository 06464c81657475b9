"""Advice of pacing flags in the page's language, by the rules of the session's round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from voiceprep.content import load_content, load_rubrics, round_ids
from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.review import told
from voiceprep.review.told import Advice, advice_of

__all__ = ["Advice", "advice_of", "told_in"]


def told_in(tongue: Tongue, flags: Sequence[FlagRaised], round_id: str) -> tuple[FlagRaised, ...]:
    """The flags with their advice in `tongue`; advice that no rule of the round gives any more stays as it was told."""
    return told.told_in(tongue, flags, _rules(round_id))


def _rules(round_id: str) -> Mapping[str, PacingRule]:
    """A round may have its own; those of a round that is gone, or of none, are everybody's."""
    with suppress(VoiceprepError):
        if round_id in round_ids():
            return load_content(round_id).pacing
    return load_rubrics().pacing
