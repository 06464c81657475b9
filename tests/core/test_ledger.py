"""What is claimed, where it stands, and what counts as told differently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.consistency import HALVED, SETS, differences, false_alarms, is_unseen, load, told
from voiceprep.core.claims.facts import Fact, facts
from voiceprep.core.claims.ledger import Ledger
from voiceprep.core.claims.measures import Quantity
from voiceprep.core.claims.numerals import numbers
from voiceprep.core.claims.people import Agent
from voiceprep.core.claims.quantities import quantities
from voiceprep.core.events import AskedAgain, Event, MoveChosen, MoveWithdrawn, QuestionAsked, TurnStarted, Word, WordsCommitted
from voiceprep.core.units import At, Media

SHARED = Path(__file__).parents[2] / "../shared/answers/dev.jsonl"
COVERAGE = Path(__file__).parents[2] / "bench/data/coverage/answers.jsonl"


def amounts(text: str) -> list[tuple[float, str, str]]:
    """Each figure's value, unit and part; time in days."""
    return [(round(one.low, 2), one.unit, one.part) for one in quantities(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ninety four", 94),
        ("94", 94),
        ("1,250", 1250),
        ("40k", 40_000),
        ("two hundred and three", 203),
        ("three point five", 3.5),
        ("half a million", 500_000),
        ("a dozen", 12),
        ("九十四", 94),
        ("一千五", 1500),
        ("两百零三", 203),
        ("五十万", 500_000),
        ("三点五", 3.5),
        ("二零一九", 2019),
    ],
)
def test_a_number_has_one_value_however_it_is_written(text: str, value: float) -> None:
    (found,) = numbers(text)
    assert (found.low, found.high) == (value, value)


@pytest.mark.parametrize("text", ["A100", "p99", "H100 and V100", "GPT4"])
def test_digits_within_a_name_are_no_number(text: str) -> None:
    assert not list(numbers(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("utilisation went from 87 % to 94 %", [(87, "%", "from"), (94, "%", "to")]),
        ("from eighty seven to ninety four percent", [(87, "%", "from"), (94, "%", "to")]),
        ("利用率87% 提到 94%", [(87, "%", "from"), (94, "%", "to")]),
        ("从百分之八十七提到百分之九十四", [(87, "%", "from"), (94, "%", "to")]),
        ("三成", [(30, "%", "")]),
        ("三分之一", [(33.33, "%", "")]),
        ("twelve backend engineers", [(12, "engineer", "")]),
        ("十二个工程师", [(12, "engineer", "")]),
        ("12 个 engineer", [(12, "engineer", "")]),
        ("四百张卡", [(400, "gpu", "")]),
        ("four hundred card hours a week", [(400, "card hour/week", "")]),
        ("eight weeks", [(56, "days", "")]),
        ("三个月", [(91.2, "days", "")]),
        ("一年半", [(547.88, "days", "")]),
        ("$2 million", [(2_000_000, "usd", "")]),
        ("两百万美金", [(2_000_000, "usd", "")]),
        ("clashed twice", [(2, "time", "")]),
        ("a job, one domain, 一次, 第三周", []),
    ],
)
def test_a_figure_has_its_unit_in_either_language(text: str, expected: list[tuple[float, str, str]]) -> None:
    assert amounts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "eight, sorry, nine weeks",
        "eight weeks, no, nine weeks",
        "eight weeks, no, nine",
        "八周，不对，九周",
        "nine, nine weeks",
        "8 周，sorry，9 周",
    ],
)
def test_of_a_self_correction_only_what_was_meant_is_kept(text: str) -> None:
    assert amounts(text) == [(63, "days", "")]


def test_a_hedge_and_a_range_say_how_exact_it_was_meant() -> None:
    (about,) = quantities("about eight weeks")
    (between,) = quantities("six to eight weeks")
    assert about.hedged
    assert (between.low, between.high, between.hedged) == (42, 56, True)


def test_what_was_imagined_or_denied_is_no_claim() -> None:
    for text in (
        "If we had twenty engineers we could do it in a month.",
        "It would take eight weeks.",
        "如果有二十个工程师，我们能做完。",
        "I wasn't the one, it was not my call.",
        "不是我拍的板",
    ):
        assert facts(text) == (), text


