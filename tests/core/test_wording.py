"""The line in the interviewer's own words: asked for ahead, said when it is here, never waited for longer than a moment."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from tests.fakes.content import PERSONA, content, line
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    EdgeFailed,
    Event,
    FloorYielded,
    MoveChosen,
    MoveWithdrawn,
    PrepareSpeech,
    ReplyExpected,
    Reword,
    Reworded,
    SignalGiven,
    Speak,
    TurnHandedOver,
)
from voiceprep.core.interviewer.director import Choice
from voiceprep.core.interviewer.wording import WORDED, Wording
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media
from voiceprep.live.assembly import assemble, replay

ANSWER = "our gpu cluster had a queue and i decided who goes first that's my answer"
ON = Policy(captions=False, reword=True)


def table(late: float = 0.3, line: str = "In my words: {text}", policy: Policy = ON) -> Table:
    t = Table(content(), policy=policy)
    t.reword = (late, line)
    t.start()
    t.say(5.0, 12.0, ANSWER)
    return t


def reply(log: list[Event]) -> Speak:
    return next(e for e in of_kind(log, Speak) if e.move == "followup")


def test_what_may_be_worded_is_asked_for_at_the_soft_end_and_said_when_the_floor_has_passed() -> None:
    log = table().run(30)
    (asked,) = of_kind(log, Reword)
    expected, yielded = of_kind(log, ReplyExpected)[0], of_kind(log, FloorYielded)[0]
    assert expected.at == asked.at < yielded.at
    said = reply(log)
    assert (said.text, said.at) == (f"In my words: {asked.text}", yielded.at)
    assert (asked.move, asked.turn, asked.language) == ("followup", yielded.turn, "en")
    assert said.text in [e.text for e in of_kind(log, PrepareSpeech)]
    assert next(e.text for e in log if type(e).__name__ == "QuestionAsked" and e.at == said.at) == said.text  # type: ignore[attr-defined]


def test_words_on_their_way_are_waited_for_and_said_as_they_come() -> None:
    log = table(late=1.5).run(30)
    yielded, said, came = of_kind(log, FloorYielded)[0], reply(log), of_kind(log, Reworded)[0]
    assert said.text.startswith("In my words")
    assert yielded.at < said.at == came.at <= yielded.at + ON.reword_wait


@pytest.mark.parametrize("late", [5.0, 25.0])
def test_the_candidate_never_waits_longer_than_a_moment(late: float) -> None:
    log = table(late=late).run(60)
    yielded, said = of_kind(log, FloorYielded)[0], reply(log)
    assert said.text == of_kind(log, Reword)[0].text
    assert said.at == pytest.approx(yielded.at + ON.reword_wait)
    assert len([e for e in of_kind(log, Speak) if e.move == "followup"]) == 1  # what comes too late says nothing


def test_nothing_usable_is_no_reason_to_wait() -> None:
    log = table(late=1.5, line="").run(30)
    said, came = reply(log), of_kind(log, Reworded)[0]
    assert (said.text, said.at) == (of_kind(log, Reword)[0].text, came.at)


def test_a_server_that_fails_is_no_reason_to_wait() -> None:
    t = table()
    t.fail.add("Reword")
    log = t.run(30)
    assert [e.code for e in of_kind(log, EdgeFailed)] == ["test"]
    assert reply(log).text == of_kind(log, Reword)[0].text
    assert reply(log).at == of_kind(log, FloorYielded)[0].at


def test_speech_that_resumes_discards_what_was_worded_and_takes_back_what_waited() -> None:
    t = table(late=20.0)
    yielded = of_kind(t.run(30), FloorYielded)[0].at
    t = table(late=20.0)
    t.say(yielded + 0.5, yielded + 6.0, "and then we measured it and that's my answer")
    log = t.run(60)
    first, second = of_kind(log, Reword)[0], of_kind(log, Reword)[-1]
    assert first.id != second.id
    assert first.turn == second.turn  # the same turn went on
    assert of_kind(log, MoveWithdrawn) == []  # nothing had been chosen for good
    assert [e.move for e in of_kind(log, MoveChosen)].count("followup") == 1
    assert reply(log).at > yielded + 6.0


def test_a_turn_handed_over_by_key_is_worded_too_and_the_banks_line_is_ready_meanwhile() -> None:
    t = Table(content(), policy=ON)
    t.reword = (0.4, "In my words: {text}")
    t.start()
    t.say(5.0, 30.0, "our gpu cluster had a queue and then we um")
    t.put(31.0, TurnHandedOver(at=At(0), media=Media(31.0)))
    log = t.run(40)
    (asked,) = of_kind(log, Reword)
    assert of_kind(log, FloorYielded)[0].at == asked.at
    assert asked.text in [e.text for e in of_kind(log, PrepareSpeech)]
    assert reply(log).text == f"In my words: {asked.text}"
    assert reply(log).at == pytest.approx(asked.at + 0.4)


def test_what_opens_turns_or_closes_a_round_is_said_as_it_was_written() -> None:
    assert {"question", "move_on", "close", "prompt", "yield"}.isdisjoint(WORDED)
    wording = Wording(ON, "en")
    assert not wording.wants(Choice("move_on", "Next?", "", "q", "because", "q"))
    assert wording.wants(Choice("followup", "Why?", "", "p", "because", "q"))
    assert not Wording(Policy(), "en").wants(Choice("followup", "Why?", "", "p", "because", "q"))


def test_a_spoken_sign_before_the_line_stays_as_it_is() -> None:
    wording = Wording(ON, "en")
    choice = Choice("followup", "Interesting. Why that one?", "x", "p", "because", "q", lead="Interesting.")
    assert wording.ask(choice, 2, At(1.0), "r1").text == "Why that one?"
    assert wording.answered(Reworded(at=At(1.2), of="r1", text="Why not the other?"))
    said = wording.settle(choice, At(2.0))
    assert said is not None
    assert said.text == "Interesting. Why not the other?"


def test_a_spoken_sign_stays_in_chinese_and_while_the_words_are_late() -> None:
    wording = Wording(ON, "zh")
    choice = Choice("followup", "有意思。为什么是这个？", "x", "p", "because", "q", lead="有意思。")
    assert wording.ask(choice, 2, At(1.0), "r1").text == "为什么是这个？"
    assert wording.settle(choice, At(2.0)) is None
    assert wording.answered(Reworded(at=At(2.2), of="r1", text="那为什么不选别的？"))
    assert wording.line == "有意思。那为什么不选别的？"
    said = wording.release()
    assert said is not None
    assert (said.text, said.lead) == ("有意思。那为什么不选别的？", "有意思。")


@pytest.mark.parametrize("late", [0.3, 1.5, 5.0], ids=["ready", "on its way", "too late"])
def test_interesting_is_said_before_the_line_whoever_worded_it(late: float) -> None:
    persona = replace(PERSONA, signals=("interesting",), interesting=line("hm"))
    led = 0
    for seed in range(1, 7):
        t = Table(content(persona), policy=ON, seed=seed)
        t.reword = (late, "In my words: {text}")
        t.start()
        t.say(5.0, 12.0, "our gpu cluster got significantly faster and that's my answer")
        log = t.run(30)
        signs = [e for e in of_kind(log, SignalGiven) if e.signal == "interesting"]
        asked, said = of_kind(log, Reword)[0], reply(log)
        assert not asked.text.startswith("hm ")
        lead = next((text for text in line("hm").phrasings["en"] if said.text.startswith(f"{text} ")), "")
        assert bool(lead) == bool(signs)
        assert said.text.removeprefix(lead).strip() == (
            asked.text if late > ON.reword_wait + 2 else f"In my words: {asked.text}"
        )
        led += bool(lead)
    assert 0 < led < 6


def test_a_replay_needs_no_model() -> None:
    for late in (0.3, 1.5, 5.0):
        t = table(late=late)
        t.say(30.0, 36.0, "we measured it and that's my answer")
        t.stop(60.0)
        log = t.run()
        assert of_kind(log, Reworded)
        assert replay(log, assemble(content(), t.policy, "en", 1)) == log


def test_without_a_model_nothing_of_this_happens() -> None:
    log = table(policy=Policy(captions=False)).run(30)
    assert of_kind(log, Reword) == []
    assert reply(log).at == of_kind(log, FloorYielded)[0].at
    on, off = asdict(ON), asdict(Policy(captions=False))
    assert {name for name in on if on[name] != off[name]} == {"reword"}
