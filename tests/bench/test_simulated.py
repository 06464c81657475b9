"""The simulated candidates: they have something to say to everything, say it the same each time, and behave as people do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.simulated import characters
from bench.simulated.characters import ASKS, IDS, Answer, Asked, Character, Chooser, load_character
from bench.simulated.hearing import interview
from bench.simulated.meeting import Meeting, hold, pieces_of
from tests.fakes.content import content
from voiceprep.content import load_rounds
from voiceprep.core.events import Language, MoveKind, Speak
from voiceprep.core.pack import Content
from voiceprep.errors import BadInputError

MOVES: tuple[MoveKind, ...] = ("question", "followup", "pushback", "curveball", "probe_detail", "forced_choice", "move_on")
PACKS = load_rounds()


def character(*sayings: str, before: float = 1.0, thinking: float = 4.0) -> Character:
    """Says these in turn, whatever is asked."""
    nothing: frozenset[str] = frozenset()
    talk = Answer("talk", nothing, nothing, nothing, nothing, {"en": sayings, "zh": sayings})
    asks = Answer(
        "asks", nothing, frozenset({ASKS}), nothing, nothing, {"en": ("No more questions.",), "zh": ("没有问题了。",)}
    )
    return Character("made-up", "", (before, before), (thinking, thinking), {"en": 2.5, "zh": 4.0}, (talk, asks))


def test_there_is_a_file_for_each_candidate_and_none_besides() -> None:
    assert sorted(path.stem for path in characters.DATA.glob("*.toml")) == sorted(IDS)


@pytest.mark.parametrize("candidate", IDS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_has_something_to_say_to_everything_that_can_be_asked(candidate: str, language: Language) -> None:
    chooser = Chooser(load_character(candidate), language, 1)
    kinds = {question.kind for pack in PACKS.values() for question in pack.questions}
    for kind in sorted(kinds):
        for move in MOVES:
            assert chooser.next(Asked("?", move, "number", "some-question", kind)).sounds
    assert chooser.next(Asked("?", "move_on", "", "", ASKS)).sounds
    assert chooser.next(Asked("?", "answer", "", "", ASKS)).sounds


@pytest.mark.parametrize("candidate", IDS)
def test_chinese_is_chinese_and_english_is_english(candidate: str) -> None:
    for answer in load_character(candidate).answers:
        assert all(any("一" <= letter <= "鿿" for letter in saying) for saying in answer.says["zh"])
        assert not any("一" <= letter <= "鿿" for saying in answer.says["en"] for letter in saying)


def test_what_an_answer_is_bound_to_exists() -> None:
    questions = {question.id for pack in PACKS.values() for question in pack.questions}
    for candidate in IDS:
        for answer in load_character(candidate).answers:
            assert answer.questions <= questions, (candidate, answer.id)


def test_the_closest_answer_is_said_first_and_then_another() -> None:
    chooser = Chooser(load_character("strong"), "en", 1)
    asked = Asked("How big?", "followup", "number", "some-question", "project")
    first, second = chooser.next(asked), chooser.next(asked)
    assert first.id != second.id
    assert "number" in first.targets
    assert "number" in second.targets


def test_a_saying_may_answer_one_target_alone() -> None:
    rows = list(characters._answers("x", {"targets": ["metric"], "en": ["@number,tradeoff Forty.", "The wait."], "zh": []}))
    assert [(sorted(row.targets), row.says["en"]) for row in rows] == [
        (["number", "tradeoff"], ("Forty.",)),
        (["metric"], ("The wait.",)),
    ]


def test_a_file_with_a_mistake_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.toml").write_text('about = "x"\nbefore = [1, 2]\npace = {en = 2, zh = 4}\n[[answers]]\nwords = ["hm"]\n')
    monkeypatch.setattr(characters, "DATA", tmp_path)
    with pytest.raises(BadInputError, match=r"odd\.toml.*words"):
        load_character("odd")


def test_words_are_those_of_a_recogniser() -> None:
    assert pieces_of("那个 GPU 队列，我定的。") == ["那", "个", "GPU", "队", "列，", "我", "定", "的。"]
    assert pieces_of("他说“不行”。") == ["他", "说", "“不", "行”。"]
    assert pieces_of("From 7 to 2.") == ["From", "7", "to", "2."]


def test_the_same_candidate_gives_the_same_session() -> None:
    first, again = (hold("anyscale-culture", load_character("rambling"), "en") for _ in range(2))
    assert first.log == again.log
    other = hold("anyscale-culture", load_character("rambling"), "en", seed=2)
    assert other.log != first.log


def test_every_answer_is_heard_by_the_core_as_it_was_said() -> None:
    meeting = hold("anyscale-culture", load_character("strong"), "en")
    held = interview(meeting.log, meeting.content.round, "en")
    heard = [line.answer for line in held.lines if line.answer]
    said = [" ".join(sound.text for sound in one.text.sounds) for one in meeting.said if one.complete]
    assert len(said) > 8
    assert sum(text in heard for text in said) >= len(said) - 1


def _patient() -> Content:
    made = content()
    persona = replace(made.round.persona, patience_short=0.5, patience_long=3.0)
    return replace(made, round=replace(made.round, persona=persona))


def test_who_is_talked_over_while_thinking_keeps_the_rest_and_it_is_known() -> None:
    meeting = Meeting(
        _patient(), character("We had a queue of jobs on the gpu cluster and then | I decided it.", thinking=60.0), "en"
    )
    meeting.hold()
    first = meeting.cut_ins[0]
    assert (first.pause, first.meant) == ("hesitation", False)
    assert first.after == "We had a queue of jobs on the gpu cluster and then"
    assert not meeting.said[0].complete


def test_a_short_thought_is_waited_for() -> None:
    meeting = Meeting(
        content(), character("We had a queue of jobs on the gpu cluster and then we, um | I decided it.", thinking=3.0), "en"
    )
    meeting.hold()
    assert meeting.said[0].complete
    assert not meeting.cut_ins


def test_nobody_waits_for_ever() -> None:
    """Words that no interviewer takes for an answer: the candidate adds something, and the session comes to its end."""
    meeting = hold("anyscale-culture", load_character("gibberish"), "zh")
    assert sum(isinstance(event, Speak) for event in meeting.log) > 5
    assert meeting.conductor.ended
