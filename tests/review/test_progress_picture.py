"""Points of sessions, and the figure of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.interview import header, keep
from tests.review.scenes import ladder, quizzed
from voiceprep.core.events import FlagRaised
from voiceprep.core.units import At, Media
from voiceprep.review import figure
from voiceprep.review.development import SessionPoint, development
from voiceprep.review.progress_picture import progress_picture

POINT = SessionPoint(
    session="a",
    started="2026-12-01T09:00:00Z",
    round="gpu-technical",
    level=3.0,
    dimensions={"mechanism": 3.0, "decision": 2.0},
    flags_per_hour=4.0,
    narration=150.0,
    unit="wpm",
    fillers_per_minute=2.0,
    survived=2.0,
)


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """Two sessions of a round, the later one first on the disk, and a recording of none."""
    folder = tmp_path / "recordings"
    for round_id, day in (("gpu-hm-screen", 2), ("gpu-hm-screen", 1), ("", 3)):
        log = list(ladder().log)
        warned = FlagRaised(at=log[-1].at, rule="monologue", level="warning", start=Media(0), end=Media(9), advice="Stop.")
        if day == 2:
            log.insert(-1, warned)
            log.insert(-1, replace(warned, level="notice"))
        keep(folder, header(round_id, "hiring-manager", f"2026-12-0{day}T09:00:00Z"), log)
    return folder


def test_each_session_of_a_round_is_a_point_in_order_of_time(recordings: Path) -> None:
    first, second = development(recordings)
    assert (first.started, second.started) == ("2026-12-01T09:00:00Z", "2026-12-02T09:00:00Z")
    assert (first.flags_per_hour, first.level, first.dimensions) == (0.0, None, {})
    assert second.flags_per_hour == pytest.approx(3600.0 / 58.0, rel=0.2)
    assert first.narration == pytest.approx(150.0, rel=0.1)
    assert first.unit == "wpm"


def test_scores_and_corrupt_files_are_taken_as_they_are(recordings: Path) -> None:
    first, second = development(recordings)
    file = recordings / first.session / "review.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    document["scores"] = {"overall": {"level": 3}, "dimensions": [{"id": "mechanism", "level": 2}, {"id": "x", "level": None}]}
    file.write_text(json.dumps(document))
    (recordings / second.session / "review.json").write_text(json.dumps({"facts": [], "measures": 3, "scores": {}}))
    (point,) = development(recordings)
    assert (point.level, point.dimensions) == (3.0, {"mechanism": 2.0})
    (recordings / second.session / "review.json").unlink()
    assert len(development(recordings)) == 2


def test_a_session_that_still_runs_is_no_point_yet(recordings: Path) -> None:
    keep(recordings, header("gpu-hm-screen", "hiring-manager", "2026-12-09T09:00:00Z"), quizzed().log, crashed=True)
    assert len(development(recordings)) == 2


@pytest.mark.parametrize("count", [0, 1, 40])
def test_any_number_of_sessions_has_a_picture(count: int) -> None:
    many = {f"a_dimension_of_{n}_words": 1.0 + n % 4 for n in range(25)}
    points = [replace(POINT, session=str(n), round=f"round-{n % 9}", dimensions=many) for n in range(count)]
    assert progress_picture(points, "png").startswith(b"\x89PNG")


def test_what_was_not_measured_is_said_and_changes_nothing_else() -> None:
    whole = progress_picture([POINT, POINT], "svg")
    for less in (
        replace(POINT, level=None),
        replace(POINT, dimensions={}),
        replace(POINT, survived=None),
        replace(POINT, narration=None),
    ):
        drawn = progress_picture([less, less], "svg")
        assert drawn.startswith(b"<?xml")
        assert drawn != whole


def test_in_chinese_with_a_font_and_in_english_without(monkeypatch: pytest.MonkeyPatch) -> None:
    assert progress_picture([POINT], "png", "dark", "zh")
    monkeypatch.setattr(figure, "chinese_font", lambda: None)
    assert progress_picture([POINT], "svg", "light", "zh") == progress_picture([POINT], "svg", "light", "en")


def test_a_session_without_seconds_has_no_rate_of_flags(tmp_path: Path) -> None:
    scene = ladder()
    nothing = [scene.log[0], replace(scene.log[-1], at=At(0.0))]
    keep(tmp_path, header("gpu-hm-screen", "hiring-manager", "2026-12-01T09:00:00Z"), nothing)
    (point,) = development(tmp_path)
    assert (point.flags_per_hour, point.narration, point.survived) == (None, None, None)
