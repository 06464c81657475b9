"""Loops on the virtual clock: rounds that are held, go wrong, break off and are deleted, and the committee's page on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from tests.fakes import committee_room as room
from tests.fakes.interview import Candidate, header, hold, keep
from voiceprep.content.committee import load_committee
from voiceprep.content.lenses import held_as
from voiceprep.core.events import Event, MoveChosen, SessionEnded, TranscriptReady, TurnEnded, WordsCommitted
from voiceprep.core.interviewer.loop import Seat
from voiceprep.core.pack import Content
from voiceprep.core.timeline import fold
from voiceprep.errors import UsageError
from voiceprep.review.debrief import Debrief, Standing, best_of, debrief, next_seat, standings, worst_of
from voiceprep.review.verdict import findings
from voiceprep.store import loops
from voiceprep.store.archive import Archive
from voiceprep.store.header import Header
from voiceprep.store.recovery import recover

RUN = "small-20261201-090000"
QUESTIONS = 3
"""What is compared: the questions that every one of these sessions reaches."""


def content_of(head: Header) -> Content:
    return held_as(room.small_content(head.round), head.severity)


class Passage:
    """Holds one round after the other, as `voiceprep loop next` does: from what the folders say."""

    def __init__(self, recordings: Path) -> None:
        self.recordings = recordings
        self.day = 0

    def hold(self, candidate: Candidate, answers: int = 30) -> str:
        seat, round_id, severity = self.following() if self.day else (Seat("small", RUN, 1), "one", 0)
        return self.put(seat, round_id, severity, candidate, answers)

    def put(self, seat: Seat, round_id: str, severity: int, candidate: Candidate, answers: int = 30, **how: bool) -> str:
        self.day += 1
        head = header(
            round_id,
            ("hiring-manager", "infra-expert", "bar-raiser")[seat.number - 1],
            f"2026-12-{self.day:02}T09:00:00Z",
            severity=severity,
            loop=seat.loop,
            loop_run=seat.run,
            loop_round=seat.number,
        )
        events = hold(content_of(head), room.leaves_after(candidate, answers))
        if how.get("crashed"):
            events = [event for event in events if not isinstance(event, SessionEnded)]
        return keep(self.recordings, head, events, crashed=how.get("crashed", False))

    @property
    def run(self) -> loops.Run:
        return loops.find(self.recordings, RUN)

    def standings(self) -> tuple[Standing, ...]:
        return standings(room.LOOP, self.run, Archive(self.recordings).read, content_of)

    def following(self) -> tuple[Seat, str, int]:
        found = next_seat(self.run, self.standings())
        assert found is not None
        return found

    def debrief(self, tongue: str = "en") -> Debrief:
        return debrief(self.run, self.standings(), load_committee(), "zh" if tongue == "zh" else "en")

    def moves(self, session: str) -> list[list[str]]:
        """The interviewer's moves in the first questions, question by question."""
        _, events = Archive(self.recordings).read(session)
        out: list[list[str]] = []
        for move in (event.move for event in events if isinstance(event, MoveChosen)):
            if move in {"question", "move_on"}:
                out.append([])
            else:
                out[-1].append(move)
        return out[:QUESTIONS]


@pytest.fixture
def passage(tmp_path: Path) -> Passage:
    return Passage(tmp_path / "recordings")


def count(moves: Sequence[Sequence[str]], *kinds: str) -> int:
    return sum(move in kinds for question in moves for move in question)


def marks(passage: Passage) -> list[str | None]:
    return [one.mark for one in passage.standings()]


def test_a_weak_round_makes_the_next_one_visibly_harder(passage: Passage, tmp_path: Path) -> None:
    first = passage.hold(room.vague)
    assert passage.following() == (Seat("small", RUN, 2), "two", 1)
    after_weak = passage.moves(passage.hold(room.vague))
    after_strong_passage = Passage(tmp_path / "other")
    after_strong_passage.hold(room.good)
    after_strong = after_strong_passage.moves(after_strong_passage.hold(room.vague))
    assert passage.moves(first) == after_strong  # no weak round before either of them
    assert count(after_weak, "pushback") > count(after_strong, "pushback")
    assert count(after_weak, "followup", "pushback") > count(after_strong, "followup", "pushback")
    assert [one.severity for one in passage.standings()] == [0, 1, 2]


