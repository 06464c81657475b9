from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.samples import events as any_event
from voiceprep.core.events import (
    AudioGap,
    AudioProgress,
    Event,
    SessionEnded,
    Speak,
    Speaker,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.text import joined, placed
from voiceprep.core.timeline import Pause, Timeline, fold, text_of
from voiceprep.core.units import At, Media, Span
from voiceprep.store import log

SESSION = log.read(Path(__file__).parents[1] / "data" / "session-schema-1" / "events.jsonl").events


def words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text, Media(number), Media(number + 0.5), 0.9) for number, text in enumerate(texts))


def voice(*edges: float) -> list[Event]:
    """The candidate's voice, on and off at these places."""
    kinds = (VoiceStarted, VoiceStopped)
    return [kinds[n % 2](at=At(edge + 0.1), speaker="candidate", media=Media(edge)) for n, edge in enumerate(edges)]


def turn(number: int, speaker: Speaker, start: float, end: float) -> list[Event]:
    return [
        TurnStarted(at=At(start), speaker=speaker, turn=number, media=Media(start)),
        TurnEnded(at=At(end), speaker=speaker, turn=number, media=Media(end), reason="finished"),
    ]


def recorded(until: float) -> Event:
    return AudioProgress(at=At(until), media=Media(until))


def silences(events: list[Event]) -> list[tuple[float, float, str]]:
    return [(pause.start, pause.end, pause.kind) for pause in fold(events).pauses]


def test_the_turns_of_a_session() -> None:
    assert [(turn.number, turn.speaker, turn.start, turn.end, turn.reason, turn.text) for turn in fold(SESSION).turns] == [
        (
            *(1, "interviewer", 0.4, 5.2, "finished"),
            "Hi, I run the GPU platform team. Tell me about a scheduling decision you made.",
        ),
        (
            *(2, "candidate", 7.3, 42.0, "yielded"),
            "We chose <img src=x onerror=alert(1)> *gang* scheduling. 我们用 Ray 把延迟降到，p99 200 ms",
        ),
        (3, "interviewer", 42.3, 44.25, "interrupted", "And what did that cost you"),
        (4, "candidate", 43.6, 48.5, "session-ended", "About 8%."),
    ]


def test_the_rest_of_a_session() -> None:
    timeline = fold(SESSION)
    assert [(region.start, region.end) for region in timeline.speech] == [(7.3, 11.9), (31.4, 39.0), (43.6, 46.0)]
    assert timeline.spoken == pytest.approx(4.6 + 7.6 + 2.4)
    assert [(said.id, said.move, said.media, said.seconds, said.complete) for said in timeline.utterances] == [
        ("say-1", "question", 0.4, 4.8, True),
        ("say-2", "prompt", 24.2, 0.8, True),
        ("say-3", "pushback", 42.3, 1.95, False),
    ]
    assert [(asked.of, asked.media) for asked in timeline.questions] == [("say-1", 0.4), ("say-3", 42.3)]
    assert [(part.section, part.start, part.end, round(part.seconds, 3)) for part in timeline.sections] == [
        ("opening", 0.0, 5.2, 5.2),
        ("deep-dive", 5.2, 48.5, 43.8),
    ]
    assert [flag.rule for flag in timeline.flags] == ["long_pause"]
    assert [turn.trusted for turn in timeline.turns] == [True, False, True, True]
    assert len(timeline.words) == 21
    assert (len(timeline.gaps), len(timeline.interruptions), len(timeline.notes), len(timeline.failures)) == (1, 1, 1, 1)
    assert (timeline.ended, timeline.duration, timeline.elapsed) == ("user", 48.5, 49.0)


def test_a_prompt_does_not_end_the_pause_it_breaks() -> None:
    """The encouragement is no turn, and the gap in the recording is no pause."""
    assert [(pause.start, pause.end, pause.kind) for pause in fold(SESSION).pauses] == [
        (5.2, 7.3, "before_answer"),
        (11.9, 31.4, "mid_answer"),
        (39.0, 39.5, "trailing"),
        (40.5, 42.3, "trailing"),
        (46.0, 48.5, "trailing"),
    ]


def test_a_plain_recording_is_all_answer() -> None:
    assert silences([*voice(2.0, 5.0, 9.0, 10.0), recorded(12.0)]) == [
        (0.0, 2.0, "before_answer"),
        (5.0, 9.0, "mid_answer"),
        (10.0, 12.0, "trailing"),
    ]


def test_silence_before_the_interviewer_speaks_is_nobody_s() -> None:
    assert silences([*turn(1, "interviewer", 3.0, 5.0), *voice(5.1, 8.0), recorded(8.0)]) == []


def test_a_question_that_is_never_answered_is_a_pause_before_an_answer() -> None:
    events = [*turn(1, "interviewer", 0.0, 5.0), *turn(2, "interviewer", 65.0, 70.0), recorded(75.0)]
    assert silences(events) == [(5.0, 65.0, "before_answer"), (70.0, 75.0, "before_answer")]


def test_a_laptop_that_slept_is_no_pause() -> None:
    slept = AudioGap(at=At(7200.0), start=Media(6.0), end=Media(7000.0), reason="asleep")
    assert silences([*voice(0.0, 5.0), slept, *voice(7000.1, 7005.0)]) == [(5.0, 6.0, "mid_answer")]


def test_speech_that_goes_on_ends_where_the_recording_does() -> None:
    timeline = fold([*voice(1.0), recorded(4.0)])
    assert [(region.start, region.end) for region in timeline.speech] == [(1.0, 4.0)]


