"""What the last words say: the order of things, not their third decimal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.content import load_rubrics
from voiceprep.core.events import Language
from voiceprep.core.pack import EndingKind, Endings
from voiceprep.core.turns.ending import LastWords, asks_again, ending

ENDINGS = load_rubrics().endings

SAID: dict[EndingKind, dict[Language, tuple[str, ...]]] = {
    "closer": {
        "en": (
            "We cut the queue by half. That's my answer.",
            "so that's how i'd do it",
            "That's pretty much it, yeah.",
            "I'm done.",
            "We kept both. Does that make sense?",
        ),
        "zh": ("成本降了两成。我说完了", "就这些", "先讲到这儿", "主要就是这些。", "大概就是这样吧", "以上"),
        "mixed": ("所以我们就 ship 了。That's my answer.", "Timeline 是六周，我讲完了"),
    },
    "open": {
        "en": (
            "There were two options.",
            "Let me start with the context",
            "So how did we do it?",
            "There were three reasons. First, it was cheap. Second, nobody used it.",
        ),
        "zh": ("主要有三点", "先说背景", "那我们是怎么做的呢？", "当时我们有两个方案。", "我举个例子。"),
        "mixed": ("我们有三个 option", "我先讲一下 background。"),
    },
    "held": {
        "en": (
            "So...",
            "and then we",
            "The reason was",
            "um",
            "I talked to both leads because.",
            "That's it, um",
            "We looked at the",
        ),
        "zh": ("然后", "就是", "因为", "所以我们就把", "我跟他说不行，他就", "嗯"),
        "mixed": ("然后我们的 team 就", "因为这个 trade-off"),
    },
    "thinking": {
        "en": ("Let me think.", "Let me think about that for a second", "Give me a second.", "It was cheap. Hold on."),
        "zh": ("让我想一下", "嗯，我想想", "给我一点时间。", "稍等"),
        "mixed": ("let me think 一下", "这个 metric 嘛，让我想一下"),
    },
}
CASES = [(kind, language, text) for kind, by in SAID.items() for language, texts in by.items() for text in texts]


def judged(text: str, language: Language = "en") -> LastWords:
    return ending(text, language, ENDINGS)


@pytest.mark.parametrize(("kind", "language", "text"), CASES)
def test_what_last_words_are(kind: EndingKind, language: Language, text: str) -> None:
    words = judged(text, language)
    assert words.kind == kind
    if kind == "closer":
        assert words.odds > 1.5
        assert words.roundness > 0.7
    elif kind == "open":
        assert words.odds < -0.4
    elif kind == "thinking":
        assert words.odds < -2
    else:
        assert words.odds < -0.5
        assert words.roundness < 0.2


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We moved it, and the wait dropped from forty minutes to ten."),
        ("en", "What I do now is I ask first."),
        ("en", "I'd do it again."),
        ("en", "and that's why i'd choose b"),
        ("en", "So in the end we kept the old one."),
        ("zh", "所以我选第二个方案"),
        ("zh", "结果等待时间从四十分钟降到了十分钟"),
        ("zh", "现在我都会先问一句"),
        ("mixed", "最后 latency 降到了一百毫秒。"),
    ],
)
def test_a_conclusion_speaks_for_the_end_and_less_than_a_closer(language: Language, text: str) -> None:
    words = judged(text, language)
    assert words.kind == "round"
    assert 0.3 < words.odds < 2.5
    assert words.roundness > 0.6


@pytest.mark.parametrize("text", ["The buyers never saw a printed bill.", "We went with the vendor because it cost less."])
def test_a_sentence_like_any_other_says_little(text: str) -> None:
    words = judged(text)
    assert words.kind == "round"
    assert abs(words.odds) < 0.8
    assert words.roundness > 0.7


@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        ("We agreed on a date with both of them.", "We agreed on a date with both of"),
        ("She asked me to stop.", "She asked me to stop because"),
        ("它比以前快多了", "它比以前快多了，而且"),
    ],
)
def test_a_broken_clause_is_less_round_whatever_mark_the_recogniser_gives_it(whole: str, broken: str) -> None:
    language: Language = "zh" if "它" in whole else "en"
    for mark in ("", ".", "...", "。"):
        assert judged(broken + mark, language).roundness < 0.3 < judged(whole, language).roundness


def test_a_trailing_yeah_changes_nothing_and_a_trailing_um_holds_the_floor() -> None:
    assert judged("That's my answer, yeah").odds == judged("That's my answer").odds
    assert judged("That's my answer, um").odds < -1


def test_yeah_alone_is_not_stripped_to_nothing() -> None:
    assert judged("Yeah.").kind == "round"


def test_a_list_is_open_until_its_last_item() -> None:
    said = "There are three parts to it. "
    first = said + "First, we count the people who stay."
    third = first + " Second, we ask those who left. Third, we look at what it costs."
    assert judged(said).kind == judged(first).kind == "open"
    assert judged(third).kind == "round"
    assert judged(first).odds < judged(third).odds


def test_a_number_that_the_list_does_not_know_is_no_error() -> None:
    assert judged("There are three parts to it. First, cost. 第六", "mixed").kind == "open"


def test_only_the_end_counts() -> None:
    assert judged("That's my answer. And then we, um").kind == "held"
    long = "We ran the same test in every shop and wrote down what people bought. " * 200
    assert judged(long + "I'm done.") == judged("We wrote down what people bought. I'm done.")


def test_a_language_listens_for_its_own_words_and_mixed_for_both() -> None:
    assert judged("let me think", "zh").kind == "thinking"  # people say it in Chinese, too
    assert judged("the reason was", "zh").kind != "held"
    assert judged("the reason was", "mixed").kind == judged("我的想法是", "mixed").kind == "held"


def test_curly_apostrophes_and_capitals_are_heard() -> None:
    assert judged("THAT’S MY ANSWER").kind == "closer"


@pytest.mark.parametrize("text", ["", "  ", "...", "。"])
def test_nothing_said_is_held(text: str) -> None:
    assert judged(text) == LastWords(-ENDINGS.odds_limit, 0.0, "held")


def test_without_cues_nothing_is_claimed() -> None:
    bare = Endings(no_question={})
    assert ending("anything at all", "mixed", bare) == LastWords(0.0, 0.5, "round")


@given(st.text(max_size=400), st.sampled_from(["en", "zh", "mixed"]))
def test_any_text_gives_numbers_in_range(text: str, language: Language) -> None:
    words = ending(text, language, ENDINGS)
    assert -ENDINGS.odds_limit <= words.odds <= ENDINGS.odds_limit
    assert 0.0 <= words.roundness <= 1.0


@pytest.mark.parametrize(
    "text", ["I'd cut the second phase. All of it, if you like.", "Let's not do it then.", "That is what they would like."]
)
def test_last_words_that_only_look_like_hesitation(text: str) -> None:
    """From simulated interviews, in which such replies were waited on for a minute."""
    assert judged(text).kind != "held"


@pytest.mark.parametrize(
    "text",
    ["We cut it, and then", "It was slow. Then", "So it was like", "If it's every epoch, then", "if it is every epoch then"],
)
def test_and_those_that_are(text: str) -> None:
    assert judged(text).kind == "held"


@pytest.mark.parametrize("text", ["后来每个团队都分到了自己的配额", "一月份刚走了一个。", "我排在第一个。"])
def test_chinese_words_that_only_look_like_hesitation(text: str) -> None:
    """配额, a quota, ends with the character that recognisers also write for "uh"."""
    assert judged(text, "zh").kind != "held"


@pytest.mark.parametrize("text", ["我选第二个，因为快。", "不过还好。"])
def test_a_short_reason_in_chinese_is_a_reason(text: str) -> None:
    assert judged(text, "zh").kind != "held"


@pytest.mark.parametrize(
    "text", ["我们就，额", "我们当时做了一个", "我想要一个", "因为一般。", "但是上个季度", "我跟两边谈完之后。", "看完后"]
)
def test_and_chinese_ones_that_are(text: str) -> None:
    assert judged(text, "zh").kind == "held"


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I didn't catch that. Could you repeat the question please?",
        "Can you say that again?",
        "Pardon?",
        "I don't understand the question.",
        "What was the question again?",
        "不好意思，没听清，能再说一遍吗？",
        "你问的是什么？",
        "能换个说法吗",
    ],
)
def test_a_turn_may_ask_for_what_was_said_last_once_more(text: str) -> None:
    assert asks_again(text, ENDINGS)


@pytest.mark.parametrize(
    "text",
    [
        "What do you mean by priority?",
        "你说的优先级是指什么？",
        "I'd repeat the experiment with two teams.",
        "The first thing I'd do is sit down with the customer. They didn't hear it from us, so I'd say why.",
        "I didn't get it approved.",
    ],
)
def test_other_turns_do_not(text: str) -> None:
    assert not asks_again(text, ENDINGS)
