"""Write the table of docs/requirements.md: which demand is exercised by which shipped rounds and drills.

    python tools/write_requirements.py

What stands below the table, demands that no round can carry, is written by hand and kept. tests/content/test_requirements.py
compares both with the packs.
"""

from __future__ import annotations

from pathlib import Path

from voiceprep.content import load_rounds
from voiceprep.content.drills import load_drills

DOC = Path(__file__).resolve().parent.parent / "docs" / "requirements.md"
BELOW = "## Met elsewhere"

ABOVE = """# Demands, and where they are met

The rounds and drills were made after two published accounts of interviews. Each demand taken from them has an id (`G-…` the GPU
cluster account, `A-…` the Anyscale account). Packs carry the ids they exercise (`requirements`, and `exercises` at a question,
a point, an objection, an interruption or a fact), and so do drills; `voiceprep rounds show ID` prints them. The table is
written by `python tools/write_requirements.py`, and a test keeps it true.

| demand | rounds that exercise it | drills |
|---|---|---|
"""


def exercised() -> dict[str, list[str]]:
    """The rounds by the demand that they exercise, both in order."""
    found: dict[str, list[str]] = {}
    for pack in load_rounds().values():
        for demand in pack.requirements:
            found.setdefault(demand, []).append(pack.id)
    return dict(sorted(found.items()))


def drilled() -> dict[str, list[str]]:
    """The drills by the demand that they exercise, both in order."""
    found: dict[str, list[str]] = {}
    for drill in load_drills().values():
        for demand in drill.requirements:
            found.setdefault(demand, []).append(drill.id)
    return dict(sorted(found.items()))


def table() -> str:
    rounds, drills = exercised(), drilled()
    rows = ((demand, rounds.get(demand, []), drills.get(demand, [])) for demand in sorted({*rounds, *drills}))
    return ABOVE + "".join(
        f"| {demand} | {', '.join(of_rounds)} | {', '.join(of_drills)} |\n" for demand, of_rounds, of_drills in rows
    )


def main() -> None:
    """Replace the table, keep what was written by hand."""
    by_hand = DOC.read_text("utf-8").partition(BELOW)[2] if DOC.exists() else "\n"
    DOC.write_text(f"{table()}\n{BELOW}{by_hand}", encoding="utf-8")
    print(f"wrote {DOC.relative_to(DOC.parents[1])}")


if __name__ == "__main__":
    main()
