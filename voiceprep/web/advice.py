"""Advice of pacing flags in the page's language: a flag was raised in its session's, and the rules have both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from voiceprep.content import load_content, load_rubrics, round_ids
from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.errors import VoiceprepError

Advice = Mapping[str, Mapping[Tongue, str]]
"""Each line of advice, in either language, with both."""


def advice_of(rules: Mapping[str, PacingRule]) -> Advice:
    """All that these rules advise."""
    return {
        line: threshold.advice for rule in rules.values() for threshold in rule.thresholds for line in threshold.advice.values()
    }


def told_in(tongue: Tongue, flags: Sequence[FlagRaised], round_id: str) -> tuple[FlagRaised, ...]:
    """The flags with their advice in `tongue`; advice that no rule of the round gives any more stays as it was told."""
    both = advice_of(_rules(round_id))
    return tuple(replace(each, advice=both.get(each.advice, {}).get(tongue, each.advice)) for each in flags)


def _rules(round_id: str) -> Mapping[str, PacingRule]:
    """A round may have its own; those of a round that is gone, or of none, are everybody's."""
    with suppress(VoiceprepError):
        if round_id in round_ids():
            return load_content(round_id).pacing
    return load_rubrics().pacing
