"""The scores of a session: each answer's, and what the round amounts to. Written to review.json when the session ends.

A round is no average: it is held down by its weakest gating dimension over all answers, and by what its follow-ups met.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

from voiceprep.config import data_folder
from voiceprep.content.scoring import Scoring, load_scoring
from voiceprep.core.answers.answering import Answering, Awaited
from voiceprep.core.events import Event, Language, Word
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.text import placed
from voiceprep.core.timeline import fold
from voiceprep.errors import VoiceprepError
from voiceprep.review.scoring import EMBEDDED, SCHEMA, Document, Scorer
from voiceprep.review.verdict import FOLLOWING, too_little, verdict_of
from voiceprep.store import corrections, log, review_file
from voiceprep.store.corrections import Correction
from voiceprep.store.header import Header
from voiceprep.store.transcripts import newest, read_session

_log = logging.getLogger(__name__)
CAPPED = 2
"""The most a round can be while follow-ups met with nothing: fewer than half of them were answered."""
LEAST_LADDER = 2
"""So many follow-ups at least, or nothing can be said of how deep it went."""
HALF = 0.5
NEXT_TIME = 3


@dataclass(frozen=True, slots=True)
class _Turn:
    number: int
    words: tuple[Word, ...]
    to: Awaited


def scores_of(
    header: Header,
    events: Sequence[Event],
    content: Content,
    corrected: Sequence[Correction] = (),
    scorer: Scorer | None = None,
) -> Document:
    """The document of a session: `score --json` for the round, and one such document an answer under `answers`.

    An answer's document has its `turn`, and each of its signals and traps a `finding`, by which it can be corrected.
    """
    scorer = scorer or Scorer()
    scoring = load_scoring(scorer.rubrics)
    found, _ = verdict_of(header, events, content)
    turns = list(_turns(events))
    answers = [_answer(turn, header.language, content, scorer, corrected) for turn in turns]
    if found.doubts:
        first = next(iter(answers), None)
        return _whole(header, None, [], answers if first else [], reasons=list(found.doubts))
    dimensions = _dimensions(answers, scoring, header)
    ladder = {"asked": len(found.replies), "answered": sum(one.answered for one in found.replies)}
    rated = [one["overall"]["level"] for one in answers if one["overall"]]
    overall = _overall(rated, dimensions, ladder) if rated else None
    return _whole(header, overall, dimensions, answers) | {"ladder": ladder}


def answer_of(
    header: Header, events: Sequence[Event], content: Content, question: str, corrected: Sequence[Correction] = ()
) -> Document:
    """The score of a recording that nobody asked anything in: all of it is one answer. `question`: its id, "" if unknown."""
    words = [word for turn in _turns(events) for word in turn.words]
    scorer = Scorer()
    if not question and too_little(fold(events).spoken, len(words)):
        return scorer.words(header.round, question, "", header.language, words, little=True)
    return scorer.spoken(content, question, "", header.language, words, {one.label: one for one in corrected})


def _one_answer(header: Header, scores: Any) -> bool:
    """Whether a session was scored as the one answer that an analyzed recording is."""
    return header.analysed and bool(scores) and "answers" not in scores


def answers_in(events: Sequence[Event]) -> dict[int, str]:
    """The text of each answer that is scored, by its turn: what a correction may point at and quote."""
    return {turn.number: placed(turn.words)[0] for turn in _turns(events)}


def _turns(events: Sequence[Event]) -> Iterator[_Turn]:
    answering = Answering()
    for event in events:
        answering.handle(event)
    for turn in fold(events).turns:
        if turn.speaker == "candidate" and turn.words and turn.trusted:
            yield _Turn(turn.number, turn.words, answering.of(turn.number))


def _answer(turn: _Turn, language: Language, content: Content, scorer: Scorer, corrected: Sequence[Correction]) -> Document:
    mine = {one.label: one for one in corrected if one.turn == turn.number}
    reply_to = turn.to.text if turn.to.move in FOLLOWING else ""
    scored = scorer.spoken(content, turn.to.question, reply_to, language, turn.words, mine)
    for kind in ("signals", "traps"):
        for item in scored[kind]:
            item["finding"] = f"{turn.number}.{item['id']}"
    corrections_made = [{"finding": one.finding, "verdict": one.verdict, "note": one.note} for one in mine.values()]
    return scored | {"turn": turn.number, "start": turn.words[0].start, "corrections": corrections_made}


def _dimensions(answers: Sequence[Document], scoring: Scoring, header: Header) -> list[Document]:
    """Each dimension over all answers: the middle of its levels, with the words of the best and the worst answer."""
    tongue = tongue_of(header.language)
    out = []
    for dimension in scoring.dimensions(header.round):
        seen = [one for answer in answers for one in answer["dimensions"] if one["id"] == dimension.id and one["level"]]
        level = int(median(one["level"] for one in seen) + HALF) if seen else None
        ordered = sorted(seen, key=lambda one: one["level"])
        evidence = [item for one in dict.fromkeys((0, len(ordered) - 1)) if ordered for item in ordered[one]["evidence"][:1]]
        # of an answer at this level: what the worst one lacked, others may have had
        usual = min(ordered, key=lambda one: abs(one["level"] - (level or 0)), default=None)
        why = usual["why"] if usual is not None else scoring.why["nothing"][tongue]
        out.append(
            {
                "id": dimension.id,
                "title": dimension.title[tongue],
                "level": level,
                "gating": dimension.gating,
                "anchor": dimension.anchors[tongue][level - 1] if level else "",
                "evidence": evidence,
                "why": why,
                "answers": len(seen),
            }
        )
    return out


def _overall(levels: Sequence[int], dimensions: Sequence[Document], ladder: Mapping[str, int]) -> Document:
    level = int(median(levels) + HALF)
    gating = [one for one in dimensions if one["gating"] and one["level"]]
    if gating:
        level = min(level, min(one["level"] for one in gating) + 1)
    if ladder["asked"] >= LEAST_LADDER and ladder["answered"] < HALF * ladder["asked"]:
        level = min(level, CAPPED)
    held = sorted((one for one in gating if one["level"] <= level), key=lambda one: one["level"])
    return {"level": level, "gate": [one["id"] for one in held] if level < 4 else []}  # noqa: PLR2004  (the highest)


def _whole(
    header: Header, overall: Document | None, dimensions: list[Document], answers: list[Document], reasons: Sequence[str] = ()
) -> Document:
    def once(kind: str) -> list[Document]:
        """Each signal or trap once, with its evidence from all answers."""
        merged: dict[str, list[Any]] = {}
        for answer in answers:
            for item in answer[kind]:
                merged.setdefault(item["id"], []).extend(item["evidence"])
        return [{"id": name, "evidence": evidence} for name, evidence in merged.items()]

    judged = overall is not None
    heard = {item["id"] for answer in answers for item in answer["signals"]}
    missing = dict.fromkeys(label for answer in answers for label in answer["missing"] if label not in heard)
    advice = dict.fromkeys(text for answer in answers for text in answer["next_time"])
    return {
        "schema": SCHEMA,
        "round": header.round,
        "question": None,
        "judge": EMBEDDED,
        "overall": overall,
        "dimensions": dimensions,
        "signals": once("signals") if judged else [],
        "traps": once("traps") if judged else [],
        "missing": list(missing) if judged else [],
        "next_time": list(advice)[:NEXT_TIME] if judged else [],
        "reasons": list(reasons),
        "answers": answers if judged else [],
    }


# --- in the session's folder ----------------------------------------------------------------------------------------------


def basis_of(folder: Path) -> str:
    """What a session's scores rest on: the transcript in force, how much the user has said of them, and the rubrics."""
    transcript = newest(folder)
    try:
        said = (folder / corrections.NAME).stat().st_size
    except OSError:
        said = 0
    rubrics = sorted(path for path in data_folder("rubrics").rglob("*") if path.suffix in {".toml", ".tsv"})
    stats = [(path, path.stat()) for path in rubrics]
    digest = _digest(tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats))
    return f"{transcript.name if transcript else log.NAME} {said} {digest}"


@lru_cache(maxsize=4)
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    """Changes with what is in the files, and not with when they were installed."""
    whole = hashlib.sha256()
    for path, _, _ in files:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


def keep_scores(folder: Path, content: Content) -> Document | None:
    """Score a session that is over, with the user's corrections, and put that into its review.json.

    There it is `scores`, and `scored_from` is what it rests on: the words of its newest transcript. Raises nothing: the session
    is kept, and a score can be made again; None then.
    """
    try:
        basis = basis_of(folder)  # before anything is read: what changes meanwhile is scored next time
        header, events = read_session(folder)
        said = corrections.read(folder)
        before = review_file.kept(folder).get("scores") or {}
        if _one_answer(header, before):
            scores = answer_of(header, events, content, before.get("question") or "", said)
        else:
            scores = scores_of(header, events, content, said)
        review_file.update(folder, {"scores": scores, "scored_from": basis})
    except VoiceprepError as error:
        _log.warning("no scores of %s: %s", folder.name, error.code)
        return None
    except Exception:  # noqa: BLE001  (a defect here must not take a session that is kept away from its user)
        _log.exception("no scores of %s", folder.name)
        return None
    return scores