def test_an_utterance_belongs_to_the_turn_that_its_sound_opens() -> None:
    said = Speak(at=At(0.0), id="a", text="Why that?", language="en", move="followup")
    starts, ends = turn(1, "interviewer", 1.0, 2.0)
    sounding = SpeakingStarted(at=At(1.0), of="a", media=Media(1.0))
    over = SpeakingFinished(at=At(2.0), of="a", media=Media(2.0), heard="Why that?", seconds=1.0, complete=True)
    for order in (
        [said, sounding, starts, over, ends],
        [said, starts, sounding, over, ends],
        [said, sounding, starts, ends, over],
    ):
        (found,) = fold(order).turns
        assert found.text == "Why that?"


def test_an_utterance_that_never_sounded_has_no_place() -> None:
    said = Speak(at=At(0.0), id="a", text="Why that?", language="en", move="followup")
    stopped = SpeakingFinished(at=At(1.0), of="a", media=Media(1.0), heard="", seconds=0.0, complete=False)
    (found,) = fold([said, stopped]).utterances
    assert (found.media, found.heard) == (None, "")


def test_nothing_folds_to_nothing() -> None:
    timeline = fold([])
    assert (timeline.turns, timeline.text, timeline.duration, timeline.spoken, timeline.pauses) == ((), "", 0.0, 0, ())


def test_words_that_come_late_stand_where_they_were_said() -> None:
    late, early = words("b"), (Word("a", Media(-1.0), Media(0.0), 0.9),)
    assert fold([WordsCommitted(at=At(1.0), words=late, turn=3), WordsCommitted(at=At(2.0), words=early, turn=1)]).text == "a b"


@pytest.mark.parametrize(("ended", "kept"), [(None, True), ("interrupted", True), ("completed", False)])
def test_words_heard_last_are_kept_where_the_session_broke_off(ended: str | None, kept: bool) -> None:
    events: list[Event] = [
        TurnStarted(at=At(0.0), speaker="candidate", turn=1, media=Media(0.0)),
        WordsHeard(at=At(1.0), words=words("We", "thought"), turn=1),
        WordsHeard(at=At(2.0), words=words("We", "chose", "Ray"), turn=1),
    ]
    if ended:
        events.append(SessionEnded(at=At(2.0), reason=ended))
    (found,) = fold(events).turns
    assert (found.text, found.trusted) == (("We chose Ray", False) if kept else ("", True))


def test_words_heard_are_replaced_by_those_of_record() -> None:
    heard = WordsHeard(at=At(1.0), words=words("We", "thought"), turn=1)
    record = WordsCommitted(at=At(2.0), words=words("We", "fought."), turn=1)
    assert fold([heard, record]).text == "We fought."


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        ((), ""),
        (("We", "chose", "Ray."), "We chose Ray."),
        (("我", "们", "用"), "我们用"),
        (("我", "们", "用", "Ray", "吗", "？", "Yes"), "我们用 Ray 吗？Yes"),
        (("延迟，", "p99"), "延迟，p99"),
        ((" We ", "", " ", "did"), "We did"),
    ],
)
def test_text(texts: tuple[str, ...], text: str) -> None:
    assert text_of(words(*texts)) == joined(texts) == text


@given(st.lists(st.text("ab 我们，。!,p9", max_size=4)))
def test_quotes_are_verbatim_pieces_of_the_text(texts: list[str]) -> None:
    """Evidence is quoted with offsets into the text, exports show `text_of`: they must write the same."""
    said = words(*texts)
    assert text_of(said) == placed(said)[0].strip()


def in_order(timeline: Timeline) -> None:
    """What holds for every timeline."""
    for starts in (
        [turn.start for turn in timeline.turns],
        [word.start for word in timeline.words],
        [note.media for note in timeline.notes],
        [pause.start for pause in timeline.pauses],
    ):
        assert starts == sorted(starts)
    stretches: tuple[Sequence[Span | Pause], ...] = (timeline.speech, timeline.pauses)
    for part in stretches:
        assert all(before.end <= after.start for before, after in pairwise(part))
        assert all(0 <= each.start < each.end <= timeline.duration for each in part)
    assert all(turn.start <= turn.end <= timeline.duration for turn in timeline.turns)
    assert all(section.start <= section.end and section.seconds >= 0 for section in timeline.sections)
    voiced = [(region.start, region.end) for region in timeline.speech]
    assert not any(pause.start < end and start < pause.end for pause in timeline.pauses for start, end in voiced)


@given(st.lists(any_event(), max_size=40))
def test_any_events_in_any_order_fold(events: list[Event]) -> None:
    in_order(fold(events))


@pytest.mark.parametrize("length", range(len(SESSION) + 1))
def test_any_beginning_of_a_session_folds(length: int) -> None:
    whole, part = fold(SESSION), fold(SESSION[:length])
    in_order(part)
    assert part.duration <= whole.duration
    assert {word.start for word in part.words} <= {word.start for word in whole.words}
    assert [turn.number for turn in part.turns] == [turn.number for turn in whole.turns[: len(part.turns)]]


@given(st.data())
def test_what_was_ever_known_stays(data: st.DataObject) -> None:
    """Ends that were logged, words, utterances: a longer log adds, and takes nothing back."""
    events = data.draw(st.permutations(SESSION))
    length = data.draw(st.integers(0, len(events)))
    part, whole = fold(events[:length]), fold(events)
    in_order(part)
    assert {said.id for said in part.utterances} <= {said.id for said in whole.utterances}
    assert {turn.number for turn in part.turns} <= {turn.number for turn in whole.turns}
    assert set(part.words) <= set(whole.words)
