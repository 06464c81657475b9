from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from voiceprep.cli import bench
from voiceprep.cli.main import app
from voiceprep.errors import BadInputError, MissingError, UsageError, VoiceprepError


def run_core(hours: float = 1.0, **_: Any) -> dict[str, Any]:
    return {"events": 10, "seconds": hours, "rows": [{"file": "a", "wer": 0.12345}, {"file": "b", "cer": 0.5}]}


@pytest.fixture(autouse=True)
def core(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """A source tree whose bench/core.py is there, and is `run_core`."""
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "core.py").touch()
    monkeypatch.setattr(bench, "CHECKOUT", tmp_path)
    monkeypatch.setattr(bench, "import_module", lambda _: SimpleNamespace(run=run_core))
    monkeypatch.syspath_prepend(str(tmp_path))


def failure(*arguments: str) -> VoiceprepError:
    result = CliRunner().invoke(app, ["bench", *arguments])
    assert isinstance(result.exception, VoiceprepError)
    assert result.stdout == ""
    return result.exception


def test_json_is_what_was_measured() -> None:
    result = CliRunner().invoke(app, ["bench", "core", "--hours", "2", "--json"])
    assert result.stdout.startswith('{"events": 10, "seconds": 2.0')


def test_for_people_rows_become_a_table() -> None:
    result = CliRunner().invoke(app, ["bench", "core"])
    assert "events: 10" in result.stdout
    assert "0.1235" in result.stdout


def test_what_a_row_is_about_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"criterion": "leaves-their-minutes", **{f"candidate-{n}": "12/12" for n in range(10)}}
    monkeypatch.setattr(bench, "import_module", lambda _: SimpleNamespace(run=lambda: {"criteria": [row]}))
    monkeypatch.setenv("COLUMNS", "80")
    assert "leaves-their-minutes" in CliRunner().invoke(app, ["bench", "core"]).stdout


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    error = failure("speed")
    assert isinstance(error, UsageError)
    assert "core" in error.hint


def test_an_option_that_the_benchmark_does_not_take_is_told() -> None:
    assert "--minutes" in failure("core", "--minutes", "5").message


def test_an_option_that_it_needs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(data: object) -> dict[str, Any]:
        return {"data": data}

    monkeypatch.setattr(bench, "import_module", lambda _: SimpleNamespace(run=run))
    assert "needs --data" in failure("core").message


def test_a_folder_that_is_not_there() -> None:
    assert isinstance(failure("core", "--audio", "/nowhere/at/all"), BadInputError)


def test_without_the_source_tree_it_says_what_is_missing() -> None:
    error = failure("session")
    assert isinstance(error, MissingError)
    assert "bench/" in error.message


def test_what_is_asked_for_reaches_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(lang: str | None = None, pace: str = "live", part: str = "held", lecture: bool = False) -> dict[str, Any]:
        return {"asked": [lang, pace, part, lecture]}

    monkeypatch.setattr(bench, "import_module", lambda _: SimpleNamespace(run=run))
    result = CliRunner().invoke(app, ["bench", "core", "--lang", "zh", "--pace", "fast", "--lecture", "--json"])
    assert result.stdout == '{"asked": ["zh", "fast", "held", true]}\n'
