"""Live captions: what is firm stays, what is shown is whole, and a slow recogniser makes them late and rare, never wrong."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    AudioProgress,
    CaptionChanged,
    CaptionsBehind,
    Draft,
    DraftReady,
    EdgeFailed,
    Event,
    HypothesisReady,
    Hypothesize,
    QuietPoint,
    Transcribe,
    TranscriptReady,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.captions import Captions, agree
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock

NUMBERS = [str(n) for n in range(120)]


def word(text: str, start: float, end: float) -> Word:
    return Word(text, Media(start), Media(end), 0.9)


def spoken(text: str, start: float, pace: float = 0.5) -> tuple[Word, ...]:
    return tuple(word(piece, start + n * pace, start + (n + 1) * pace) for n, piece in enumerate(text.split()))


def texts(words: tuple[Word, ...]) -> list[str]:
    return [w.text for w in words]


class Alone:
    """The machine by itself, with media time and session time the same."""

    def __init__(self, policy: Policy | None = None) -> None:
        clock = MediaClock()
        clock.update(At(0.0), Media(0.0))
        self.captions = Captions(policy or Policy(), clock)
        self.asked: list[Hypothesize] = []
        self.shown: list[CaptionChanged] = []
        self.behind: list[float] = []

    def wake(self) -> None:
        due = self.captions.deadline
        assert due is not None
        self._take(self.captions.wake(due))

    def ask(self) -> Hypothesize:
        """Wake it until it asks for a hypothesis."""
        count = len(self.asked)
        while len(self.asked) == count:
            self.wake()
        return self.asked[-1]

    def handle(self, event: Event) -> None:
        self._take(self.captions.handle(event))

    def starts(self, at: float) -> None:
        self.handle(VoiceStarted(at=At(at + 0.1), speaker="candidate", media=Media(at)))

    def stops(self, at: float) -> None:
        self.handle(VoiceStopped(at=At(at + 0.3), speaker="candidate", media=Media(at)))

    def answer(self, words: tuple[Word, ...], after: float = 0.2) -> CaptionChanged:
        """The caption after this answer; there must have been one before if it has no words."""
        self.hear(words, after)
        return self.shown[-1]

    def hear(self, words: tuple[Word, ...], after: float = 0.2) -> None:
        asked = self.asked[-1]
        self.handle(HypothesisReady(at=At(asked.at + after), of=asked.id, words=words))

    def _take(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case Hypothesize():
                    self.asked.append(event)
                case CaptionChanged():
                    self.shown.append(event)
                case CaptionsBehind():
                    self.behind.append(event.seconds)


def live(decode: float = 0.5) -> Table:
    t = Table(content(), policy=Policy(captions=True), decode=decode)
    t.start()
    return t


def counted_aloud(t: Table, seconds: int) -> None:
    """A number a second without a pause, with a quiet place between two of them now and then."""
    t.say(5, 5 + seconds, " ".join(NUMBERS[:seconds]))
    for second in range(6, 5 + seconds):
        t.put(second + 1.0, QuietPoint(at=At(0), media=Media(float(second)), level=-50.0 if second % 4 == 0 else -30.0))


# --- firm words ---------------------------------------------------------------------------------------------------------


def test_agreement_ignores_case_and_punctuation() -> None:
    before = (word("We", 0, 1), word("had", 1, 2), word("a,", 2, 3))
    now = (word("we", 0, 1), word("had.", 1, 2), word("the", 2, 3))
    assert agree(before, now) == 2


def test_words_are_shown_at_once_and_firm_when_a_second_hypothesis_agrees() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    first = t.answer(spoken("we had for", 5.0))
    assert (texts(first.firm), texts(first.tentative)) == ([], ["we", "had", "for"])
    t.ask()
    second = t.answer(spoken("We had forty teams.", 5.0))
    assert (texts(second.firm), texts(second.tentative)) == (["We", "had"], ["forty", "teams."])


def test_the_recogniser_is_told_what_is_firm_and_goes_on_from_there() -> None:
    t = Alone()
    t.starts(5.0)
    for text in ("we had forty,", "we had forty, teams"):
        t.ask()
        t.answer(spoken(text, 5.0))
    assert t.ask().known == "we had forty"
    shown = t.answer(spoken("teams sharing it", 6.5))
    assert texts(shown.firm) == ["we", "had", "forty,", "teams"]
    assert texts(shown.tentative) == ["sharing", "it"]


@given(st.lists(st.tuples(st.lists(st.sampled_from("abc"), max_size=5), st.floats(0.1, 3.0)), max_size=30), st.booleans())
def test_firm_words_never_change_whatever_the_hypotheses_say(script: list[tuple[list[str], float]], quiet: bool) -> None:
    t = Alone()
    t.starts(5.0)
    for number, (pieces, took) in enumerate(script):
        asked = t.ask()
        if quiet:
            t.handle(QuietPoint(at=asked.at, media=Media(asked.end - 0.2), level=-40.0 - number % 7))
        begin = t.shown[-1].firm[-1].end if t.shown and t.shown[-1].firm else asked.start
        step = max(asked.end - begin, 0.1) / max(1, len(pieces))
        t.hear(tuple(word(p, begin + n * step, begin + (n + 1) * step) for n, p in enumerate(pieces)), took)
    for before, after in pairwise(t.shown):
        assert after.firm[: len(before.firm)] == before.firm


def test_an_unclear_moment_does_not_take_the_caption_away() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    t.answer(spoken("we had", 5.0))
    t.ask()
    assert texts(t.answer(()).tentative) == ["we", "had"]


def test_the_caption_of_unbroken_speech_has_every_word_once_and_a_short_window() -> None:
    t = live()
    counted_aloud(t, 60)
    t.run(until=65.0)
    windows = [e.end - e.start for e in of_kind(t.log, Hypothesize)]
    assert max(windows) <= 2 * t.policy.caption_window
    assert sum(windows) / len(windows) <= t.policy.caption_window
    recorded = [w.text for e in of_kind(t.log, WordsCommitted) for w in e.words]
    last = of_kind(t.log, CaptionChanged)[-1]
    shown = [*recorded, *texts(last.firm), *texts(last.tentative)]
    assert shown == NUMBERS[: len(shown)]
    assert len(shown) >= 58


def test_speech_that_is_not_understood_does_not_lengthen_the_window() -> None:
    t = Alone()
    t.starts(5.0)
    for n in range(60):
        t.ask()
        t.hear(spoken(f"word{n}", t.asked[-1].end - 1.0))
    assert max(e.end - e.start for e in t.asked) <= 2 * Policy().caption_window


# --- drafts and the record ----------------------------------------------------------------------------------------------


def drafted(t: Alone, of: str, start: float, end: float, text: str, at: float) -> CaptionChanged:
    t.handle(Draft(at=At(at - 0.2), id=of, start=Media(start), end=Media(end), turn=2))
    t.handle(DraftReady(at=At(at), of=of, words=spoken(text, start + 0.2)))
    return t.shown[-1]


def test_a_draft_takes_the_place_of_the_caption_and_what_agrees_stays_firm() -> None:
    t = Alone()
    t.starts(5.0)
    for text in ("we had forty", "we had forty teens"):
        t.ask()
        t.answer(spoken(text, 5.0))
    t.stops(7.0)
    shown = drafted(t, "d1", 4.8, 7.2, "we had forty teams.", 7.6)
    assert (texts(shown.firm), shown.tentative) == (["we", "had", "forty", "teams."], ())


def test_a_word_told_to_begin_in_the_silence_before_it_is_not_shown_beside_its_draft() -> None:
    t = Alone()
    t.starts(5.0)
    t.stops(7.0)
    t.starts(9.0)
    t.handle(Transcribe(at=At(9.1), id="t1", start=Media(4.8), end=Media(7.2), turn=2))
    for _ in range(2):
        asked = t.ask()
        assert asked.start == 7.2
        t.answer((word("I", 7.2, 9.3), *spoken("decided it", 9.3, 0.2)))
    assert texts(drafted(t, "d1", 8.8, 10.0, "I decided it.", at=10.2).firm) == ["I", "decided", "it."]


def test_speech_after_a_draft_goes_on_behind_its_words() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    t.answer(spoken("we had", 5.0))
    t.stops(7.0)
    drafted(t, "d1", 4.8, 7.2, "we had forty teams.", 7.6)
    t.starts(8.0)
    asked = t.ask()
    assert (asked.start, asked.known) == (7.0, "")
    shown = t.answer(spoken("sharing it", 8.0))
    assert texts((*shown.firm, *shown.tentative)) == ["we", "had", "forty", "teams.", "sharing", "it"]


def test_a_draft_that_comes_late_leaves_newer_words() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    t.answer(spoken("we had", 5.0))
    t.stops(6.0)
    t.starts(7.0)
    for _ in range(2):
        t.ask()
        t.answer((*spoken("we had", 5.0), *spoken("two clusters", 7.0)))
    shown = drafted(t, "d1", 4.8, 6.2, "We've had", 8.5)
    assert texts((*shown.firm, *shown.tentative)) == ["We've", "had", "two", "clusters"]


def test_nothing_is_asked_while_a_draft_says_it_better() -> None:
    t = Alone()
    t.starts(5.0)
    t.handle(Draft(at=At(5.4), id="d1", start=Media(4.8), end=Media(5.4), turn=2))
    t.wake()
    assert t.asked == []
    assert t.behind == [3.0]
    t.handle(EdgeFailed(at=At(8.4), code="test", message="it failed", of="d1"))
    assert t.ask().start == 4.8


def test_what_was_shown_stays_until_its_record_is_here() -> None:
    t = live(decode=4.0)
    t.say(5, 14, "one two three four five six seven eight nine")
    t.say(15, 21, "ten eleven twelve thirteen fourteen fifteen")
    t.stop(40)
    t.run()
    (first, _) = of_kind(t.log, Transcribe)
    until = next(n for n, e in enumerate(t.log) if isinstance(e, TranscriptReady) and e.of == first.id)
    since = t.log.index(first)
    between = [e for e in t.log[since:until] if isinstance(e, CaptionChanged)]
    assert between
    assert all(" ".join(texts(e.firm)).startswith("one two three four five six seven eight nine") for e in between)
    assert texts(of_kind(t.log, CaptionChanged)[-1].firm) == []


def test_a_caption_of_an_earlier_answer_is_not_shown_with_the_next() -> None:
    t = live(decode=40.0)
    t.say(5, 12, "this is my whole answer to it")
    t.say(60, 66, "and this is the next")
    t.run(until=66.0)
    last = of_kind(t.log, CaptionChanged)[-1]
    assert "whole" not in texts((*last.firm, *last.tentative))


# --- a machine that is too slow -----------------------------------------------------------------------------------------


def test_a_slow_recogniser_is_asked_more_rarely_and_for_less() -> None:
    fast, slow = live(decode=0.4), live(decode=6.0)
    for t in (fast, slow):
        counted_aloud(t, 60)
        t.run(until=66.0)
    asked = {t: of_kind(t.log, Hypothesize) for t in (fast, slow)}
    every = [b.at - a.at for a, b in pairwise(asked[slow][4:])]
    assert min(every) >= 3.0 / slow.policy.caption_share - 0.01
    assert len(asked[fast]) > 5 * len(asked[slow])
    assert max(b.end - b.start for b in asked[slow]) <= 2 * slow.policy.caption_window


def test_captions_say_how_far_they_are_behind_and_when_they_have_caught_up() -> None:
    t = live(decode=8.0)
    counted_aloud(t, 30)
    t.run(until=30)
    told = [e.seconds for e in of_kind(t.log, CaptionsBehind)]
    assert told
    assert max(told) >= 6.0
    t.decode = 0.4
    t.stop(60)
    t.run()
    assert of_kind(t.log, CaptionsBehind)[-1].seconds == 0.0
    assert [w.text for e in of_kind(t.log, WordsCommitted) for w in e.words] == NUMBERS[:30]


def test_a_recogniser_that_keeps_up_is_not_behind() -> None:
    t = live(decode=0.6)
    counted_aloud(t, 60)
    t.say(70, 75, "one two three")
    t.stop(90)
    t.run()
    assert of_kind(t.log, CaptionsBehind) == []


def test_a_recogniser_that_hangs_is_told_step_by_step() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    for _ in range(4):
        t.wake()
    assert t.behind == [3.0, 6.0, 9.0, 12.0]


def test_a_steadily_slow_recogniser_is_told_once() -> None:
    t = Alone()
    t.starts(5.0)
    for n in range(12):
        asked = t.ask()
        while (due := t.captions.deadline) is not None and due < asked.at + 4.0:
            t.wake()
        t.hear(spoken(f"w{n}", asked.end - 0.5), 4.0)
    assert len(t.behind) <= 4
    assert t.behind[-1] >= 6.0


def test_a_backlog_of_transcripts_is_told_and_worked_off() -> None:
    t = Alone()
    for n in range(3):
        t.starts(10.0 * n)
        t.stops(10.0 * n + 8)
        t.handle(Transcribe(at=At(10.0 * n + 10), id=f"t{n}", start=Media(10.0 * n), end=Media(10.0 * n + 8.2), turn=2))
    t.wake()
    assert t.behind == [9.0]
    for n in range(3):
        t.handle(TranscriptReady(at=At(32.0), of=f"t{n}", words=()))
    assert t.behind[-1] == 0.0


def test_a_hypothesis_that_was_skipped_changes_nothing() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    t.answer(spoken("we had", 5.0))
    asked = t.ask()
    t.handle(HypothesisReady(at=At(asked.at + 0.1), of=asked.id, words=(), skipped=True))
    assert len(t.shown) == 1
    assert t.ask().at >= asked.at + Policy().caption_every


def test_captions_that_fail_again_and_again_are_given_up() -> None:
    t = Alone()
    t.starts(5.0)
    for _ in range(3):
        asked = t.ask()
        t.handle(EdgeFailed(at=asked.at, code="test", message="it failed", of=asked.id))
    assert t.captions.deadline is None


@pytest.mark.parametrize("policy", [Policy(captions=False), Policy(recogniser=False)])
def test_without_captions_nothing_is_asked(policy: Policy) -> None:
    t = Alone(policy)
    t.starts(5.0)
    t.handle(AudioProgress(at=At(6.0), media=Media(6.0)))
    assert t.captions.deadline is None


def test_case_007_what_the_guards_dropped_is_not_shown_to_the_recogniser_again() -> None:
    t = Alone()
    t.starts(5.0)
    t.ask()
    t.answer(spoken("we had", 5.0))
    t.ask()
    t.answer(spoken("we had", 5.0))
    t.ask()
    t.hear(())  # "you you you you", dropped by the guards
    assert t.ask().known == "we had"
    assert texts(t.shown[-1].firm) == ["we", "had"]
