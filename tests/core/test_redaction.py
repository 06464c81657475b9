"""Names that language introduces are taken out wherever they stand, and little else is."""

from __future__ import annotations

import pytest

from voiceprep.core.claims.redaction import Redactor, find_names
from voiceprep.core.events import Word
from voiceprep.core.text import text_of
from voiceprep.core.units import Media


def shown(text: str, public: tuple[str, ...] = (), **how: bool) -> str:
    return Redactor(find_names([text], public), **how).text(text)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("My manager Dana cut the budget. Later Dana agreed.", "My manager [name] cut the budget. Later [name] agreed."),
        ("I joined Initech in May, and Initech was small.", "I joined [name] in May, and [name] was small."),
        ("Priya Natarajan said no, so I asked Priya.", "[name] said no, so I asked [name]."),
        ("I worked at Acme Robotics on Kubernetes.", "I worked at [name] on Kubernetes."),
        ("Then Hooli Technologies bought it.", "Then [name] Technologies bought it."),
        ("Write to dana.smith@acme.example or see github.com/dana.", "Write to [address] or see [address]"),
        ("我叫王小明，我在星河科技公司做调度。", "我叫[name]，我在[name]做调度。"),
        ("同事张伟不同意，后来老李说可以。", "同事[name]不同意，后来[name]说可以。"),
    ],
)
def test_what_is_introduced_goes_everywhere(text: str, without: str) -> None:
    assert shown(text) == without


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Kubernetes and asked Finance for 40 GPUs.",
        "The queue was long. I told Everybody that Monday was late.",
        "我们在周会上决定先上线。",
        "",
    ],
)
def test_what_names_nobody_stays(text: str) -> None:
    assert shown(text) == text


def test_the_interviewers_name_is_no_secret() -> None:
    assert shown("Thanks, Noor. I told Dana that.", ("Noor",)) == "Thanks, Noor. I told [name] that."


def test_numbers_go_when_they_are_asked_to() -> None:
    assert shown("We had 94 nodes and eight weeks.", figures=True) == "We had [number] nodes and [number] weeks."


def test_words_keep_their_number_and_their_times() -> None:
    said = "I joined Acme Robotics, then"
    words = [Word(text, Media(n), Media(n + 0.5), 0.9) for n, text in enumerate(said.split())]
    without = Redactor(find_names([said])).words(words)
    assert [word.text for word in without] == ["I", "joined", "[name]", ",", "then"]
    assert [float(word.start) for word in without] == [0.0, 1.0, 2.0, 3.0, 4.0]
    han = [Word(text, Media(n), Media(n + 0.5), 0.9) for n, text in enumerate("我叫王小明吗")]
    assert text_of(Redactor({"王小明"}).words(han)) == "我叫 [name] 吗"


def test_a_long_name_is_found_however_it_is_written_and_a_short_one_only_as_it_is() -> None:
    redactor = Redactor({"Initech", "Will"})
    assert redactor.text("initech will hire Will") == "[name] will hire [name]"
