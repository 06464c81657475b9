"""What is heard in an answer, where, and how finished it sounds."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voiceprep.config import data_folder
from voiceprep.content import load_content
from voiceprep.core.answers.classifier import Asked, Unit, judge
from voiceprep.core.answers.coverage import HARDLY, MOST, TOUCHED, assess, assess_text, finished, on_topic
from voiceprep.core.events import Evidence, Language, Word
from voiceprep.core.pack import Detector
from voiceprep.core.text import text_of
from voiceprep.core.turns.ending import ending
from voiceprep.core.turns.endpoint import Endpoint, Place
from voiceprep.core.units import Media

CONTENT = load_content("gpu-hm-screen")
BY_CUES = tuple(replace(detector, trained=None) for detector in CONTENT.detectors)
"""The same detectors without their trained part, to see what cues, vetoes and conditions do on their own."""
SIGNALS = [detector.id for detector in CONTENT.detectors if detector.kind == "signal"]


def words(text: str, *, han: bool = False) -> list[Word]:
    parts = list(text) if han else text.split()
    return [Word(part, Media(index * 0.5), Media(index * 0.5 + 0.4), 0.9) for index, part in enumerate(parts)]


def heard(text: str, language: Language = "en") -> set[str]:
    return {item.signal for item in assess_text(text, CONTENT.detectors, language)}


def cued(text: str, language: Language = "en") -> set[str]:
    return {item.signal for item in assess_text(text, BY_CUES, language)}


def evidence(*ids: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(name, "", Media(0.0), Media(0.0)) for name in ids)


def odds(
    text: str, seconds: float, *signals: str, topical: int = 0, followup: bool = False, language: Language = "en"
) -> float:
    """The odds that an answer is over, its last words left out of the account."""
    sounds = finished(text, seconds, evidence(*signals), topical, CONTENT.endings, language, followup=followup)
    last = ending(text, language, CONTENT.endings)
    assert last.kind not in {"held", "thinking", "closer"}, "these are bounded besides"
    return math.exp(sounds.log_odds - last.odds)


# --- words and places -------------------------------------------------------------------------------------------------------


def test_words_are_joined_as_people_write_them() -> None:
    assert text_of(words("so we cut it.")) == "so we cut it."
    mixed = [Word(text, Media(0), Media(0), 1) for text in ["我", "看", "P90", "queue", "wait", "，", "降", "了"]]
    assert text_of(mixed) == "我看 P90 queue wait，降了"
    assert text_of([]) == ""


def test_a_quote_is_verbatim_and_has_the_times_of_its_words() -> None:
    spoken = words("Okay so that was a mess, I decided to cut the page for single nodes, and then we waited.")
    (found,) = [item for item in assess(spoken, CONTENT.detectors, "en") if item.signal == "own_decision"]
    assert found.quote == "I decided to cut the page for single nodes,"
    assert found.quote in text_of(spoken)
    first = next(word for word in spoken if word.text == "I")
    last = next(word for word in spoken if word.text == "nodes,")
    assert (found.start, found.end) == (first.start, last.end)


def test_the_same_holds_for_chinese() -> None:
    spoken = words("嗯就说扩缩容吧。我定的是只有前二十个模型常驻，剩下的缩到零。", han=True)
    (found,) = [item for item in assess(spoken, CONTENT.detectors, "zh") if item.signal == "own_decision"]
    assert found.quote == "我定的是只有前二十个模型常驻，"
    text = text_of(spoken)
    assert found.start == spoken[text.index("我定")].start
    assert found.end == spoken[text.index("，")].end


def test_written_text_has_no_times() -> None:
    assert {(item.start, item.end) for item in assess_text("I decided to cut it.", CONTENT.detectors, "en")} == {(0.0, 0.0)}


@given(st.text(alphabet="abc I'd decided from two to 5 percent.,?我定的是降到代价", max_size=160))
@settings(max_examples=60, deadline=None)
def test_quotes_are_always_verbatim_and_spans_ordered(text: str) -> None:
    for language in ("en", "zh", "mixed"):
        for item in assess_text(text, CONTENT.detectors, language):
            assert item.quote
            assert item.quote in text
    spoken = words(text)
    joined = text_of(spoken)
    for item in assess(spoken, CONTENT.detectors, "mixed"):
        assert item.quote in joined
        assert item.start <= item.end


# --- what is heard -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("so in the end i decided we would not preempt anybody", "en", "own_decision"),
        ("the one thing i'd steer by is how long people wait, that's the metric i look at", "en", "metric"),
        ("waits went from forty minutes to about nine", "en", "number"),
        ("we gave up some utilization and i lived with that", "en", "tradeoff"),
        ("each research lead can raise the limit", "en", "decision_owner"),
        ("if two teams clash over the same night it goes to whoever gave more back", "en", "conflict_process"),
        ("let users set their own priority", "en", "cop_out"),
        ("i'd get everyone in a room and align", "en", "joint_meeting"),
        ("结果排队时间从四十分钟降到九分钟", "zh", "number"),
        ("代价是利用率低了一点，这个我认", "zh", "tradeoff"),
        ("优先级由研究院院长来定", "zh", "decision_owner"),
        ("组里谁先谁后，主任自己挑。", "zh", "decision_owner"),
        ("让各个部门自己填优先级", "zh", "cop_out"),
        ("我先确认一下，是合同写的还是内部目标？", "zh", "clarifying_question"),
        ("我会选预热，roll back 的条件是 P90 没降百分之二十", "mixed", "recommendation"),
        ("I'd go with prewarming, 代价是每台少一块盘", "mixed", "tradeoff"),
    ],
)
def test_a_cue_is_heard(text: str, language: Language, expected: str) -> None:
    assert expected in heard(text, language)


@pytest.mark.parametrize(
    ("text", "language", "not_heard"),
    [
        ("there are trade-offs, obviously, any migration has trade-offs", "en", "tradeoff"),
        ("metrics were super important to us and we had a metrics review every week", "en", "metric"),
        ("if i decided that alone nobody would follow", "en", "own_decision"),
        ("it was decided that we'd go with one queue", "en", "own_decision"),
        ("i don't know if that's what you're looking for", "en", "boundary_admission"),
        ("i wouldn't get everyone in a room for that", "en", "joint_meeting"),
        ("这个不是我定的，是架构师定的", "zh", "own_decision"),
        ("这事不用开会", "zh", "joint_meeting"),
        ("各有代价吧", "zh", "tradeoff"),
    ],
)
def test_a_decoy_is_not(text: str, language: Language, not_heard: str) -> None:
    assert not_heard not in heard(text, language)


def test_a_veto_reaches_its_own_clause_only() -> None:
    assert "tradeoff" in cued("there are trade-offs, obviously, but what we lose is the launch date")


def test_a_veto_reaches_its_own_clause_without_punctuation_too() -> None:
    assert "own_decision" in cued("it was decided to merge the clusters and then i cut the page for single nodes")


def test_a_language_hears_only_its_own_cues() -> None:
    assert cued("代价是利用率低了一点", "en") == set()


def test_several_clauses_are_needed_where_a_detector_says_so() -> None:
    one = "finance wants fewer idle cards."
    assert "stakeholders" not in cued(one)
    assert "stakeholders" in cued(one + " the researchers want to start before lunch.")


def test_one_signal_may_need_or_exclude_another() -> None:
    quit_early = "honestly i've never worked with that."
    assert "quit_after_admission" in cued(quit_early)
    assert "quit_after_admission" not in cued(quit_early + " but from what i can see, if i had to guess, it is the network.")


def test_an_opening_counts_only_at_the_start() -> None:
    assert "structure_headline" in cued("I'd split it in three parts. First the queue.")
    long_winded = "We talked to people for a week about it. " * 8
    assert "structure_headline" not in cued(long_winded + "Then I'd split it in three parts.")


def test_nothing_is_heard_in_nothing() -> None:
    assert assess([], CONTENT.detectors, "mixed") == ()
    assert assess_text("", CONTENT.detectors, "mixed") == ()


def test_order_of_evidence_is_that_of_the_detectors() -> None:
    order = [detector.id for detector in CONTENT.detectors]
    found = [
        item.signal
        for item in assess_text("I decided to cut it and waits went from ten to five minutes.", CONTENT.detectors, "en")
    ]
    assert found == sorted(found, key=order.index)
    assert len(found) >= 2


def test_without_detectors_there_is_no_evidence() -> None:
    none: tuple[Detector, ...] = ()
    assert assess_text("I decided.", none, "en") == ()


# --- the trained part -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The cut was mine, I own that one.", "en", "own_decision"),
        ("the tenant admin sets the ceiling and the platform sets the floor", "en", "decision_owner"),
        ("Should it turn out that they never restart, I'd withdraw this.", "en", "validation"),
        ("there's a penalty for cancelling late, so nobody books just in case", "en", "abuse_guard"),
        (
            "my inference would be that the state is lost, as nothing is written down. I couldn't say.",
            "en",
            "boundary_reasoning",
        ),
        ("Out goes the dashboard, what stays is the limit, and it lands in week five.", "en", "rescope"),
        ("they asked for kubernetes so kubernetes it is", "en", "order_taker"),
        ("撞上了，线上的任务优先，没得商量。", "zh", "conflict_process"),
        ("财务求稳，算法负责人求爆发。", "zh", "stakeholders"),
    ],
)
def test_what_no_cue_was_written_for_is_heard_too(text: str, language: Language, expected: str) -> None:
    """From the third of bench/data/coverage that training leaves out."""
    assert expected not in cued(text, language)
    assert expected in heard(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The town council voted on Monday to close two of its five libraries.", "en"),
        ("We spent the afternoon in the garden and the children slept early.", "en"),
        ("The old man folded the paper, paid for his tea and went out into the fog.", "en"),
        ("气象台预计，未来三天北方将有大风降温天气。", "zh"),
        ("昨天我们一家人去海边看日出，回来的路上堵车了。", "zh"),
    ],
)
def test_talk_about_something_else_shows_nothing(text: str, language: Language) -> None:
    assert heard(text, language) == set()


def test_marks_may_be_missing() -> None:
    said = (
        "So we had two teams on one pool. I decided that inference keeps fifteen cards. The price was that training got slower."
    )
    bare = said.replace(".", "").lower()
    assert {"own_decision", "tradeoff"} <= heard(said)
    assert {"own_decision", "tradeoff"} <= heard(bare)


def test_a_growing_answer_is_the_same_as_a_fresh_one() -> None:
    """What is remembered of earlier calls must not show."""
    spoken = "I'd ask who decides first. Is it the director? Then I'd go with the small pool, because it can be undone."
    said = spoken.split()
    grown = [heard(" ".join(said[:end])) for end in range(1, len(said) + 1)]
    fresh = load_content("gpu-hm-screen", rubrics=data_folder("rubrics")).detectors
    for end in (5, 12, len(said)):
        text = " ".join(said[:end])
        assert {item.signal for item in assess_text(text, fresh, "en")} == grown[end - 1]


def test_what_is_asked_counts() -> None:
    """The same words give in to an objection, or agree with a question."""
    text = "Yeah, okay, that makes sense, then I'd leave it out."
    pressed = Asked("Should we expose priority to users?", "Everybody will say that it's urgent.")
    likely = {}
    for asked in (Asked("Tell me about a recent project."), pressed):
        units = [Unit(text)]
        classifier = CONTENT.detectors[0].trained
        assert classifier is not None
        likely[asked] = judge(classifier, units, frozenset(), asked, "en")["instant_concession"].probability
    assert likely[pressed] > max(value for asked, value in likely.items() if asked != pressed)


def test_detectors_without_a_trained_part_stay_with_their_cues() -> None:
    one = next(detector for detector in BY_CUES if detector.id == "own_decision")
    mixed = tuple(one if detector.id == one.id else detector for detector in CONTENT.detectors)
    text = "The cut was mine, I own that one."
    assert "own_decision" in heard(text)
    assert "own_decision" not in {item.signal for item in assess_text(text, mixed, "en")}


# --- topics -----------------------------------------------------------------------------------------------


def test_topic_words_are_counted_once_each_and_with_endings() -> None:
    question = next(question for question in CONTENT.round.questions if question.id == "recent-project")
    assert on_topic("The queues, the queue and the quotas of my team", question, "en") == 3
    assert on_topic("On Sundays I bake bread with rye", question, "en") == 0
    assert on_topic("我们的调度和排队", question, "zh") == 2
    assert on_topic("我们的调度 queue", question, "mixed") == 2
    assert on_topic("steam", question, "en") == 0  # no word within a word


# --- how finished it sounds -----------------------------------------------------------------------------------------------

DONE = "So the waits came down to nine minutes."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("So I cut it. That's my answer.", "en"),
        ("and yeah, that's it from me", "en"),
        ("Does that answer your question?", "en"),
        ("我说完了。", "zh"),
        ("大概就是这样。", "zh"),
        ("所以我选了预热，就这些", "mixed"),
    ],
)
def test_a_closer_hands_the_floor_over(text: str, language: Language) -> None:
    """Whatever was said before it: nobody needs a reply more than who has said that it is time for one."""
    sounds = finished(text, 3.0, (), 0, CONTENT.endings, language)
    assert sounds.log_odds > math.log(2.0)
    assert sounds.roundness > 0.8


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I decided to cut the page, and then", "en"),
        ("Let me think about that for a second.", "en"),
        ("We went from ten to five. So...", "en"),
        ("the thing is", "en"),
        ("um", "en"),
        ("我把单节点的告警砍了，然后", "zh"),
        ("让我想一下。", "zh"),
        ("我们就是，就是说", "zh"),
        ("这个方案，嗯", "mixed"),
    ],
)
def test_a_holder_keeps_the_floor(text: str, language: Language) -> None:
    sounds = finished(text, 120.0, evidence(*SIGNALS[:8]), 8, CONTENT.endings, language)
    assert sounds.roundness < 0.35 or sounds.thinking
    wait = Endpoint().wait(sounds.log_odds, Place(sounds.roundness, sounds.thinking), 2.0, 0.4, 75.0)
    assert wait > 10.0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Can I take a moment to think?", "en"),
        ("Could I have a minute?", "en"),
        ("I'd like to take a minute to think.", "en"),
        ("Give me a minute, please.", "en"),
        ("Good question. Let me take a minute on this.", "en"),
        ("Let me write that down.", "en"),
        ("Let me gather my thoughts.", "en"),
        ("Hold on, I will get to the point.", "en"),
        ("我能想一分钟吗？", "zh"),
        ("给我一分钟。", "zh"),
        ("我需要理一理思路。", "zh"),
        ("我先记一下。", "zh"),
        ("好问题，give me a second", "mixed"),
    ],
)
def test_who_asks_for_time_is_given_it(text: str, language: Language) -> None:
    """In whatever words: a whole sentence, and the last thing that should be taken for an answer."""
    assert finished(text, 3.0, (), 0, CONTENT.endings, language).thinking


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We need a minute to drain a node.", "en"),
        ("A restart takes a moment.", "en"),
        ("I wrote that down for the team.", "en"),
        ("部署大概需要几分钟。", "zh"),
        ("我们整理了思路。", "zh"),
        ("我花了一分钟。", "zh"),
    ],
)
def test_time_that_things_take_is_not_asked_for(text: str, language: Language) -> None:
    assert not finished(text, 3.0, (), 0, CONTENT.endings, language).thinking


@pytest.mark.parametrize("seconds", [0.0, 5.0, 60.0, 1200.0])
@pytest.mark.parametrize("topical", [0, 1])
def test_unrelated_talk_is_never_an_answer(seconds: float, topical: int) -> None:
    assert odds("On Sundays I bake bread.", seconds, topical=topical) == pytest.approx(HARDLY)


def test_talk_around_the_matter_is_answered_before_a_minute_has_passed() -> None:
    """A bluff in two plain sentences was met with 130 s of silence."""
    vague = odds("It is all the same underneath.", 20.0, topical=2)
    assert HARDLY < vague < TOUCHED
    assert 10 < Endpoint().wait(math.log(vague), Place(0.8), 16.0, 0.4, 130.0) < 45


def test_the_odds_grow_with_what_was_shown() -> None:
    assert odds(DONE, 8.0, "own_decision", topical=1) < 0.02
    assert odds(DONE, 40.0, *SIGNALS[:3], topical=5) > 0.5 * MOST
    assert odds(DONE, 12.0, "number", followup=True) > odds(DONE, 12.0, "number", topical=3)


@pytest.mark.parametrize("signals", [1, 2, 3])
def test_cues_misheard_in_talk_about_something_else_are_no_answer(signals: int) -> None:
    assert odds(DONE, 60.0, *SIGNALS[:signals]) == pytest.approx(HARDLY)
    assert odds(DONE, 60.0, *SIGNALS[:signals], topical=1) <= MOST / 9


def test_an_answer_full_of_signals_is_one_in_whatever_words() -> None:
    """Options, a call, its price and who pays, in eleven seconds and without a word of the question: a wait of 76 s."""
    value = odds(DONE, 11.0, *SIGNALS[:4])
    assert 5 < Endpoint().wait(math.log(value), Place(0.9), 4.8, 0.6, 70.0) < 20
    assert odds(DONE, 11.0, *SIGNALS[:6]) > value


@given(
    seconds=st.floats(0, 3000),
    more=st.floats(0, 300),
    count=st.integers(0, 12),
    topical=st.integers(0, 14),
    followup=st.booleans(),
    text=st.sampled_from([DONE, "we cut a page", "我改成了按时段收"]),
)
def test_bounded_and_monotone(seconds: float, more: float, count: int, topical: int, followup: bool, text: str) -> None:
    value = odds(text, seconds, *SIGNALS[:count], topical=topical, followup=followup, language="mixed")
    assert HARDLY * 0.99 <= value <= MOST * 1.01
    for higher in (
        odds(text, seconds, *SIGNALS[: count + 1], topical=topical, followup=followup, language="mixed"),
        odds(text, seconds, *SIGNALS[:count], topical=topical + 1, followup=followup, language="mixed"),
        odds(text, seconds + more, *SIGNALS[:count], topical=topical, followup=followup, language="mixed"),
    ):
        assert higher >= value * (1 - 1e-9)


@given(seconds=st.floats(0, 1200), signals=st.integers(1, 8))
def test_no_cliff_in_time(seconds: float, signals: int) -> None:
    step = odds(DONE, seconds + 0.25, *SIGNALS[:signals], topical=4) - odds(DONE, seconds, *SIGNALS[:signals], topical=4)
    assert -1e-9 <= step < 0.012 * MOST


@given(st.lists(st.sampled_from(SIGNALS), max_size=6), st.floats(0, 600))
def test_saying_the_same_again_is_no_progress(signals: list[str], seconds: float) -> None:
    assert odds(DONE, seconds, *signals, *signals, topical=4) == odds(DONE, seconds, *signals, topical=4)
