"""What a round is called, read without its rubrics: the same as its map says."""

from __future__ import annotations

from voiceprep.content import load_content
from voiceprep.content.maps import map_of
from voiceprep.content.titles import titles_of


def test_titles_are_those_of_the_map_and_of_a_round_that_is_gone_there_are_none() -> None:
    shown, found = map_of(load_content("gpu-technical").round), titles_of("gpu-technical")
    assert found is not None
    assert (found["title"], found["interviewer"]) == (shown["title"], shown["interviewer"]["name"])
    assert found["sections"] == {section["id"]: section["title"] for section in shown["sections"]}
    assert titles_of("no-such-round") is None
