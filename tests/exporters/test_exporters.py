from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.exporters.subjects import DATA, LOG, SUBJECTS, subject
from tests.store.samples import HEADER
from tests.store.samples import events as any_event
from voiceprep.core.events import (
    Event,
    FlagRaised,
    Interrupted,
    NoteAdded,
    QuestionAsked,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnStarted,
    Word,
    WordsCommitted,
)
from voiceprep.core.timeline import Timeline
from voiceprep.core.units import At, Media
from voiceprep.exporters import EXPORTERS, json_document, markdown
from voiceprep.intake.backing import Backing
from voiceprep.intake.claims import find_claims
from voiceprep.intake.lexicon import load_lexicon

NASTY = [
    "# <img src=x onerror=alert(1)>",
    "a | b \\| c",
    "if a < b && c --> d",
    "**bold** _it_ ~~no~~ `code` $x$",
    "[link](javascript:alert(1)) ![x](y)",
    "https://evil.example www.evil.example me@evil.example",
    "&lt;b&gt; &amp; &#35;",
    "- one\n\n1. two\n\n    code\n\n---\n===",
    "<!-- gone --> <script>x</script>",
    "tail \\",
    "两\u2028行 ♪ \x00\x1b[31m",
]


class Text(HTMLParser):
    """The characters that a browser would show, and the tags that it would obey."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.shown = ""
        self.tags: set[str] = set()
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.shown += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


def read_as_a_page(text: str) -> Text:
    return Text(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text))


def one_line(text: str) -> str:
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip()


TEXTS = sorted(set(EXPORTERS) - {"pdf", "html"})
"""Formats whose every character is ours. What a library writes is read back instead."""


@pytest.mark.parametrize("case", SUBJECTS)
@pytest.mark.parametrize("name", TEXTS)
def test_the_files_are_as_they_were_approved(name: str, case: str) -> None:
    """After a wanted change: write the new text to the file, and read it in the diff."""
    whole = EXPORTERS[name].render(SUBJECTS[case]())
    assert isinstance(whole, str)
    assert whole.encode() == (DATA / "exports" / f"{case}.{name}").read_bytes()


@pytest.mark.parametrize("name", EXPORTERS)
def test_a_session_in_which_nothing_happened(name: str) -> None:
    assert EXPORTERS[name].render(subject([])) is not None


@pytest.mark.parametrize("name", EXPORTERS)
@settings(max_examples=15)
@given(events=st.lists(any_event(), max_size=20))
def test_any_events_can_be_rendered(name: str, events: list[Event]) -> None:
    assert EXPORTERS[name].render(subject(events)) is not None


@pytest.mark.parametrize("text", NASTY)
def test_text_stays_text_in_markdown(text: str) -> None:
    page = read_as_a_page(f"**0:00 You:** {markdown.escape(text)}")
    assert one_line(page.shown) == f"0:00 You: {one_line(text)}"
    assert page.tags == {"p", "strong"}


@given(st.text())
def test_any_text_stays_text_in_markdown(text: str) -> None:
    for before, inside in (
        ("**0:00 You:** x", {"p", "strong"}),
        ("| x |\n| --- |\n| x", {"table", "thead", "tbody", "tr", "th", "td"}),
    ):
        page = read_as_a_page(f"{before}{markdown.escape(text)}x" + (" |" if before[0] == "|" else ""))
        assert one_line(page.shown).endswith(f"x{one_line(text)}x")
        assert page.tags == inside


def test_a_whole_page_of_nasty_text_has_only_our_own_structure() -> None:
    said = [
        TurnStarted(at=At(0.0), speaker="candidate", turn=1, media=Media(0.0)),
        WordsCommitted(at=At(1.0), words=tuple(Word(text, Media(0.0), Media(1.0), 0.9) for text in NASTY), turn=1),
        *(NoteAdded(at=At(1.0), media=Media(1.0), text=text) for text in NASTY),
        *(
            FlagRaised(at=At(1.0), rule=text, level="fail", start=Media(0.0), end=Media(1.0), advice=text, evidence=text)
            for text in NASTY
        ),
    ]
    page = read_as_a_page(
        markdown.render(subject(said, replace(HEADER, round=NASTY[0], persona=NASTY[1], models={NASTY[2]: NASTY[3]})))
    )
    ours = {"h1", "h2", "p", "strong", "em", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert page.tags <= ours
    assert one_line(NASTY[0]) in one_line(page.shown)


def test_each_cell_stays_a_cell() -> None:
    flag = FlagRaised(at=At(1.0), rule="a|b", level="fail", start=Media(0.0), end=Media(1.0), advice="\\|", evidence="|")
    html = MarkdownIt("gfm-like", {"linkify": False}).render(markdown.render(subject([flag])))
    assert re.findall(r"<td>(.*?)</td>", html) == ["0:01", "fail", "a|b", "\\|", "|"]


def test_an_encouragement_stands_where_it_was_said() -> None:
    page = markdown.render(subject(LOG.events, LOG.header))
    assert page.index("0:07 You") < page.index("0:24 Interviewer:** Take your time.") < page.index("0:31 You")


def begun(name: str, heard: str, *, at: float) -> list[Event]:
    """The same question, begun at `at`, of which this was heard; "" where it never sounded."""
    said: list[Event] = [
        Speak(at=At(at), id=name, text="What did you decide?", language="en", move="question"),
        QuestionAsked(at=At(at), question="q1", text="What did you decide?", of=name),
    ]
    if heard:
        said.append(SpeakingStarted(at=At(at), of=name, media=Media(at)))
        said.append(
            SpeakingFinished(at=At(at + 1), of=name, media=Media(at + 1), seconds=1.0, heard=heard, complete=heard[-1] == "?")
        )
    return said


def test_a_question_that_broke_off_is_asked_once_and_nobody_broke_in_who_was_to_speak() -> None:
    both = Interrupted(at=At(3.0), who="interviewer", by="candidate", media=Media(3.0), reason="false-start")
    barged = Interrupted(at=At(9.0), who="interviewer", by="candidate", media=Media(9.0), reason="barge-in")
    log = [*begun("a", "", at=1.0), *begun("b", "What", at=2.0), both, *begun("c", "What did you decide?", at=6.0), barged]
    page = markdown.render(subject(log))
    assert "You were asked 1 question." in page
    assert "You broke into the interviewer's speech once." in page


def test_the_interviewer_is_named() -> None:
    assert "- Interviewer: Dana, hiring manager\n" in markdown.render(subject([], replace(HEADER, persona="hiring-manager")))
    chinese = replace(HEADER, persona="hiring-manager", language="zh")  # as it was said in the session
    assert "- Interviewer: 林岚, hiring manager\n" in markdown.render(subject([], chinese))
    assert "- Interviewer: gone\n" in markdown.render(subject([], replace(HEADER, persona="gone")))


def test_where_no_claim_was_asked_about_there_are_no_more_of_them() -> None:
    claims = find_claims(["- Designed the quota policy", "- Led the rollout"], load_lexicon())
    page = markdown.render(subject([], claims=tuple(Backing(claim=claim, verdict="not-asked") for claim in claims)))
    assert "\n2 of its claims were not asked about." in page


def test_a_torn_session_shows_what_it_has() -> None:
    torn = LOG.events[: next(n for n, event in enumerate(LOG.events) if isinstance(event, SpeakingStarted)) + 2]
    page = markdown.render(subject(torn, LOG.header))
    assert "| 1 | Interviewer | 0:00 | 0:00 | 0.0 s | not ended |" in page
    assert "It is still running." in page


def test_the_document_has_all_of_the_timeline() -> None:
    document = json.loads(json_document.render(subject(LOG.events, LOG.header)))
    assert set(document) == {"schema", "session", "text"} | {field.name for field in fields(Timeline)} - {"differences"}
    assert document["pauses"][1] == {"start": 11.9, "end": 31.4, "kind": "mid_answer", "duration": 19.5}
    assert document["session"]["id"] == LOG.header.id
    assert document["flags"][0] == {
        "at": 21.9,
        "rule": "long_pause",
        "level": "notice",
        "start": 11.9,
        "end": 21.9,
        "advice": "Say what you are weighing while you think.",
        "evidence": "10 s of silence",
    }


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.99, "0:59"), (61, "1:01"), (3723, "1:02:03"), (-1, "0:00")])
def test_clock(seconds: float, text: str) -> None:
    assert markdown.clock(seconds) == text
