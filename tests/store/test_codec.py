from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.store.samples import HEADER, events
from voiceprep.core.events import KINDS, AudioProgress, Ending, EndingHeard, Event, NoteAdded, Word, WordsCommitted
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError
from voiceprep.store import header
from voiceprep.store.codec import as_logged, decode, encode


@settings(max_examples=400)
@given(events())
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    line = encode(event)
    assert "\n" not in line
    assert decode(line, 2) == event


def test_every_kind_is_tried() -> None:
    """The strategy above draws from KINDS; this fails if an event is left out of it."""
    kinds = {kind.__name__ for base in Event.__subclasses__() for kind in base.__subclasses__()}
    assert kinds == set(KINDS)


def test_kind_and_at_come_first_and_chinese_is_readable() -> None:
    event = WordsCommitted(at=At(2.5), words=(Word("队列", Media(1.0), Media(1.3333333), 0.91),), turn=2)
    assert encode(event) == (
        '{"kind":"WordsCommitted","at":2.5,"words":[{"text":"队列","start":1.0,"end":1.333333,"confidence":0.91}],'
        '"turn":2,"trusted":true}'
    )


def test_numbers_inside_a_value_inside_an_event_are_as_precise_as_all_others() -> None:
    heard = Ending(pitch_change=-1.23456789, pitch=None, level=0.1 + 0.2, level_fall=2.0, steady=1e-9)
    event = EndingHeard(at=At(1.0), media=Media(0.5), ending=heard)
    kept = as_logged(event)
    assert kept.ending == Ending(pitch_change=-1.234568, pitch=None, level=0.3, level_fall=2.0, steady=0.0)
    assert as_logged(kept) == kept


def test_a_default_may_be_missing() -> None:
    assert decode('{"kind":"WordsCommitted","at":1,"words":[],"turn":2}', 2) == WordsCommitted(at=At(1.0), words=(), turn=2)


def test_half_a_surrogate_pair_does_not_stop_the_log() -> None:
    encode(NoteAdded(at=At(0.0), media=Media(0.0), text="\ud83d")).encode("utf-8")


def test_a_number_that_is_not_finite_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(AudioProgress(at=At(0.0), media=Media(float("nan"))))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"kind":"VoiceStarted","at":1',
        '{"kind":"Header","at":0}',
        '{"kind":"Nothing","at":0}',
        '{"kind":["VoiceStarted"],"at":0}',
        '{"kind":"AudioProgress","at":1}',
        '{"kind":"AudioProgress","at":1,"media":"2"}',
        '{"kind":"AudioProgress","at":1,"media":true}',
        '{"kind":"AudioProgress","at":1,"media":NaN}',
        '{"kind":"AudioProgress","at":1,"media":1e999}',
        '{"kind":"AudioProgress","at":1,"media":' + "9" * 400 + "}",
        '{"kind":"WordsCommitted","at":1,"words":[{"text":"a","start":1e999,"end":1,"confidence":1}],"turn":1}',
        '{"kind":"VoiceStarted","at":1,"media":1,"speaker":"somebody"}',
        '{"kind":"AudioProgress","at":1,"media":' + "[" * 100_000,
    ],
)
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(BadInputError, match="line 17 ") as raised:
        decode(line, 17)
    assert raised.value.code == "bad-log"


def test_what_was_said_is_not_in_the_error() -> None:
    with pytest.raises(BadInputError) as raised:
        decode('{"kind":"NoteAdded","at":1,"media":"my secret","text":"my secret"}', 3)
    assert "secret" not in str(raised.value)
    assert "NoteAdded: media" in raised.value.message


def test_the_header_comes_back_as_it_was() -> None:
    line = header.encode(HEADER)
    assert header.decode(line) == HEADER
    assert list(json.loads(line))[:3] == ["kind", "at", "schema"]


def test_a_header_that_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(BadInputError, match=r"policy\.floor"):
        header.encode(replace(HEADER, policy={"floor": [1]}))  # type: ignore[dict-item]  # the mistake is the test


@pytest.mark.parametrize("change", [{"started": "yesterday"}, {"language": "fr"}, {"seed": "1"}, {"kind": "AudioProgress"}])
def test_a_bad_header_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadInputError) as raised:
        header.decode(json.dumps(json.loads(header.encode(HEADER)) | change))
    assert raised.value.code == "bad-log"
