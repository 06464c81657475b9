"""Voices in the background: they are recorded, and nobody answers them."""

import pytest

from tests.core.test_floor import ANSWER
from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    FloorYielded,
    Interrupted,
    MoveWithdrawn,
    PauseSpeaking,
    ResumeSpeaking,
    Speak,
    SpeakingFinished,
    Transcribe,
    TurnEnded,
    VoiceStarted,
    VoiceSuspected,
    Word,
)
from voiceprep.core.turns.own_level import FAR, FEWEST, REMEMBERED, OwnLevel
from voiceprep.core.units import At, Media

OWN, BACKGROUND = -20.0, -42.0


def voice(media: float, level: float | None) -> VoiceStarted:
    return VoiceStarted(at=At(media), speaker="candidate", media=Media(media), level=level)


def word(media: float) -> Word:
    return Word("word", Media(media), Media(media + 0.3), 0.9)


def known(level: float = OWN, count: int = FEWEST) -> OwnLevel:
    own = OwnLevel()
    for n in range(count):
        own.began(voice(n, level))
        own.heard([word(n)])
    return own


@pytest.mark.parametrize(("level", "far"), [(OWN - FAR + 0.1, False), (OWN - FAR - 0.1, True), (0.0, False), (None, False)])
def test_a_voice_is_far_by_how_much_softer_it_begins(level: float | None, far: bool) -> None:
    assert known().is_far(voice(100, level)) is far


def test_nobody_is_far_before_the_candidate_is_known() -> None:
    assert not known(count=FEWEST - 1).is_far(voice(100, -70.0))


def test_sounds_without_words_are_not_learned_from() -> None:
    own = known()
    for n in range(10, 60):
        own.began(voice(n, BACKGROUND))
        own.heard([])
        own.heard([word(n - 5)])  # words from before this sound
    assert own.is_far(voice(100, BACKGROUND))


def test_who_leans_back_is_followed() -> None:
    own = known(count=REMEMBERED)
    for n in range(100, 100 + REMEMBERED):
        own.began(voice(n, BACKGROUND))
        own.heard([word(n)])
    assert not own.is_far(voice(200, BACKGROUND))


class TestInASession:
    """Four stretches of the candidate's own; the follow-up sounds from 31.7 s to about 33.6 s."""

    def table(self) -> Table:
        t = Table(content())
        t.start()
        words = f"{ANSWER} and that's my answer".split()
        share = -(-len(words) // 4)
        for n in range(4):
            t.say(5 + 6.4 * n, 10.8 + 6.4 * n, " ".join(words[share * n : share * (n + 1)]), level=OWN)
        t.run(until=31.6)
        assert [e.media for e in of_kind(t.log, FloorYielded)] == [pytest.approx(30)]
        return t

    def begun(self) -> tuple[Table, float]:
        return self.table(), 31.6

    def test_they_do_not_interrupt(self) -> None:
        t, now = self.begun()
        sound = now + 0.8
        suspected = VoiceSuspected(at=At(0), speaker="candidate", media=Media(sound), level=BACKGROUND)
        t.put(sound + 0.06, suspected)
        t.say(sound, sound + 20, "", level=BACKGROUND)
        t.run(until=sound + 30)
        assert of_kind(t.log, Interrupted) == []
        assert of_kind(t.log, MoveWithdrawn) == []
        paused, resumed = of_kind(t.log, PauseSpeaking), of_kind(t.log, ResumeSpeaking)
        assert len(paused) == len(resumed) == 1  # on the first hint of a voice, until it was heard how soft it is
        assert resumed[0].at - paused[0].at == pytest.approx(0.09)
        assert of_kind(t.log, SpeakingFinished)[-1].complete

    def test_the_candidate_does_as_before(self) -> None:
        t, now = self.begun()
        t.say(now + 0.8, now + 9, "wait one more thing we measured it", level=OWN - FAR + 1)
        t.run(until=now + 12)
        assert len(of_kind(t.log, Interrupted)) == 1

    def test_they_are_transcribed_and_the_question_stands(self) -> None:
        t, now = self.begun()
        t.run(until=now + 5)
        before = len(of_kind(t.log, Speak))
        t.say(now + 6, now + 16, "", level=BACKGROUND)
        t.run(until=now + 30)
        assert any(e.start <= now + 6 and e.end >= now + 16 for e in of_kind(t.log, Transcribe))
        assert of_kind(t.log, TurnEnded)[-1].reason == "no-words"
        assert len(of_kind(t.log, Speak)) == before

    def test_long_sound_without_words_has_the_question_again_once(self) -> None:
        t, now = self.begun()
        t.run(until=now + 5)
        asked = of_kind(t.log, Speak)[-1].text
        t.say(now + 6, now + 90, "", level=OWN)  # whoever it is: nobody could make out a word
        t.run(until=now + 95)
        again = [e for e in of_kind(t.log, Speak) if e.move == "prompt"]
        assert [e.text for e in again] == [asked]
        assert of_kind(t.log, TurnEnded)[-1].speaker == "interviewer"  # a prompt takes no turn

    def answering(self) -> tuple[Table, float]:
        """The candidate breaks off in the middle of a sentence."""
        t = Table(content())
        t.start()
        for n in range(5):
            t.say(5 + 6.4 * n, 10.8 + 6.4 * n, ANSWER if n < 4 else "and then we um", level=OWN)
        t.run(until=37)
        assert of_kind(t.log, FloorYielded) == []
        return t, 36.4

    def test_they_do_not_make_an_answer_any_longer(self) -> None:
        quiet, over = self.answering()
        quiet.run(until=300)
        loud, _ = self.answering()
        for n in range(60):
            loud.say(over + 1.5 + 4 * n, over + 4.5 + 4 * n, "", level=BACKGROUND)
        loud.run(until=300)
        expected, found = (of_kind(t.log, FloorYielded)[0] for t in (quiet, loud))
        assert found.media == expected.media == pytest.approx(over)
        assert found.at == pytest.approx(expected.at, abs=1.0)

    def test_what_the_candidate_mutters_goes_on_with_the_answer(self) -> None:
        t, over = self.answering()
        t.say(over + 3, over + 9, "what was it the queue per team and then we", level=BACKGROUND)
        t.run(until=over + 20)
        t.say(over + 21, over + 28, "yes the queue, and that's my answer", level=OWN)
        t.run(until=over + 60)
        assert [e.media for e in of_kind(t.log, FloorYielded)] == [pytest.approx(over + 28)]