def test_a_strong_round_changes_nothing(passage: Passage) -> None:
    passage.hold(room.good)
    assert marks(passage) == ["strong", None, None]
    assert passage.following() == (Seat("small", RUN, 2), "two", 0)


def test_three_strong_rounds_are_a_hire_with_the_words_behind_it(passage: Passage) -> None:
    sessions = [passage.hold(room.good) for _ in range(3)]
    made = passage.debrief()
    assert made.decision == "hire"
    assert next_seat(passage.run, passage.standings()) is None
    assert [note.standing.session for note in made.notes] == sessions
    for note in made.notes:
        assert "{" not in note.sentence
        timeline = fold(Archive(passage.recordings).read(note.standing.session)[1])
        (item,) = note.evidence
        assert item.quote in timeline.text
        assert any(word.start == item.start for word in timeline.words)
        assert any(word.end == item.end for word in timeline.words)


def test_each_interviewer_writes_in_a_voice_of_their_own(passage: Passage) -> None:
    for _ in range(3):
        passage.hold(room.good)
    voices = load_committee().notes
    for note in passage.debrief().notes:
        own = [text.split("{best}") for text in voices[note.standing.persona]["strong"]["en"]]
        assert any(all(part.casefold() in note.sentence.casefold() for part in parts) for parts in own)


def test_one_label_blocks_although_all_rounds_but_one_are_strong(passage: Passage) -> None:
    passage.hold(room.good)
    passage.hold(room.good)

    def bluffs_twice(move: MoveChosen, calls: list[int] = []) -> str:  # noqa: B006  (it counts its own calls)
        calls.append(1)
        return room.bluffing(move) if len(calls) in {2, 4} else room.good(move)

    third = passage.hold(bluffs_twice)
    assert marks(passage) == ["strong", "strong", "strong"]
    made = passage.debrief()
    assert made.decision == "no_hire"
    ((place, raised),) = made.blocking
    assert (place.session, raised.label.id, len(raised.evidence)) == (third, "bluffs", 2)
    text = fold(Archive(passage.recordings).read(third)[1]).text
    assert all(item.quote in text for item in raised.evidence)
    assert made.practise[0] == "Say where it ends."


def test_what_was_asked_for_and_never_came_is_quoted_by_what_came_instead(passage: Passage) -> None:
    passage.put(Seat("small", RUN, 3), "three", 0, room.vague)
    ((_, raised),) = passage.debrief().blocking
    assert raised.label.id == "passenger"
    assert raised.evidence[0].quote.startswith("well there were many things")


def test_a_session_that_crashed_early_is_held_again(passage: Passage) -> None:
    passage.put(Seat("small", RUN, 1), "one", 0, room.good, 1, crashed=True)
    (report,) = recover(passage.recordings)
    assert report.outcome == "recovered"
    assert passage.standings()[0].state == "again"
    assert passage.following() == (Seat("small", RUN, 1), "one", 0)
    good = passage.hold(room.good)
    assert passage.standings()[0].session == good
    assert passage.following()[0].number == 2


def test_a_session_that_crashed_late_counts_by_what_was_heard(passage: Passage) -> None:
    passage.put(Seat("small", RUN, 1), "one", 0, room.vague, 12, crashed=True)
    recover(passage.recordings)
    assert marks(passage) == ["weak", None, None]
    assert passage.following() == (Seat("small", RUN, 2), "two", 1)


def test_a_second_attempt_that_broke_off_does_not_wash_the_first_away(passage: Passage) -> None:
    weak = passage.hold(room.vague)
    passage.put(Seat("small", RUN, 1), "one", 0, room.good, 1)
    assert (passage.standings()[0].session, passage.standings()[0].mark) == (weak, "weak")


def test_a_deleted_session_takes_its_verdict_and_the_bar_with_it(passage: Passage) -> None:
    weak, second = passage.hold(room.vague), passage.hold(room.good)
    assert passage.following() == (Seat("small", RUN, 3), "three", 1)
    Archive(passage.recordings).delete(weak)
    first, held, _ = passage.standings()
    assert (first.state, first.mark) == ("deleted", None)
    assert (held.session, held.severity) == (second, 1)  # it was held harder, and that stays true
    assert passage.following() == (Seat("small", RUN, 1), "one", 0)
    made = passage.debrief()
    assert made.decision == "open"
    assert [note.standing.number for note in made.notes] == [2]


