"""From checked shapes to the frozen values that the core uses."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from voiceprep.content import rubric_schema, schema
from voiceprep.content.patterns import compiled, filled
from voiceprep.core.interviewer.verbs import verb_of
from voiceprep.core.pack import (
    Answer,
    Cue,
    Detector,
    EndCue,
    Endings,
    Framework,
    Interjection,
    Line,
    Listing,
    PacingRule,
    Persona,
    Point,
    Pushback,
    Question,
    RoundPack,
    Section,
    Threshold,
    Tongue,
    Verb,
)

TONGUES: tuple[Tongue, ...] = ("en", "zh")
NO_VERB = "none"
"""What a question names as its verb that asks for neither."""


def line(id: str, spoken: schema.Spoken) -> Line:  # noqa: A002  (the field's own name)
    return Line(id, {"en": tuple(spoken.en), "zh": tuple(spoken.zh)})


def both(text: schema.Both) -> dict[Tongue, str]:
    return {"en": text.en, "zh": text.zh}


def topics(words: schema.Topics) -> dict[Tongue, tuple[str, ...]]:
    return {"en": tuple(w.casefold() for w in words.en), "zh": tuple(w.casefold() for w in words.zh)}


class RoundBuilder:
    """Builds one round. `traps` tells a point that is asked for while missing from one that is challenged when present."""

    def __init__(
        self,
        id: str,  # noqa: A002
        traps: Collection[str],
        verbs: Sequence[Verb] = (),
        framework: Framework = Framework(),  # noqa: B008  (a frozen value)
    ) -> None:
        self._id = id
        self._traps = traps
        self._verbs = verbs
        self._framework = framework

    def build(self, file: schema.RoundFile, persona: Persona) -> RoundPack:
        return RoundPack(
            id=self._id,
            title=both(file.title),
            tests=both(file.tests),
            minutes=(file.minutes[0], file.minutes[1]),
            source=file.source,
            requirements=_demands(file),
            persona=persona,
            sections=tuple(
                Section(s.id, both(s.title), s.budget_minutes * 60, s.kind, s.source, s.hard, s.order) for s in file.sections
            ),
            questions=tuple(self._question(question) for question in file.questions),
            pushbacks=tuple(self._pushback(pushback) for pushback in file.pushbacks),
            interjections=tuple(self._interjection(one) for one in file.interjections),
            deeper=tuple(self._point("deeper", point) for point in file.deeper),
            answers=tuple(_answer("answer", answer) for answer in file.answers),
            challenges=tuple(self._point("challenge", point) for point in file.challenges),
            again={form: line(f"again.{form}", spoken) for form, spoken in file.again.items()},
            framework=self._framework,
            generic=line("generic", file.generic),
            opening=line("opening", file.opening),
            invite=line("invite", file.invite),
            unknown_answer=line("unknown_answer", file.unknown_answer),
            more=line("more", file.more),
            closing=line("closing", file.closing),
        )

    def _question(self, file: schema.QuestionFile) -> Question:
        return Question(
            id=file.id,
            section=file.section,
            kind=file.kind,
            line=line(file.id, file),
            points=tuple(self._point(file.id, point) for point in file.points),
            topics=topics(file.topics),
            verb=self._verb(file),
            facts=tuple(_answer(f"{file.id}.fact", fact) for fact in file.facts),
        )

    def _verb(self, file: schema.QuestionFile) -> Verb | None:
        """What it says it asks for, or what its first phrasings are heard to ask for, in English before Chinese."""
        if file.verb is not None:
            return next((verb for verb in self._verbs if verb.id == file.verb), None)
        return verb_of(file.en[0], self._verbs) or verb_of(file.zh[0], self._verbs)

    def _faults(self, when: Sequence[str]) -> tuple[str, ...]:
        return tuple(each for each in when if each in self._traps)

    def _pushback(self, file: schema.PushbackFile) -> Pushback:
        name = f"pushback.{file.id}"
        points = tuple(self._point(name, point) for point in file.points)
        return Pushback(
            id=file.id,
            kind=file.kind,
            when=tuple(file.when),
            line=line(name, file),
            points=points,
            faults=self._faults(file.when),
            questions=tuple(file.questions),
            sections=tuple(file.sections),
        )

    def _interjection(self, file: schema.InterjectionFile) -> Interjection:
        return Interjection(
            id=f"interjection.{file.id}",
            move=file.move,
            measured=file.measured,
            after=file.after_minutes * 60,
            when=tuple(file.when),
            unless=tuple(file.unless),
            target=file.target,
            line=line(f"interjection.{file.id}", file),
            faults=self._faults(file.when),
            questions=tuple(file.questions),
            sections=tuple(file.sections),
        )

    def _point(self, above: str, file: schema.LinkFile) -> Point:
        """`above.id` is the line's id, unique in the round."""
        below: Sequence[schema.LinkFile] = file.chain if isinstance(file, schema.PointFile) else ()
        return Point(
            id=file.id,
            target=file.target,
            when="present" if file.target in self._traps else "missing",
            line=line(f"{above}.{file.id}", file),
            chain=tuple(self._point(above, rung) for rung in below),
            move=file.move,
            after_objection=file.after_objection,
        )


def _answer(above: str, file: schema.AnswerFile) -> Answer:
    return Answer(file.id, topics(file.topics), line(f"{above}.{file.id}", file))


