"""Segments, transcripts of record and captions."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    Draft,
    QuietPoint,
    Transcribe,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.listening.segment import clamp
from voiceprep.core.units import At, Media, Span


def word(text: str, start: float, end: float) -> Word:
    return Word(text, Media(start), Media(end), 0.9)


def text_of(t: Table) -> str:
    return " ".join(w.text for e in of_kind(t.log, WordsCommitted) for w in e.words)


def test_a_short_segment_grows_when_speech_resumes_and_is_decoded_once() -> None:
    t = Table(content())
    t.start()
    t.say(5, 7, "we had a")
    t.say(8, 10, "gpu cluster")
    t.stop(20)
    t.run()
    assert [(e.start, e.end) for e in of_kind(t.log, Draft)] == [(4.8, 7.2), (4.8, 10.2)]
    assert [(e.start, e.end) for e in of_kind(t.log, Transcribe)] == [(4.8, 10.2)]
    assert text_of(t) == "we had a gpu cluster"


def test_a_long_segment_is_closed_at_a_pause() -> None:
    t = Table(content())
    t.start()
    t.say(5, 15, "one two three")
    t.say(16, 18, "four")
    t.stop(30)
    t.run()
    assert [e.start for e in of_kind(t.log, Transcribe)] == [4.8, 15.8]
    assert text_of(t) == "one two three four"


def test_unbroken_speech_is_split_at_its_quietest_point_and_no_word_is_lost_or_doubled() -> None:
    t = Table(content())
    t.start()
    numbers = " ".join(str(n) for n in range(100))
    t.say(5, 105, numbers)
    for second in range(6, 105):
        level = -50.0 if second % 6 == 0 else -30.0
        t.put(second + 1.0, QuietPoint(at=At(0), media=Media(float(second)), level=level))
    t.stop(120)
    t.run()
    spans = [(e.start, e.end) for e in of_kind(t.log, Transcribe)]
    assert all(end - start <= t.policy.segment_max + 0.5 for start, end in spans)
    assert all(a[1] == b[0] for a, b in pairwise(spans))
    assert {end % 6 for _, end in spans[:-1]} == {0.0}
    assert text_of(t) == numbers


def test_a_failed_decode_holds_nothing_up() -> None:
    t = Table(content())
    t.start()
    t.fail = {"Transcribe", "Draft"}
    t.say(5, 15, "lost words")
    t.say(16.5, 30, "these are kept")
    t.run(until=17)
    t.fail = set()
    t.stop(40)
    t.run()
    assert text_of(t) == "these are kept"


def test_words_are_known_before_they_are_committed() -> None:
    t = Table(content())
    t.start()
    t.say(5, 7, "we had")
    t.run(until=8.2)
    assert [w.text for w in of_kind(t.log, WordsHeard)[0].words] == ["we", "had"]
    assert of_kind(t.log, WordsCommitted) == []
    t.run(until=9.6)
    assert text_of(t) == "we had"


class TestClamp:
    regions = (Span(Media(1.0), Media(3.0)), Span(Media(10.0), Media(12.0)))

    def test_words_inside_a_pause_move_into_the_nearest_voice(self) -> None:
        placed = clamp((word("a", 1.5, 2.0), word("b", 4.0, 5.0), word("c", 8.5, 9.5), word("d", 11, 15)), list(self.regions))
        assert [(w.start, w.end) for w in placed] == [(1.5, 2.0), (3.0, 3.0), (10.0, 10.0), (11, 12.0)]

    @given(st.lists(st.tuples(st.floats(-5, 20), st.floats(-5, 20)), max_size=30))
    def test_whatever_the_times_words_are_ordered_and_inside(self, times: list[tuple[float, float]]) -> None:
        placed = clamp(tuple(word("x", a, b) for a, b in times), list(self.regions))
        assert len(placed) == len(times)
        assert all(w.start <= w.end for w in placed)
        assert all(a.start <= b.start for a, b in pairwise(placed))
        assert all(any(r.start <= w.start <= r.end for r in self.regions) for w in placed)

    def test_no_voice_no_words(self) -> None:
        assert clamp((word("Thank", 0, 1),), []) == ()


@given(
    st.lists(st.tuples(st.floats(0.05, 5), st.floats(0.1, 40)), min_size=1, max_size=12),
    st.floats(0.05, 5.0),
)
def test_every_word_is_committed_once_and_in_order(script: list[tuple[float, float]], decode: float) -> None:
    t = Table(content(), decode=decode)
    t.start()
    now, said = 3.0, 0
    for gap, length in script:
        now += gap + 0.5
        count = max(1, int(length))
        t.say(now, now + length, " ".join(f"w{said + n}" for n in range(count)))
        said += count
        now += length
    t.stop(now + 1)
    t.run()
    assert text_of(t).split() == [f"w{n}" for n in range(said)]


def test_what_is_decided_by_covers_all_that_is_not_committed() -> None:
    """The first segment is closed and still being decoded when the draft of the second arrives."""
    t = Table(content(), decode=3.0)
    t.start()
    t.say(5, 15, "one two three")
    t.say(16, 16.8, "four")
    t.run(until=19)
    assert of_kind(t.log, WordsCommitted) == []
    assert [w.text for w in of_kind(t.log, WordsHeard)[-1].words] == ["one", "two", "three", "four"]
    t.run(until=30)
    assert [w.text for w in of_kind(t.log, WordsHeard)[-1].words] == []
    assert text_of(t) == "one two three four"