def untrusted(events: Sequence[Event]) -> list[Event]:
    """The same session from a recogniser that doubted all of it."""
    out: list[Event] = []
    for event in events:
        match event:
            case TranscriptReady():
                out.append(replace(event, trusted=False, reasons=("noise",)))
            case WordsCommitted():
                out.append(replace(event, trusted=False))
            case _:
                out.append(event)
    return out


@pytest.mark.parametrize(
    ("spoil", "models", "reason"),
    [
        (untrusted, "paper", "noise"),
        (list, "off", "no recogniser"),
        (lambda events: [e for e in events if not isinstance(e, WordsCommitted)], "paper", "gave no words"),
    ],
)
def test_no_verdict_on_what_nobody_could_understand(
    passage: Passage, spoil: Callable[[Sequence[Event]], list[Event]], models: str, reason: str
) -> None:
    head = header(
        "one",
        "hiring-manager",
        "2026-12-01T09:00:00Z",
        loop="small",
        loop_run=RUN,
        loop_round=1,
        models={"stt": models},
    )
    events = spoil(hold(content_of(head), room.leaves_after(room.vague, 30)))
    found = findings(head, events, content_of(head))
    assert any(reason in doubt for doubt in found.doubts)
    keep(passage.recordings, head, [*events])
    made = passage.debrief()
    assert [note.standing.mark for note in made.notes] in ([], ["unheard"])
    assert made.blocking == ()
    assert made.decision == "open"


def test_too_little_speech_gets_no_verdict(passage: Passage) -> None:
    passage.hold(room.vague, 2)
    (doubt,) = passage.standings()[0].findings.doubts  # type: ignore[union-attr]  # it has a session
    assert re.fullmatch(r"only \d:\d\d of speech in 2 answers", doubt)  # as lengths are told everywhere
    assert passage.standings()[0].state == "again"


def test_a_round_whose_files_are_gone_is_unheard_not_a_crash(passage: Passage) -> None:
    passage.hold(room.vague)

    def gone(_: Header) -> Content:
        raise UsageError("there is no round 'one'", code="unknown-round")

    first, *_ = standings(room.LOOP, passage.run, Archive(passage.recordings).read, gone)
    assert (first.state, first.mark) == ("again", None)
    assert first.findings is not None
    assert first.findings.doubts == ("there is no round 'one'",)


def test_the_committee_speaks_chinese(passage: Passage) -> None:
    passage.hold(room.good)
    passage.hold(room.vague)
    made = passage.debrief("zh")
    strong, weak = (note.sentence for note in made.notes)
    assert any(sign in strong for sign in ("见组里人", "往下走"))
    assert any("\u4e00" <= letter <= "\u9fff" for letter in weak)
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in advice) for advice in made.practise)


def test_a_reply_is_held_against_what_was_asked(passage: Passage) -> None:
    session = passage.hold(room.good)
    head, events = Archive(passage.recordings).read(session)
    found = findings(head, events, content_of(head))
    assert found.survival == 1.0
    assert {reply.target for reply in found.replies} >= {"decision_owner", "conflict_process", "abuse_guard"}
    best = best_of(found)
    assert best is not None
    assert best.signal == "own_decision"
    assert worst_of(found) == ""


def test_an_answer_that_the_end_broke_off_has_left_nothing_out(passage: Passage) -> None:
    head, events = Archive(passage.recordings).read(passage.hold(room.vague))
    whole = findings(head, events, content_of(head))
    last = whole.replies[-1]
    assert not last.answered
    ends = [n for n, each in enumerate(events) if isinstance(each, TurnEnded) and each.turn == last.turn]
    over = replace(cast("TurnEnded", events[ends[0]]), reason="session-ended")
    story = [*events[: ends[0]], over]
    for reason, left in (("user", whole.replies[:-1]), ("interrupted", whole.replies[:-1]), ("audio-ended", whole.replies)):
        cut = [*story, SessionEnded(at=over.at, reason=reason)]
        assert findings(head, cut, content_of(head)).replies == left, reason
