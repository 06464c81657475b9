"""What a session looks like, from a scripted list of events."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from voiceprep.cli.scene import Card, Scene, follow
from voiceprep.cli.screen import PlainScreen, QuietScreen, RichScreen, frame, open_screen, said_of
from voiceprep.core.events import (
    AudioProgress,
    CaptionChanged,
    CaptionsBehind,
    EdgeFailed,
    Event,
    FlagRaised,
    Interrupted,
    NoteAdded,
    SectionChanged,
    SessionEnded,
    SessionStarted,
    SilenceChanged,
    Speak,
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
from voiceprep.core.units import At, Media

CARD = Card(
    title="Hiring-manager screen",
    persona="Dana",
    role="hiring manager",
    minutes=(45, 60),
    sections={"core": "Core project"},
    keys="Enter: my answer is finished",
)
QUESTION = "What was the decision that was yours to make?"


def words(text: str, start: float) -> tuple[Word, ...]:
    return tuple(Word(w, Media(start + n * 0.3), Media(start + n * 0.3 + 0.2), 0.9) for n, w in enumerate(text.split()))


def opening() -> list[Event]:
    return [
        SessionStarted(at=At(5.0), round="r", persona="p", language="en"),
        SectionChanged(at=At(5.0), section="core", budget=300.0),
        Speak(at=At(5.0), id="s1", text=QUESTION, language="en", move="question"),
        SpeakingStarted(at=At(6.0), of="s1", media=Media(0.0)),
        SpeakingFinished(at=At(9.0), of="s1", media=Media(3.0), heard=QUESTION, seconds=3.0, complete=True),
    ]


def answer() -> list[Event]:
    return [
        *opening(),
        VoiceStarted(at=At(12.0), speaker="candidate", media=Media(6.0)),
        TurnStarted(at=At(12.0), speaker="candidate", turn=2, media=Media(6.0)),
        CaptionChanged(at=At(14.0), firm=words("We had forty", 6.0), tentative=words("teens", 7.0)),
    ]


def scene_after(events: Sequence[Event]) -> Scene:
    scene = Scene()
    for event in events:
        scene = follow(scene, event)
    return scene


def picture(scene: Scene, card: Card = CARD, width: int = 90) -> str:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(frame(card, scene))
    return console.export_text()


def test_the_interviewer_speaks() -> None:
    text = picture(scene_after(opening()[:4]))
    assert "Dana speaks" in text
    assert QUESTION in text
    assert "Core project" in text
    assert "of 45 min" in text  # which is what its parts are planned for, and what the page says
    assert "Enter: my answer is finished" in text


def test_a_question_is_not_shown_before_it_sounds() -> None:
    assert QUESTION not in picture(scene_after(opening()[:3]))


def test_after_the_question_it_is_your_turn() -> None:
    assert "your turn" in picture(scene_after(opening()))


def test_words_that_are_late_say_so_until_they_have_caught_up() -> None:
    late = [*answer(), CaptionsBehind(at=At(20.0), seconds=12.0)]
    assert "words 12 s behind" in picture(scene_after(late))
    assert "behind" not in picture(scene_after([*late, CaptionsBehind(at=At(22.0), seconds=0.0)]))


def test_captions_firm_then_tentative() -> None:
    scene = scene_after(answer())
    assert "you speak" in picture(scene)
    console = Console(width=90, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(frame(CARD, scene))
    assert isinstance(console.file, io.StringIO)
    drawn = console.file.getvalue()
    assert "\x1b[1mWe had forty\x1b[0m" in drawn
    assert "\x1b[2;3m teens\x1b[0m" in drawn


def test_committed_words_replace_the_caption_they_came_from_but_not_what_follows() -> None:
    events = answer()
    events.append(CaptionChanged(at=At(15.0), firm=words("We had forty teens", 6.0), tentative=words("sharing it", 20.0)))
    events.append(WordsCommitted(at=At(15.5), turn=2, words=words("We had forty teams", 6.0)))
    text = picture(scene_after(events))
    assert "We had forty teams sharing it" in text
    assert "teens" not in text


def test_a_better_reading_replaces_the_caption() -> None:
    text = picture(scene_after([*answer(), WordsHeard(at=At(15.0), turn=2, words=words("We had forty teams", 6.0))]))
    assert "We had forty teams" in text
    assert "teens" not in text


def test_thinking_is_counted_from_the_last_sound() -> None:
    scene = scene_after(
        [
            *answer(),
            VoiceStopped(at=At(20.0), speaker="candidate", media=Media(14.0)),
            SilenceChanged(at=At(21.0), state="thinking", media=Media(14.0)),
            EdgeFailed(at=At(43.0), code="recogniser-timeout", message="The recogniser is slow"),
        ]
    )
    text = picture(scene)
    assert "thinking 0:23" in text
    assert "the floor is yours" in text
    assert "The recogniser is slow" in text


def test_flags_with_advice_in_coach_mode_only() -> None:
    flag = FlagRaised(
        at=At(132.0), rule="long_pause", level="warning", start=Media(0), end=Media(45), advice="Say where you are"
    )
    scene = scene_after([*answer(), flag])
    assert "2:07" in picture(scene)
    assert "long pause" in picture(scene)
    assert "Say where you are" in picture(scene)
    exam = Card("T", "Dana", "hm", (45, 60), coach=False)
    assert "Say where you are" not in picture(scene, exam)


def test_only_what_was_heard_of_a_cut_line_stays() -> None:
    events = opening()
    events[-1] = SpeakingFinished(at=At(8.0), of="s1", media=Media(2.0), heard="What was", seconds=1.0, complete=False)
    assert "yours to make" not in picture(scene_after(events))


CHINESE = Card("招聘经理初筛", "林岚", "招聘经理", (45, 60), {"core": "核心项目"}, keys="回车：我说完了")


@given(
    st.integers(40, 140), st.integers(0, 120), st.sampled_from(["我们有四十个团队，", "forty teams ", "用 Kubernetes 做调度。"])
)
def test_every_row_fits_whatever_the_width_and_script(width: int, length: int, piece: str) -> None:
    text = (piece * length).strip()
    said = WordsCommitted(at=At(20.0), turn=2, words=(Word(text, Media(7.0), Media(9.0), 1.0),))
    scene = scene_after([*answer()[:-1], said])
    rows = picture(scene, CHINESE, width).rstrip("\n").split("\n")
    assert {cell_len(row) for row in rows} == {width}


def test_the_picture_keeps_its_height_while_the_answer_grows() -> None:
    heights = set()
    for count in (0, 5, 60, 190):
        said = WordsCommitted(at=At(20.0), turn=2, words=words("word " * count, 7.0))
        heights.add(len(picture(scene_after([*answer()[:-1], said])).splitlines()))
    assert len(heights) == 1


def test_the_end_of_a_long_answer_is_what_stays_in_sight() -> None:
    said = WordsCommitted(at=At(20.0), turn=2, words=words(" ".join(f"w{n}" for n in range(190)), 7.0))
    text = picture(scene_after([*answer()[:-1], said]))
    assert "w189" in text
    assert "w0 " not in text
    assert "…" in text


def test_a_long_answer_does_not_make_the_scene_grow() -> None:
    scene = scene_after(answer())
    for n in range(2000):
        scene = follow(scene, WordsCommitted(at=At(20.0 + n), turn=2, words=words("one two", 7.0 + n)))
    assert len(scene.committed) <= 200


def plain(events: Sequence[Event], card: Card = CARD) -> list[str]:
    console = Console(file=io.StringIO(), width=60)
    screen = PlainScreen(card, console)
    for event in events:
        screen.show(event)
    screen.level(-20.0)
    screen.clock(100.0)
    screen.close()
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_plain_lines_say_what_matters_with_its_time() -> None:
    lines = plain(
        [
            *answer(),
            WordsCommitted(
                at=At(70.0), turn=2, words=words("We had [bold] teams :smile: and a very long answer that goes on and on", 6.0)
            ),
            FlagRaised(at=At(132.0), rule="monologue", level="notice", start=Media(6), end=Media(126), advice="Land it."),
            TurnEnded(at=At(133.0), speaker="candidate", turn=2, media=Media(126), reason="yielded"),
            Speak(at=At(133.0), id="s2", text="And what did you decide?", language="en", move="followup"),
            SpeakingStarted(at=At(134.0), of="s2", media=Media(127)),
            Interrupted(at=At(135.0), who="interviewer", by="candidate", media=Media(128), reason="barge-in"),
            SpeakingFinished(at=At(135.0), of="s2", media=Media(128), heard="And what", seconds=1.0, complete=False),
            NoteAdded(at=At(135.5), media=Media(128), text=""),
            EdgeFailed(at=At(136.0), code="x", message="The recogniser was restarted"),
            SessionEnded(at=At(140.0), reason="audio-ended"),
        ]
    )
    assert [line.strip() for line in lines] == [
        "0:00  Hiring-manager screen, with Dana (hiring manager)",
        "0:00  == Core project (5:00)",
        f"0:01  Dana: {QUESTION}",
        "0:01  You: We had [bold] teams :smile: and a very long answer that goes on and on",
        "2:07  [notice] monologue: Land it.",
        "2:09  Dana: And what did you decide?",
        "2:10  (you interrupt)",
        "2:10  Dana was cut short after: And what",
        "2:10  (marked)",
        "2:11  ! The recogniser was restarted",
        "2:15  The session is over: audio ended",
    ]


def test_times_are_those_of_the_recording_so_that_the_replay_has_them_too() -> None:
    begun = [AudioProgress(at=At(11.0), media=Media(2.0))]  # the recording's first sample was heard at 9 s of the session
    scene = scene_after([*opening(), *begun])
    assert [scene.place(at) for at in (5.0, 9.0, 12.0)] == [0.0, 0.0, 3.0]


def test_plain_lines_of_an_exam_have_no_flags() -> None:
    flag = FlagRaised(at=At(132.0), rule="monologue", level="notice", start=Media(6), end=Media(126), advice="Land it.")
    exam = Card("T", "Dana", "hm", (45, 60), coach=False)
    assert not any("Land it" in line for line in plain([*opening(), flag], exam))


def test_a_pipe_gets_lines_and_a_terminal_a_picture_that_is_drawn_and_left() -> None:
    assert isinstance(open_screen(CARD, Console(file=io.StringIO())), PlainScreen)
    out = io.StringIO()
    screen = open_screen(CARD, Console(file=out, force_terminal=True, width=90, height=40))
    assert isinstance(screen, RichScreen)
    for event in answer():
        screen.show(event)
    screen.level(-20.0)
    screen.clock(30.0)
    screen.close()
    screen.close()
    drawn = out.getvalue()
    assert "We had forty" in drawn
    assert "\x1b[?25h" in drawn  # the cursor is back


@pytest.mark.parametrize("screen", [QuietScreen()])
def test_quiet_shows_nothing(screen: QuietScreen, capsys: pytest.CaptureFixture[str]) -> None:
    for event in answer():
        screen.show(event)
    screen.level(-20.0)
    screen.clock(1.0)
    screen.close()
    assert capsys.readouterr() == ("", "")


def test_a_sound_of_listening_leaves_the_picture_as_it_is() -> None:
    scene = Scene()
    for event in opening():
        scene = follow(scene, event)
    before = replace(follow(scene, VoiceStopped(at=At(30.0), speaker="candidate", media=Media(25.0))), now=31.0)
    after, shown = before, []
    for event in (
        Speak(at=At(30.1), id="b1", text="Mm-hm.", language="en", move="backchannel"),
        SpeakingStarted(at=At(30.2), of="b1", media=Media(25.2)),
        SpeakingFinished(at=At(30.6), of="b1", media=Media(25.6), heard="Mm", seconds=0.2, complete=False),
    ):
        shown.append(said_of(event, after, CARD))
        after = follow(after, event)
    assert shown == ["", "", ""]
    assert replace(after, asides=frozenset()) == before
