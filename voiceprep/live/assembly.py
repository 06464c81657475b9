"""Puts a conductor together for a round or a drill, live or replayed."""

from __future__ import annotations

from collections.abc import Iterable

from voiceprep.core.conductor import Conductor
from voiceprep.core.drills.agenda import Agenda
from voiceprep.core.drills.drill import DrillContent, DrillRound
from voiceprep.core.events import Event, Fact, Language
from voiceprep.core.interviewer.backchannels import Backchannels
from voiceprep.core.interviewer.round import Round
from voiceprep.core.listening.captions import Captions
from voiceprep.core.listening.hearing import Hearing
from voiceprep.core.machine import Machine
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.turns.floor import Floor
from voiceprep.core.units import MediaClock
from voiceprep.flags import rules_of


def assemble(content: Content, policy: Policy, language: Language, seed: int) -> Conductor:
    """The conductor of one session. The same arguments and the same facts give the same decisions.

    The order matters: hearing cuts speech before the floor decides on it, and the round (or the drill) speaks after both.
    """
    clock = MediaClock()
    tongue = tongue_of(language)
    machines: list[Machine] = [
        Hearing(policy, clock, content.endings.listening),
        Captions(policy, clock),
        Floor(policy, clock, content.round.persona, content.endings, language),
        *_asking(content, policy, clock, language, seed),
        Backchannels(policy, content.round.persona, tongue, seed),
        *rules_of(content, policy, language, clock),
    ]
    return Conductor(machines, clock, policy)


def _asking(content: Content, policy: Policy, clock: MediaClock, language: Language, seed: int) -> list[Machine]:
    if isinstance(content, DrillContent):
        talk = DrillRound(content, clock, language, seed)
        return [talk, Agenda(content.drill, content.prompt, clock, tongue_of(language))]
    return [Round(content, policy, clock, language, seed)]


def replay(facts: Iterable[Event], conductor: Conductor) -> list[Event]:
    """Feed recorded facts (anything else is passed over) through a fresh conductor: the same log comes out."""
    out: list[Event] = []
    for fact in facts:
        if isinstance(fact, Fact):
            out += conductor.handle(fact)
    return out
