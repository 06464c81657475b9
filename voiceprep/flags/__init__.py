"""Pacing rules, one a file. Pure: a rule is a machine that raises `FlagRaised` (see core/machine.py)."""

from __future__ import annotations

from collections.abc import Mapping

from voiceprep.core.machine import Machine
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import MediaClock, Seconds
from voiceprep.flags import long_pause, monologue, round_overrun, section_overrun


def speech_rules(pacing: Mapping[str, PacingRule], tongue: Tongue, clock: MediaClock) -> list[Machine]:
    """The rules that need nothing but voice activity and turns; they apply to any recording."""
    return [
        monologue.Monologue(pacing[monologue.ID], tongue, clock),
        long_pause.LongPause(pacing[long_pause.ID], tongue, clock),
    ]


def round_rules(pacing: Mapping[str, PacingRule], tongue: Tongue, clock: MediaClock, planned: Seconds) -> list[Machine]:
    """All rules of a live round of `planned` seconds."""
    return [
        *speech_rules(pacing, tongue, clock),
        section_overrun.SectionOverrun(pacing[section_overrun.ID], tongue, clock),
        round_overrun.RoundOverrun(pacing[round_overrun.ID], tongue, clock, planned),
    ]
