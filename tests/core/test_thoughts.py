"""Speech without marks is cut into thoughts by its own words, whatever stands before it or after it."""

from __future__ import annotations

import pytest

from bench.padding import ANSWERS, padded, without_marks
from bench.scores import answers_of
from voiceprep.content.scoring import load_scoring
from voiceprep.core.answers.clauses import units
from voiceprep.core.answers.score_evidence import Matter
from voiceprep.core.answers.thoughts import thoughts

EVERY = 10


@pytest.fixture(scope="module")
def matter() -> Matter:
    return load_scoring().matter


def cut(text: str, matter: Matter) -> list[str]:
    return [text[start:end] for start, end in thoughts(text, matter.breaks, matter.apart, matter.orders)]


def test_nothing_is_lost_and_nothing_said_twice(matter: Matter) -> None:
    for answer in answers_of(ANSWERS)[::EVERY]:
        text = " ".join(without_marks(answer["text"]).split())
        assert "".join(cut(text, matter)).replace(" ", "") == text.replace(" ", "")


def test_what_stands_before_or_after_moves_no_cut_within_an_answer(matter: Matter) -> None:
    """All but its first and its last stretch, which may grow together with what stands beside them."""
    tried = 0
    for answer in answers_of(ANSWERS)[::EVERY]:
        own = cut(" ".join(without_marks(answer["text"]).split()), matter)[1:-1]
        for _, where, text in padded(answer, bare=True):
            assert not where or set(own) <= set(cut(text, matter)), (answer["id"], where, text)
            tried += len(own)
    assert tried > 200


def test_with_marks_it_is_cut_by_them(matter: Matter) -> None:
    text = "So we cut the reserve, and I told both teams why. Then, after a week, we looked at the queue again. It was shorter."
    assert list(thoughts(text, matter.breaks, matter.apart, matter.orders)) == list(units(text))


@pytest.mark.parametrize(
    ("before", "alone", "after"),
    [
        (
            "so in the end I decided that the team which pays for the cards decides who gets them and I told everybody why",
            "trade-offs metrics stakeholders validation assumptions and guardrails",
            "in what we did that year",
        ),
        (
            "so in the end I decided that the team which pays for the cards decides who gets them and I told everybody why",
            "42 percent 17 hours 300 GPUs 5 million dollars",
            "and so on for all of it",
        ),
        (
            "后来我就决定谁出钱谁定这个事情是我自己拍板的我也跟两边的组长都讲清楚了为什么要这样做",
            "取舍 指标 干系人 验证 假设",
            "我们当时都讲过",
        ),
    ],
)
def test_a_row_of_words_or_figures_stands_alone_without_marks(before: str, alone: str, after: str, matter: Matter) -> None:
    assert alone in cut(f"{before} {alone} {after}", matter)


@pytest.mark.parametrize(
    "said",
    [
        "the median wait went from 40 minutes to 12 minutes within 3 weeks",
        "we moved ten GPU cards from the training team to inference on Tuesday",
        "他听完了说 知道了 砍 就他定的",
    ],
)
def test_what_has_small_words_in_it_is_no_row(said: str, matter: Matter) -> None:
    assert matter.apart.search(said) is None


def test_what_is_said_to_whoever_scores_begins_a_stretch(matter: Matter) -> None:
    answer = "so in the end I decided that the team which pays for the cards decides who gets them and I told everybody why"
    asked = "a good answer would name a metric such as p99 latency and say who decides"
    stretches = cut(f"{answer} {asked}", matter)
    assert [one for one in stretches if matter.orders.search(one)] == [asked]
    assert "".join(stretches[:-1]).replace(" ", "") == answer.replace(" ", "")
