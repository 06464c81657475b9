"""Sounds of listening: now and then, after whole clauses, and nothing else changes by them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.fakes.content import PERSONA, content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    EchoDropped,
    Event,
    FlagRaised,
    FloorYielded,
    Interrupted,
    Language,
    MoveChosen,
    PauseSpeaking,
    QuestionAsked,
    ReplyExpected,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopSpeaking,
    TurnAssessed,
    TurnEnded,
    VoiceStopped,
    WordsCommitted,
)
from voiceprep.core.interviewer.backchannels import WHOLE
from voiceprep.core.interviewer.phrases import known_lines
from voiceprep.core.pack import Line, Persona
from voiceprep.core.policy import Policy
from voiceprep.live.assembly import assemble, replay

SOUNDS = Line("tester.backchannels", {"en": ("Mm-hm.", "Right.", "Okay."), "zh": ("嗯。", "对。", "好。")})
LISTENER = replace(PERSONA, reluctance=6.0, room=4.0, backchannels=SOUNDS, backchannel_every=30.0)
ON = Policy(captions=False, backchannels=True)
CLAUSE = "our gpu cluster had a long queue and every team wanted more of it than there was."
BROKEN = "our gpu cluster had a long queue and every team wanted more of it because the"


def lecture(
    persona: Persona = LISTENER,
    policy: Policy = ON,
    text: str = CLAUSE,
    pause: float = 0.8,
    language: Language = "en",
    until: float = 300.0,
    decode: float = 0.15,
) -> Table:
    """Ten seconds of speech, a pause, and so on."""
    t = Table(content(persona), policy=policy, language=language, decode=decode)
    t.start()
    now = 5.0
    while now < until:
        t.say(now, now + 10, f"in part {round(now)} {text}")
        now += 10 + pause
    t.stop(now + 1)
    t.run()
    return t


def sounds(log: list[Event]) -> list[Speak]:
    return [event for event in of_kind(log, Speak) if event.move == "backchannel"]


def without(log: list[Event]) -> list[Event]:
    """The log as it would be if nobody had made a sound of listening."""
    ours = {event.id for event in sounds(log)}
    return [
        event
        for event in log
        if not (isinstance(event, Speak | MoveChosen) and event.move == "backchannel")
        and not (isinstance(event, SpeakingStarted | SpeakingFinished) and event.of in ours)
    ]


def test_they_come_after_whole_clauses_as_often_as_the_persona_says() -> None:
    log = lecture().log
    said = sounds(log)
    assert 5 <= len(said) <= 9
    assert all(later.at - earlier.at >= LISTENER.backchannel_every for earlier, later in pairwise(said))
    assert said[0].at >= 5 + LISTENER.backchannel_every
    assert [event.text for event in said[:4]] in (
        [["Mm-hm.", "Right.", "Okay."][(first + n) % 3] for n in range(4)] for first in range(3)
    )
    for event in said:
        stopped = max(e.media for e in of_kind(log, VoiceStopped) if e.at <= event.at)
        breath = max(e.at for e in of_kind(log, SilenceChanged) if e.state == "breath" and e.at <= event.at)
        assessed = next(e for e in reversed(log[: log.index(event)]) if isinstance(e, TurnAssessed))
        assert 0 < event.at - stopped < 1.0
        assert event.at <= breath + 0.2
        assert assessed.roundness >= WHOLE
    moves = [e for e in of_kind(log, MoveChosen) if e.move == "backchannel"]
    assert [(e.at, e.phrase, e.target) for e in moves] == [(e.at, "tester.backchannels", "") for e in said]


def test_in_chinese_too() -> None:
    whole = "我 们 把 队 列 改 成 了 按 权 重 分"
    said = sounds(lecture(language="zh", text=whole).log)
    assert said
    assert {(event.text, event.language) for event in said} <= {(text, "zh") for text in SOUNDS.phrasings["zh"]}
    assert sounds(lecture(language="zh", text="后 来 每 个 团 队 都 分 到 了 然 后 那 个").log) == []


def test_nothing_else_in_the_log_changes() -> None:
    """Neither flags nor silences, turns, questions, words or what is given way to."""
    for pause in (0.8, 12.0):
        with_them, plain = lecture(pause=pause), lecture(pause=pause, policy=replace(ON, backchannels=False))
        assert sounds(with_them.log)
        assert sounds(plain.log) == []
        assert without(with_them.log) == plain.log
        assert {"monologue"} <= {e.rule for e in of_kind(plain.log, FlagRaised)} or pause > 1
    assert {e.rule for e in of_kind(lecture(pause=12.0).log, FlagRaised)} >= {"long_pause"}


def test_it_takes_no_turn_asks_nothing_and_gives_no_way() -> None:
    log = lecture(pause=0.4, decode=0.05).log  # the candidate goes on while it sounds
    said = sounds(log)
    assert said
    over = {e.of: e for e in of_kind(log, SpeakingFinished)}
    assert all(over[event.id].complete for event in said)
    ours = {event.id for event in said}
    assert not ours & {e.of for e in of_kind(log, QuestionAsked)}
    assert not ours & {e.of for e in log if isinstance(e, PauseSpeaking | StopSpeaking)}
    assert of_kind(log, Interrupted) == []
    assert [e.speaker for e in of_kind(log, TurnEnded)] == ["interviewer", "candidate"]


def test_none_in_the_middle_of_a_clause() -> None:
    assert sounds(lecture(text=BROKEN).log) == []


@pytest.mark.parametrize(
    ("persona", "policy"),
    [(replace(LISTENER, backchannels=None), ON), (LISTENER, Policy(captions=False)), (LISTENER, replace(ON, recogniser=False))],
    ids=["a persona without them", "switched off", "nobody knows what is said"],
)
def test_none_where_there_are_none(persona: Persona, policy: Policy) -> None:
    assert sounds(lecture(persona, policy).log) == []


def test_at_once_or_not_at_all() -> None:
    """A draft that comes late tells too late that the clause was whole."""
    assert sounds(lecture(decode=1.2, pause=1.5).log) == []


def test_a_train_of_thought_that_was_just_found_again_is_left_alone() -> None:
    def after(gap: float) -> list[Speak]:
        """Speech until 45, five seconds of thinking, then a clause of `gap` seconds, a breath, and more."""
        t = Table(content(LISTENER), policy=ON, decode=0.15)
        t.start()
        t.say(5, 45, BROKEN)
        t.say(50, 50 + gap, CLAUSE)
        t.say(50 + gap + 0.8, 70, BROKEN)
        t.stop(71)
        return sounds(t.run())

    assert after(2.0) == []
    assert len(after(4.0)) == 1


def test_none_when_the_reply_is_about_to_come() -> None:
    t = Table(content(replace(LISTENER, reluctance=1.0, room=1.0)), policy=ON, decode=0.15)
    t.start()
    t.say(5, 60, "our gpu cluster had a queue and i decided who goes first and that's my answer")
    log = t.run(until=64)
    (expected,) = of_kind(log, ReplyExpected)
    assert expected.after < 2.0
    assert of_kind(log, FloorYielded)
    assert sounds(log) == []


def test_its_own_echo_is_no_word_of_the_answer() -> None:
    """A canceller lets a little through: the recogniser hears "mm-hm", where nobody else has spoken."""
    t = Table(content(LISTENER), policy=ON, decode=0.15)
    t.start()
    t.say(5, 45, CLAUSE)
    t.run(until=46)
    (sound,) = sounds(t.log)
    t.say(sound.at + 0.3, sound.at + 0.6, "mm-hm")
    t.say(50, 60, CLAUSE)
    t.stop(62)
    log = t.run()
    said = [word.text for event in of_kind(log, WordsCommitted) for word in event.words]
    assert said == [*CLAUSE.split(), *CLAUSE.split()]
    assert [word.text for event in of_kind(log, EchoDropped) for word in event.words] == ["mm-hm"]


def test_an_answer_that_goes_on_with_such_a_word_keeps_it() -> None:
    t = Table(content(LISTENER), policy=ON, decode=0.15)
    t.start()
    t.say(5, 45, CLAUSE)
    t.run(until=46)
    (sound,) = sounds(t.log)
    t.say(sound.at + 0.5, sound.at + 4, "right so then we")
    t.stop(sound.at + 8)
    log = t.run()
    assert [word.text for event in of_kind(log, WordsCommitted) for word in event.words][-4:] == ["right", "so", "then", "we"]


def test_a_replay_makes_the_same_sounds() -> None:
    t = lecture()
    assert replay(t.log, assemble(content(LISTENER), ON, "en", 1)) == t.log


def test_they_are_rendered_ahead() -> None:
    assert set(SOUNDS.phrasings["zh"]) <= set(known_lines(content(LISTENER).round, "zh", 1))