def of(found: tuple[Fact, ...], kind: str) -> list[str]:
    return [fact.value.who for fact in found if fact.kind == kind and isinstance(fact.value, Agent)]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My director decided to drop Kafka.", "director"),
        ("It was my director's decision to drop Kafka.", "director"),
        ("I decided to drop Kafka.", "i"),
        ("In the end it was my call.", "i"),
        ("这个方案是我老板拍的板。", "boss"),
        ("砍掉预览功能是我决定的。", "i"),
        ("我 director 决定 drop Kafka。", "director"),
        ("我们决定砍掉预览功能。", "we"),
    ],
)
def test_who_decided(text: str, who: str) -> None:
    assert of(facts(text), "decider") == [who]


def test_a_bare_answer_to_who_decided_names_the_decider() -> None:
    (fact,) = facts("My director.", "Whose decision was it to drop Kafka?")
    assert isinstance(fact.value, Agent)
    assert (fact.value.who, fact.elliptic, "kafka" in fact.about) == ("director", True, True)


def test_names_belong_to_roles_of_which_there_is_one() -> None:
    assert of(facts("My manager was called Dana."), "name") == ["dana"]
    assert of(facts("我老板叫王磊。"), "name") == ["王磊"]
    assert of(facts("An engineer called Tom refused, and 老板叫我去。"), "name") == []


def test_a_claim_has_a_verbatim_quote_and_its_place() -> None:
    ledger = told([("How long did it take?", "Well, the migration took eight weeks, and it hurt.")])
    (claim,) = ledger.claims()
    assert claim.quote == "the migration took eight weeks,"
    assert (claim.kind, claim.turn, claim.question) == ("figure", 2, "story")
    assert claim.start == Media(60.3)
    assert claim.end == pytest.approx(61.8)


def test_an_answer_that_names_nothing_is_about_what_was_asked() -> None:
    (claim,) = told([("How long did the migration take?", "Nine weeks.")]).claims()
    assert (claim.fact.about, claim.fact.elliptic) == (frozenset({"migrat"}), True)


SEEN = [row for name in SETS for row in load(name) if name not in HALVED or not is_unseen(row["id"])]
HARD = {"en-005", "zh-033", "late-en-021", "late-en-022", "late-zh-015", "late-mixed-004"}
"""Told differently, and not found: "on the platform" may be another team. In doubt, nothing is said."""


@pytest.mark.parametrize("row", [row for row in SEEN if row["id"] not in HARD], ids=lambda row: row["id"])
def test_the_labelled_pairs_that_were_tuned_by(row: dict[str, str]) -> None:
    assert bool(differences(row)) == (row["label"] == "differs"), row


def test_nobody_is_accused_wrongly_in_any_labelled_pair() -> None:
    """Precision is kept for the unseen halves as well; what they miss is told by the bench alone."""
    agreeing = [row for name in SETS for row in load(name) if row["label"] == "agrees"]
    assert len(agreeing) > 150
    assert [row["id"] for row in agreeing if differences(row)] == []


def test_a_difference_shows_both_quotes_and_says_what_is_not_the_same() -> None:
    row = next(row for row in SEEN if row["id"] == "mixed-003")
    (found,) = differences(row)
    shown = found.document()
    assert "60%" in shown["second"]["quote"]
    assert shown["first"]["quote"] in row["first"]
    assert shown["first"]["end"] < shown["second"]["start"]
    assert shown["why"].startswith("The figure is not the same")
    json.dumps(shown)


@pytest.mark.parametrize("data", [COVERAGE, SHARED], ids=["own", "another hand"])
def test_no_contradiction_is_found_in_ordinary_answers(data: Path) -> None:
    if not data.exists():
        pytest.skip("the shared answers are not here")
    found = false_alarms(data)
    assert found["answers"] > 100
    assert found["found"] * 200 <= found["answers"]


# --- the fold ---------------------------------------------------------------------------------------------------------------


