"""Who speaks when: playbooks on paper."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.content import PERSONA, content, line
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    AudioGap,
    Draft,
    FlagRaised,
    FloorYielded,
    Hypothesize,
    Interrupted,
    InterruptionDue,
    MoveChosen,
    MoveWithdrawn,
    PauseSpeaking,
    PrepareSpeech,
    ReplyExpected,
    ResumeSpeaking,
    SessionClosing,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    StopSpeaking,
    TurnAssessed,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceSuspected,
    WordsCommitted,
)
from voiceprep.core.interviewer.director import ONCE_MORE
from voiceprep.core.pack import Interjection
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media

ANSWER = "the gpu cluster had a long queue and i decided to change it"


def table(**how: object) -> Table:
    made = Table(content(), **how)  # type: ignore[arg-type]
    made.start()
    return made


def yields(t: Table) -> list[FloorYielded]:
    return of_kind(t.log, FloorYielded)


def candidate_turns(t: Table) -> list[TurnEnded]:
    return [e for e in of_kind(t.log, TurnEnded) if e.speaker == "candidate"]


def test_pauses_inside_an_answer_keep_the_floor() -> None:
    t = table()
    t.say(5, 12, "we had a gpu cluster and")
    t.say(18, 30, "a long queue so")
    t.say(45, 60, "i decided to change it")
    t.run(until=60)
    assert candidate_turns(t) == []
    assert [e.state for e in of_kind(t.log, SilenceChanged)] == ["breath", "thinking"] * 2


def test_who_lectures_on_the_subject_keeps_the_floor_at_natural_pauses() -> None:
    """A reply may begin in one of the first, longest pauses; the candidate goes on, and it is taken back."""
    t = Table(content(replace(PERSONA, reluctance=6.0)))
    t.start()
    now, luck = 5.0, random.Random(1)
    while now < 755:
        t.say(now, now + 20, ANSWER + " and we measured it.")
        now += 20 + luck.uniform(0.5, 3.0)
    t.run(until=755)
    assert len(yields(t)) <= 2
    assert candidate_turns(t) == []
    assert [e.level for e in of_kind(t.log, FlagRaised) if e.rule == "monologue"] == ["notice", "warning", "fail"]


def test_lost_audio_is_nobody_s_silence() -> None:
    t = table()
    t.say(5, 12, ANSWER + " and then")
    t.put(21, AudioGap(at=At(0), start=Media(13), end=Media(21), reason="stalled"))
    t.run(until=35)
    assert [float(e.start) for e in of_kind(t.log, FlagRaised) if e.rule == "long_pause"] == [21.0]


def test_a_closing_phrase_hands_the_floor_over_within_the_short_patience() -> None:
    t = table()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.run(until=40)
    (ended,) = candidate_turns(t)
    assert ended.reason == "yielded"
    assert ended.media == Media(30)
    assert yields(t)[0].at == pytest.approx(30 + PERSONA.patience_short, abs=0.01)


def test_an_answer_that_has_hardly_begun_is_waited_for_more_than_46_seconds() -> None:
    t = table()
    t.say(5, 9, "it was the first great sorrow of his life")
    t.say(55, 60, "it was not so much the loss")
    t.run(until=60)
    assert candidate_turns(t) == []


BREAD = "On Sundays I bake bread with my sister."


def test_who_ends_a_sentence_that_answers_nothing_is_not_left_alone_with_it() -> None:
    t = table()
    t.say(5, 9, BREAD)
    t.run(until=9 + PERSONA.patience_long)
    assert 9 + 46 < yields(t)[0].at < 9 + PERSONA.patience_long * 0.6
    assert of_kind(t.log, MoveChosen)[-1].reason == ONCE_MORE


@pytest.mark.parametrize("rest", ["And then we um", "Let me think."])
def test_who_breaks_off_or_asks_for_time_has_the_whole_patience(rest: str) -> None:
    t = table()
    t.say(5, 9, f"{BREAD} {rest}")
    t.run(until=9 + PERSONA.patience_long * 0.9)
    assert yields(t) == []


def test_a_late_transcript_is_waited_for() -> None:
    t = table(decode=12.0)
    t.say(5, 20, ANSWER + " and that's my answer")
    t.run(until=60)
    assert [e.at for e in yields(t)] == [pytest.approx(20 + 0.2 + 4.0, abs=0.01)]


def test_a_recogniser_that_never_answers_does_not_stop_the_interview() -> None:
    t = table(decode=1e6)
    t.say(5, 30, ANSWER)
    t.run(until=200)
    assert len(candidate_turns(t)) == 1
    assert len(of_kind(t.log, Speak)) == 2


def test_without_a_recogniser_the_floor_passes_by_silence_and_by_key() -> None:
    t = table(policy=Policy(recogniser=False))
    t.say(5, 30)
    t.run(until=80)
    assert candidate_turns(t) == []
    t.run(until=91)
    assert [e.at for e in yields(t)] == [pytest.approx(30 + t.policy.unheard_patience)]
    t.say(100, 110)
    t.put(112, TurnHandedOver(at=At(0), media=Media(112)))
    t.run(until=114)
    assert [e.reason for e in candidate_turns(t)] == ["yielded", "handed-over"]


def test_handing_over_while_still_speaking_waits_for_the_words_and_is_no_interruption() -> None:
    t = table()
    t.say(5, 30, ANSWER)
    t.put(25, TurnHandedOver(at=At(0), media=Media(25)))
    t.run(until=29)
    (ended,) = candidate_turns(t)
    assert ended.reason == "handed-over"
    assert of_kind(t.log, WordsCommitted)[0].turn == ended.turn
    assert of_kind(t.log, Interrupted) == []


def test_a_cough_is_no_answer_and_the_question_stands() -> None:
    t = table()
    t.say(5, 5.4, "")
    t.run(until=200)
    assert [e.reason for e in candidate_turns(t)] == ["no-words"]
    assert len(of_kind(t.log, Speak)) == 1


class TestBargeIn:
    """The opening sounds from 0.2 to about 1.9 s; the follow-up after the first answer is spoken from 31.7 s on."""

    def until_follow_up(self) -> Table:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=31.6)
        return t

    def test_speech_over_the_interviewer_stops_it_after_half_a_second(self) -> None:
        t = self.until_follow_up()
        t.say(33.3, 45.0, "sorry one more thing i measured it")
        t.run(until=46)
        (stop,) = of_kind(t.log, StopSpeaking)
        assert stop.at == pytest.approx(33.3 + t.policy.barge_in + t.policy.lull)
        assert of_kind(t.log, PauseSpeaking)[0].at == pytest.approx(33.45)
        (broken,) = of_kind(t.log, Interrupted)
        assert (broken.who, broken.by, broken.media) == ("interviewer", "candidate", 33.3)
        cut = of_kind(t.log, SpeakingFinished)[-1]
        assert cut.seconds == pytest.approx(33.45 - 31.7)
        said = of_kind(t.log, Speak)[-1].text
        assert not cut.complete
        assert said.startswith(cut.heard)
        assert cut.heard != said
        mine = [e for e in of_kind(t.log, TurnStarted) if e.speaker == "candidate"][-1]
        assert mine.media == 33.3

    @pytest.mark.parametrize("length", [0.16, 0.3, 0.45])
    def test_a_short_sound_makes_the_interviewer_pause_and_go_on(self, length: float) -> None:
        t = self.until_follow_up()
        t.say(33.3, 33.3 + length, "")
        t.run(until=40)
        assert of_kind(t.log, StopSpeaking) == []
        assert of_kind(t.log, Interrupted) == []
        assert [type(e).__name__ for e in t.log if isinstance(e, PauseSpeaking | ResumeSpeaking)] == [
            "PauseSpeaking",
            "ResumeSpeaking",
        ]
        over = of_kind(t.log, SpeakingFinished)[-1]
        assert over.complete
        words = 0.2 + t.decode / 3  # until the draft says that there are none
        assert over.at == pytest.approx(31.7 + over.seconds + length + words - 0.15)


class TestTheInstantBeforeTheFirstSound:
    """The floor is yielded at 31.5 s, the follow-up sounds from 31.7 s on."""

    def resumed(self, text: str = "one more thing we measured it") -> Table:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.say(31.45, 40, text)  # known at 31.6
        return t

    def test_speech_takes_the_line_back_and_the_turn_goes_on(self) -> None:
        t = self.resumed()
        t.run(until=39)
        assert [e.of for e in of_kind(t.log, MoveWithdrawn)] == [of_kind(t.log, Speak)[1].id]
        assert of_kind(t.log, Interrupted) == []
        assert candidate_turns(t) == []
        assert len([e for e in of_kind(t.log, TurnStarted) if e.speaker == "candidate"]) == 1

    def test_what_was_not_heard_can_still_be_asked(self) -> None:
        t = self.resumed("that's my answer")
        t.run(until=60)
        withdrawn, said = of_kind(t.log, Speak)[1:3]
        assert withdrawn.text == said.text

    def test_a_cough_there_does_not_end_the_interview(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.say(31.45, 31.7, "")
        t.run(until=60)
        assert len(of_kind(t.log, Speak)) == 3
        assert candidate_turns(t)[-1].reason == "yielded"

    def test_both_beginning_at_once_is_no_turn(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.say(32.0, 40, "one more thing we measured it")  # the line sounds since 31.7
        t.run(until=41)
        assert candidate_turns(t) == []
        (broken,) = of_kind(t.log, Interrupted)
        assert broken.reason == "false-start"
        (cut,) = [e for e in of_kind(t.log, SpeakingFinished) if not e.complete]
        assert cut.seconds < 1.0
        assert len(of_kind(t.log, MoveWithdrawn)) == 1
        assert len([e for e in of_kind(t.log, TurnStarted) if e.speaker == "candidate"]) == 1

    def test_it_does_not_start_the_monologue_anew(self) -> None:
        t = table()
        now = 5.0
        for _ in range(12):
            t.say(now, now + 20, ANSWER + " and that's my answer")
            now += 21.45
        t.run(until=now)
        assert [e.level for e in of_kind(t.log, FlagRaised) if e.rule == "monologue"] == ["notice"]

    def test_the_opening_is_asked_whatever_sounds_before_it(self) -> None:
        t = table()
        t.say(0.0, 0.3, "")
        t.run(until=10)
        assert of_kind(t.log, SpeakingFinished)[0].complete


def test_speech_that_nobody_understood_is_answered_after_a_while() -> None:
    t = table()
    t.say(5, 35, "")
    t.run(until=100)
    assert [e.at for e in yields(t)] == [pytest.approx(35 + t.policy.unheard_patience)]
    assert [e.move for e in of_kind(t.log, Speak)] == ["question", "prompt", "followup"]  # what was asked, once more


def test_the_key_after_speech_that_nobody_understood_is_heard_at_once() -> None:
    t = table()
    t.say(5, 35, "")
    t.put(40, TurnHandedOver(at=At(0), media=Media(40)))
    t.run(until=41)
    assert [e.move for e in of_kind(t.log, Speak)] == ["question", "prompt", "followup"]  # what was asked, once more


def test_the_key_before_anything_was_said_has_the_question_again() -> None:
    t = table()
    t.put(10, TurnHandedOver(at=At(0), media=Media(10)))
    t.run(until=20)
    first, again = of_kind(t.log, Speak)
    assert (again.text, again.move) == (first.text, "prompt")


def test_handing_over_to_a_hung_recogniser_has_an_end() -> None:
    t = table(decode=1e6)
    t.say(5, 20, ANSWER)
    t.put(22, TurnHandedOver(at=At(0), media=Media(22)))
    t.run(until=22 + t.policy.transcript_wait + 0.1)
    assert [e.reason for e in yields(t)] == ["handed-over"]


def test_what_is_said_on_after_the_key_is_not_lost() -> None:
    t = table()
    t.say(5, 25, " ".join(f"w{n}" for n in range(20)))
    t.put(15, TurnHandedOver(at=At(0), media=Media(15)))
    t.stop(40)
    t.run()
    assert [w.text for e in of_kind(t.log, WordsCommitted) for w in e.words] == [f"w{n}" for n in range(20)]


def test_a_line_that_a_laugh_cut_short_is_said_again() -> None:
    t = table()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.say(32.0, 33.2, "")
    t.run(until=60)
    cut, again = of_kind(t.log, Speak)[1:3]
    assert cut.text == again.text
    assert of_kind(t.log, SpeakingFinished)[-1].complete


GREETING = "hi dana nice to meet you"


def over_the_opening(said: str, seconds: float) -> tuple[Table, list[Speak]]:
    """What is spoken when this is said over the opening line, in the ten seconds after it."""
    t = table()
    t.say(1.5, 1.5 + seconds, said)
    t.run(until=1.5 + seconds + 10)
    return t, of_kind(t.log, Speak)


def test_a_greeting_over_the_opening_gets_the_rest_of_it() -> None:
    t, (opening, again) = over_the_opening(GREETING, 1.4)
    assert opening.text.endswith(again.text)
    assert again.move == "prompt"  # nobody's turn is over: the answer is still to come
    stopped = next(e for e in of_kind(t.log, SpeakingFinished) if not e.complete)
    assert stopped.heard not in again.text
    assert 1.5 + 1.4 + 2.0 <= again.at < 1.5 + 1.4 + 3.0


@pytest.mark.parametrize(
    ("said", "seconds"),
    [(ANSWER, 3.5), (GREETING + " " + BREAD + " " + BREAD, 7.0), ("give me a moment to think", 1.5)],
)
def test_who_answers_over_it_talks_on_or_thinks_is_left_alone(said: str, seconds: float) -> None:
    _, spoken = over_the_opening(said, seconds)
    assert [each.move for each in spoken if each.move in {"prompt", "question"}] == ["question"]


def test_words_that_are_understood_too_late_have_the_question_again() -> None:
    """The quick decode heard none, so it was taken for a cough; the thorough one has them."""
    t = table()
    t.deaf = {"Draft"}
    t.say(20.0, 21.4, GREETING)
    t.run(until=40)
    question, again = of_kind(t.log, Speak)
    assert [e.reason for e in candidate_turns(t)] == ["no-words"]
    assert (again.text, again.move) == (question.text, "prompt")
    assert [w.text for e in of_kind(t.log, WordsCommitted) for w in e.words] == GREETING.split()


@pytest.mark.parametrize(("said", "least", "most"), [(BREAD, 20, 24), (BREAD + " And then we um", 36, 40.1)])
def test_an_encouragement_comes_sooner_after_a_whole_sentence(said: str, least: float, most: float) -> None:
    t = Table(content(replace(PERSONA, prompt_after=40.0, prompt=line("prompt"))))
    t.start()
    t.say(5, 9, said)
    t.run(until=60)
    _, prompted = of_kind(t.log, Speak)
    assert prompted.move == "prompt"
    assert 9 + least < prompted.at < 9 + most


def test_an_encouragement_gives_way_at_once() -> None:
    persona = replace(PERSONA, prompt_after=10.0, prompt=line("prompt"))
    t = Table(content(persona))
    t.start()
    t.say(13.4, 20.0, ANSWER)  # the encouragement sounds from about 13.2 s on
    t.run(until=15)
    stopped = of_kind(t.log, StopSpeaking)
    assert len(stopped) == 1
    assert of_kind(t.log, Interrupted) == []
    assert len([e for e in of_kind(t.log, TurnStarted) if e.speaker == "candidate"]) == 1


def test_a_voice_that_fails_leaves_pacing_at_work() -> None:
    t = table()
    t.fail = {"Speak"}
    t.run(until=1)
    t.fail = set()
    t.run(until=60)
    assert [e.level for e in of_kind(t.log, FlagRaised) if e.rule == "long_pause"] == ["notice", "warning"]


def test_nothing_new_begins_after_the_end_was_asked_for() -> None:
    t = Table(content(), policy=Policy(captions=True), decode=3.0)
    t.start()
    t.say(5, 20, ANSWER)
    t.stop(12)
    t.say(13, 16, "late words")
    log = t.run()
    closing = next(n for n, e in enumerate(log) if isinstance(e, SessionClosing))
    assert not [e for e in log[closing:] if isinstance(e, Hypothesize | Draft | Speak)]
    assert all(e.turn for e in of_kind(log, WordsCommitted))


def test_captions_of_a_dead_recogniser_are_given_up() -> None:
    t = Table(content(), policy=Policy(captions=True))
    t.start()
    t.fail = {"Hypothesize", "Draft", "Transcribe"}
    for n in range(20):
        t.say(5.0 + 30 * n, 30.0 + 30 * n, "lost")
    t.run(until=600)
    assert len(of_kind(t.log, Hypothesize)) == 3


def test_a_goodbye_that_is_cut_short_does_not_end_the_session() -> None:
    t = Table(content(minutes=10))
    t.start()
    t.say(4, 520, ANSWER + " and that's my answer")
    t.run(until=523.5)
    t.say(540, 545, "no more questions that's my answer")
    t.run(until=546.6)
    assert of_kind(t.log, Speak)[-1].move == "close"
    t.say(547.0, 553, "oh wait one more thing about the team")
    t.run(until=553)
    assert of_kind(t.log, SessionClosing) == []
    t.say(600, 604, "no more questions that's my answer")
    t.run(until=700)
    assert of_kind(t.log, SessionClosing)[0].reason == "completed"


@given(
    st.lists(
        st.tuples(st.floats(0.1, 20), st.floats(0.1, 30), st.sampled_from([ANSWER, "so", "", "that's my answer"])), max_size=25
    ),
    st.floats(0.05, 6.0),
)
def test_one_speaker_holds_the_floor_and_turns_are_numbered(script: list[tuple[float, float, str]], decode: float) -> None:
    t = table(decode=decode)
    now = 3.0
    for gap, length, text in script:
        now += gap
        t.say(now, now + length, text)
        now += length + 0.3
    t.stop(now + 100)
    log = t.run()
    holder, number = "", 0
    for event in log:
        if isinstance(event, TurnStarted):
            assert not holder, event
            assert event.turn == number + 1
            holder, number = event.speaker, event.turn
        elif isinstance(event, TurnEnded):
            assert holder == event.speaker
            assert event.turn == number
            holder = ""
    assert not holder


class TestAShortSoundOverTheInterviewer:
    """The follow-up after the first answer is spoken from 31.7 s on."""

    def said(self, text: str, length: float = 0.4) -> Table:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=31.6)
        t.say(33.3, 33.3 + length, text)
        t.run(until=34.5)
        return t

    @pytest.mark.parametrize("text", ["wait", "no stop", "actually sorry"])
    def test_real_words_take_the_floor(self, text: str) -> None:
        t = self.said(text)
        (broken,) = of_kind(t.log, Interrupted)
        assert (broken.who, broken.by, broken.media) == ("interviewer", "candidate", 33.3)
        assert not of_kind(t.log, SpeakingFinished)[-1].complete
        assert (of_kind(t.log, TurnStarted)[-1].speaker, of_kind(t.log, TurnStarted)[-1].media) == ("candidate", 33.3)

    @pytest.mark.parametrize("text", ["mm-hm", "yeah right", "Okay.", "嗯", "对对"])
    def test_signs_of_listening_do_not(self, text: str) -> None:
        t = self.said(text)
        assert of_kind(t.log, Interrupted) == []
        assert len(of_kind(t.log, ResumeSpeaking)) == 1
        t.run(until=60)
        aside = [e for e in of_kind(t.log, WordsCommitted) if e.words[0].start > 33]
        assert [e.turn for e in aside] == [0]  # in the record, and in nobody's answer

    def test_the_first_hint_of_a_voice_silences_and_nothing_following_resumes(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=31.6)
        t.put(33.36, VoiceSuspected(at=At(0), speaker="candidate", media=Media(33.3)))
        t.run(until=34.5)
        assert [e.at for e in of_kind(t.log, PauseSpeaking)] == [pytest.approx(33.36)]
        assert [e.at for e in of_kind(t.log, ResumeSpeaking)] == [pytest.approx(33.3 + t.policy.suspicion)]
        assert of_kind(t.log, Interrupted) == []

    def test_a_dead_recogniser_makes_it_nothing(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=31.6)
        t.fail = {"Draft"}
        t.say(33.3, 33.7, "wait")
        t.run(until=34.5)
        assert of_kind(t.log, Interrupted) == []
        assert len(of_kind(t.log, ResumeSpeaking)) == 1


def test_a_hundred_random_interruptions_come_back_to_listening() -> None:
    t, luck = Table(content(minutes=600, questions=40)), random.Random(3)
    t.start()
    now, over_a_line = 4.0, 0
    for _ in range(100):
        t.say(now, now + 20, ANSWER + " and that's my answer")
        t.run(until=now + 20 + luck.uniform(1.7, 4.0))
        sound, length = t.now + luck.uniform(0.05, 0.6), luck.choice([0.2, 0.4, 0.8, 3.0])
        t.say(sound, sound + length, luck.choice(["", "wait a moment", "mm-hm", "that's my answer"]))
        pauses, replies = len(of_kind(t.log, PauseSpeaking)), len(of_kind(t.log, Speak))
        t.run(until=sound + length + 40)
        over_a_line += len(of_kind(t.log, PauseSpeaking)) - pauses
        # Every line that fell silent went on, or was given up for the candidate's sake; and none is left hanging.
        taken = [e for e in of_kind(t.log, Interrupted) if e.by == "candidate"]
        assert len(of_kind(t.log, PauseSpeaking)) == len(of_kind(t.log, ResumeSpeaking)) + len(taken)
        assert {e.id for e in of_kind(t.log, Speak)} == {e.of for e in of_kind(t.log, SpeakingFinished)}
        now = sound + length + 41
        t.say(now, now + 20, ANSWER + " and that's my answer")  # whatever happened: an answer gets its reply
        t.run(until=now + 40)
        assert len(of_kind(t.log, Speak)) > replies
        now += 42
    assert over_a_line > 50
    assert of_kind(t.log, SessionClosing) == []


class TestTheInterviewerBreaksIn:
    """An interjection is due after 60 s of an answer."""

    def table(self, *, unless: tuple[str, ...] = ()) -> Table:
        made = content()
        cut = Interjection("cut", "curveball", "floor", 60.0, (), unless, "rescope", line("cut"))
        t = Table(replace(made, round=replace(made.round, interjections=(cut,))))
        t.start()
        return t

    def test_at_a_micro_pause(self) -> None:
        t = self.table()
        t.say(5, 64.8, ANSWER)
        t.say(66.3, 80, "and so on")
        t.run(until=90)
        (due,) = of_kind(t.log, InterruptionDue)
        (broken,) = [e for e in of_kind(t.log, Interrupted) if e.by == "interviewer"]
        assert due.at == pytest.approx(65.0)
        assert broken.at == pytest.approx(65.0)  # the lull
        assert broken.reason == "cut"
        assert candidate_turns(t)[0].reason == "interrupted"

    def test_over_the_speech_when_there_is_none(self) -> None:
        t = self.table()
        t.say(5, 120, ANSWER)
        t.run(until=121)
        (broken,) = [e for e in of_kind(t.log, Interrupted) if e.by == "interviewer"]
        assert broken.at == pytest.approx(65.0 + t.policy.cut_in_within)
        said = of_kind(t.log, Speak)[-1]
        assert said.move == "curveball"
        over = of_kind(t.log, SpeakingFinished)[-1]
        assert over.complete  # the candidate talks through it, and it is said to its end
        started = of_kind(t.log, TurnStarted)[-1]
        assert started.speaker == "candidate"
        assert started.at == over.at

    @pytest.mark.parametrize("due", [34.9, 35.05, 35.5, 37.0])
    def test_beside_a_prompt(self, due: float) -> None:
        """The encouragement sounds from about 35.2 s on; the interjection comes once it is over."""
        persona = replace(PERSONA, prompt_after=15.0, prompt=line("prompt"))
        made = content(persona)
        cut = Interjection("cut", "curveball", "floor", due - 5, (), (), "rescope", line("cut"))
        t = Table(replace(made, round=replace(made.round, interjections=(cut,))))
        t.start()
        t.say(5, 20, ANSWER + " and then")
        t.run(until=60)
        assert len(of_kind(t.log, InterruptionDue)) == 1
        assert len([e for e in of_kind(t.log, Interrupted) if e.by == "interviewer"]) == 1

    def test_not_into_a_silence_that_was_asked_for(self) -> None:
        t = self.table()
        t.say(5, 60, ANSWER + " let me think about that")
        t.say(75, 100, ANSWER)
        t.run(until=110)
        (due,) = of_kind(t.log, InterruptionDue)
        assert due.at == pytest.approx(75.0, abs=0.5)

    def test_once_in_a_session(self) -> None:
        t = self.table()
        t.say(5, 120, ANSWER)
        t.say(121, 240, ANSWER)
        t.run(until=250)
        assert len(of_kind(t.log, InterruptionDue)) == 1

    def test_not_when_the_answer_has_what_it_asks_for(self) -> None:
        t = self.table(unless=("own_decision",))
        t.say(5, 50, ANSWER)
        t.say(50.5, 120, "and so on")
        t.run(until=121)
        assert of_kind(t.log, InterruptionDue) == []

    def test_not_when_the_floor_has_passed_before(self) -> None:
        t = self.table()
        t.say(5, 63, ANSWER + " and that's my answer")
        t.run(until=66)
        assert [e for e in of_kind(t.log, Interrupted) if e.by == "interviewer"] == []
        assert of_kind(t.log, Speak)[-1].move == "followup"


def test_a_sound_that_has_just_begun_is_waited_for() -> None:
    t = table()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.put(31.4, VoiceSuspected(at=At(0), speaker="candidate", media=Media(31.35)))
    t.run(until=33)
    assert [e.at for e in yields(t)] == [pytest.approx(31.35 + t.policy.suspicion)]


def test_speech_counts_while_it_is_going_on() -> None:
    """A draft at a lull is answered before the detector is sure that speech has ended."""
    t = table(decode=0.01)
    t.say(5, 35, ANSWER + " and we measured it")
    t.run(until=35.25)
    assert of_kind(t.log, TurnAssessed)[-1].log_odds > -2.0


class TestTheReplyIsPrepared:
    def test_before_the_floor_passes_and_it_is_what_is_said(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=33)
        (expected,) = of_kind(t.log, ReplyExpected)
        (prepared,) = of_kind(t.log, PrepareSpeech)
        assert expected.at <= prepared.at < yields(t)[0].at
        assert prepared.text == of_kind(t.log, Speak)[-1].text

    def test_speech_that_resumes_makes_it_void(self) -> None:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.say(30.8, 40, "no wait we measured it and that's my answer")
        t.run(until=44)
        first, last = of_kind(t.log, PrepareSpeech)
        assert len(candidate_turns(t)) == 1
        assert last.text == of_kind(t.log, Speak)[-1].text
        assert first.text != last.text  # it asked for the measure, which was then given

    def test_a_long_wait_prepares_nothing(self) -> None:
        t = table()
        t.say(5, 12, "we had a gpu cluster and then")
        t.run(until=30)
        assert of_kind(t.log, PrepareSpeech) == []
