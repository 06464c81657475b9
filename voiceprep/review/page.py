"""The review of a session, made from its folder, and kept there as `review.json`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from voiceprep.content.drills import load_drills
from voiceprep.content.loader import interviewer
from voiceprep.core.annotation import Annotation, WordIndex, noted
from voiceprep.core.listening.fillers import Filler, find_written
from voiceprep.core.listening.pauses import time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, measure_rates
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.timeline import fold
from voiceprep.core.units import Seconds
from voiceprep.errors import VoiceprepError
from voiceprep.review.debrief import Standing, note_on
from voiceprep.review.document import DebriefLine, Facts, Measures, Review, Said, SectionTime
from voiceprep.review.material import Material, gather
from voiceprep.review.mattered import advice, moments
from voiceprep.review.micro_quiz import quiz
from voiceprep.review.pressure import pushbacks, threads
from voiceprep.review.remarks import layered, own
from voiceprep.review.story import story
from voiceprep.review.turns import longest_answer, turns_of
from voiceprep.store import review_file
from voiceprep.store.annotations import Annotations
from voiceprep.store.review_file import kept
from voiceprep.store.transcripts import read_session

_log = logging.getLogger(__name__)


def review_of(folder: Path, tongue: Tongue | None = None) -> Review:
    """The review of the session in this folder; its texts in `tongue`, or in the session's own language.

    Scores are taken from review.json, where they are written. Raises BadInputError (`bad-log`, `bad-annotations`).
    """
    return made_of(gather(folder, tongue))


def made_of(material: Material) -> Review:
    """The review of a session that has been read already. Raises BadInputError (`bad-annotations`)."""
    mine = own(material)
    turns = turns_of(material)
    bare = _bare(material, turns, mine)
    told = replace(bare, story=story(material, bare), moments=moments(material, bare))
    advised = replace(told, advice=advice(material, told))
    return replace(advised, names=_names(material, advised))


def annotations_of(folder: Path) -> tuple[Annotations, WordIndex, Seconds]:
    """A session's annotations to change, the words that they may stand on, and the length of its recording.

    Raises BadInputError (`bad-log`).
    """
    timeline = fold(read_session(folder)[1])
    return Annotations(folder, noted(timeline.notes)), WordIndex(timeline.words), timeline.duration


def write(folder: Path, review: Review) -> None:
    """Keep the review in the folder. What others have put into review.json stays, its scores above all. Raises MissingError."""
    document = review.to_json()
    del document["scores"]  # they were read when the review was begun: newer ones may have been written since
    review_file.update(folder, document)


def keep_review(folder: Path) -> None:
    """Make the review of a session that has just ended, and keep it. Work for a thread.

    The session is over and kept already, so nothing that goes wrong here may reach whoever held it: it is logged.
    """
    try:
        write(folder, review_of(folder))
    except VoiceprepError as error:
        _log.warning("no review of %s: %s", folder.name, error.code)
    except Exception:  # noqa: BLE001  (a defect here must not take a session that is kept away from its user)
        _log.exception("no review of %s", folder.name)


def _bare(material: Material, turns: tuple[Said, ...], mine: tuple[Annotation, ...]) -> Review:
    """All but the texts."""
    timeline, found = material.timeline, material.findings
    fillers = find_written([word for turn in timeline.turns if turn.trusted for word in turn.words])
    signals = quiz(material, mine)
    return Review(
        tongue=material.tongue,
        facts=_facts(material),
        story=(),
        moments=(),
        advice=(),
        debrief=_debrief(material),
        measures=_measures(material, turns, fillers),
        sections=_sections(material),
        turns=turns,
        words=timeline.words,
        speech=timeline.speech,
        pauses=timeline.pauses,
        flags=timeline.flags,
        interruptions=timeline.interruptions,
        gaps=timeline.gaps,
        failures=timeline.failures,
        threads=threads(material),
        pushbacks=pushbacks(material, turns),
        quiz=signals,
        differences=timeline.differences,
        claims=material.claims,
        heard=found.shown if found else (),
        faults=found.faults if found else (),
        missing=found.missing if found else (),
        annotations=layered(material, mine, fillers, signals),
        scores=_scores(material.folder),
    )


def _scores(folder: Path) -> Mapping[str, Any] | None:
    scores = kept(folder).get("scores")
    return scores if isinstance(scores, dict) else None


def _facts(material: Material) -> Facts:
    header, timeline, tongue = material.header, material.timeline, material.tongue
    pack = material.content.round if material.content else None
    return Facts(
        id=material.folder.name,
        title=header.title,
        round=header.round,
        round_title=pack.title[tongue] if pack else header.round,
        persona=header.persona,
        interviewer=_interviewer(material),
        language=header.language,
        mode=header.mode,
        started=header.started,
        duration=timeline.duration,
        elapsed=timeline.elapsed,
        spoken=timeline.spoken,
        ended=timeline.ended,
        models=header.models,
    )


def _interviewer(material: Material) -> str:
    """The name of whoever asked, as it was said in the session; its id where its file is gone."""
    tongue = tongue_of(material.header.language)
    if material.content is not None and material.content.round.persona.id == material.header.persona:
        return material.content.round.persona.name[tongue]
    with suppress(VoiceprepError):
        persona = interviewer(material.header.persona)
        if persona is not None:
            return persona.name[tongue]
    return material.header.persona


def _sections(material: Material) -> tuple[SectionTime, ...]:
    titles = {each.id: each.title[material.tongue] for each in material.content.round.sections} if material.content else {}
    return tuple(
        SectionTime(
            section=each.section,
            title=titles.get(each.section, each.section),
            budget=each.budget,
            seconds=each.end - each.start,  # as long as the recording says: what lies before it is no part of it
            start=each.start,
            end=each.end,
        )
        for each in material.timeline.sections
    )


def _measures(material: Material, turns: tuple[Said, ...], fillers: tuple[Filler, ...]) -> Measures:
    timeline = material.timeline
    trusted = [turn for turn in timeline.turns if turn.speaker == "candidate" and turn.trusted]
    words = [word for turn in trusted for word in turn.words]
    theirs = sum(said.seconds for said in timeline.utterances)
    speaking = time_without_pauses(timeline.speech, LONG_PAUSE)
    return Measures(
        rates=measure_rates(words, timeline.speech, timeline.duration, material.header.language),
        fillers=len(fillers),
        fillers_per_minute=len(fillers) * 60.0 / speaking if words and speaking else None,
        talk_share=timeline.spoken / (timeline.spoken + theirs) if theirs else None,
        longest_answer=longest_answer(turns, timeline.speech),
        longest_pause=max(timeline.pauses, key=lambda pause: pause.duration, default=None),
    )


def _debrief(material: Material) -> DebriefLine | None:
    if material.findings is None or material.verdict is None:
        return None
    header, verdict = material.header, material.verdict
    standing = Standing(
        number=max(1, header.loop_round),
        round=header.round,
        state="held",
        severity=header.severity,
        persona=header.persona,
        session=material.folder.name,
        started=header.started,
        findings=material.findings,
        verdict=verdict,
    )
    note = note_on(standing, material.committee, material.tongue)
    return DebriefLine(
        mark=verdict.mark,
        mark_name=material.committee.marks[verdict.mark][material.tongue],
        sentence=note.sentence,
        why=verdict.because,
        doubts=material.findings.doubts,
        evidence=note.evidence,
    )


def _names(material: Material, review: Review) -> dict[str, str]:
    """What people call whatever is named in the review by its id."""
    tongue = material.tongue
    ids = {
        *(item.signal for item in (*review.heard, *review.faults)),
        *review.missing,
        *material.committee.have,  # scores and signals name others than the review itself does
        *(moment.name for moment in review.moments),
        *(step.target for thread in review.threads for step in thread.steps),
    }
    faults = {item.signal for item in review.faults}
    called = ((name, material.committee.called(name, tongue, fault=name in faults)) for name in sorted(ids))
    rules = {flag.rule: material.texts.rule(flag.rule, tongue) for flag in review.flags}
    known = load_drills()
    drills = {one: known[one].title[tongue] for each in review.advice for one in each.drills if one in known}
    return {name: said for name, said in called if said} | rules | drills
