from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceprep.core.listening.pauses import SHORTEST_PAUSE, time_without_pauses
from voiceprep.core.units import Media, Span
from voiceprep.review.pauses import find_pauses, outside


def spans(*edges: float) -> tuple[Span, ...]:
    return tuple(Span(Media(a), Media(b)) for a, b in zip(edges[::2], edges[1::2], strict=True))


@st.composite
def recordings(draw: st.DrawFn) -> tuple[tuple[Span, ...], float]:
    steps = draw(st.lists(st.floats(0.0, 300.0), max_size=21))
    edges = [0.0]
    for step in steps:
        edges.append(edges[-1] + step)
    duration = edges.pop() if len(edges) > 1 else 0.0
    return spans(*edges[1 : 1 + (len(edges) - 1) // 2 * 2]), duration


def test_each_pause_has_its_kind() -> None:
    found = find_pauses(spans(1.0, 3.0, 3.1, 5.0, 51.0, 60.0), 62.5)
    assert [(p.start, p.end, p.kind) for p in found] == [
        (0.0, 1.0, "before_answer"),
        (5.0, 51.0, "mid_answer"),
        (60.0, 62.5, "trailing"),
    ]


def test_without_speech_the_whole_is_one_pause_before_the_answer() -> None:
    (pause,) = find_pauses((), 10.0)
    assert (pause.kind, pause.duration) == ("before_answer", 10.0)


def test_an_empty_recording_has_no_pause() -> None:
    assert find_pauses((), 0.0) == ()


@given(recordings())
def test_pauses_are_in_order_long_enough_and_outside_speech(recording: tuple[tuple[Span, ...], float]) -> None:
    speech, duration = recording
    found = find_pauses(speech, duration)
    for pause in found:
        assert pause.duration >= SHORTEST_PAUSE
        assert all(span.overlap(Span(pause.start, pause.end)) == 0.0 for span in speech)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_only_pauses_shorter_than_the_limit_count_as_time() -> None:
    assert time_without_pauses(spans(1.0, 3.0, 4.0, 5.0, 51.0, 60.0), 2.0) == 13.0


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ((), (1.0, 3.0, 5.0, 9.0)),
        ((0.0, 20.0), ()),
        ((2.0, 6.0), (1.0, 2.0, 6.0, 9.0)),
        ((6.0, 7.0), (1.0, 3.0, 5.0, 6.0, 7.0, 9.0)),
        ((1.0, 3.0), (5.0, 9.0)),
        ((3.0, 5.0), (1.0, 3.0, 5.0, 9.0)),
    ],
)
def test_what_is_outside(taken: tuple[float, ...], left: tuple[float, ...]) -> None:
    assert outside(spans(1.0, 3.0, 5.0, 9.0), spans(*taken)) == list(spans(*left))
