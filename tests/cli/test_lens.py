"""`voiceprep rounds show ID --lens COMPANY`: what changes when another company asks the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from voiceprep.cli.rounds import rounds_app
from voiceprep.config import data_folder
from voiceprep.errors import UsageError

runner = CliRunner()


def test_the_map_says_what_changes() -> None:
    plain = json.loads(runner.invoke(rounds_app, ["show", "gpu-product-sense", "--json"]).stdout)
    seen = json.loads(runner.invoke(rounds_app, ["show", "gpu-product-sense", "--lens", "snowflake", "--json"]).stdout)
    assert "lens" not in plain
    lens = seen.pop("lens")
    assert lens["id"] == "snowflake"
    assert {"decision_owner", "abuse_guard"} <= set(lens["weigh"])
    assert all(set(point["text"]) == {"en", "zh"} for point in lens["points"])
    questions = [[q["id"] for section in made["sections"] for q in section["questions"]] for made in (plain, seen)]
    assert questions[0] == questions[1]
    assert set(seen["requirements"]) - set(plain["requirements"]) <= {"A-F9"}
    assert "A-F9" in seen["requirements"]


def test_for_people() -> None:
    shown = runner.invoke(rounds_app, ["show", "gpu-technical", "--lens", "databricks"]).stdout
    assert "Through Databricks" in shown
    assert "asks on top" in shown


def test_a_lens_that_is_not_there() -> None:
    result = runner.invoke(rounds_app, ["show", "gpu-technical", "--lens", "acme"])
    assert isinstance(result.exception, UsageError)
    assert "anyscale, databricks, snowflake" in result.exception.hint


@pytest.mark.parametrize("name", ["prompts/loops/gpu.toml", "prompts/lenses/anyscale.toml", "prompts/committee.toml"])
def test_the_check_reads_these_files_too(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("prompts", "rubrics"):
        shutil.copytree(data_folder(kind), tmp_path / kind)
    path = tmp_path / name
    path.write_text(f'colour = "red"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    monkeypatch.setattr("voiceprep.config.CHECKOUT", tmp_path)
    result = runner.invoke(rounds_app, ["check", "--json"])
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["file"], problem["key"], problem["line"]) == (name, "colour", 1)
