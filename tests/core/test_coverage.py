"""What is heard in an answer, where, and how finished it sounds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voiceprep.content import load_content
from voiceprep.core.coverage import HARDLY, MOST, assess, assess_text, finished, on_topic
from voiceprep.core.ending import ending
from voiceprep.core.endpoint import Endpoint, Place
from voiceprep.core.events import Evidence, Language, Word
from voiceprep.core.pack import Detector
from voiceprep.core.text import text_of
from voiceprep.core.units import Media

CONTENT = load_content("gpu-hm-screen")
SIGNALS = [detector.id for detector in CONTENT.detectors if detector.kind == "signal"]


def words(text: str, *, han: bool = False) -> list[Word]:
    parts = list(text) if han else text.split()
    return [Word(part, Media(index * 0.5), Media(index * 0.5 + 0.4), 0.9) for index, part in enumerate(parts)]


def heard(text: str, language: Language = "en") -> set[str]:
    return {item.signal for item in assess_text(text, CONTENT.detectors, language)}


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
    assert "tradeoff" in heard("there are trade-offs, obviously, but what we lose is the launch date")


def test_a_veto_reaches_its_own_clause_without_punctuation_too() -> None:
    assert "own_decision" in heard("it was decided to merge the clusters and then i cut the page for single nodes")


def test_a_language_hears_only_its_own_cues() -> None:
    assert heard("代价是利用率低了一点", "en") == set()


def test_several_clauses_are_needed_where_a_detector_says_so() -> None:
    one = "finance wants fewer idle cards."
    assert "stakeholders" not in heard(one)
    assert "stakeholders" in heard(one + " the researchers want to start before lunch.")


def test_one_signal_may_need_or_exclude_another() -> None:
    quit_early = "honestly i've never worked with that."
    assert "quit_after_admission" in heard(quit_early)
    assert "quit_after_admission" not in heard(quit_early + " but from what i can see, if i had to guess, it is the network.")


def test_an_opening_counts_only_at_the_start() -> None:
    assert "structure_headline" in heard("I'd split it in three parts. First the queue.")
    long_winded = "We talked to people for a week about it. " * 8
    assert "structure_headline" not in heard(long_winded + "Then I'd split it in three parts.")


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


@pytest.mark.parametrize("seconds", [0.0, 5.0, 60.0, 1200.0])
@pytest.mark.parametrize("topical", [0, 1, 2])
def test_unrelated_talk_is_never_an_answer(seconds: float, topical: int) -> None:
    assert odds("On Sundays I bake bread.", seconds, topical=topical) == pytest.approx(HARDLY)


def test_the_odds_grow_with_what_was_shown() -> None:
    assert odds(DONE, 8.0, "own_decision", topical=1) < 0.01
    assert odds(DONE, 40.0, *SIGNALS[:3], topical=5) > 0.5 * MOST
    assert odds(DONE, 12.0, "number", followup=True) > odds(DONE, 12.0, "number", topical=3)


@pytest.mark.parametrize("signals", [1, 2, 3])
def test_cues_misheard_in_talk_about_something_else_are_no_answer(signals: int) -> None:
    assert odds(DONE, 60.0, *SIGNALS[:signals]) == pytest.approx(HARDLY)
    assert odds(DONE, 60.0, *SIGNALS[:signals], topical=1) <= MOST / 9


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
