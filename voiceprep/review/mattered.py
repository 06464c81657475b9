"""The three things that mattered, and what to drill next: of all that was found, the little that a person can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from voiceprep.core.events import Evidence, FlagRaised
from voiceprep.core.listening.spoken import spoken_tokens
from voiceprep.core.text import text_of
from voiceprep.core.turns.ending import ending
from voiceprep.core.units import Media
from voiceprep.flags import long_pause
from voiceprep.intake.backing import RULE as UNBACKED
from voiceprep.review.debrief import quotes_for
from voiceprep.review.document import Advice, Moment, MomentKind, Review
from voiceprep.review.exchange import held
from voiceprep.review.material import Material
from voiceprep.review.micro_quiz import last_words

MOST = 3
QUOTES = 2

WEIGHTS: Mapping[MomentKind, float] = {
    "alarm": 3.5,
    "fault": 3.0,
    "strength": 2.75,
    "unanswered": 2.5,
    "unbacked": 2.4,
    "pushback": 2.2,
    "difference": 1.6,
}
"""What an interviewer remembers, the gravest first; an order, not a measurement. More of one kind weighs more (`MORE`)."""
MORE = 0.4
WARNING = 1.5
"""A flag of level warning weighs so much less than one of level fail."""

TELLING = 4
"""A quote of fewer words shows nothing to somebody who was not there."""

Weighed = tuple[float, Moment]


def moments(material: Material, review: Review) -> tuple[Moment, ...]:
    """At most three, the weightiest first: one strength wherever there is one, and no two about the same thing.

    No words are quoted twice: what rests on nothing but such is no second strength, and else is told without them.
    """
    strengths = list(_strengths(material))
    others = sorted(_others(material, review), key=lambda each: -each[0])
    chosen = strengths[:1]
    for weight, moment in [*others, *strengths[1:]]:
        shown = [quote for _, each in chosen for quote in each.quotes]
        new = tuple(quote for quote in moment.quotes if not any(_same_words(quote, one) for one in shown))
        repeats = moment.kind == "strength" and not new
        if len(chosen) < MOST and not repeats and all(moment.name != each.name for _, each in chosen):
            chosen.append((weight, replace(moment, quotes=new)))
    return tuple(moment for _, moment in sorted(chosen, key=lambda each: -each[0]))


def _same_words(one: Evidence, other: Evidence) -> bool:
    return (one.start, one.quote) == (other.start, other.quote)


def _strengths(material: Material) -> Iterator[Weighed]:
    found = material.readable
    if found is None:
        return
    by_signal = {item.signal: item for item in found.shown}
    wanted = [by_signal[signal] for signal in found.wanted if signal in by_signal]
    shown = [*wanted, *(item for item in found.shown if item not in wanted)]
    for item in sorted(shown, key=lambda item: _length(item) < TELLING):
        name = material.committee.have[item.signal][material.tongue]
        yield WEIGHTS["strength"], _moment(material, "strength", item.signal, [item], name=name)


def _length(item: Evidence) -> int:
    """Words of a quote, Chinese characters counted as one each."""
    return len(spoken_tokens(item.quote, "mixed"))


def _others(material: Material, review: Review) -> Iterator[Weighed]:
    yield from _faults(material)
    yield from _alarms(material, review)
    for difference in review.differences:
        quotes = [
            Evidence(difference.kind, claim.quote, claim.start, claim.end) for claim in (difference.first, difference.second)
        ]
        weight = WEIGHTS["difference"] + difference.confidence
        yield weight, _moment(material, "difference", difference.first.key, quotes, why=difference.why.rstrip(".。"))
    for claim in review.claims:
        if claim.verdict == "not-backed":
            said = last_words(material, claim.end, claim.start, claim.claim.id)
            text = material.texts.say("moments", "unbacked", material.tongue, claim=claim.claim.text)
            made = Moment(kind="unbacked", name=claim.claim.id, text=text, start=claim.start, end=claim.end, quotes=_some(said))
            yield WEIGHTS["unbacked"], made
    for reply in review.pushbacks:
        if reply.answered is False and reply.reply is not None:
            yield (
                WEIGHTS["pushback"],
                _moment(material, "pushback", f"pushback:{reply.target}", [reply.reply], asked=reply.asked),
            )


def _faults(material: Material) -> Iterator[Weighed]:
    """Traps by how often they were met, and what was asked for in vain."""
    found = material.readable
    if found is None:
        return
    lack, tongue = material.committee.lack, material.tongue
    for trap in dict.fromkeys(fault.signal for fault in found.faults):
        quotes = quotes_for(trap, found)
        times = material.texts.count("times", len(quotes), tongue)
        yield (
            WEIGHTS["fault"] + MORE * (len(quotes) - 1),
            _moment(material, "fault", trap, quotes, name=lack[trap][tongue], times=times),
        )
    for signal in found.missing:
        in_vain = [reply.said for reply in found.replies if reply.target == signal and not reply.answered]
        if in_vain:
            weight = WEIGHTS["unanswered"] + MORE * (len(in_vain) - 1)
            yield weight, _moment(material, "unanswered", signal, in_vain, name=lack[signal][tongue])


def _alarms(material: Material, review: Review) -> Iterator[Weighed]:
    """One for each pacing rule that was broken, at its gravest place."""
    flags: Sequence[FlagRaised] = material.findings.alarms if material.findings is not None else ()
    flags = [*flags, *(flag for flag in review.flags if flag.level == "warning" and flag.rule != UNBACKED)]
    by_rule: dict[str, list[FlagRaised]] = {}
    for flag in flags:
        by_rule.setdefault(flag.rule, []).append(flag)
    for rule, raised in by_rule.items():
        worst = max(raised, key=lambda flag: (flag.level == "fail", flag.end - flag.start))
        said = last_words(material, worst.end, worst.start, rule) or last_words(material, worst.start, 0.0, rule)
        text = material.texts.say(
            "moments", "alarm", material.tongue, rule=material.texts.rule(rule, material.tongue), advice=worst.advice
        )
        weight = WEIGHTS["alarm"] - (0.0 if worst.level == "fail" else WARNING) + MORE * (len(raised) - 1)
        place = worst.end  # where the clock stopped whoever spoke, not where the stretch began
        yield weight, Moment(kind="alarm", name=rule, text=text, start=place, end=place, quotes=_some(said))


def _moment(material: Material, kind: MomentKind, name: str, quotes: Sequence[Evidence], /, **slots: str) -> Moment:
    text = material.texts.say("moments", kind, material.tongue, **slots)
    first = quotes[0]
    return Moment(
        kind=kind,
        name=name,
        text=text,
        start=first.start,
        end=Media(max(first.start, first.end)),
        quotes=tuple(quotes[:QUOTES]),
    )


def _some(quote: Evidence | None) -> tuple[Evidence, ...]:
    return () if quote is None else (quote,)


# --- what to drill next ---------------------------------------------------------------------------------------------------


def advice(material: Material, review: Review) -> tuple[Advice, ...]:
    """At most three: for what mattered, then for what was missed or flagged most, each once. None where nothing was judged.

    A drill is named once: what it trains as well is advised with the next best drill, or with none.
    """
    chosen: dict[str, Advice] = {}
    for made in _advice(material, review):
        if len(chosen) < MOST and made.text not in chosen:
            named = {each.drills[0] for each in chosen.values() if each.drills}
            chosen[made.text] = replace(made, drills=tuple(drill for drill in made.drills if drill not in named))
    judged = material.verdict is not None and material.verdict.mark != "unheard"
    if not chosen and judged and held(material.timeline):
        return (Advice(name="", text=material.texts.say("moment_advice", "nothing", material.tongue)),)
    return tuple(chosen.values())


def _advice(material: Material, review: Review) -> Iterator[Advice]:
    tongue, practise = material.tongue, material.committee.practise
    broken = {flag.rule for flag in review.flags if not _announced(material, flag)}
    for moment in review.moments:
        match moment.kind:
            case "fault" | "unanswered":
                yield _advised(material, moment.name, practise[moment.name][tongue])
            case "alarm" if moment.name in broken:
                yield from _for_rule(material, moment.name)
            case "difference" | "unbacked" | "pushback":
                yield _advised(material, moment.kind, material.texts.say("moment_advice", moment.kind, tongue))
            case "alarm" | "strength":
                pass
    found = material.readable
    for signal in found.missing if found is not None else ():
        yield _advised(material, signal, practise[signal][tongue])
    for rule in dict.fromkeys(flag.rule for flag in review.flags if flag.rule in broken):
        yield from _for_rule(material, rule)


def _announced(material: Material, flag: FlagRaised) -> bool:
    """Whether this is a silence that the candidate had asked for: there is nothing to practise in it."""
    before = [turn for turn in material.timeline.turns if turn.start <= flag.start]
    if flag.rule != long_pause.ID or material.content is None or not before or before[-1].speaker != "candidate":
        return False
    said = text_of([word for word in before[-1].words if word.start < flag.start])
    return before[-1].trusted and ending(said, material.header.language, material.content.endings).kind == "thinking"


def _for_rule(material: Material, rule: str) -> Iterator[Advice]:
    if rule in material.texts.practise:
        yield _advised(material, rule, material.texts.practise[rule][material.tongue])


def _advised(material: Material, name: str, text: str) -> Advice:
    return Advice(name=name, text=text, drills=material.texts.drills.get(name, ()))
