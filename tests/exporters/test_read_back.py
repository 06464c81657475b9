"""Each format through a reader that others wrote: what they see is what was said."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pypdf
import pytest
import srt  # type: ignore[import-untyped]  # ships no types
import webvtt
from hypothesis import given, settings
from hypothesis import strategies as st
from praatio import textgrid as praat  # type: ignore[import-untyped]  # ships no types

from tests.exporters.subjects import HOUR, SUBJECTS, hard, real, spoken, subject
from voiceprep.core.events import TurnStarted, Word, WordsCommitted
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media
from voiceprep.exporters import Subject, audacity, flags_csv, html, pdf, plain_text, subrip, textgrid
from voiceprep.exporters import webvtt as vtt
from voiceprep.exporters.cues import CHINESE, LATIN, LINES, cues
from voiceprep.exporters.writing import plain, width, wrapped


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u2060]", "", text)


def said_by_all(case: Subject) -> str:
    return squeezed("".join(cue.text for cue in cues(case.timeline)))


# --- subtitles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SUBJECTS)
def test_case_107_webvtt_has_every_word_once_in_order_of_time(case: str) -> None:
    exported = SUBJECTS[case]()
    captions = webvtt.from_string(vtt.render(exported)).captions
    starts = [caption.start_in_seconds for caption in captions]
    assert starts == sorted(starts)
    assert all(caption.end_in_seconds >= caption.start_in_seconds for caption in captions)
    shown = squeezed("".join(caption.text for caption in captions))
    assert shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == said_by_all(exported)


@pytest.mark.parametrize("case", SUBJECTS)
def test_case_107_subrip_has_every_word_and_its_own_numbers(case: str) -> None:
    exported = SUBJECTS[case]()
    blocks = list(srt.parse(subrip.render(exported)))
    assert [block.index for block in blocks] == list(range(1, len(blocks) + 1))
    assert all(block.start < block.end for block in blocks)
    shown = squeezed("".join(re.sub(r"^(?:You|Noor|程野|Dana|Interviewer): ", "", block.content) for block in blocks))
    assert shown == said_by_all(exported)


def test_times_over_an_hour_and_an_interviewer_who_talks_over_the_candidate() -> None:
    blocks = list(srt.parse(subrip.render(hard())))
    assert blocks[0].start == timedelta(seconds=HOUR + 2)
    both = [(a, b) for a, b in pairwise(blocks) if b.start < a.end]
    assert both, "the interviewer spoke over the candidate, and both must be shown"
    for speaker in ("candidate", "interviewer"):
        own = [cue for cue in cues(hard().timeline) if cue.speaker == speaker]
        assert all(a.end <= b.start for a, b in pairwise(own))


def test_a_line_fits_the_screen_and_no_mark_begins_one() -> None:
    for block in srt.parse(subrip.render(hard())):
        lines = block.content.split("\n")
        assert len(lines) <= LINES + 1  # the name of who speaks may need a third
        assert all(width(line) <= LATIN for line in lines)
        assert not any(line[0] in "，。、）！？" or line[-1] == "（" for line in lines)
    assert CHINESE < LATIN


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 9e4), st.floats(0, 20), st.text(min_size=1, max_size=90)), max_size=30))
def test_any_words_give_cues_apart_from_each_other(given_words: list[tuple[float, float, str]]) -> None:
    words = tuple(Word(text, Media(start), Media(start + length), 0.5) for start, length, text in given_words)
    exported = subject(
        [
            TurnStarted(at=At(0.0), speaker="candidate", turn=1, media=Media(0.0)),
            WordsCommitted(at=At(0.0), words=words, turn=1),
        ]
    )
    found = cues(exported.timeline)
    assert all(cue.start < cue.end for cue in found)
    assert all(a.end <= b.start + 1e-9 for a, b in pairwise(found))
    assert len(list(srt.parse(subrip.render(exported)))) == sum(bool(cue.text) for cue in found)


@given(st.text(), st.integers(4, 60))
def test_wrapping_loses_nothing(text: str, columns: int) -> None:
    assert squeezed("".join(wrapped(text, columns))) == squeezed(plain(text))


def test_chinese_breaks_between_characters_and_latin_between_words() -> None:
    assert wrapped("我们用Kubernetes做滚动更新，然后观察", 12) == ["我们用", "Kubernetes做", "滚动更新，然", "后观察"]
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("好（是的）", 4) == ["好", "（是", "的）"]


# --- labels ---------------------------------------------------------------------------------------------------------------


def grid(exported: Subject, tmp_path: Path) -> praat.Textgrid:
    path = tmp_path / "session.TextGrid"
    path.write_text(textgrid.render(exported), encoding="utf-8")
    return praat.openTextgrid(str(path), includeEmptyIntervals=True, reportingMode="error")


@pytest.mark.parametrize("case", SUBJECTS)
def test_praat_reads_tiers_without_a_gap(case: str, tmp_path: Path) -> None:
    exported = SUBJECTS[case]()
    read = grid(exported, tmp_path)
    assert read.tierNames == ("words", "speech", "pauses", "interviewer", "flags", "questions", "notes")
    for name in ("words", "speech", "pauses", "interviewer"):
        entries = read.getTier(name).entries
        assert entries[0].start == 0
        assert entries[-1].end == pytest.approx(read.maxTimestamp)
        assert all(a.end == pytest.approx(b.start) for a, b in pairwise(entries))
    words = [entry.label for entry in read.getTier("words").entries if entry.label]
    assert words == [plain(word.text) for word in exported.timeline.words]


def test_praat_shows_quotes_and_points(tmp_path: Path) -> None:
    read = grid(hard(), tmp_path)
    assert any('"Who" decided' in entry.label for entry in read.getTier("interviewer").entries)
    (flag,) = read.getTier("flags").entries
    assert flag.time == pytest.approx(HOUR + 4)
    assert "monologue fail" in flag.label


def test_words_on_top_of_each_other_stay_words_for_praat(tmp_path: Path) -> None:
    words = (*spoken("a b c", 1.0, step=0.0), *spoken("d", 1.1))
    read = grid(
        subject([WordsCommitted(at=At(2.0), words=words, turn=0)]),
        tmp_path,
    )
    assert [entry.label for entry in read.getTier("words").entries if entry.label] == ["a b c", "d"]


def test_audacity_labels_are_three_fields_a_line_in_order() -> None:
    rows = [line.split("\t") for line in audacity.render(hard()).splitlines()]
    assert all(len(row) == 3 and float(row[0]) <= float(row[1]) for row in rows)
    assert [float(row[0]) for row in rows] == sorted(float(row[0]) for row in rows)
    assert any(row[2].startswith("note: left") for row in rows)


# --- tables ---------------------------------------------------------------------------------------------------------------


def test_no_cell_of_the_table_is_a_formula() -> None:
    first, second = csv.DictReader(io.StringIO(flags_csv.render(hard()), newline=""))
    assert first["rule"] == "'=cmd|' /C calc'!A0"
    assert first["evidence"] == "'@SUM(1;2) -2"
    assert first["advice"] == '先说结论，"再说理由"'
    assert (float(first["start"]), float(first["end"]), first["place"]) == (HOUR + 2, HOUR + 4, "1:00:04")
    assert second["advice"] == "'+1"


def test_the_table_of_a_session_without_flags_has_its_head() -> None:
    assert next(csv.reader(io.StringIO(flags_csv.render(subject([]))))) == list(flags_csv.COLUMNS)


# --- pages ----------------------------------------------------------------------------------------------------------------


def test_plain_text_has_every_word_and_its_place() -> None:
    text = plain_text.render(hard())
    assert squeezed(text_of(hard().timeline.words)) in squeezed(text)
    assert "[1:00:02] You:" in text
    assert all(width(line) <= plain_text.COLUMNS for line in text.splitlines())


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown = ""
        self._code = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._code = tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._code = False

    def handle_data(self, data: str) -> None:
        self.shown += "" if self._code else data

    def every(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_case_111_the_page_has_every_word_with_its_place_and_nothing_that_was_said_runs() -> None:
    page = Page(html.render(hard()))
    places = sorted(float(attributes["data-from"] or -1) for attributes in page.every("span") if "data-from" in attributes)
    words = hard().timeline.words
    assert places == sorted([*(round(word.start, 3) for word in words), HOUR + 5])  # and the interviewer's line
    assert len(page.every("script")) == 1
    assert "<script>alert(1)</script>" in page.shown
    assert squeezed(text_of(words)) in squeezed(page.shown)
    assert not [attributes for _, attributes in page.tags if any(name.startswith("on") for name in attributes)]
    addresses = [value or "" for _, attributes in page.tags for name, value in attributes.items() if name in {"src", "href"}]
    assert all(address.startswith("data:") for address in addresses)
    assert "\u202e" not in page.shown


def test_the_pages_policy_knows_its_own_script_and_style() -> None:
    whole = html.render(real())
    style, script = re.search(r"<style>(.*?)</style>", whole, re.DOTALL), re.search(r"<script>(.*?)</script>", whole, re.DOTALL)
    assert style is not None
    assert script is not None
    (policy,) = [each["content"] for each in Page(whole).every("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policy == html.policy(style[1], script[1])
    assert "default-src 'none'" in (policy or "")


@pytest.mark.parametrize("case", SUBJECTS)
def test_the_pdf_has_the_transcript(case: str) -> None:
    exported = SUBJECTS[case]()
    whole = pdf.render(exported)
    assert whole == pdf.render(exported)
    read = pypdf.PdfReader(io.BytesIO(whole))
    assert read.metadata is not None
    assert read.metadata.title == exported.header.title
    shown = squeezed("".join(page.extract_text() for page in read.pages))
    latin = re.findall(r"[A-Za-z]{3,}", " ".join(word.text for word in exported.timeline.words))
    assert all(word in shown for word in latin)
    assert "Whathappened" in shown


def test_chinese_is_in_the_pdf_as_characters() -> None:
    read = pypdf.PdfReader(io.BytesIO(pdf.render(hard())))
    assert "滚动更新" in squeezed("".join(page.extract_text() for page in read.pages))
