"""What is asked next, and why."""

from dataclasses import replace

from tests.fakes.content import PERSONA, content, line, point
from voiceprep.core.director import Director, Heard, known_lines
from voiceprep.core.pack import Pushback, RoundPack


def director(pack: RoundPack | None = None, seed: int = 1) -> Director:
    made = Director(pack or content().round, content().endings, "en", seed)
    made.open()
    return made


def heard(*signals: str, text: str = "an answer") -> Heard:
    return Heard(text, frozenset(signals))


def test_it_asks_for_what_was_left_out() -> None:
    d = director()
    first = d.reply(heard("metric"), 60)
    assert (first.move, first.target) == ("followup", "own_decision")


def test_a_claim_that_was_made_is_followed_three_layers_down() -> None:
    d = director()
    targets = [d.reply(heard("own_decision", "metric"), 60 * n).target for n in (1, 2, 3)]
    assert targets == ["decision_owner", "conflict_process", "abuse_guard"]


def test_a_layer_that_was_already_given_is_skipped() -> None:
    d = director()
    assert d.reply(heard("own_decision", "decision_owner", "metric"), 60).target == "conflict_process"


def test_a_fault_is_challenged_once_it_was_heard() -> None:
    d = director()
    assert d.reply(heard("vague_magnitude"), 60).target == "vague_magnitude"
    assert d.reply(heard("vague_magnitude"), 120).target == "own_decision"


def test_objections_come_at_the_persona_s_share() -> None:
    pack = replace(content().round, persona=replace(PERSONA, pushback_share=0.5))
    d = director(pack)
    moves = [d.reply(heard("own_decision"), 60 * n).move for n in (1, 2)]
    assert moves == ["followup", "pushback"]


def test_an_objection_that_the_answer_has_met_is_not_raised() -> None:
    met = Pushback("cost", "cost", (), line("cost"), (point("rescoped", "rescope"),))
    pack = replace(content().round, persona=replace(PERSONA, pushback_share=1.0), pushbacks=(met,))
    assert director(pack).reply(heard("own_decision", "rescope"), 60).move == "followup"
    raised = director(pack).reply(heard("own_decision"), 60)
    assert (raised.move, raised.target) == ("pushback", "rescope")


def test_a_fault_of_an_earlier_turn_is_not_challenged_now() -> None:
    d = director()
    d.reply(heard("vague_magnitude"), 30)
    e = director()
    e.reply(heard(), 30)
    e.reply(heard(), 60)
    assert e.reply(heard("own_decision", "metric"), 90).target != "vague_magnitude"


def test_a_reply_that_was_not_heard_is_taken_back() -> None:
    d = director()
    first = d.reply(heard("metric"), 60)
    d.undo()
    assert d.reply(heard("metric"), 70) == first


def test_after_the_follow_ups_it_moves_on() -> None:
    d = director()
    moves = [d.reply(heard(), 30 * n).move for n in range(1, 6)]
    assert moves[:3] == ["followup"] * 3
    assert "move_on" in moves


def test_a_full_section_leads_to_the_next() -> None:
    d = director()
    for n in range(3):
        d.reply(heard(), 30 * n + 30)
    late = d.reply(heard(), 45 * 30 + 5)
    assert late.section is not None
    assert late.section.id == "second"


def test_the_candidate_s_questions_are_answered_and_end_the_round() -> None:
    d = director()
    invite = d.reply(heard(), 45 * 50 + 1)
    assert invite.section is not None
    assert invite.section.kind == "reverse"
    assert d.reply(heard(text="how large is the team"), 45 * 50 + 60).text.startswith("team asked")
    assert d.reply(heard(text="what about holidays"), 45 * 50 + 90).text.startswith("unknown asked")
    assert d.reply(heard(text="No more questions, thank you"), 45 * 50 + 120).move == "close"


def test_sessions_differ_by_seed_and_agree_by_seed() -> None:
    texts = {director(seed=n).reply(heard(), 60).text for n in range(12)}
    assert len(texts) > 1
    assert director(seed=4).reply(heard(), 60) == director(seed=4).reply(heard(), 60)


def test_without_words_it_still_asks() -> None:
    d = director()
    assert d.reply(Heard("", frozenset(), known=False), 60).move == "followup"


def test_what_is_rendered_ahead_is_what_is_said() -> None:
    known = known_lines(content().round, "en", 4)
    made = Director(content().round, content().endings, "en", 4)
    said = [made.open().text, *(made.reply(heard("own_decision"), 60 * n).text for n in range(1, 4))]
    assert said[0] == " ".join(known[:2])
    assert set(said[1:]) <= set(known)
