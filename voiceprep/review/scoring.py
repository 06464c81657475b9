"""Scores of answers by the embedded judge: levels with the words that decided them. The same words, the same score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from voiceprep.content import load_content
from voiceprep.content.committee import Committee, load_committee
from voiceprep.content.scoring import Scoring, load_scoring
from voiceprep.core.answers.aim import too_late
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.clauses import Stretch
from voiceprep.core.answers.score import Found, Graded, Score, score
from voiceprep.core.answers.score_evidence import Weighed, weigh
from voiceprep.core.answers.score_quality import doubt
from voiceprep.core.events import Language, Word
from voiceprep.core.pack import Content, Tongue, tongue_of
from voiceprep.core.text import placed
from voiceprep.review.followup import question_like
from voiceprep.store.corrections import Correction

SCHEMA = 1
EMBEDDED = "embedded"
MISSING, NEXT_TIME, NAMES = 5, 3, 3
"""So many signals that were not heard, pieces of advice, and names in a sentence, at most."""
Document = dict[str, Any]
NOT_CORRECTED: Mapping[str, Correction] = {}
Place = Callable[[Stretch], tuple[float | None, float | None]]
"""Where a stretch of the text is in the recording, in media seconds; nowhere for a written answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is scored. `question` is an id of the round's, or any text; `reply_to` what the interviewer said last, or ""."""

    round: str
    question: str
    reply_to: str
    language: Language
    text: str
    place: Place = field(default=lambda _: (None, None))


@dataclass(slots=True)
class Scorer:
    """Scores by the files under rubrics/. Each round is read once."""

    rubrics: Path | None = None

    def text(self, round_id: str, question: str, prior: str, language: Language, text: str) -> Document:
        """The score of a written answer, as `voiceprep score --json` prints it.

        Raises UsageError for a round that there is not, BadInputError (`bad-pack`) for files that are wrong.
        """
        return self.score(Answer(round_id, question, prior, language, text))

    def words(
        self,
        round_id: str,
        question: str,
        prior: str,
        language: Language,
        words: Sequence[Word],
        doubts: Sequence[str] = (),
        *,
        little: bool = False,
    ) -> Document:
        """The score of a spoken answer; quotes have their times. With `doubts`, or too `little` of it, it is not scored."""
        text, offsets = placed(words)
        answer = Answer(round_id, question, prior, language, text, _placing(words, offsets))
        if doubts:
            return self.unscored(answer, "poor", doubts)
        if little:
            return self.unscored(answer, "short")
        return self.score(answer)

    def spoken(
        self,
        content: Content,
        question: str,
        reply_to: str,
        language: Language,
        words: Sequence[Word],
        corrected: Mapping[str, Correction] = NOT_CORRECTED,
    ) -> Document:
        """One answer of a session, by the session's own pack and with what its user said of findings, by label."""
        text, offsets = placed(words)
        answer = Answer(content.round.id, question, reply_to, language, text, _placing(words, offsets))
        return self.score(answer, content, corrected)

    def score(
        self, answer: Answer, content: Content | None = None, corrected: Mapping[str, Correction] = NOT_CORRECTED
    ) -> Document:
        """The same for any answer. `content`: the round's pack where it is at hand (a session's own)."""
        content = content or _content(answer.round, self.rubrics)
        classifier = next((one.trained for one in content.detectors if one.trained is not None), None)
        reason = doubt(answer.text, classifier) if classifier is not None else None
        if reason is not None:
            return self.unscored(answer, reason)
        scoring = load_scoring(self.rubrics)
        asked = asked_of(answer, content)
        weighed = weigh(answer.text, content.detectors, answer.language, asked, scoring.matter)
        weighed = _as_corrected(weighed, answer.text, corrected)
        found = score(weighed, scoring.dimensions(answer.round), scoring.scale, reply=bool(answer.reply_to))
        return _Writing(answer, scoring, load_committee(rubrics=self.rubrics), tongue_of(answer.language)).document(
            found, wanted_of(answer, content)
        )

    def unscored(self, answer: Answer, reason: str, details: Sequence[str] = ()) -> Document:
        """No levels, and why. `reason` is one of content.scoring.REASONS."""
        scoring = load_scoring(self.rubrics)
        tongue = tongue_of(answer.language)
        said = scoring.reasons[reason][tongue]
        why = scoring.why["unscored"][tongue].replace("{reasons}", said)
        dimensions: list[Document] = [
            {"id": one.id, "level": None, "evidence": [], "why": why}
            for one in scoring.dimensions(answer.round)
            if answer.reply_to or not one.replies
        ]
        return _frame(answer) | {
            "overall": None,
            "dimensions": dimensions,
            "signals": [],
            "traps": [],
            "missing": [],
            "next_time": [],
            "reasons": [said, *details],
        }


