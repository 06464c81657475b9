"""A session's scores and what is made of them: they follow its words and its user's corrections, and come back with either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.interview import header, keep
from tests.review.scenes import Scene
from voiceprep.cli.progress import _print, document
from voiceprep.content import load_content
from voiceprep.core.events import Word
from voiceprep.core.redecoded import Decoded, passages
from voiceprep.review import session_scores, trend
from voiceprep.review.development import development
from voiceprep.review.questions import schedule_of
from voiceprep.review.results import keep_missing_results, keep_results, keep_scored
from voiceprep.review.scoring import Scorer
from voiceprep.store import corrections, log, review_file, transcripts
from voiceprep.store.archive import Archive
from voiceprep.store.corrections import Correction
from voiceprep.store.transcripts import Transcript
from voiceprep.web import catalogue

ROUND = "gpu-hm-screen"
HEAD = header(ROUND, "hiring-manager", "2026-12-01T09:00:00Z")
FIRST = (
    "Two teams wanted the same forty cards, vision for their deadline and speech for a nightly run. I decided speech gets the "
    "nights and vision the days, and told vision's lead before he heard it elsewhere. Vision lost its overnight runs, that was "
    "the price. Waiting at nine in the morning went from seventy jobs to twelve. Above thirty I would have undone it."
)
SECOND = (
    "The lead of the platform team decides on quotas, and when two teams clash they escalate to her by noon. We measured the "
    "queue every week: the median wait fell from forty minutes to six. We gave up some utilization for that, about four "
    "percent, and finance agreed to it in writing."
)
ANSWERS = (FIRST, SECOND, FIRST, SECOND)
VAGUE = "we looked at many things and it was really important for everybody and we did our best about all of it in general"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scene = Scene(HEAD)
    questions = load_content(ROUND).round.questions
    for question, answer in zip(questions, ANSWERS, strict=False):
        scene.asks("question", "", question.line.phrasings["en"][0], question.id)
        scene.answers(answer)
    scene.ends()
    made = tmp_path / keep(tmp_path, HEAD, scene.log)
    keep_results(made)
    return made


def scores(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = review_file.kept(folder)["scores"]
    return found


def in_trend(folder: Path) -> trend.LevelPoint:
    (only,) = trend.progress(folder.parent, {}).rounds
    (point,) = only.points
    return point


def on_the_map(folder: Path) -> int | None:
    found: int | None = catalogue._last(Archive(folder.parent))[ROUND]["level"]
    return found


@pytest.mark.parametrize("shown", ["map", "schedule"])
def test_every_reader_shows_what_the_words_in_force_are_worth(folder: Path, shown: str) -> None:
    def level() -> object:
        if shown == "map":
            return on_the_map(folder)
        return {item: due.grade for item, due in schedule_of(folder.parent).items()}

    before = level()
    assert before
    written_again(folder, VAGUE)
    after = level()
    assert after != before
    transcripts.undo(folder)
    assert level() == before
    for finding in [signal["finding"] for answer in scores(folder)["answers"] for signal in answer["signals"]]:
        corrections.append(folder, Correction(finding, "wrong"))
    assert level() != before


def written_again(folder: Path, text: str) -> None:
    """Another transcript of the session, in which every answer reads `text`."""
    decoded = []
    for passage in passages(log.read(folder / log.NAME).events):
        pieces = text.split()
        step = (passage.end - passage.start) / len(pieces)
        starts = [passage.start + number * step for number in range(len(pieces))]
        words = (Word(piece, start, start + 0.9 * step, 0.9) for piece, start in zip(pieces, starts, strict=True))  # type: ignore[arg-type]
        decoded.append(Decoded(passage, tuple(words)))
    transcripts.add(folder, Transcript(model="another", made="2026-12-02T09:00:00Z", decoded=tuple(decoded)))


def test_other_words_make_other_scores_and_undo_brings_the_first_back(folder: Path) -> None:
    before, point = scores(folder), in_trend(folder)
    assert before["overall"]["level"] >= 3
    assert (point.level, bool(point.dimensions)) == (before["overall"]["level"], True)
    assert on_the_map(folder) == point.level
    written_again(folder, VAGUE)  # the program died before it scored the new words: the next reader sees to it
    after = in_trend(folder)
    assert after.level is not None
    assert point.level is not None
    assert after.level < point.level
    assert scores(folder)["overall"]["level"] == after.level
    transcripts.undo(folder)
    assert in_trend(folder) == point
    assert scores(folder) == before


def test_a_correction_moves_the_score_and_the_trend_until_it_is_taken_back(folder: Path) -> None:
    before, point = scores(folder), in_trend(folder)
    found = [signal["finding"] for answer in before["answers"] for signal in answer["signals"]]
    assert len(found) >= 4
    for finding in found:
        corrections.append(folder, Correction(finding, "wrong"))
    after = in_trend(folder)
    assert after.level is not None
    assert point.level is not None
    assert after.level < point.level
    assert set(after.dimensions) < set(point.dimensions)
    (drawn,) = development(folder.parent)
    assert (drawn.level, drawn.dimensions) == (after.level, after.dimensions)
    for finding in found:
        corrections.append(folder, Correction(finding, "withdrawn"))
    assert in_trend(folder) == point
    assert scores(folder)["answers"] == before["answers"]


def test_what_was_scored_and_has_not_changed_is_left_alone(folder: Path) -> None:
    marked = {**scores(folder), "mark": 1}
    review_file.update(folder, {"scores": marked})
    keep_missing_results(folder)
    assert scores(folder) == marked


def test_an_analyzed_recording_stays_the_one_answer_that_it_was(tmp_path: Path) -> None:
    scene = Scene(header(ROUND, "", "2026-12-01T09:00:00Z", models={"stt": "base"}))
    words = scene.answers(" ".join(ANSWERS))
    scene.ends()
    folder = tmp_path / keep(tmp_path, scene.head, scene.log)
    question = load_content(ROUND).round.questions[0].id
    printed = Scorer().words(ROUND, question, "", "en", words)
    keep_scored(folder, printed)
    assert scores(folder) == printed
    keep_results(folder)
    assert (scores(folder)["question"], scores(folder)["overall"]) == (question, printed["overall"])
    written_again(folder, VAGUE)
    keep_missing_results(folder)
    assert scores(folder)["question"] == question
    assert scores(folder)["overall"]["level"] < printed["overall"]["level"]


def test_progress_shows_each_dimension(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = trend.progress(folder.parent, {})
    (only,) = document(found)["rounds"]
    assert only["points"][0]["dimensions"] == in_trend(folder).dimensions
    _print(found)
    assert f"What {ROUND} judges" in capsys.readouterr().out


def test_scores_are_made_again_after_a_changed_rubric(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = session_scores.basis_of(folder)
    rubrics = tmp_path / "rubrics"
    rubrics.mkdir()
    monkeypatch.setattr(session_scores, "data_folder", lambda _: rubrics)
    (rubrics / "scale.toml").write_text("one")
    changed = session_scores.basis_of(folder)
    assert changed != before
    keep_missing_results(folder)
    assert review_file.kept(folder)["scored_from"] == changed
    (rubrics / "scale.toml").write_text("other")
    assert session_scores.basis_of(folder) != changed
    keep_missing_results(folder)
    assert review_file.kept(folder)["scored_from"] == session_scores.basis_of(folder)
