"""Advice of pacing flags in the language of whoever reads: a flag was raised in its session's, and the rules have both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue

Advice = Mapping[str, Mapping[Tongue, str]]
"""Each line of advice, in either language, with both."""


def advice_of(rules: Mapping[str, PacingRule]) -> Advice:
    """All that these rules advise."""
    return {
        line: threshold.advice for rule in rules.values() for threshold in rule.thresholds for line in threshold.advice.values()
    }


def told_in(tongue: Tongue, flags: Sequence[FlagRaised], rules: Mapping[str, PacingRule]) -> tuple[FlagRaised, ...]:
    """The flags with their advice in `tongue`; advice that no rule gives any more stays as it was told."""
    both = advice_of(rules)
    return tuple(replace(each, advice=both.get(each.advice, {}).get(tongue, each.advice)) for each in flags)