def _as_corrected(weighed: Weighed, text: str, corrected: Mapping[str, Correction]) -> Weighed:
    """The user has the last word: what is not there is not, and what was missed is there, where they say."""
    likely, where = dict(weighed.likely), dict(weighed.where)
    for label, one in corrected.items():
        place = text.find(one.quote) if one.quote else -1
        if one.verdict == "wrong":
            likely[label] = 0.0
        elif one.verdict == "heard" and place >= 0:
            likely[label], where[label] = 1.0, (place, place + len(one.quote))
    return replace(weighed, likely=likely, where=where)


def asked_of(answer: Answer, content: Content) -> Asked:
    """What the answer replies to, in words."""
    known = {each.id: each for each in content.round.questions}
    question = known.get(answer.question)
    words = question.line.phrasings[tongue_of(answer.language)][0] if question else answer.question
    return Asked(words, answer.reply_to)


def wanted_of(answer: Answer, content: Content) -> tuple[str, ...]:
    """The signals that the question's own points go after, the most valuable first."""
    known = {each.id: each for each in content.round.questions}
    question = known.get(answer.question) or question_like(content, answer.question)
    return tuple(dict.fromkeys(point.target for point in question.points if point.when == "missing"))


@dataclass(frozen=True, slots=True)
class _Writing:
    """Puts one answer's score into a document."""

    answer: Answer
    scoring: Scoring
    committee: Committee
    tongue: Tongue

    def document(self, found: Score, wanted: Sequence[str]) -> Document:
        heard = {one.label for one in found.signals}
        objected = bool(self.answer.reply_to)
        # What was not heard holds no level, but is what to say next time all the same.
        lacking = [
            one for one in found.dimensions if one.dimension.gating and (one.dimension.id in found.gate or one.level is None)
        ]
        open_ = [label for one in lacking for label in one.open if label in one.dimension.core]
        missing = [
            label
            for label in dict.fromkeys((*wanted, *open_))
            if label not in heard and label in self.scoring.scale.signals and not too_late(label, heard, objected=objected)
        ][:MISSING]
        return _frame(self.answer) | {
            "overall": {"level": found.level, "gate": list(found.gate), "value": found.value},
            "dimensions": [self._dimension(one) for one in found.dimensions],
            "signals": [{"id": one.label, "evidence": [self._quote(one)]} for one in found.signals],
            "traps": [{"id": one.label, "evidence": [self._quote(one)]} for one in found.traps],
            "missing": missing,
            "next_time": self._next_time(found, missing),
            "reasons": [],
        }

    def _dimension(self, one: Graded) -> Document:
        return {
            "id": one.dimension.id,
            "title": one.dimension.title[self.tongue],
            "level": one.level,
            "gating": one.dimension.gating,
            "anchor": one.dimension.anchors[self.tongue][one.level - 1] if one.level and one.dimension.anchors else "",
            "evidence": [self._quote(item) for item in {item.where: item for item in (*one.faults, *one.found)}.values()],
            "why": self._why(one),
        }

    def _why(self, one: Graded) -> str:
        names = self.committee
        said: list[str] = []
        if one.faults:
            said.append(self._named("faults", [names.lack[item.label][self.tongue] for item in one.faults]))
        if one.found:
            said.append(self._named("heard", [names.have[item.label][self.tongue] for item in one.found]))
        if one.level is None:
            said.append(self.scoring.why["nothing"][self.tongue])
        missing = [label for label in one.open if label in one.dimension.core]
        if missing and one.level != 4:  # noqa: PLR2004  (the highest: nothing is missing from it)
            said.append(self._named("open", [names.have[label][self.tongue] for label in missing]))
        return (" " if self.tongue == "en" else "").join(said)

    def _named(self, template: str, names: Sequence[str]) -> str:
        joint = ", " if self.tongue == "en" else "、"
        return self.scoring.why[template][self.tongue].replace("{names}", joint.join(names[:NAMES]))

    def _quote(self, found: Found) -> Document:
        start, end = self.answer.place(found.where)
        return {"quote": self.answer.text[slice(*found.where)], "start": start, "end": end}

    def _next_time(self, found: Score, missing: Sequence[str]) -> list[str]:
        """Faults first, the weightiest before the others, then what was not heard."""
        traps = sorted(found.traps, key=lambda one: -self.scoring.scale.traps[one.label] * one.likely)
        labels = [*(one.label for one in traps), *missing]
        return list(dict.fromkeys(self.committee.practise[label][self.tongue] for label in labels))[:NEXT_TIME]


def _frame(answer: Answer) -> Document:
    return {"schema": SCHEMA, "round": answer.round, "question": answer.question or None, "judge": EMBEDDED}


def _placing(words: Sequence[Word], offsets: Sequence[int]) -> Place:
    """Places of stretches by the words that they touch."""

    def place(stretch: Stretch) -> tuple[float | None, float | None]:
        inside = [
            word
            for word, begins in zip(words, offsets, strict=True)
            if begins < stretch[1] and begins + len(word.text.strip()) > stretch[0]
        ]
        return (round(inside[0].start, 3), round(inside[-1].end, 3)) if inside else (None, None)

    return place


@lru_cache(maxsize=16)
def _content(round_id: str, rubrics: Path | None) -> Content:
    return load_content(round_id, rubrics=rubrics)
