"""Pacing rules, one a file. Pure: a rule is a machine that raises `FlagRaised` (see core/machine.py).

Most need voice activity and turns alone, and fire whatever becomes of the recogniser. Those that need words stand on one
`Record`, wait for words of record, and do not fire where these are not trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.events import Language
from voiceprep.core.machine import Machine
from voiceprep.core.pack import Content, PacingRule, Tongue, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.units import MediaClock, Seconds
from voiceprep.flags import (
    bluffing,
    fillers,
    instant_reply,
    late_headline,
    long_pause,
    monologue,
    over_clarifying,
    own_questions,
    pace_jump,
    round_overrun,
    section_overrun,
    solution_jump,
    speaking_rate,
    talk_share,
)
from voiceprep.flags.record import Record

__all__ = ["recording_rules", "round_rules", "rules_of", "speech_rules"]


def speech_rules(pacing: Mapping[str, PacingRule], tongue: Tongue, clock: MediaClock) -> list[Machine]:
    """The rules that need nothing but voice activity and turns; they apply to any recording."""
    return [
        monologue.Monologue(pacing[monologue.ID], tongue, clock),
        long_pause.LongPause(pacing[long_pause.ID], tongue, clock),
    ]


def recording_rules(
    pacing: Mapping[str, PacingRule],
    language: Language,
    clock: MediaClock,
    own_rate: float = 0.0,
    answers: Content | None = None,
) -> list[Machine]:
    """What a recording alone can have. Where it `answers` a question of a round, it is held against that as well."""
    if answers is None:  # nobody asked anything, so there is nothing to answer late or to concede
        record = Record(clock, language)
    else:
        record = Record(clock, language, answers.detectors, {question.id: question for question in answers.round.questions})
    held = _answer_rules(_in_force(pacing), tongue_of(language), clock, record) if answers is not None else ()
    return [
        *speech_rules(pacing, tongue_of(language), clock),
        record,
        *_manner_rules(_in_force(pacing), language, clock, record, own_rate),
        *held,
    ]


def round_rules(
    pacing: Mapping[str, PacingRule], tongue: Tongue, clock: MediaClock, planned: Seconds, spent: Seconds = 0.0
) -> list[Machine]:
    """The rules of a live round of `planned` seconds that need no words: all that a session had before there were others.

    `spent`: how much of its first section's time the session before has used.
    """
    return [
        *speech_rules(pacing, tongue, clock),
        section_overrun.SectionOverrun(pacing[section_overrun.ID], tongue, clock, spent),
        round_overrun.RoundOverrun(pacing[round_overrun.ID], tongue, clock, planned),
    ]


def rules_of(content: Content, policy: Policy, language: Language, clock: MediaClock) -> list[Machine]:
    """The rules of a session, live or recomputed: those that its policy has in force and its content has thresholds for.

    A drill has a clock of its own, so of the rules it has those that any recording has.
    """
    tongue, pack = tongue_of(language), content.round
    if isinstance(content, DrillContent):
        wordy = policy.all_rules and policy.recogniser
        pacing = content.pacing
        return recording_rules(pacing, language, clock, policy.own_rate) if wordy else speech_rules(pacing, tongue, clock)
    used, since = (pack.stopped.used, pack.stopped.since) if pack.stopped is not None else (0.0, 0.0)
    planned = pack.minutes[0] * 60.0 - used
    rules = round_rules(content.pacing, tongue, clock, planned, spent=used - since)
    if not policy.all_rules:
        return rules
    pacing = _in_force(content.pacing)
    theirs = [section.id for section in pack.sections if section.kind == "reverse"]
    if (rule := pacing.get(own_questions.ID)) is not None:
        rules.append(own_questions.OwnQuestions(rule, tongue, clock, planned, theirs=theirs))
    for name, above in ((talk_share.LOW_ID, False), (talk_share.HIGH_ID, True)):
        if (rule := pacing.get(name)) is not None:
            rules.append(talk_share.TalkShare(rule, tongue, clock, above=above))
    if policy.recogniser:
        record = Record(clock, language, content.detectors, {question.id: question for question in pack.questions})
        rules.append(record)
        rules += _manner_rules(pacing, language, clock, record, policy.own_rate)
        rules += _answer_rules(pacing, tongue, clock, record)
        if (rule := pacing.get(pace_jump.ID)) is not None:
            rules.append(pace_jump.PaceJump(rule, tongue, clock, record, own=policy.own_rate))
    return rules


def _in_force(pacing: Mapping[str, PacingRule]) -> dict[str, PacingRule]:
    """The rules that the user has not switched off."""
    return {name: rule for name, rule in pacing.items() if rule.thresholds}


def _manner_rules(
    pacing: Mapping[str, PacingRule], language: Language, clock: MediaClock, record: Record, own_rate: float
) -> Iterator[Machine]:
    """How something is said, whatever it answers."""
    tongue = tongue_of(language)
    for name, fast in ((speaking_rate.SLOW_IDS[language], False), (speaking_rate.FAST_IDS[language], True)):
        if (rule := pacing.get(name)) is not None:
            yield speaking_rate.SpeakingRate(rule, tongue, clock, record, fast=fast, own=own_rate)
    if (rule := pacing.get(fillers.ID)) is not None:
        yield fillers.Fillers(rule, tongue, clock, record)


def _answer_rules(pacing: Mapping[str, PacingRule], tongue: Tongue, clock: MediaClock, record: Record) -> Iterator[Machine]:
    """What is said, held against what was asked."""
    makers: dict[str, Callable[[PacingRule, Tongue, MediaClock, Record], Machine]] = {
        late_headline.ID: late_headline.LateHeadline,
        bluffing.ID: bluffing.Bluffing,
        solution_jump.ID: solution_jump.SolutionJump,
        over_clarifying.ID: over_clarifying.OverClarifying,
        over_clarifying.TIME_ID: over_clarifying.OverClarifyingTime,
        instant_reply.DEFENCE_ID: instant_reply.InstantReply,
        instant_reply.CONCESSION_ID: instant_reply.InstantReply,
    }
    for name, maker in makers.items():
        if (rule := pacing.get(name)) is not None:
            yield maker(rule, tongue, clock, record)
