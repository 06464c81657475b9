"""What the shipped rounds say where nobody objected, nothing was told, or nothing was heard."""

from __future__ import annotations

from voiceprep.content import load_content

HM = load_content("gpu-hm-screen")


def test_nobody_defends_who_was_not_attacked() -> None:
    attacked = [point for point in HM.round.general if point.target in {"instant_defence", "instant_concession"}]
    assert len(attacked) == 2
    assert all(point.after_objection for point in attacked)
