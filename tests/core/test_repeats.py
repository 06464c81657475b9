"""An answer that was given before is noticed, once a question, and the interview goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.content import content, line
from tests.fakes.interview import header, hold
from voiceprep.content import load_content
from voiceprep.core.answers.repeats import Repeats
from voiceprep.core.events import MoveChosen
from voiceprep.core.interviewer.director import Choice, Director, Heard
from voiceprep.core.pack import Content, RoundPack
from voiceprep.review.verdict import findings

TOLD = "Our gpu cluster had four hundred cards and I decided to change the quotas."
TOLD_ZH = "我们有一个四百张卡的集群，我决定改配额，等待时间降下来了。"


def repeats(text: str, *earlier: str) -> bool:
    kept = Repeats()
    for each in earlier:
        kept.keep(each)
    return kept.has(text)


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        (TOLD, TOLD),
        ("our GPU cluster had 400 cards, and i decided to change the quotas", TOLD.replace("four hundred", "400")),
        (TOLD.replace("quotas", "quota"), TOLD),
        (f"As I said, {TOLD}", TOLD),
        (TOLD, f"Before that it was a mess. {TOLD} The teams were happy with it."),
        (TOLD_ZH, TOLD_ZH),
        (TOLD_ZH.replace("决定", "就决定"), TOLD_ZH),
    ],
)
def test_the_same_words_again_are_a_repetition(text: str, earlier: str) -> None:
    assert repeats(text, "Something else came first, and it was long enough to be kept.", earlier)


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("I decided that.", "I decided that."),
        ("配额是我定的。", "配额是我定的。"),
        (f"{TOLD} What I gave up for it was the night runs, and two teams were against that.", TOLD),
        ("I changed the quotas in our cluster, which had four hundred cards of the older kind.", TOLD),
        ("我们的卡有四百张，配额后来是我改的，大家等得没那么久了。", TOLD_ZH),
        ("", TOLD),
    ],
)
def test_a_short_answer_other_words_or_something_new_are_none(text: str, earlier: str) -> None:
    assert not repeats(text, earlier)


def test_two_halves_of_two_answers_are_no_answer_given_before() -> None:
    assert not repeats("One two three four five six seven eight.", "One two three four, nine.", "Ten, five six seven eight.")


def noticing() -> Content:
    made = content()
    return replace(made, round=replace(made.round, repeated=line("repeated")))


def replies(pack: RoundPack, *heard: Heard) -> list[Choice]:
    director = Director(pack, content().endings, "en", 1)
    director.open()
    return [director.reply(each, 40.0 * n) for n, each in enumerate(heard, 1)]


AGAIN = Heard(TOLD, frozenset(), repeated=True)


def test_it_is_said_once_a_question_and_then_the_question_is_left() -> None:
    said = replies(noticing().round, Heard(TOLD, frozenset()), *[AGAIN] * 4)
    assert [(choice.move, choice.question) for choice in said] == [
        ("followup", "q1"),
        ("probe_detail", "q1"),
        ("move_on", "q2"),
        ("probe_detail", "q2"),
        ("move_on", "q3"),
    ]
    assert [choice.phrase for choice in said[1::2]] == ["repeated", "repeated"]
    assert len({choice.text for choice in said}) == len(said)


def test_who_adds_something_then_is_asked_for_the_next_point() -> None:
    said = replies(noticing().round, Heard(TOLD, frozenset()), AGAIN, Heard("We wrote it down.", frozenset()))
    assert [choice.phrase == "repeated" for choice in said] == [False, True, False]
    assert (said[2].move, said[2].question) == ("followup", "q1")


def test_it_is_not_said_where_the_answer_is_challenged_for_it_or_asked_for_again() -> None:
    pack = noticing().round
    defends = replace(AGAIN, signals=frozenset({"instant_defence"}))
    over = replace(pack, questions=(replace(pack.questions[0], kind="consistency"), *pack.questions[1:]))
    objecting = Director(pack, content().endings, "en", 1)
    objecting.open()
    objecting.objected("That is too slow.")
    assert objecting.reply(defends, 40.0).phrase != "repeated"
    assert replies(over, Heard(TOLD, frozenset()), AGAIN)[1].phrase != "repeated"
    assert replies(content().round, Heard(TOLD, frozenset()), AGAIN)[1].phrase != "repeated"


def test_nobody_objected_then_who_says_it_again_defends_nothing_and_it_is_noticed() -> None:
    defends = replace(AGAIN, signals=frozenset({"instant_defence"}))
    assert replies(noticing().round, Heard(TOLD, frozenset()), defends)[1].phrase == "repeated"


def test_a_session_hears_it_and_to_fail_at_nothing_in_particular_is_no_fault() -> None:
    made = noticing()
    log = hold(made, lambda move: "No more questions." if move.phrase == "invite" else f"{TOLD} That's my answer.")
    moves = [event for event in log if isinstance(event, MoveChosen)]
    assert [move.reason for move in moves].count("the answer was given before") >= 2
    assert moves[2].phrase == "repeated"
    found = findings(header("test-round", "tester", "2026-12-01T09:00:00Z"), log, made)
    assert found.replies
    assert all(reply.target for reply in found.replies)


def test_every_round_has_words_for_it() -> None:
    shipped = load_content("gpu-technical").round.repeated
    assert shipped is not None
    assert all(len(texts) >= 3 for texts in shipped.phrasings.values())
