"""What coverage-guided fuzzing begins with: every door takes its good inputs, so that what it finds is the input's."""

from __future__ import annotations

from pathlib import Path

from tools.fuzz_guided import doors


def test_every_door_takes_the_inputs_it_begins_with(tmp_path: Path) -> None:
    found = doors(tmp_path)
    assert {"sound", "log", "batch", "message", "pdf"} < set(found)
    for door in found.values():
        assert door.seeds
        for seed in door.seeds:
            door.check(seed)
