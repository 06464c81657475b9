"""What the director promises, held against every shipped round, in both languages, whatever is answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content, load_rounds, load_rubrics
from voiceprep.core.events import Interrupted, Language
from voiceprep.core.interviewer.director import ONCE_MORE, TOO_LATE, Choice, Director, Heard
from voiceprep.core.pack import Cue, RoundPack, Tongue

ROUNDS = load_rounds()
RUBRICS = load_rubrics()
TRAPS = frozenset(detector.id for detector in RUBRICS.detectors if detector.kind == "trap")
SIGNALS = tuple(detector.id for detector in RUBRICS.detectors)
PAIRS = {
    "solution_jump": "over_clarify",
    "instant_defence": "instant_concession",
    "quit_after_admission": "bluff",
}
EACH = pytest.mark.parametrize("pack", ROUNDS.values(), ids=lambda pack: pack.id)
BOTH = pytest.mark.parametrize("tongue", ["en", "zh"])
LONGEST = 240.0
"""Seconds that a random answer takes at most."""
CAPS = 200


@dataclass
class Played:
    """A whole round of random answers."""

    said: list[Choice] = field(default_factory=list)
    heard: list[frozenset[str]] = field(default_factory=list)
    """What the answer after each of `said` held; the last one has none."""
    at: list[float] = field(default_factory=list)


@st.composite
def answers(draw: st.DrawFn) -> tuple[int, list[tuple[frozenset[str], float, int]]]:
    """A seed, and for each turn what it holds, how long it takes, and luck for what happens beside it."""
    holds = st.frozensets(st.sampled_from(SIGNALS), max_size=6)
    turn = st.tuples(holds, st.floats(5.0, LONGEST), st.integers(0, 9))
    return draw(st.integers(0, 10_000)), draw(st.lists(turn, min_size=1, max_size=40))


def play(pack: RoundPack, tongue: Tongue, seed: int, turns: list[tuple[frozenset[str], float, int]]) -> Played:
    director = Director(pack, RUBRICS.endings, tongue, seed)
    played = Played([director.open()], [], [0.0])
    elapsed = 0.0
    for number in range(CAPS):
        signals, seconds, luck = turns[number % len(turns)]
        elapsed += seconds
        offered = director.interjections(signals)
        if luck == 0 and offered:
            choice = director.interject(offered[0].id, signals)
        else:
            heard = Heard("how many customers do you have?", signals)
            if luck == 1:  # it was withdrawn: the candidate went on
                director.reply(heard, elapsed)
                director.undo()
                elapsed += 3.0
            choice = director.reply(heard, elapsed)
        played.heard.append(signals)
        played.said.append(choice)
        played.at.append(elapsed)
        if choice.move == "close":
            return played
    raise AssertionError("the round never ends")


@EACH
@BOTH
@settings(max_examples=12, deadline=None)
@given(script=answers())
def test_whatever_is_answered_nothing_is_said_twice_and_time_is_kept(
    pack: RoundPack, tongue: Tongue, script: tuple[int, list[tuple[frozenset[str], float, int]]]
) -> None:
    played = play(pack, tongue, *script)
    texts = Counter(choice.text.removeprefix(choice.lead) for choice in played.said)
    assert [text for text, count in texts.items() if count > 1] == []
    phrases = Counter(choice.phrase for choice in played.said if choice.move != "answer" and choice.reason != ONCE_MORE)
    assert [phrase for phrase, count in phrases.items() if count > 1] == []
    _time_is_kept(pack, played)
    _each_fault_once(played)


def _time_is_kept(pack: RoundPack, played: Played) -> None:
    """The candidate's questions get their minutes, but for the answer that was under way; a hard section ends likewise."""
    planned = pack.minutes[0] * 60.0
    reverse = next(section for section in pack.sections if section.kind == "reverse")
    entered = {choice.section.id: at for choice, at in zip(played.said, played.at, strict=True) if choice.section is not None}
    # An interjection may take a turn's place, and a withdrawn line its three seconds.
    assert entered[reverse.id] <= planned - reverse.budget + 2 * LONGEST
    budgets = {section.id: section for section in pack.sections}
    names = list(entered)
    for name, following in pairwise(names):
        if budgets[name].hard:
            assert entered[following] <= entered[name] + budgets[name].budget + 2 * LONGEST
            asked = [
                at for c, at in zip(played.said, played.at, strict=True) if c.move == "move_on" and at < entered[following]
            ]
            assert all(at <= entered[name] + budgets[name].budget - TOO_LATE for at in asked)


