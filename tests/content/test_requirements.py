"""Every demand of the two accounts is exercised by a shipped round or drill of its kind, or met elsewhere with a reason."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tools.write_requirements import BELOW, DOC, drilled, exercised, table
from voiceprep.content import load_rounds
from voiceprep.content.drills import demands

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "../shared/spec/requirements.tsv"
KINDS = {"round", "persona", "question", "follow-up", "trap", "signal", "consistency"}
ROW = re.compile(r"^\| ([AG]-[A-Z]\d+[a-z]*) \| (.+?) \| (.+?) \|$", re.MULTILINE)


def elsewhere() -> dict[str, tuple[str, str]]:
    """Where a demand that no pack carries is met, and how."""
    by_hand = DOC.read_text("utf-8").partition(BELOW)[2]
    return {demand: (where, reason) for demand, where, reason in ROW.findall(by_hand)}


def test_the_table_says_what_the_packs_carry() -> None:
    assert DOC.read_text("utf-8").partition(BELOW)[0] == f"{table()}\n", "run python tools/write_requirements.py"


def test_what_is_met_elsewhere_is_met_in_files_that_are_there_and_by_no_pack() -> None:
    met = elsewhere()
    assert met
    assert not set(met) & set(exercised())
    for where, reason in met.values():
        files = re.findall(r"`([\w/]+\.\w+)`", where)
        assert files
        assert all((ROOT / "voiceprep" / name).exists() for name in files)
        assert len(reason.split()) > 5


def test_every_round_exercises_demands_of_its_own() -> None:
    """A pack that carried every id would prove nothing: each round has demands that no more than two others have."""
    rounds = exercised()
    for pack in load_rounds().values():
        rare = [demand for demand in pack.requirements if len(rounds[demand]) <= 3]
        assert len(rare) >= 3, pack.id


def rows() -> list[dict[str, str]]:
    with SPEC.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_demand_for_practice_against_the_clock_is_exercised_by_a_drill() -> None:
    wanted = {demand for demand, kind in demands().items() if kind in {"drill", "timing"}}
    assert len(wanted) > 20
    assert sorted(wanted - set(drilled()) - set(elsewhere())) == []


@pytest.mark.skipif(not SPEC.exists(), reason="the list of requirements (../shared/spec/requirements.tsv) is not here")
def test_the_list_of_demands_is_theirs() -> None:
    assert demands() == {row["id"]: row["kind"] for row in rows()}


@pytest.mark.skipif(not SPEC.exists(), reason="the list of requirements (../shared/spec/requirements.tsv) is not here")
def test_no_demand_of_a_round_is_left_out() -> None:
    listed = rows()
    wanted = {row["id"] for row in listed if row["kind"] in KINDS}
    assert len(wanted) > 60
    assert sorted(wanted - set(exercised()) - set(elsewhere())) == []
    assert sorted((set(exercised()) | set(drilled()) | set(elsewhere())) - {row["id"] for row in listed}) == []