def asked(question: str, of_: str = "s1") -> list[Event]:
    chosen = MoveChosen(at=At(0), move="followup", target="", phrase="", reason="")
    return [chosen, QuestionAsked(at=At(0), question=question, text="How long did the migration take?", of=of_)]


def said(turn: int, text: str, *, confidence: float = 0.9, trusted: bool = True) -> list[Event]:
    words = tuple(
        Word(piece, Media(turn + n / 10), Media(turn + n / 10 + 0.1), confidence) for n, piece in enumerate(text.split())
    )
    started = TurnStarted(at=At(0), speaker="candidate", turn=turn, media=Media(turn))
    return [started, WordsCommitted(at=At(0), words=words, turn=turn, trusted=trusted)]


def folded(*parts: list[Event]) -> Ledger:
    ledger = Ledger()
    for event in (event for part in parts for event in part):
        ledger.handle(event)
    return ledger


EIGHT, ELEVEN = "The migration took eight weeks.", "The migration took eleven weeks."


def test_two_stories_are_not_held_against_each_other() -> None:
    assert folded(asked("a"), said(2, EIGHT), asked("a"), said(4, ELEVEN)).differences()
    assert not folded(asked("a"), said(2, EIGHT), asked("b"), said(4, ELEVEN)).differences()


def test_nothing_is_said_of_words_that_the_recogniser_doubted() -> None:
    assert not folded(asked("a"), said(2, EIGHT, trusted=False), asked("a"), said(4, ELEVEN)).differences()
    assert not folded(asked("a"), said(2, EIGHT), asked("a"), said(4, ELEVEN, confidence=0.2)).differences()


def test_fifteen_and_fifty_are_one_sound() -> None:
    fifteen, fifty = "The migration took fifteen weeks.", "The migration took fifty weeks."
    assert not folded(asked("a"), said(2, fifteen), asked("a"), said(4, fifty)).differences()


def test_a_question_that_was_taken_back_was_not_asked() -> None:
    withdrawn: list[Event] = [MoveWithdrawn(at=At(0), of="s2")]
    ledger = folded(asked("a"), said(2, EIGHT), asked("b", "s2"), withdrawn, said(4, ELEVEN))
    assert [claim.question for claim in ledger.claims()] == ["a", "a"]


def test_a_fact_that_the_candidate_asked_for_leaves_the_story_open() -> None:
    told_fact: list[Event] = [MoveChosen(at=At(0), move="answer", target="", phrase="", reason="", of="s2")]
    ledger = folded(asked("a"), said(2, EIGHT), told_fact, said(4, ELEVEN))
    assert [claim.question for claim in ledger.claims()] == ["a", "a"]
    assert ledger.differences()


def test_what_was_asked_again_is_compared_across_questions() -> None:
    first = folded(asked("a"), said(2, EIGHT))
    (claim,) = first.ask_again()
    again: list[Event] = [AskedAgain(at=At(0), of="s2", claim=claim.key, quote=claim.quote, start=claim.start, end=claim.end)]
    parts = asked("a"), said(2, EIGHT), asked("once-more", "s2"), again
    assert folded(*parts, said(4, "Eleven weeks.")).differences()
    assert not folded(*parts, said(4, "Eight weeks.")).differences()
    assert not folded(*parts, said(4, "Two months.")).differences()
    assert folded(*parts, said(4, "Eight weeks.")).ask_again() == ()


def test_what_is_asked_again_is_what_was_claimed_for_sure() -> None:
    ledger = folded(
        asked("a"), said(2, "He said the migration took eight weeks. If we had nine engineers. We had ten engineers.")
    )
    assert [claim.quote for claim in ledger.ask_again()] == ["We had ten engineers."]


@given(
    st.lists(
        st.sampled_from(
            [
                *"零一二两三十百千万亿点几半个月年周成分之%.,，。?",
                "1",
                "20",
                " ",
                "eight ",
                "hundred ",
                "weeks ",
                "from ",
                "to ",
                "我",
                "决定",
            ]
        )
    )
)
def test_whatever_is_said_can_be_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    for fact in facts(text, text):
        assert 0 <= fact.start < fact.end <= len(text)
        if isinstance(fact.value, Quantity):
            assert fact.value.low <= fact.value.high
