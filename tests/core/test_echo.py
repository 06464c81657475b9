"""The interviewer's own words, come back as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    EchoDropped,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnAssessed,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.listening.echo import OwnVoice, is_echo, tokens
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media

ASKED = "Tell me about the hardest resource conflict between teams. What was scarce, and who wanted it?"
ASKED_ZH = "请讲一个团队之间争抢 GPU 资源的例子，你当时是怎么决定的？"


def words(text: str, start: float = 0.0, step: float = 0.3) -> tuple[Word, ...]:
    """One after another from `start`; Chinese by characters, as a recogniser has them."""
    return tuple(
        Word(piece, Media(start + n * step), Media(start + (n + 1) * step), 0.9) for n, piece in enumerate(tokens(text))
    )


def voice(text: str, start: float, end: float | None) -> OwnVoice:
    """An interviewer who says `text` from `start` to `end` of the recording, or still says it."""
    own = OwnVoice()
    own.handle(Speak(at=At(0), id="s1", text=text, language="en", move="question"))
    own.handle(SpeakingStarted(at=At(start), of="s1", media=Media(start)))
    if end is not None:
        finished = SpeakingFinished(at=At(end), of="s1", media=Media(end), heard=text, seconds=end - start, complete=True)
        own.handle(finished)
    return own


@pytest.mark.parametrize(
    ("heard", "echo"),
    [
        ("tell me about the hardest resource conflict between teams", True),
        ("about the hardest recourse conflict between themes what was scars", True),  # misheard here and there
        ("what was scarce and who wanted it", True),
        ("what was scarce", False),  # a candidate takes it up
        ("yes", False),
        ("the hardest conflict we had was about the last forty machines", False),
        ("the hardest one was between search and ads who both wanted the new cards that week", False),
        ("teams between conflict resource hardest the about me tell", False),  # the same words, but not in order
        ("", False),
    ],
)
def test_case_073_its_own_words_are_told_from_an_answer(heard: str, echo: bool) -> None:
    assert is_echo(words(heard), ASKED) is echo


@pytest.mark.parametrize(
    ("heard", "echo"),
    [
        ("请讲一个团队之间争抢 GPU 资源的例子", True),
        ("讲一个团对之间增抢资源的例子你当时是怎么决定的", True),
        ("怎么决定的", False),
        ("对", False),
        ("我们当时有四百张卡，两个团队都要，我决定按季度分", False),
    ],
)
def test_case_073_in_chinese_it_goes_by_characters(heard: str, echo: bool) -> None:
    assert is_echo(words(heard), ASKED_ZH) is echo


def test_case_075_an_echo_goes_and_a_fast_yes_after_it_stays() -> None:
    own = voice(ASKED, 2.0, 8.0)
    heard = words("and who wanted it", 7.2) + words("yes", 8.6) + words("it was us", 9.3)
    assert text_of(own.left(heard)) == "yes it was us"


def test_an_answer_that_follows_its_echo_without_a_pause_is_kept_whole() -> None:
    own = voice(ASKED, 2.0, 8.0)
    heard = words("what was scarce and who wanted it", 6.0, 0.28) + words("well machines were scarce", 8.0, 0.2)
    assert text_of(own.left(heard)) == "well machines were scarce"


def test_who_says_the_question_again_a_moment_later_is_kept() -> None:
    own = voice(ASKED, 2.0, 8.0)
    again = words("the hardest resource conflict between teams that was", 9.2)
    assert own.left(again) == again


def test_what_is_said_before_anything_was_asked_is_kept() -> None:
    own = voice(ASKED, 10.0, None)
    early = words("tell me about the hardest resource conflict", 2.0)
    assert own.left(early) == early


def test_while_the_line_still_sounds_its_end_is_open() -> None:
    assert voice(ASKED, 2.0, None).left(words("what was scarce and who wanted it", 5.0)) == ()


@given(st.lists(st.sampled_from(["yes", "no", "well", "we", "had", "嗯", "对", "quota", "scarce", "teams"]), max_size=30))
def test_what_is_left_is_in_order_and_was_heard(said: list[str]) -> None:
    heard = tuple(Word(text, Media(2 + n * 0.2), Media(2.2 + n * 0.2), 0.9) for n, text in enumerate(said))
    left = voice(ASKED, 2.0, 8.0).left(heard)
    assert [word for word in heard if word in left] == list(left)
    assert voice("Go on.", 2.0, 8.0).left(heard) == heard


def test_case_073_an_echo_is_no_answer_and_the_log_says_so() -> None:
    """The interviewer's question comes back as speech just after it: no words of the candidate, and the question stands."""
    t = Table(content())
    t.start()
    t.run(until=0.1)
    asked = of_kind(t.log, Speak)[0]
    t.run(until=0.3)
    end = 0.2 + len(asked.text) / 15
    t.say(end - 1.0, end + 0.9, " ".join(asked.text.split()[-6:]))
    t.run(until=end + 20)
    t.stop(end + 21)
    t.run()
    assert of_kind(t.log, WordsCommitted) == []
    assert all(e.words == () for e in of_kind(t.log, WordsHeard))
    assert of_kind(t.log, TurnAssessed) == [] or all(e.evidence == () for e in of_kind(t.log, TurnAssessed))
    dropped = of_kind(t.log, EchoDropped)
    assert len(dropped) == 1
    assert len(dropped[0].words) == 6
