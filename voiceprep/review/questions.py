"""When drills and the questions of rounds are worth coming back to, by what takes and scored answers showed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean, median_low
from typing import Any

from voiceprep.review.results import keep_missing_results
from voiceprep.store import drills, review_file
from voiceprep.store.header import Header
from voiceprep.store.schedule import Due, Grade, Review, question_item

GRADES: Mapping[int, Grade] = {1: "again", 2: "hard", 3: "good", 4: "easy"}
"""By the level of an answer."""


def schedule_of(recordings: Path) -> dict[str, Due]:
    """When each item that was practised is due again. Raises MissingError as `store.drills.schedule`."""
    return drills.schedule(recordings, (drills.reviews_of_take, reviews_of_answers))


def reviews_of_answers(folder: Path, head: Header) -> Iterator[Review]:
    """The scored answers to a question, follow-ups included, say how it went together; what was not scored says nothing."""
    keep_missing_results(folder)
    levels: dict[str, list[int]] = {}
    for scored in scored_answers(folder) if head.round and not head.demonstration else ():
        question, level = scored.get("question"), level_of(scored)
        if isinstance(question, str) and question and level is not None:
            levels.setdefault(question, []).append(level)
    for question, found in levels.items():
        grade = GRADES[median_low(found)]
        yield Review(question_item(head.round, question), head.moment.isoformat(), grade, folder.name)


def scored_answers(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """What review.json says of single answers: each as `score --json`. None where there is no such thing."""
    scores = scores_of(folder)
    listed = scores.get("answers", scores.get("questions"))
    answers = listed if isinstance(listed, list) else [scores]
    return tuple(one for one in answers if isinstance(one, dict))


def scores_of(folder: Path) -> Mapping[str, Any]:
    """The scores of a session as its review.json has them; empty where it has none that can be read."""
    scores = review_file.kept(folder).get("scores")
    return scores if isinstance(scores, dict) else {}


def dimensions_of(folder: Path) -> dict[str, float]:
    """The level of each dimension that was heard in a session: of the whole, or else the mean of its answers'."""
    return _dimensions([scores_of(folder)]) or _dimensions(scored_answers(folder))


def _dimensions(scored: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    levels: dict[str, list[float]] = {}
    for document in scored:
        listed = document.get("dimensions")
        for one in listed if isinstance(listed, list) else ():
            level = one.get("level") if isinstance(one, dict) else None
            if isinstance(level, (int, float)):
                levels.setdefault(str(one.get("id")), []).append(float(level))
    return {name: fmean(each) for name, each in sorted(levels.items())}


def level_of(scored: Mapping[str, Any]) -> int | None:
    """1..4, or None: it was not scored."""
    overall = scored.get("overall")
    level = overall.get("level") if isinstance(overall, dict) else None
    return level if isinstance(level, int) and level in GRADES else None
