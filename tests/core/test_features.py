"""What a clause is made of, and where clauses begin and end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.answers.clauses import sentences, units
from voiceprep.core.answers.features import Lexicon, english_words, features, meanings

LEXICON = Lexicon(
    phrases={("head", "of", "platform"): frozenset({"role"}), ("head",): frozenset({"body"}), ("nine",): frozenset({"late"})},
    stems={"decid": frozenset({"decide"})},
    han={"负责": frozenset({"own"}), "负责人": frozenset({"role"}), "定": frozenset({"decide"})},
    fillers=frozenset({"um", "嗯"}),
    numbers=frozenset({"nine", "forty"}),
)


def seen(text: str) -> list[set[str]]:
    return [set(one) for one in meanings(text, LEXICON)]


def test_contractions_are_written_out() -> None:
    assert english_words("I'd say they can't, won't") == english_words("i would say they can not, will not")


def test_the_longest_phrase_counts() -> None:
    assert seen("the head of platform decides") == [{"role"}, {"decide"}]
    assert seen("my head") == [{"body"}]
    assert seen("负责人定") == [{"role"}, {"decide"}]


def test_a_number_is_one_in_either_language() -> None:
    assert seen("forty") == seen("40") == seen("四十") == [{"#"}]
    assert seen("nine") == [{"late", "#"}]  # and keeps its other meanings
    assert "# cards" in features("forty cards", LEXICON)
    assert features("nine cards", LEXICON) >= {"# cards", "cards"}


def test_both_languages_meet_in_their_meanings() -> None:
    pair = "@role>decide"
    assert pair in features("the head of platform decides", LEXICON)
    assert pair in features("负责人来定", LEXICON)
    assert pair not in features("he decides on the head of platform", LEXICON)  # the order counts


def test_fillers_are_not_seen() -> None:
    assert "i think" in features("i um think", LEXICON)
    assert "我想" in features("我嗯想", LEXICON)


def test_people_and_questions_are_seen() -> None:
    assert "@names" in features("then Priya calls and Ben writes", LEXICON)
    assert "@name" in features("周五让小王发出去", LEXICON)
    assert "?" in features("who decides?", LEXICON)


@pytest.mark.parametrize("text", ["", "   ", "。。。", "?!", "123"])
def test_nothing_much_is_no_trouble(text: str) -> None:
    features(text, LEXICON)
    assert all(text[start:end].strip() for start, end in units(text))


@given(st.text(alphabet="ab so and but,.?!我们因为，。 ", max_size=900))
def test_units_cover_the_text_in_order_and_hold_no_more_than_a_sentence(text: str) -> None:
    pieces = list(units(text))
    assert "".join(text[start:end] for start, end in pieces).replace(" ", "") == text.replace(" ", "")
    assert pieces == sorted(pieces)
    whole = list(sentences(text))
    assert all(any(start <= first and last <= end for start, end in whole) for first, last in pieces)


@given(st.text(alphabet="ab so and but,.?!我们因为，。 ", max_size=400), st.text(alphabet="ab ,.我，。", max_size=80))
def test_a_growing_answer_keeps_all_units_but_its_last_ones(text: str, more: str) -> None:
    """What is remembered of a unit stays good while the answer grows."""
    done = list(sentences(text))[:-1]
    before = [piece for piece in units(text) if done and piece[1] <= done[-1][1]]
    assert list(units(text + more))[: len(before)] == before
