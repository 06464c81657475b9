"""Puts a conductor together for a round, live or replayed."""

from __future__ import annotations

from collections.abc import Iterable

from voiceprep.core.backchannels import Backchannels
from voiceprep.core.captions import Captions
from voiceprep.core.conductor import Conductor
from voiceprep.core.events import Event, Fact, Language
from voiceprep.core.floor import Floor
from voiceprep.core.hearing import Hearing
from voiceprep.core.machine import Machine
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.round import Round
from voiceprep.core.units import MediaClock
from voiceprep.flags import round_rules


def assemble(content: Content, policy: Policy, language: Language, seed: int) -> Conductor:
    """The conductor of one session. The same arguments and the same facts give the same decisions.

    The order matters: hearing cuts speech before the floor decides on it, and the round speaks after both.
    """
    clock = MediaClock()
    tongue = tongue_of(language)
    machines: list[Machine] = [
        Hearing(policy, clock, content.endings.listening),
        Captions(policy, clock),
        Floor(policy, clock, content.round.persona, content.endings, language),
        Round(content, policy, clock, language, seed),
        Backchannels(policy, content.round.persona, tongue, seed),
        *round_rules(content.pacing, tongue, clock, content.round.minutes[0] * 60.0),
    ]
    return Conductor(machines, clock, policy)


def replay(facts: Iterable[Event], conductor: Conductor) -> list[Event]:
    """Feed recorded facts (anything else is passed over) through a fresh conductor: the same log comes out."""
    out: list[Event] = []
    for fact in facts:
        if isinstance(fact, Fact):
            out += conductor.handle(fact)
    return out
