"""The review of a session: that what it says is in the log, in words that were said, and that no log breaks it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes import committee_room as room
from tests.fakes.interview import Candidate, header, hold, keep
from tests.review.scenes import HEAD, QUESTION, Scene, content, ladder, material, quizzed, reviewed
from tests.store.samples import events
from voiceprep.content import interviewer
from voiceprep.core.annotation import Anchor, WordIndex, noted
from voiceprep.core.events import (
    Event,
    Evidence,
    FlagRaised,
    NoteAdded,
    SectionChanged,
    SessionStarted,
    TranscriptReady,
    WordsCommitted,
)
from voiceprep.core.text import has_hanzi
from voiceprep.core.units import At, Media
from voiceprep.review.document import Review
from voiceprep.review.material import gather, material_of
from voiceprep.review.mattered import MOST
from voiceprep.review.page import made_of, write
from voiceprep.store.annotations import Annotations
from voiceprep.store.review_file import kept


def held(folder: Path, candidate: Candidate, tongue: str | None = None, answers: int = 30) -> Review:
    """A whole round on paper, kept, read back and reviewed."""
    log = hold(room.small_content(), room.leaves_after(candidate, answers))
    return made_of(gather(folder / keep(folder, HEAD, log), "zh" if tongue == "zh" else None, content))


@pytest.fixture(scope="module")
def strong(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return held(tmp_path_factory.mktemp("strong"), room.good)


@pytest.fixture(scope="module")
def vague(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return held(tmp_path_factory.mktemp("vague"), room.vague)


def quotes_of(review: Review) -> list[Evidence]:
    debrief = review.debrief.evidence if review.debrief else ()
    steps = [step.reply for thread in review.threads for step in thread.steps if step.reply]
    claims = [thread.claim for thread in review.threads if thread.claim]
    replies = [reply.reply for reply in review.pushbacks if reply.reply]
    moments = [quote for moment in review.moments for quote in moment.quotes]
    return [*moments, *debrief, *steps, *claims, *replies, *(item.said for item in review.quiz if item.said)]


@pytest.mark.parametrize("name", ["strong", "vague"])
def test_every_quote_was_said_where_it_is_said_to_be(name: str, request: pytest.FixtureRequest) -> None:
    review: Review = request.getfixturevalue(name)
    index = WordIndex(review.words)
    quotes = quotes_of(review)
    assert len(quotes) > 10
    for quote in quotes:
        found = index.at(quote.start, quote.end)
        assert found is not None
        assert quote.quote in index.quote(*found) or index.quote(*found) in quote.quote


def test_five_sentences_with_nothing_left_to_fill_in(strong: Review, vague: Review) -> None:
    for review in (strong, vague):
        assert len(review.story) == 5
        assert not any("{" in sentence or "  " in sentence for sentence in review.story)
    assert "Dana" in strong.story[0] or strong.facts.interviewer in strong.story[0]


def test_a_strong_and_a_vague_candidate_read_differently(strong: Review, vague: Review) -> None:
    assert strong.debrief is not None
    assert vague.debrief is not None
    assert (strong.debrief.mark, vague.debrief.mark) == ("strong", "weak")
    assert [moment.kind for moment in strong.moments].count("strength") >= 1
    assert all(moment.kind != "strength" for moment in vague.moments)
    assert {"unanswered"} <= {moment.kind for moment in vague.moments}
    assert len(strong.moments) <= MOST
    assert len(vague.moments) <= MOST


def test_what_mattered_is_what_is_to_be_drilled(vague: Review) -> None:
    unanswered = next(moment for moment in vague.moments if moment.kind == "unanswered")
    advice = next(each for each in vague.advice if each.name == unanswered.name)
    assert advice.drills
    assert advice.text
    assert 1 <= len(vague.advice) <= 3


def test_a_bluff_is_held_against_and_quoted(tmp_path: Path) -> None:
    review = held(tmp_path, room.bluffing)
    fault = next(moment for moment in review.moments if moment.kind == "fault")
    assert fault.name == "bluff"
    assert "reroutes" in fault.quotes[0].quote
    assert next(each for each in review.advice if each.name == "bluff").drills[0] == "bluff-stop"


def test_the_review_speaks_chinese(tmp_path: Path) -> None:
    review = held(tmp_path, room.vague, "zh")
    assert all(has_hanzi(sentence) for sentence in review.story)
    assert all(has_hanzi(moment.text) for moment in review.moments)
    assert all(has_hanzi(each.text) for each in review.advice)


def test_how_long_a_claim_held_counts_to_the_first_follow_up_without_an_answer(tmp_path: Path) -> None:
    (thread,) = reviewed(tmp_path, ladder()).threads
    assert [(step.target, step.answered) for step in thread.steps] == [
        ("decision_owner", True),
        ("conflict_process", True),
        ("abuse_guard", False),
        ("cost", True),
    ]
    assert (thread.survived, thread.asked) == (2, 4)
    assert thread.claim is not None
    assert thread.claim.signal == "own_decision"
    assert thread.steps[2].asked == "Who games it?"


def test_an_objection_is_told_with_its_delay_and_the_shift_of_pace(tmp_path: Path) -> None:
    (reply,) = reviewed(tmp_path, ladder()).pushbacks
    assert (reply.asked, reply.answered) == ("That is too expensive.", True)
    assert reply.delay == pytest.approx(0.4)
    assert reply.usual == pytest.approx(150.0, rel=0.02)
    assert reply.shift == pytest.approx(0.2, abs=0.02)


def test_too_few_words_have_no_pace(tmp_path: Path) -> None:
    scene = Scene()
    scene.asks("question", "", "What did you decide?")
    scene.answers("I decided to drop the second region and we measured it every week for a year")
    scene.asks("pushback", "cost", "Too expensive.")
    scene.answers("we rescoped it", rate=6.0)
    scene.ends()
    (reply,) = reviewed(tmp_path, scene).pushbacks
    assert (reply.rate, reply.shift) == (None, None)


def test_depth_grows_with_each_follow_up_and_falls_with_the_next_question(tmp_path: Path) -> None:
    scene = ladder()
    scene.log.pop()
    scene.asks("question", "", "Another one?", question="r")
    scene.answers("we measured it every week")
    scene.ends()
    turns = reviewed(tmp_path, scene).turns
    assert [turn.depth for turn in turns if turn.speaker == "candidate"] == [0, 1, 2, 3, 4, 0]
    assert [turn.question for turn in turns if turn.speaker == "candidate"] == [*[QUESTION] * 5, "r"]


def test_a_signal_is_asked_for_with_what_had_just_been_said(tmp_path: Path) -> None:
    first, second = reviewed(tmp_path, quizzed()).quiz
    assert (first.signal, first.meant, second.signal, second.meant) == ("notes", "on-track", "nod", "off-track")
    assert first.said is not None
    assert first.said.quote.endswith("measured it every week")
    assert second.said is not None
    assert second.said.quote.endswith("reroutes all of that")
    assert first.right is None


def test_a_reading_is_right_or_wrong_and_can_be_undone(tmp_path: Path) -> None:
    notes = Annotations(tmp_path)
    here = Anchor(Media(1.0), Media(1.0))
    notes.add("reading", here, "on-track", "signal-1")
    notes.add("reading", here, "on-track", "signal-2")
    assert [item.right for item in reviewed(tmp_path, quizzed()).quiz] == [True, False]
    notes.undo()
    assert [item.right for item in reviewed(tmp_path, quizzed()).quiz] == [True, None]


def test_machine_annotations_stand_on_the_words_they_are_about(tmp_path: Path) -> None:
    review = reviewed(tmp_path, quizzed())
    index = WordIndex(review.words)
    trap = next(each for each in review.annotations if each.kind == "trap")
    assert (trap.layer, trap.name) == ("machine", "bluff")
    assert trap.anchor.first is not None
    assert trap.anchor.last is not None
    assert "reroutes" in index.quote(trap.anchor.first, trap.anchor.last)
    assert {"signal", "trap", "micro_signal"} <= {each.kind for each in review.annotations}
    assert len({each.id for each in review.annotations}) == len(review.annotations)
    assert [each.id for each in reviewed(tmp_path, quizzed()).annotations] == [each.id for each in review.annotations]


def test_notes_of_the_live_session_and_of_the_review_stand_side_by_side(tmp_path: Path) -> None:
    scene = quizzed()
    scene.log.insert(-1, NoteAdded(at=At(4.0), media=Media(4.0), text="数字 first"))
    made = material(tmp_path, scene)
    Annotations(tmp_path, noted(made.timeline.notes)).add("label", made.index.of_words(1, 3), "claim")
    mine = [each for each in reviewed(tmp_path, scene).annotations if each.layer == "user"]
    assert [(each.id, each.kind, each.text) for each in mine] == [("n1", "label", "claim"), ("live-1", "note", "数字 first")]
    assert mine[0].anchor.quote == "decided to drop"


def test_a_label_finds_its_words_after_another_decoding(tmp_path: Path) -> None:
    scene = quizzed()
    Annotations(tmp_path).add("label", material(tmp_path, scene).index.of_words(1, 3), "claim")

    def decoded_again(event: Event) -> Event:
        if not isinstance(event, WordsCommitted):
            return event
        more = replace(event.words[0], text="Well,", end=Media(event.words[0].start + 0.05))
        later = (replace(word, start=Media(word.start + 0.08), end=Media(word.end + 0.08)) for word in event.words)
        return replace(event, words=(more, *later))

    scene.log = [decoded_again(event) for event in scene.log]
    review = reviewed(tmp_path, scene)
    (label,) = (each for each in review.annotations if each.kind == "label")
    assert (label.anchor.first, label.anchor.last) == (2, 4)


def doubtful(log: Sequence[Event]) -> list[Event]:
    return [
        replace(event, trusted=False) if isinstance(event, WordsCommitted)
        else replace(event, trusted=False, reasons=("noise",)) if isinstance(event, TranscriptReady)
        else event
        for event in log
    ]  # fmt: skip


def test_nothing_is_said_of_words_that_nobody_can_trust(tmp_path: Path) -> None:
    log = doubtful(hold(room.small_content(), room.leaves_after(room.bluffing, 12)))
    review = made_of(material_of(tmp_path, HEAD, log, None, content))
    assert review.debrief is not None
    assert review.debrief.mark == "unheard"
    assert {moment.kind for moment in review.moments} <= {"alarm"}
    assert all(step.answered is None for thread in review.threads for step in thread.steps)
    assert not {"signal", "trap"} & {each.kind for each in review.annotations}
    assert "no verdict" in review.story[3]


def test_too_little_for_a_verdict_is_still_worth_quoting(tmp_path: Path) -> None:
    review = reviewed(tmp_path, ladder())
    assert review.debrief is not None
    assert review.debrief.mark == "unheard"
    assert "too little" in review.story[3]
    assert {moment.kind for moment in review.moments} >= {"strength", "unanswered"}


def test_without_a_recogniser_the_clock_still_tells(tmp_path: Path) -> None:
    head = header("test-round", "hiring-manager", "2026-12-01T09:00:00Z", models={"stt": "off"})
    scene = Scene(head)
    scene.asks("question", "", "What did you decide?")
    scene.answers("x " * 100)
    scene.log = [event for event in scene.log if not isinstance(event, WordsCommitted)]
    scene.ends()
    review = reviewed(tmp_path, scene)
    assert review.words == ()
    assert review.measures.longest_answer is not None
    assert review.measures.longest_answer.duration == pytest.approx(40.0)
    assert "no recogniser" in review.story[3]


def test_a_recording_of_no_round_and_a_round_that_is_gone_are_reviewed_without_a_verdict(tmp_path: Path) -> None:
    for round_id in ("", "no-such-round"):
        head = header(round_id, "" if not round_id else "nobody", "2026-12-01T09:00:00Z")
        scene = Scene(head)
        scene.answers("we measured it every week")
        review = made_of(material_of(tmp_path, head, scene.log))
        assert review.debrief is None
        assert review.facts.ended == ""
        assert len(review.story) == 5


def test_an_empty_session_is_a_page_too(tmp_path: Path) -> None:
    review = made_of(material_of(tmp_path, HEAD, [], None, content))
    assert review.story[2] == "Nothing was heard of you."
    assert review.moments == ()
    assert review.advice == (), "nobody was heard, so there is nothing to advise"


def test_nothing_is_advised_on_a_recording_that_nobody_judged(tmp_path: Path) -> None:
    """It is no round that could be held again, be it of none or held against one."""
    for round_id in ("", HEAD.round):
        head = header(round_id, HEAD.persona if round_id else "", HEAD.started)
        scene = Scene(head)
        scene.answers("we measured it every week")
        assert made_of(material_of(tmp_path, head, scene.log, None, content)).advice == ()


def test_the_interviewer_has_the_name_of_the_session_and_advice_the_language_of_the_reader(tmp_path: Path) -> None:
    persona = interviewer(HEAD.persona)
    assert persona is not None
    assert persona.name["en"] != persona.name["zh"]
    advice = content(tmp_path, HEAD).pacing["long_pause"].thresholds[0].advice
    flag = FlagRaised(at=At(9.0), rule="long_pause", level="warning", start=Media(1.0), end=Media(9.0), advice=advice["en"])
    review = made_of(material_of(tmp_path, HEAD, [flag], "zh", content))
    assert review.facts.interviewer == persona.name["en"]
    assert [each.advice for each in review.flags] == [advice["zh"]]
    assert advice["zh"] in review.moments[0].text


@pytest.mark.parametrize(("said", "drilled"), [("Let me think about that.", False), ("We measured it every week.", True)])
def test_a_silence_that_was_asked_for_is_nothing_to_practise(tmp_path: Path, said: str, *, drilled: bool) -> None:
    scene = Scene()
    scene.asks("question", "", "Tell me about it.")
    words = scene.answers(said)
    start = Media(words[-1].end + 0.2)
    advice = content(tmp_path, HEAD).pacing["long_pause"].thresholds[0].advice["en"]
    scene.log.append(
        FlagRaised(at=At(start + 10), rule="long_pause", level="notice", start=start, end=Media(start + 10), advice=advice)
    )
    review = made_of(material_of(tmp_path, HEAD, scene.log, None, content))
    assert ("long_pause" in {each.name for each in review.advice}) == drilled


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(events(), max_size=25))
def test_no_log_breaks_it(tmp_path: Path, log: list[Event]) -> None:
    started: Event = SessionStarted(at=At(0.0), round="test-round", persona="", language="en")
    review = made_of(material_of(tmp_path, HEAD, [started, *sorted(log, key=lambda event: event.at)], None, content))
    json.dumps(review.to_json(), allow_nan=False)


def test_review_json_holds_all_of_it_and_keeps_what_others_wrote(tmp_path: Path, strong: Review) -> None:
    (tmp_path / "review.json").write_text(json.dumps({"scores": {"overall": None}, "drill": 3}))
    write(tmp_path, replace(strong, scores={"overall": {"level": 1}}))  # read when it was begun; others came in meanwhile
    document = kept(tmp_path)
    assert document["schema"] == 1
    assert document["drill"] == 3
    assert document["scores"] == {"overall": None}
    assert len(document["words"]) == len(strong.words)
    assert document["facts"]["id"] == strong.facts.id
    assert {"story", "moments", "advice", "threads", "pushbacks", "quiz", "annotations", "differences"} <= set(document)
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_no_words_are_quoted_twice_among_what_mattered(tmp_path: Path) -> None:
    """One sentence shows two things; the second of them is passed over for one that other words show."""
    made = material(tmp_path, ladder())
    assert made.findings is not None
    first, *rest = made.findings.shown
    also = replace(first, signal=rest[0].signal)
    found = replace(made.findings, shown=(first, also, *rest[1:]), topics=())
    review = made_of(replace(made, findings=found))
    quotes = [(quote.start, quote.quote) for moment in review.moments for quote in moment.quotes]
    assert len(set(quotes)) == len(quotes)
    assert first.signal in [moment.name for moment in review.moments]
    assert also.signal not in [moment.name for moment in review.moments]


def test_a_thread_is_named_by_its_question_without_the_greeting(tmp_path: Path) -> None:
    (known,) = room.small_content().round.questions[0].line.phrasings["en"][:1]
    scene = Scene()
    scene.asks(
        "question", "", f"Hello, Dana here, the team is mine. {known}", question=room.small_content().round.questions[0].id
    )
    scene.answers("Well I decided to drop the second region and we measured it every week for the whole of that year")
    scene.ends()
    (thread,) = reviewed(tmp_path, scene).threads
    assert thread.text == known


def test_scores_that_are_kept_are_part_of_the_review(tmp_path: Path) -> None:
    (tmp_path / "review.json").write_text(json.dumps({"scores": {"overall": {"level": 3, "gate": []}}}))
    assert reviewed(tmp_path, ladder()).scores == {"overall": {"level": 3, "gate": []}}
    (tmp_path / "review.json").write_text("{torn")
    assert reviewed(tmp_path, ladder()).scores is None


def test_of_a_drill_nothing_is_told_that_only_rounds_have(tmp_path: Path) -> None:
    """No parts, no verdict of a round and no follow-ups: a recording of no round is told so, a drill has its own judge."""
    log = [
        event for event in hold(room.small_content(), room.leaves_after(room.good, 2)) if not isinstance(event, SectionChanged)
    ]
    stories = {}
    for drill in ("", "headline-30"):
        head = replace(HEAD, id=f"one-{drill or 'recording'}", round="", drill=drill)
        stories[drill] = made_of(gather(tmp_path / keep(tmp_path, head, log), None, content)).story
    assert "There is no round to hold your words against." in stories[""]
    assert "No part of it had a budget." in stories[""]
    assert [sentence for sentence in stories[""] if sentence not in stories["headline-30"]] == [
        "No part of it had a budget.",
        "There is no round to hold your words against.",
    ]
