"""What is exported reads as the user corrected it, and shows nobody the labels that the user gave."""

from __future__ import annotations

from dataclasses import replace

from tests.exporters.subjects import hard, subject
from voiceprep.core.annotation import Anchor, Annotation, WordIndex
from voiceprep.core.claims.redaction import Redactor
from voiceprep.core.events import Event, Speak, SpeakingFinished, SpeakingStarted, TurnEnded, TurnStarted, Word, WordsCommitted
from voiceprep.core.units import At, Media
from voiceprep.exporters import pdf, plain_text, subrip
from voiceprep.exporters.gathering import as_corrected
from voiceprep.exporters.redacted import _mapped


def said(text: str, turn: int = 1) -> list[Event]:
    words = tuple(Word(each, Media(n + 1.0), Media(n + 1.5), 0.9) for n, each in enumerate(text.split()))
    return [
        TurnStarted(at=At(0), speaker="candidate", turn=turn, media=Media(0)),
        WordsCommitted(at=At(9), words=words, turn=turn),
        TurnEnded(at=At(9), speaker="candidate", turn=turn, media=Media(9), reason="yielded"),
    ]


def test_a_correction_of_several_words_is_in_every_text() -> None:
    plain = subject(said("we used cuber net ease there"))
    timeline = plain.timeline
    # written before a redecode: the indexes are old, the quote finds them
    wrong = Annotation("n1", "user", "correction", Anchor(Media(3), Media(5.5), 0, 2, "cuber net ease"), "Kubernetes")
    now = as_corrected(timeline, [wrong])
    assert now.turns[0].text == now.text == "we used Kubernetes there"
    assert timeline.text == "we used cuber net ease there"
    fixed = replace(plain, timeline=now)
    for exporter in (plain_text, subrip):
        assert "we used Kubernetes there" in exporter.render(fixed)
    assert WordIndex(now.words).quote(2, 2) == "Kubernetes"


def test_a_label_of_the_user_s_own_is_redacted_and_a_rule_is_not() -> None:
    without = Redactor(frozenset({"Acme"}))
    place = Anchor(Media(1), Media(1))
    mine = _mapped(Annotation("n1", "user", "label", place, "x", "Acme"), without)
    theirs = _mapped(Annotation("m1", "machine", "flag", place, "x", "Acme"), without)
    assert "Acme" not in mine.name
    assert theirs.name == "Acme"


def test_no_column_of_the_pdf_is_narrower_than_its_longest_word() -> None:
    least = [40.0, 200.0, 60.0]
    widths = pdf._shared(least, [1.0, 1.0, 5.0])
    assert abs(sum(widths) - pdf.WIDTH) < 1e-6
    assert all(width >= need for width, need in zip(widths, least, strict=True))
    assert pdf._longest("speaking_rate", "Helvetica", 9.0) > pdf._longest("rate", "Helvetica", 9.0)
    assert pdf.render(hard()).startswith(b"%PDF")


def test_what_was_asked_before_the_recording_began_is_no_subtitle_of_it() -> None:
    line = "Hi, I am Dana, and this line is far too long for two lines of a subtitle, so it would have to be five of them."
    opening: list[Event] = [
        TurnStarted(at=At(0), speaker="interviewer", turn=1, media=Media(0)),
        Speak(at=At(0), id="s1", text=line, language="en", move="question"),
        SpeakingStarted(at=At(0), of="s1", media=Media(0)),
        SpeakingFinished(at=At(10), of="s1", media=Media(0), heard=line, seconds=10.0, complete=True),
        TurnEnded(at=At(10), speaker="interviewer", turn=1, media=Media(0), reason="finished"),
    ]
    assert subrip.render(subject(opening)) == ""
    for block in subrip.render(subject([*opening, *said("hey there " * 20, 2)])).split("\n\n"):
        assert len(block.strip().splitlines()) <= 4  # a number, a line of times, two of text
