"""`voiceprep rounds`, `rounds check`, `rounds show`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from voiceprep.cli.rounds import _other_files, rounds_app
from voiceprep.config import data_folder
from voiceprep.content import load_content, round_ids
from voiceprep.errors import BadInputError, UsageError

REPO = Path(__file__).parents[2]
runner = CliRunner()


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped files, copied, with one mistake in a round."""
    for kind in ("prompts", "rubrics"):
        shutil.copytree(data_folder(kind), tmp_path / kind)
    path = tmp_path / "prompts" / "rounds" / "gpu-hm-screen.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('target = "own_decision"', 'target = "own_decison"', 1), encoding="utf-8")
    monkeypatch.setattr("voiceprep.config.CHECKOUT", tmp_path)
    return path


def test_the_list_as_json() -> None:
    result = runner.invoke(rounds_app, ["--json"])
    assert result.exit_code == 0
    found = {row["id"]: row for row in json.loads(result.stdout)["rounds"]}
    screen = found["gpu-hm-screen"]
    assert screen["minutes"] == [45, 60]
    assert screen["interviewer"]["id"] == "hiring-manager"
    assert set(screen["title"]) == set(screen["tests"]) == {"en", "zh"}


def test_the_list_for_people() -> None:
    result = runner.invoke(rounds_app, [])
    assert result.exit_code == 0
    for text in ("gpu-hm-screen", "anyscale-system-design", "45-60", "Dana"):
        assert text in result.stdout


def test_the_map_of_a_round() -> None:
    result = runner.invoke(rounds_app, ["show", "gpu-hm-screen", "--json"])
    assert result.exit_code == 0
    shown = json.loads(result.stdout)
    assert [section["id"] for section in shown["sections"]] == ["background", "core-project", "pm-ability", "your-questions"]
    assert sum(section["budget"] for section in shown["sections"]) == 45 * 60
    assert {"G-R1", "G-R1d"} <= set(shown["requirements"])
    assert shown["source"]
    question = shown["sections"][0]["questions"][0]
    assert set(question["text"]) == {"en", "zh"}
    assert "own_decision" in question["targets"]


def test_the_map_for_people() -> None:
    result = runner.invoke(rounds_app, ["show", "anyscale-system-design"])
    assert result.exit_code == 0
    for text in ("gang-start", "Victor", "15 min", "too-expensive (cost)", "A-R2", "Source:"):
        assert text in result.stdout


def test_an_unknown_round_is_wrong_usage() -> None:
    result = runner.invoke(rounds_app, ["show", "nope"])
    assert isinstance(result.exception, UsageError)
    assert "gpu-hm-screen" in result.exception.hint


def test_check_says_that_all_is_well() -> None:
    result = runner.invoke(rounds_app, ["check"])
    assert result.exit_code == 0
    assert result.stdout == ""
    assert json.loads(runner.invoke(rounds_app, ["check", "--json"]).stdout) == {"ok": True, "problems": []}


def test_check_prints_file_line_key_and_reason(broken: Path) -> None:
    result = runner.invoke(rounds_app, ["check"])
    assert isinstance(result.exception, BadInputError)
    assert result.exception.exit_code == 4
    lines = broken.read_text(encoding="utf-8").splitlines()
    (line,) = result.stdout.splitlines()
    file, number, rest = line.split(":", 2)
    assert file == "prompts/rounds/gpu-hm-screen.toml"
    assert "own_decison" in lines[int(number) - 1]
    assert rest.startswith(" questions[0].points[0].target: 'own_decison' is not one of: ")


def test_check_as_json(broken: Path) -> None:
    (problem,) = json.loads(runner.invoke(rounds_app, ["check", "--json"]).stdout)["problems"]
    assert problem["key"] == "questions[0].points[0].target"
    assert set(problem) == {"file", "key", "line", "reason"}


def test_an_unfinished_round_hides_no_other(broken: Path) -> None:
    result = runner.invoke(rounds_app, ["--json"])
    assert result.exit_code == 0
    listed = json.loads(result.stdout)
    assert "gpu-hm-screen" not in {row["id"] for row in listed["rounds"]}
    assert "gpu-final" in {row["id"] for row in listed["rounds"]}
    assert [problem["file"] for problem in listed["problems"]] == ["prompts/rounds/gpu-hm-screen.toml"]
    told = runner.invoke(rounds_app, [])
    assert "gpu-final" in told.stdout
    (line,) = told.stderr.splitlines()
    assert line.startswith("gpu-hm-screen cannot be held yet: 1 problem")
    assert "rounds check" in line


def test_where_no_round_can_be_held_the_list_is_refused(broken: Path) -> None:
    (broken.parents[2] / "rubrics" / "signals.toml").write_text("][", encoding="utf-8")
    result = runner.invoke(rounds_app, ["--json"])
    assert isinstance(result.exception, BadInputError)
    assert result.stdout == ""


def test_no_id_is_broken_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    first = {line.split(" ", 1)[0] for line in runner.invoke(rounds_app, []).stdout.splitlines()}
    assert set(round_ids()) <= first


def test_the_questions_are_printed_in_the_language_asked_for() -> None:
    question = load_content("gpu-final").round.questions[0].line.phrasings
    chinese = runner.invoke(rounds_app, ["show", "gpu-final", "--lang", "zh"]).stdout
    assert question["zh"][0] in chinese
    assert question["en"][0] not in chinese
    refused = runner.invoke(rounds_app, ["show", "gpu-final", "--lang", "fr"]).exception
    assert isinstance(refused, UsageError)


def test_the_program_exits_with_2_for_an_unknown_round() -> None:
    script = "from voiceprep.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", script, "rounds", "show", "nope"],
        capture_output=True,
        check=False,
        cwd=REPO,
        env=os.environ,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "gpu-hm-screen" in done.stderr


def test_files_that_belong_to_no_round_are_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = tmp_path / "prompts"
    shutil.copytree(data_folder("prompts"), prompts)
    (prompts / "recogniser.toml").write_text("][", encoding="utf-8")
    (prompts / "demo" / "gpu-hm-screen.en.toml").write_text('voice = "x"\n[[answers]]\nsay = []\n', encoding="utf-8")
    monkeypatch.setattr("voiceprep.config.data_folder", lambda name: prompts if name == "prompts" else data_folder(name))
    monkeypatch.setattr("voiceprep.speech.stt.prompts.data_folder", lambda _name: prompts)
    wrong = {Path(problem.file).name for problem in _other_files()}
    assert wrong == {"recogniser.toml", "gpu-hm-screen.en.toml"}
