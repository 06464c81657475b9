"""The candidate of the bench: what goes into the recording is where it says it is, and it behaves as people do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bench.candidate import GIVE_UP, OWED, BenchCandidate
from bench.choosing import Chooser, InOrder
from bench.truth import Take
from tests.bench.sounds import plain_take
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.core.events import EdgeFailed, MoveChosen, MoveKind, Speak, SpeakingFinished, SpeakingStarted
from voiceprep.core.units import At, Media

LONG = plain_take(1.0, ("hesitation", 5.0), 1.0, ("sentence", 0.5), 1.0, name="long")
SHORT = plain_take(1.5, name="short")


class Seat:
    """Both sides of the table: pulls blocks, and lets the interviewer speak."""

    def __init__(self, *takes: Take, seconds: float = 600.0, seed: int = 1, barges: bool = False, **more: Any) -> None:
        chooser = InOrder(takes)
        self.candidate = BenchCandidate(chooser, "fast", seconds, seed=seed, barges=barges, **more)
        self.heard: list[Samples] = []
        self._blocks = self.candidate.blocks()
        self.lines = 0

    async def listen(self, seconds: float) -> bool:
        """Whether the candidate is still there."""
        for _ in range(round(seconds * RATE / BLOCK)):
            try:
                self.heard.append((await anext(self._blocks)).samples)
            except StopAsyncIteration:
                return False
        return True

    def begin(self, move: MoveKind = "followup") -> str:
        self.lines += 1
        at = At(self.candidate.seconds)
        of = f"s{self.lines}"
        if move != "prompt":
            self.candidate.show(MoveChosen(at=at, move=move, target="number", phrase="", reason=""))
        self.candidate.show(Speak(at=at, id=of, text="", language="en", move=move))
        self.candidate.show(SpeakingStarted(at=at, of=of, media=Media(at)))
        return of

    def end(self) -> None:
        self.candidate.floor_opened()

    @property
    def recording(self) -> Samples:
        return np.concatenate(self.heard)


def edges(recording: Samples) -> list[tuple[int, int]]:
    """Loud stretches of the recording, to the sample."""
    loud = np.flatnonzero(np.diff(np.concatenate([[0], (np.abs(recording) > 0.1).astype(int), [0]])))
    return [(int(a), int(b)) for a, b in loud.reshape(-1, 2)]


async def test_what_was_said_lies_where_it_says() -> None:
    seat = Seat(LONG, SHORT)
    for _ in range(2):
        seat.begin()
        seat.end()
        await seat.listen(12.0)
    first, second = seat.candidate.said
    assert [now.complete for now in (first, second)] == [True, True]
    expected = [(now.media(s.start), now.media(s.end)) for now in (first, second) for s in now.take.sounds]
    assert [(a / RATE, b / RATE) for a, b in edges(seat.recording)] == expected


async def test_cut_off_in_a_pause_it_falls_silent_and_says_the_rest_later() -> None:
    seat = Seat(LONG)
    seat.begin()
    seat.end()
    await seat.listen(5.0)  # in the long pause
    seat.begin()
    await seat.listen(10.0)
    assert len(edges(seat.recording)) == 1
    seat.end()
    await seat.listen(10.0)
    first, rest = seat.candidate.said
    assert not first.complete
    assert LONG.pauses[0].start < first.stop < LONG.pauses[0].end
    assert rest.complete
    assert rest.first > first.stop
    assert rest.onset == LONG.sounds[1].start
    assert len(edges(seat.recording)) == 3


async def test_cut_off_while_speaking_it_finishes_the_sentence() -> None:
    seat = Seat(LONG)
    seat.begin()
    seat.end()
    while not seat.candidate.said:
        await seat.listen(BLOCK / RATE)
    await seat.listen(0.5)
    seat.begin()
    await seat.listen(3.0)
    (first,) = seat.candidate.said
    assert first.stop == LONG.sounds[0].end
    seat.end()
    await seat.listen(10.0)
    assert edges(seat.recording)[0][1] - edges(seat.recording)[0][0] == LONG.sounds[0].end
    assert seat.candidate.said[1].first == pytest.approx(LONG.sounds[1].start, abs=BLOCK)


async def test_an_encouragement_does_not_stop_it_nor_make_it_begin_again() -> None:
    seat = Seat(LONG, SHORT)
    seat.begin()
    seat.end()
    await seat.listen(5.0)
    for _ in range(2):
        seat.begin("prompt")
        seat.end()
        await seat.listen(8.0)
    assert [now.take.id for now in seat.candidate.said] == ["long"]


async def test_it_goes_on_when_nobody_replies_for_long() -> None:
    seat = Seat(SHORT, LONG)
    seat.begin()
    seat.end()
    await seat.listen(GIVE_UP - 5)
    assert len(seat.candidate.said) == 1
    await seat.listen(15.0)
    assert len(seat.candidate.said) == 2


@pytest.mark.parametrize("complete", [True, False])
async def test_what_was_asked_before_the_answer_was_over_is_answered_after_its_rest(complete: bool) -> None:
    seat = Seat(LONG, SHORT)
    seat.begin()
    seat.end()
    await seat.listen(5.0)  # in the long pause
    of = seat.begin()
    at = At(seat.candidate.seconds)
    await seat.listen(3.0)
    seat.candidate.show(SpeakingFinished(at=at, of=of, media=Media(at), heard="", seconds=3.0, complete=complete))
    seat.end()
    await seat.listen(8.0)
    assert [now.take.id for now in seat.candidate.said] == ["long", "long"]
    await seat.listen(OWED)
    assert [now.take.id for now in seat.candidate.said][2:] == (["short"] if complete else [])


async def test_a_line_that_only_stands_on_the_screen_is_answered() -> None:
    seat = Seat(SHORT)
    of = seat.begin()
    seat.candidate.show(EdgeFailed(at=At(0.1), code="voice-failed", message="", of=of))
    await seat.listen(3.0)
    assert len(seat.candidate.said) == 1


async def test_it_leaves_when_the_time_is_up_and_the_last_reply_was_heard() -> None:
    seat = Seat(SHORT, SHORT, SHORT, seconds=5.0)
    seat.begin()
    seat.end()
    assert await seat.listen(10.0)
    seat.begin()
    seat.end()
    assert not await seat.listen(5.0)
    assert len(seat.candidate.said) == 1


async def test_it_speaks_over_some_lines_and_never_over_two_running() -> None:
    seat = Seat(*[SHORT] * 60, barges=True)
    over = []
    for _ in range(40):
        before = len(seat.candidate.said)
        of = seat.begin()
        await seat.listen(3.0)
        new = seat.candidate.said[before:]
        over.append(bool(new))
        if new:
            assert new[0].over == of
            assert edges(seat.recording)[-1][0] / RATE == pytest.approx(new[0].media(new[0].onset))
        seat.end()
        await seat.listen(5.0)
    assert 3 <= sum(over) <= 15
    assert not any(a and b for a, b in pairwise(over))


async def test_a_bed_lies_under_the_pauses_too() -> None:
    noisy = plain_take(0.5, ("hesitation", 2.0), 0.5, condition="fan")
    bed = np.resize(np.array([1.0, -1.0], np.float32), RATE)
    seat = Seat(noisy, beds={"fan": bed})
    seat.begin()
    seat.end()
    await seat.listen(4.0)
    (now,) = seat.candidate.said
    inside = seat.recording[round(now.media(noisy.pauses[0].start) * RATE) :][: 2 * RATE]
    assert np.abs(inside).min() == pytest.approx(0.3 * 10 ** (-20 / 20), rel=1e-3)


async def test_at_live_pace_it_is_a_device() -> None:
    assert not BenchCandidate(InOrder([SHORT]), "live", 10.0).on_demand
    assert BenchCandidate(InOrder([SHORT]), "fast", 10.0).on_demand


async def test_closing_ends_it() -> None:
    candidate = BenchCandidate(InOrder([SHORT]), "fast", 10.0)
    await candidate.close()
    assert [block async for block in candidate.blocks()] == []


def choices(made: Mapping[str, Take], *asked: tuple[str, MoveKind, str]) -> list[str]:
    chooser = Chooser({name: [each] for name, each in made.items()}, ["q1", "q2"])
    return [chooser.next(*each).id for each in asked]


def answer(name: str, questions: tuple[str, ...] = (), targets: tuple[str, ...] = ()) -> Take:
    return Take(name, "en", questions, targets, SHORT.samples, SHORT.sounds, ())


ANSWERS = {
    each.id: each
    for each in (
        answer("a", ("q1",)),
        answer("b", ("q1",)),
        answer("c", ("other",)),
        answer("n", (), ("number",)),
        answer("t", (), ("tradeoff",)),
        answer("mine", ("your-questions",)),
        answer("more"),
    )
}


def test_an_answer_fits_the_question_or_what_a_follow_up_goes_after() -> None:
    assert choices(ANSWERS, ("q1", "question", ""), ("q1", "followup", "tradeoff"), ("q1", "pushback", "number")) == [
        "a",
        "t",
        "n",
    ]
    assert choices(ANSWERS, ("q1", "question", ""), ("q1", "move_on", ""), ("q1", "move_on", "")) == ["a", "b", "a"]


def test_what_nobody_wrote_an_answer_for_gets_one_of_the_same_round() -> None:
    assert choices(ANSWERS, ("q2", "question", "")) == ["a"]
    assert choices(ANSWERS, ("q2", "followup", "stakeholders"), ("q2", "followup", "stakeholders")) == ["n", "t"]


def test_where_the_candidate_may_ask_it_asks() -> None:
    assert choices(ANSWERS, ("", "move_on", "")) == ["mine"]


def test_what_is_added_over_the_interviewer_answers_nothing() -> None:
    assert Chooser({name: [each] for name, each in ANSWERS.items()}).more().id == "more"


def test_the_same_seed_does_the_same() -> None:
    async def play() -> Samples:
        seat = Seat(*[SHORT] * 10, barges=True, seed=7)
        for _ in range(8):
            seat.begin()
            await seat.listen(2.0)
            seat.end()
            await seat.listen(4.0)
        return seat.recording

    assert np.array_equal(asyncio.run(play()), asyncio.run(play()))