def _each_fault_once(played: Played) -> None:
    topic: Counter[str] = Counter()
    for choice in played.said:
        if choice.move in {"question", "move_on"}:
            topic.clear()
        elif choice.target in TRAPS:
            topic[choice.target] += 1
            assert topic[choice.target] == 1, f"{choice.target} is challenged twice, at {choice.phrase}"


def claimed(pack: RoundPack, question_id: str, tongue: Tongue, *, also: frozenset[str] = frozenset()) -> Iterator[Choice]:
    """What follows a claim of a frame in the first answer to this question, while later answers show nothing."""
    asked = next(question for question in pack.questions if question.id == question_id)
    others = [question for question in pack.questions if question is not asked]
    first = replace(asked, section=pack.sections[0].id, facts=())
    sections = (replace(pack.sections[0], order="given"), *pack.sections[1:])
    director = Director(replace(pack, questions=(first, *others), sections=sections), RUBRICS.endings, tongue, seed=5)
    director.open()
    for turn in range(4):
        signals = frozenset({"structure_headline"}) | also if turn == 0 else frozenset()
        yield director.reply(Heard("a frame", signals), 30.0 * (turn + 1))


@EACH
@BOTH
def test_a_claimed_frame_gets_three_follow_ups_in_a_row_in_every_question(pack: RoundPack, tongue: Tongue) -> None:
    """G-X1, G-C4."""
    for question in pack.questions:
        after = list(claimed(pack, question.id, tongue))[:3]
        assert {choice.question for choice in after} == {question.id}, question.id
        assert all(choice.move not in {"move_on", "answer", "close"} for choice in after), question.id
        assert len({choice.target for choice in after}) == 3, question.id


def test_the_canonical_chain_follows_a_claim() -> None:
    """G-X2, G-X3: define, who sets it, when two collide, how it is abused."""
    followed = list(claimed(ROUNDS["gpu-technical"], "tenant-priority", "en"))
    ladder = [choice.target for choice in followed if choice.move == "followup"]
    assert ladder[-3:] == ["stakeholders", "decision_owner", "conflict_process"]  # what was left out comes before them


def answered(pack: RoundPack, tongue: Tongue, fault: str) -> Choice:
    """What follows a fault that the question in hand has no challenge of its own for."""
    first = pack.questions[0]
    kept = tuple(point for point in first.points if point.when == "missing")
    bare = replace(
        pack,
        questions=(replace(first, points=kept), *pack.questions[1:]),
        pushbacks=tuple(replace(one, when=(), faults=(), questions=(), sections=(), points=()) for one in pack.pushbacks[:1]),
        persona=replace(pack.persona, pushback_share=1.0 if fault.startswith("instant") else 0.0, signals=()),
    )
    director = Director(bare, RUBRICS.endings, tongue, seed=2)
    director.open()
    if fault.startswith("instant"):
        assert director.reply(Heard("well", frozenset({"assumption"})), 30.0).move == "pushback"
    return director.reply(Heard("well", frozenset({fault})), 60.0)


@EACH
@BOTH
def test_each_of_a_pair_of_faults_is_answered_in_its_own_way(pack: RoundPack, tongue: Tongue) -> None:
    """Jumped or only asked, defended or gave in, stopped at "I don't know" or talked on."""
    for one, other in PAIRS.items():
        choices = [answered(pack, tongue, fault) for fault in (one, other)]
        assert [choice.target for choice in choices] == [one, other]
        assert choices[0].text != choices[1].text


@BOTH
def test_no_two_interviewers_answer_a_fault_in_the_same_words(tongue: Tongue) -> None:
    texts = Counter(text for pack in ROUNDS.values() for point in pack.challenges for text in point.line.phrasings[tongue])
    assert len(texts) == len(ROUNDS) * len(PAIRS) * 2 * 3
    assert max(texts.values()) == 1