def _demands(file: schema.RoundFile) -> tuple[str, ...]:
    """Every demand that the round or anything in it exercises, each once, in order."""
    points = [
        *(point for question in file.questions for point in question.points),
        *(point for pushback in file.pushbacks for point in pushback.points),
    ]
    rungs = [rung for point in points for rung in (point, *point.chain)]
    facts = [fact for question in file.questions for fact in question.facts]
    said = [*file.questions, *facts, *rungs, *file.pushbacks, *file.interjections, *file.challenges, *file.deeper, file.generic]
    said += file.again.values()
    return tuple(dict.fromkeys([*file.requirements, *(demand for item in said for demand in item.exercises)]))


def general(file: schema.GeneralFile, traps: Collection[str]) -> tuple[Point, ...]:
    """The points that fit any round."""
    return tuple(
        Point(
            each.id,
            each.target,
            "present" if each.target in traps else "missing",
            line(f"any.{each.id}", each),
            after_objection=each.after_objection,
            alone=each.alone,
        )
        for each in file.points
    )


def persona(id: str, file: schema.PersonaFile) -> Persona:  # noqa: A002
    return Persona(
        id=id,
        name=both(file.name),
        role=both(file.role),
        voice=file.voice,
        pace=file.pace,
        reluctance=file.reluctance,
        room=file.room,
        patience_short=file.patience_short_seconds,
        patience_long=file.patience_long_seconds,
        prompt_after=file.prompt_after_seconds,
        prompt=line(f"{id}.prompt", file.prompt) if file.prompt else None,
        pushback_share=file.pushback_share,
        followups=(file.followups[0], file.followups[1]),
        severity=file.severity,
        signals=tuple(file.signals),
        interesting=line(f"{id}.interesting", file.interesting) if file.interesting else None,
        backchannels=line(f"{id}.backchannels", file.backchannels) if file.backchannels else None,
        backchannel_every=file.backchannel_every_seconds or 0.0,
        habits={"en": tuple(file.habits.en), "zh": tuple(file.habits.zh)} if file.habits else {},
    )


def verbs(file: rubric_schema.VerbsFile) -> tuple[Verb, ...]:
    return tuple(
        Verb(name, tuple(verb.first), {"en": tuple(map(compiled, verb.en)), "zh": tuple(map(compiled, verb.zh))})
        for name, verb in file.verbs.items()
    )


def framework(file: rubric_schema.VerbsFile) -> Framework:
    return Framework(frozenset(file.framework.claims), file.framework.layers)


def detectors(file: rubric_schema.SignalsFile) -> tuple[Detector, ...]:
    known: dict[Tongue, dict[str, str]] = {"en": file.fragments.en, "zh": file.fragments.zh}

    def built(pattern: str, tongue: Tongue) -> re.Pattern[str]:
        return compiled(filled(pattern, known[tongue]))

    def cue(given: str | rubric_schema.CueFile, veto: str | None, tongue: Tongue) -> Cue:
        pattern, unless = (given, veto) if isinstance(given, str) else (given.pattern, given.unless)
        return Cue(built(pattern, tongue), built(unless, tongue) if unless else None)

    return tuple(
        Detector(
            id=name,
            kind=detector.kind,
            cues={
                "en": tuple(cue(given, detector.unless_en, "en") for given in detector.en),
                "zh": tuple(cue(given, detector.unless_zh, "zh") for given in detector.zh),
            },
            least=detector.least,
            needs=tuple(detector.needs),
            unless_heard=tuple(detector.unless_heard),
            scope=detector.scope,
            never_with=tuple(detector.never_with),
            only=tuple(compiled(one) for one in (detector.only_en, detector.only_zh) if one),
            asked=tuple(detector.asked),
            in_reply=detector.in_reply,
        )
        for name, detector in file.detectors.items()
    )


def endings(file: rubric_schema.EndingsFile) -> Endings:
    def patterns(given: rubric_schema.PatternsFile) -> dict[Tongue, tuple[re.Pattern[str], ...]]:
        return {"en": tuple(map(compiled, given.en)), "zh": tuple(map(compiled, given.zh))}

    def counted(given: rubric_schema.CountedFile) -> dict[Tongue, re.Pattern[str]]:
        return {"en": compiled(given.en), "zh": compiled(given.zh)}

    words = file.last_words
    return Endings(
        patterns(file.no_question),
        frozenset(word.casefold() for word in (*file.listening.en, *file.listening.zh)),
        cues=tuple(EndCue(name, patterns(cue), cue.odds, cue.round, cue.kind, cue.on) for name, cue in words.cues.items()),
        tags=patterns(words.tags),
        listing=Listing(counted(words.listing.announce), counted(words.listing.item), words.listing.numbers),
        base_odds=words.base_odds,
        base_round=words.base_round,
        odds_limit=words.odds_limit,
        repeat=patterns(file.repeat),
    )


def pacing_rule(id: str, file: rubric_schema.RuleFile) -> PacingRule:  # noqa: A002
    thresholds = tuple(
        Threshold(threshold.level, next(iter(threshold.measured.values())), {"en": threshold.en, "zh": threshold.zh})
        for threshold in file.thresholds
    )
    asked = file.asked
    return PacingRule(
        id,
        thresholds,
        file.source,
        flag=file.flag or "",
        unit=next(iter(file.thresholds[0].measured)),
        asked={"en": tuple(map(compiled, asked.en)), "zh": tuple(map(compiled, asked.zh))} if asked else {},
        where=tuple(file.where),
        heard=tuple(file.heard),
        ended_by=tuple(file.ended_by),
        unless=tuple(file.unless),
        window=file.window_seconds,
        least=file.least_seconds,
    )
