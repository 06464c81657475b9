"""The picture of a session, as a file and in block characters."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.review.scenes import Scene, ladder, reviewed
from voiceprep.core.annotation import Anchor, Annotation
from voiceprep.core.events import FlagRaised, Level
from voiceprep.core.units import At, Media
from voiceprep.review import figure
from voiceprep.review.blocks import lanes
from voiceprep.review.document import Review, SectionTime
from voiceprep.review.picture import picture


@pytest.fixture
def review(tmp_path: Path) -> Review:
    """A minute and a half; its one part ran over, and three flags were raised."""
    made = reviewed(tmp_path, ladder())
    levels: tuple[Level, ...] = ("notice", "warning", "fail")
    flags = tuple(
        FlagRaised(at=At(10.0 * n), rule="monologue", level=level, start=Media(0.0), end=Media(10.0 * n), advice="Stop.")
        for n, level in enumerate(levels, start=1)
    )
    part = SectionTime(section="design", title="Design", budget=20.0, seconds=60.0, start=Media(0.0), end=Media(50.0))
    return replace(made, flags=flags, sections=(part,))


def test_a_png_is_a_png_of_the_size_that_was_asked_for(review: Review) -> None:
    data = picture(review, "png")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width == 11 * figure.DOTS
    assert height > 300
    assert pixels(data)


def pixels(data: bytes) -> bytes:
    """The PNG's image data, unpacked: fails where it is damaged."""
    found, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            found += data[at + 8 : at + 8 + length]
        at += 12 + length
    return zlib.decompress(found)


def test_an_svg_is_xml_that_needs_nothing_from_elsewhere(review: Review) -> None:
    root = ET.fromstring(picture(review, "svg"))
    assert root.tag.endswith("svg")
    links = [value for node in root.iter() for name, value in node.attrib.items() if name.endswith("href")]
    assert links
    assert all(link.startswith("#") for link in links)


def test_the_same_session_gives_the_same_file(review: Review) -> None:
    assert picture(review, "svg") == picture(review, "svg")
    assert picture(review, "png") == picture(review, "png")


def test_light_and_dark_paper_differ_and_both_palettes_keep_their_colours_apart(review: Review) -> None:
    light, dark = picture(review, "svg", "light").decode(), picture(review, "svg", "dark").decode()
    assert figure.INK["light"]["paper"] in light
    assert figure.INK["dark"]["paper"] in dark
    for drawn, theme in ((light, "light"), (dark, "dark")):
        ink = figure.INK["light" if theme == "light" else "dark"]
        for colour in (ink["you"], ink["them"], figure.GREEN, figure.RED):
            assert colour.lower() in drawn


def test_what_happened_is_in_the_picture(review: Review) -> None:
    whole = picture(review, "svg")
    star = Annotation("n1", "user", "star", Anchor(Media(5.0), Media(5.0)))
    for less in (
        replace(review, flags=()),
        replace(review, sections=()),
        replace(review, speech=()),
        replace(review, turns=tuple(turn for turn in review.turns if not turn.depth)),
        replace(review, annotations=(star,)),
    ):
        assert picture(less, "svg") != whole


def test_chinese_labels_have_a_font_or_are_english(review: Review, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chinese = replace(review, tongue="zh", sections=tuple(replace(one, title="设计") for one in review.sections))
    assert picture(chinese, "png")  # a character without a glyph is a warning, and warnings are errors here
    monkeypatch.setattr(figure, "chinese_font", lambda: None)
    monkeypatch.setattr("voiceprep.review.picture.chinese_font", lambda: None)
    assert figure.tongue_drawn("zh") == "en"
    assert picture(chinese, "svg") == picture(replace(chinese, tongue="en"), "svg")


def test_a_session_in_which_nothing_happened_has_a_picture(tmp_path: Path) -> None:
    assert picture(reviewed(tmp_path, Scene()), "png").startswith(b"\x89PNG")


def test_rows_of_blocks_are_as_wide_as_they_should_be_and_lie_under_each_other(review: Review) -> None:
    star = Annotation("n1", "user", "star", Anchor(Media(0.0), Media(0.0)))
    rows = dict(lanes(replace(review, annotations=(*review.annotations, star)), 60))
    assert {len(row) for row in rows.values()} == {60}
    column = review.facts.duration / 60
    assert rows["flags"].index("✗") == int(30.0 / column)
    assert rows["flags"].index("·") == int(10.0 / column)
    assert rows["sections"].index("╳") == int(20.0 / column) + 1
    assert rows["notes"].index("★") == 0
    speaking = next(n for n, mark in enumerate(rows["candidate"]) if mark != " ")
    assert rows["interviewer"][:speaking].strip()
    depths = [int(mark) for mark in rows["depth"] if mark != " "]
    assert depths == sorted(depths)
    assert depths[-1] == 4


def test_of_two_flags_in_one_column_the_graver_is_seen(review: Review) -> None:
    together = tuple(replace(flag, end=Media(10.0)) for flag in reversed(review.flags))
    assert dict(lanes(replace(review, flags=together), 40))["flags"].strip() == "✗"


def test_what_is_short_is_still_seen(review: Review) -> None:
    long = replace(review, facts=replace(review.facts, duration=4500.0))
    assert dict(lanes(long, 60))["candidate"].strip()
