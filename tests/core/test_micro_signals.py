"""An interviewer's face: what it tells, when, and that the log says what was meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.content import PERSONA, content, line
from tests.fakes.table import Table, of_kind
from voiceprep.cli.scene import Card
from voiceprep.cli.screen import PlainScreen
from voiceprep.content import load_content, load_rounds
from voiceprep.core.events import Language, MoveChosen, Sign, SignalGiven, Speak
from voiceprep.core.interviewer.director import Director, Heard
from voiceprep.core.interviewer.micro_signals import APART, LOST, MicroSignals
from voiceprep.core.pack import Content, Persona
from voiceprep.core.units import At

GOOD = "I decided to cut the queue, we measured it and we traded some speed. " * 5
ASTRAY = "It became significantly better and significantly faster for everybody. " * 5
ALL: tuple[Sign, ...] = ("nod", "interesting", "silence", "notes")
GIVEN: dict[str, set[Sign]] = {
    "hiring-manager": {"nod", "notes"},
    "staff-engineer": {"interesting", "silence", "notes"},
    "bar-raiser": set(),
    "vp-culture": set(),
    "infra-expert": set(),
}


def faced(*signals: Sign) -> Persona:
    return replace(PERSONA, signals=signals, interesting=line("hm") if "interesting" in signals else None)


def played(persona: Persona, text: str, seconds: float = 30.0, language: Language = "en") -> Table:
    table = Table(content(persona), language=language)
    table.start()
    table.run(until=10.0)
    table.say(12.0, 12.0 + seconds, text)
    table.run(until=12.0 + seconds + 60.0)
    return table


def test_notes_are_taken_on_track_and_nods_given_off_track() -> None:
    noted = of_kind(played(faced("nod", "notes"), GOOD).log, SignalGiven)
    assert [(each.signal, each.meant) for each in noted][:1] == [("notes", "on-track")]
    assert "own_decision" in noted[0].reason
    nodded = of_kind(played(faced("nod", "notes"), ASTRAY).log, SignalGiven)
    assert [(each.signal, each.meant, each.reason) for each in nodded][:1] == [("nod", "off-track", "heard vague_magnitude")]


def test_a_pause_on_track_is_left_standing() -> None:
    given = of_kind(played(faced("silence"), GOOD).log, SignalGiven)
    assert ("silence", "on-track") in [(each.signal, each.meant) for each in given]


def test_who_gives_none_gives_none() -> None:
    for text in (GOOD, ASTRAY):
        assert of_kind(played(PERSONA, text).log, SignalGiven) == []


def test_a_face_does_not_move_all_the_time() -> None:
    signs = MicroSignals(content(faced(*ALL)).round)
    question = content().round.questions[0]
    heard = {"vague_magnitude"}
    moments = [at for at in range(0, 100, 5) if signs.speaking(heard, question, float(at)) is not None]
    assert moments == list(range(0, 100, int(APART)))


def test_nothing_is_shown_to_somebody_who_is_not_there() -> None:
    signs = MicroSignals(content(faced(*ALL)).round)
    question = content().round.questions[0]
    signs.lost(30.0)
    assert signs.speaking({"vague_magnitude"}, question, 31.0) is None
    assert signs.speaking({"vague_magnitude"}, question, 30.0 + LOST) is not None


def test_nothing_is_shown_to_the_candidate_s_own_questions() -> None:
    assert MicroSignals(content(faced(*ALL)).round).speaking({"vague_magnitude"}, None, 1.0) is None


def test_interesting_is_said_before_a_follow_up_and_means_off_track() -> None:
    pack = content(faced("interesting")).round
    said = []
    for seed in range(8):
        director = Director(pack, content().endings, "en", seed)
        director.open()
        said.append(director.reply(Heard("x", frozenset({"vague_magnitude"})), 60.0))
        assert director.reply(Heard("x", frozenset({"metric"})), 90.0).lead == ""
    led = [choice for choice in said if choice.lead]
    assert led
    assert len(led) < len(said), "it would be no signal if it always came"
    for choice in led:
        assert choice.text.startswith(f"{choice.lead} ")
        assert choice.signal is not None
        assert (choice.signal.signal, choice.signal.meant) == ("interesting", "off-track")


def test_what_was_said_as_a_signal_is_in_the_log_with_its_utterance() -> None:
    for seed in range(1, 8):
        table = Table(content(faced("interesting")), seed=seed)
        table.start()
        table.run(until=10.0)
        table.say(12.0, 42.0, ASTRAY)
        log = table.run(until=160.0)
        for given in of_kind(log, SignalGiven):
            spoken = next(each for each in of_kind(log, Speak) if each.id == given.of)
            assert spoken.text.startswith("hm asked")
            assert log.index(given) > log.index(of_kind(log, MoveChosen)[1])
            return
    raise AssertionError("nobody said it in seven sessions")


@pytest.mark.parametrize("persona_id", GIVEN)
def test_the_shipped_interviewers_give_what_they_are_known_for(persona_id: str) -> None:
    persona = next(pack.persona for pack in load_rounds().values() if pack.persona.id == persona_id)
    assert set(persona.signals) == GIVEN[persona_id]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("round_id", ["gpu-bar-raiser", "anyscale-culture", "gpu-technical"])
def test_a_round_without_signals_has_none_in_its_log(round_id: str, language: Language) -> None:
    content_: Content = load_content(round_id)
    table = Table(content_, language=language)
    table.start()
    table.run(until=20.0)
    table.say(25.0, 85.0, "I would align everyone in a meeting, it got significantly better. " * 6)
    table.say(90.0, 150.0, "I decided to stop it and we lost two customers over that, from nine to seven. " * 6)
    table.run(until=260.0)
    assert of_kind(table.log, SignalGiven) == []


def test_the_terminal_shows_it_quietly_and_keeps_its_meaning_to_itself() -> None:
    from rich.console import Console

    console = Console(record=True, width=100)
    screen = PlainScreen(Card("Test", "Dana", "manager", (45, 60)), console)
    screen.show(SignalGiven(at=At(5.0), signal="nod", meant="off-track", reason="heard lecture"))
    screen.show(SignalGiven(at=At(6.0), signal="interesting", meant="off-track", reason="heard lecture", of="s2"))
    text = console.export_text()
    assert "(Dana nods)" in text
    assert "off-track" not in text
    assert "lecture" not in text
    assert "interesting" not in text