@EACH
def test_a_generic_question_is_challenged_once_at_the_end(pack: RoundPack) -> None:
    """G-C7, A-C7."""
    director = Director(pack, RUBRICS.endings, "en", seed=1)
    director.open()
    director.reply(Heard("fine", frozenset()), pack.minutes[0] * 60.0 - 100)
    generic = Heard("And how is the canteen?", frozenset({"generic_question"}))
    assert director.reply(generic, pack.minutes[0] * 60.0 - 60).target == "generic_question"
    assert director.reply(generic, pack.minutes[0] * 60.0 - 30).move == "answer"


@pytest.mark.parametrize(
    ("round_id", "question", "tongue", "asked", "told"),
    [
        ("anyscale-hm", "cold-start", "en", "How many customers complain?", "customers|nine|hundred"),
        ("anyscale-hm", "cold-start", "zh", "抱怨的有多少客户？", "四百|九家"),
        ("anyscale-system-design", "gang-start", "en", "Is anyone else that large, any other customers?", "size|thousand|else"),
        ("anyscale-system-design", "tenant-isolation", "zh", "一共几个租户？", "租户|团队"),
    ],
)
def test_a_question_that_bounds_the_case_is_answered(
    round_id: str, question: str, tongue: Tongue, asked: str, told: str
) -> None:
    """A-R1c, A-F10."""
    pack = ROUNDS[round_id]
    case = next(each for each in pack.questions if each.id == question)
    first = replace(case, section=pack.sections[0].id)
    director = Director(replace(pack, questions=(first,)), RUBRICS.endings, tongue, seed=1)
    director.open()
    choice = director.reply(Heard(asked, frozenset({"clarifying_question"})), 40.0)
    assert choice.move == "answer"
    assert any(word in choice.text for word in told.split("|"))
    assert director.reply(Heard(asked, frozenset({"clarifying_question"})), 60.0).phrase != choice.phrase


BLUFF = (
    "Honestly the sharding is basically just a consistent thing and it kind of scales out under the hood, you know, magically. "
)


@pytest.mark.parametrize("began", [0.0, 90.0])
def test_the_bluff_clock_counts_from_where_bluffing_was_first_heard(began: float) -> None:
    """G-F3: two to three minutes after the candidate began to talk past what is known, and not after the answer began."""
    content = load_content("gpu-technical")
    pack = replace(content.round, interjections=tuple(i for i in content.round.interjections if i.id.endswith("bluff-clock")))
    fake = next(detector for detector in content.detectors if detector.id == "bluff")
    heard_at_a_word = replace(
        fake, cues={"en": (Cue(re.compile("sharding")),), "zh": ()}, trained=None, needs=(), unless_heard=(), least=1
    )
    table = Table(replace(content, round=pack, detectors=(heard_at_a_word,)), seed=1)
    table.start()
    table.run(until=20.0)
    if began:
        table.say(25.0, 25.0 + began, "The rack has eight cards and the switch sits on top of it. " * 14)
    at = 25.0 + began + (0.4 if began else 0.0)
    for part in range(10):  # breaths, so that drafts are made
        table.say(at + 20.0 * part, at + 20.0 * part + 19.6, BLUFF * 2)
    log = table.run(until=at + 200.0)
    (cut,) = [event for event in of_kind(log, Interrupted) if event.by == "interviewer"]
    assert cut.reason == "interjection.bluff-clock"
    assert 120.0 <= cut.at - at <= 180.0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_two_frameworks_come_while_the_scheduler_is_being_designed(language: Language) -> None:
    """G-R2f, G-R2h."""
    table = Table(load_content("gpu-technical"), language=language, seed=1)
    table.start()
    table.run(until=20.0)
    for part in range(4):
        words = "I would split the cards by team and the queue takes the oldest job first. " * 3
        table.say(
            25.0 + 20.0 * part,
            44.6 + 20.0 * part,
            words if language == "en" else " ".join("我会按团队分卡，队列先进先出。" * 4),
        )
    log = table.run(until=110.0)
    cuts = [event.reason for event in of_kind(log, Interrupted) if event.by == "interviewer"]
    assert cuts[:1] == ["interjection.two-frameworks"]
