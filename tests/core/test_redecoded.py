"""A log read with another transcript: every word is replaced, and nothing that happened changes."""

from __future__ import annotations

from pathlib import Path

from voiceprep.core.events import (
    EdgeFailed,
    Event,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    Transcribe,
    TranscriptReady,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.redecoded import Decoded, Passage, passages, redecoded
from voiceprep.core.timeline import fold
from voiceprep.core.units import At, Media
from voiceprep.store import log

LOG = log.read(Path(__file__).parents[1] / "data" / "session-schema-1" / "events.jsonl")


def words(*texts: str, start: float) -> tuple[Word, ...]:
    return tuple(Word(text, Media(start + n), Media(start + n + 0.5), 0.9) for n, text in enumerate(texts))


def decoded(events: tuple[Event, ...] | list[Event], text: str) -> list[Decoded]:
    """Each passage says `text` at its middle."""
    return [
        Decoded(each, (Word(text, Media((each.start + each.end) / 2), Media((each.start + each.end) / 2 + 0.1), 0.8),))
        for each in passages(events)
    ]


def test_a_real_session_keeps_all_but_its_words() -> None:
    before, after = fold(LOG.events), fold(redecoded(LOG.events, decoded(LOG.events, "anew")))
    asked = [event for event in LOG.events if isinstance(event, Transcribe)]
    assert {word.text for word in after.words} == {"anew"}
    assert len(after.words) >= len(asked)
    for same in ("utterances", "speech", "pauses", "flags", "sections", "questions", "ended", "duration"):
        assert getattr(before, same) == getattr(after, same), same
    assert [(turn.number, turn.start, turn.end, turn.reason) for turn in before.turns] == [
        (turn.number, turn.start, turn.end, turn.reason) for turn in after.turns
    ]
    assert {turn.number for turn in after.turns if turn.words} >= {turn.number for turn in before.turns if turn.words}


def test_the_order_of_time_is_kept() -> None:
    times = [event.at for event in redecoded(LOG.events, decoded(LOG.events, "anew"))]
    assert times == sorted(times)


def answer(*events: Event) -> list[Event]:
    return [
        TurnStarted(at=At(1.0), speaker="candidate", turn=2, media=Media(1.0)),
        VoiceStarted(at=At(1.0), speaker="candidate", media=Media(1.0)),
        VoiceStopped(at=At(9.0), speaker="candidate", media=Media(9.0)),
        *events,
        TurnEnded(at=At(20.0), speaker="candidate", turn=2, media=Media(9.0), reason="session-ended"),
    ]


ASKED = Transcribe(at=At(9.0), id="t1", start=Media(0.8), end=Media(9.2), turn=2)


def test_a_passage_that_failed_has_its_words_now() -> None:
    log_of_it = answer(ASKED, EdgeFailed(at=At(12.0), code="recogniser-timeout", message="too slow", of="t1"))
    (passage,) = passages(log_of_it)
    timeline = fold(redecoded(log_of_it, [Decoded(passage, words("now", "heard", start=2.0))]))
    assert timeline.text == "now heard"
    assert timeline.failures == ()
    assert timeline.turns[0].text == "now heard"


def test_speech_that_nobody_decoded_is_decoded() -> None:
    """As in a session that was held without a recogniser, or one that broke off."""
    (passage,) = passages(answer())
    assert (passage.of, passage.start, passage.end, passage.turn) == ("", 1.0, 9.0, 2)
    assert fold(redecoded(answer(), [Decoded(passage, words("at", "last", start=2.0))])).turns[0].text == "at last"


def test_a_long_stretch_is_cut_to_the_recognisers_window() -> None:
    long: list[Event] = [
        VoiceStarted(at=At(0.0), speaker="candidate", media=Media(0.0)),
        VoiceStopped(at=At(60.0), speaker="candidate", media=Media(60.0)),
    ]
    assert [(each.start, each.end) for each in passages(long)] == [(0.0, 24.0), (24.0, 48.0), (48.0, 60.0)]


def test_words_outside_of_speech_are_moved_into_it() -> None:
    log_of_it = answer(ASKED, TranscriptReady(at=At(12.0), of="t1", words=()))
    late = (Word("late", Media(9.1), Media(11.0), 0.9),)
    (word,) = fold(redecoded(log_of_it, [Decoded(passages(log_of_it)[0], late)])).words
    assert word.end <= 9.0


def test_the_interviewers_own_words_are_dropped_from_the_new_transcript_too() -> None:
    line = "So what did you decide in the end and who disagreed"
    heard = line.split()
    spoke: list[Event] = [
        Speak(at=At(1.0), id="s1", text=line, language="en", move="question"),
        SpeakingStarted(at=At(1.0), of="s1", media=Media(1.0)),
        SpeakingFinished(at=At(8.0), of="s1", media=Media(8.0), heard=line, seconds=7.0, complete=True),
    ]
    log_of_it = answer(*spoke, ASKED, TranscriptReady(at=At(12.0), of="t1", words=()))
    echo = tuple(Word(text, Media(1.0 + n * 0.5), Media(1.4 + n * 0.5), 0.9) for n, text in enumerate(heard))
    assert fold(redecoded(log_of_it, [Decoded(passages(log_of_it)[0], echo)])).words == ()


def test_untrusted_passages_make_an_untrusted_turn() -> None:
    log_of_it = answer(ASKED, TranscriptReady(at=At(12.0), of="t1", words=words("sure", start=2.0)))
    doubtful = Decoded(passages(log_of_it)[0], words("mumble", start=2.0), trusted=False, reasons=("noise",))
    after = redecoded(log_of_it, [doubtful])
    assert not fold(after).turns[0].trusted
    assert [event.trusted for event in after if isinstance(event, WordsCommitted)] == [False]


def test_a_sound_that_was_set_aside_stays_aside() -> None:
    aside = WordsCommitted(at=At(12.0), words=words("mm-hm", start=2.0), turn=0)
    log_of_it = answer(ASKED, TranscriptReady(at=At(12.0), of="t1", words=aside.words), aside)
    assert passages(log_of_it) == [Passage("t1", Media(0.8), Media(9.2), 0)]
