"""What is asked next, and why."""

from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.content import PERSONA, content, line, point
from voiceprep.core.interviewer.director import Director, Heard, known_lines
from voiceprep.core.interviewer.loop import hardened
from voiceprep.core.interviewer.phrases import questions_of
from voiceprep.core.interviewer.topic import ASKING, demands_of
from voiceprep.core.pack import Answer, Framework, Interjection, Point, Pushback, RoundPack


def director(pack: RoundPack | None = None, seed: int = 1) -> Director:
    made = Director(pack or content().round, content().endings, "en", seed)
    made.open()
    return made


def heard(*signals: str, text: str = "the queue of the cluster") -> Heard:
    return Heard(text, frozenset(signals))


def test_it_asks_for_what_was_left_out() -> None:
    d = director()
    first = d.reply(heard("metric"), 60)
    assert (first.move, first.target) == ("followup", "own_decision")


def test_a_claim_that_was_made_is_followed_three_layers_down() -> None:
    d = director()
    targets = [d.reply(heard("own_decision", "metric", "learning"), 60 * n).target for n in (1, 2, 3)]
    assert targets == ["decision_owner", "conflict_process", "abuse_guard"]


def test_a_layer_that_was_already_given_is_skipped() -> None:
    d = director()
    assert d.reply(heard("own_decision", "decision_owner", "metric", "learning"), 60).target == "conflict_process"


def test_a_fault_is_challenged_once_it_was_heard() -> None:
    d = director()
    assert d.reply(heard("vague_magnitude", "metric"), 60).target == "own_decision"
    assert d.reply(heard("vague_magnitude"), 120).target == "vague_magnitude"


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


# --- forced choice, faults and interjections ----------------------------------------------------------------------------


def challenge(name: str, target: str, *chain: Point, **more: Any) -> Point:
    return Point(name, target, "present", line(name), chain, **more)


def with_points(*points: Point, **changes: Any) -> RoundPack:
    pack = content().round
    return replace(pack, questions=(replace(pack.questions[0], points=points), *pack.questions[1:]), **changes)


def test_a_point_may_be_a_move_of_its_own() -> None:
    d = director(with_points(challenge("side", "fence_sitting", move="forced_choice")))
    assert d.reply(heard("fence_sitting"), 60).move == "forced_choice"


def test_a_ladder_goes_on_after_the_fault_that_broke_into_it() -> None:
    chain = (point("l2", "decision_owner"), point("l3", "conflict_process"))
    d = director(with_points(point("l1", "own_decision", *chain), challenge("vague", "vague_magnitude")))
    asked = [d.reply(heard(*signals), 30 * n).phrase for n, signals in enumerate([(), ("vague_magnitude",), (), ()], 1)]
    assert asked == ["l1", "vague", "l2", "l3"]


def test_a_ladder_goes_on_after_the_objection_that_broke_into_it_and_what_that_asks_for() -> None:
    chain = (point("l2", "decision_owner"), point("l3", "conflict_process"), point("l4", "abuse_guard"))
    attack = Pushback("attack", "cost", ("bluff",), line("attack"), (point("new-scope", "rescope"),))
    persona = replace(PERSONA, pushback_share=0.5, followups=(6, 6))
    pack = with_points(point("l1", "own_decision", *chain), persona=persona, pushbacks=(attack,), deeper=())
    d = director(pack)
    asked = [d.reply(heard(*signals), 30 * n).phrase for n, signals in enumerate([(), ("bluff",), (), (), (), ()], 1)]
    assert asked == ["l1", "attack", "new-scope", "l2", "l3", "l4"]


def test_a_layer_that_the_answer_to_an_objection_gave_is_not_asked_for() -> None:
    chain = (point("l2", "decision_owner"), point("l3", "conflict_process"))
    attack = Pushback("attack", "cost", ("bluff",), line("attack"), (point("l2-again", "decision_owner"),))
    pack = with_points(point("l1", "own_decision", *chain), persona=replace(PERSONA, pushback_share=0.5), pushbacks=(attack,))
    d = director(pack)
    asked = [d.reply(heard(*signals), 30 * n) for n, signals in enumerate([(), ("bluff",), (), ()], 1)]
    assert [each.phrase for each in asked] == ["l1", "attack", "l2-again", "l3"]
    met = director(pack)
    assert [met.reply(heard(*s), 30 * n).phrase for n, s in enumerate([(), ("bluff",), ("decision_owner",)], 1)][-1] == "l3"


def test_a_ladder_goes_on_after_the_interjection_that_broke_into_it() -> None:
    chain = (point("l2", "decision_owner"), point("l3", "conflict_process"))
    d = director(with_points(point("l1", "own_decision", *chain), interjections=(interjection("cut", "rescope"),)))
    asked = [d.reply(heard(), 30).phrase, d.interject("cut").phrase, d.reply(heard(), 60).phrase, d.reply(heard(), 90).phrase]
    assert asked == ["l1", "cut", "l2", "l3"]
    d = director(with_points(point("l1", "own_decision", *chain), interjections=(interjection("cut", "decision_owner"),)))
    asked = [d.reply(heard(), 30).phrase, d.interject("cut").phrase, d.reply(heard(), 60).phrase]
    assert asked == ["l1", "cut", "l3"]  # what it went after is not asked for once more


def test_a_fault_has_one_challenge_a_question_whoever_raises_it() -> None:
    clock = interjection("clock", "bluff", when=("bluff",))
    attack = Pushback("attack", "premise", ("bluff",), line("attack"), faults=("bluff",))
    bluff = challenge("bluffing", "bluff")
    pack = with_points(bluff, point("p", "metric"), interjections=(clock,), pushbacks=(attack,), deeper=())
    pack = replace(pack, persona=replace(PERSONA, pushback_share=1.0))
    d = director(pack)
    assert d.reply(heard("bluff"), 30).phrase == "attack"
    assert d.interjections({"bluff"}) == ()
    assert d.reply(heard("bluff"), 60).target != "bluff"
    e = director(pack)
    assert e.interject("clock", {"bluff"}).target == "bluff"
    assert {e.reply(heard("bluff"), 60).phrase, e.reply(heard("bluff"), 90).phrase}.isdisjoint({"attack", "bluffing"})


def test_who_was_not_attacked_has_not_defended() -> None:
    defended = challenge("again", "instant_defence", after_objection=True)
    attack = Pushback("attack", "cost", (), line("attack"))
    pack = replace(content().round, challenges=(defended,), pushbacks=(attack,))
    d = director(replace(pack, persona=replace(PERSONA, pushback_share=0.5)))
    assert d.reply(heard("instant_defence", "own_decision"), 30).target != "instant_defence"
    assert d.reply(heard("own_decision"), 60).phrase == "attack"
    assert d.reply(heard("instant_defence"), 90).phrase == "again"


def test_the_question_s_own_challenge_comes_before_the_interviewer_s() -> None:
    pack = with_points(challenge("own", "vague_magnitude"), challenges=(challenge("any", "vague_magnitude"),))
    assert director(pack).reply(heard("vague_magnitude"), 30).phrase == "own"
    assert director(with_points(challenges=pack.challenges)).reply(heard("vague_magnitude"), 30).phrase == "any"


def interjection(name: str, target: str, **more: Any) -> Interjection:
    values: dict[str, Any] = {"move": "curveball", "measured": "floor", "after": 30.0, "when": (), "unless": ()}
    values |= {"faults": tuple(set(more.get("when", ())) & {"bluff"})} | more
    return Interjection(id=name, target=target, line=line(name), **values)


def test_what_was_said_earlier_about_the_question_stops_an_interjection() -> None:
    d = director(replace(content().round, interjections=(interjection("cap", "rescope", unless=("metric",)),)))
    assert [one.id for one in d.interjections(set())] == ["cap"]
    d.reply(heard("metric"), 30)
    assert d.interjections(set()) == ()


@pytest.mark.parametrize(
    ("only", "comes"),
    [
        ({"questions": ("q1",)}, True),
        ({"questions": ("q2",)}, False),
        ({"sections": ("first",)}, True),
        ({"sections": ("second",)}, False),
    ],
)
def test_some_come_only_in_their_questions_and_sections(only: dict[str, Any], comes: bool) -> None:
    attack = Pushback("attack", "cost", (), line("attack"), **only)
    persona = replace(PERSONA, pushback_share=1.0)
    pack = replace(content(persona).round, pushbacks=(attack,), interjections=(interjection("cut", "rescope", **only),))
    d = director(pack)
    assert bool(d.interjections(set())) is comes
    assert (d.reply(heard(), 30).move == "pushback") is comes


# --- claims, time, sections ---------------------------------------------------------------------------------------------

CLAIMING = Framework(frozenset({"structure_headline"}), 3)


def test_a_claimed_frame_is_taken_three_layers_down_even_by_a_brief_interviewer() -> None:
    ladder = point("l1", "own_decision", point("l2", "decision_owner"), point("l3", "conflict_process"))
    pack = with_points(point("single", "metric"), ladder, framework=CLAIMING)
    brief = replace(pack, persona=replace(PERSONA, followups=(0, 1)))
    d = director(brief)
    asked = [d.reply(heard("structure_headline"), 20 * n) for n in (1, 2, 3, 4)]
    assert [each.phrase for each in asked] == ["single", "l1", "l2", "l3"]  # what the answer left out comes first
    assert d.reply(heard(), 100).move == "move_on"
    assert [director(brief).reply(heard(), 20).phrase] == ["single"]


def test_of_two_ladders_the_one_whose_next_layer_is_worth_more_is_taken() -> None:
    other = point("o1", "number", point("o2", "options"), point("o3", "assumption"))
    rungs = (point("l2", "decision_owner"), point("l3", "conflict_process"), point("l4", "abuse_guard"))
    d = director(with_points(other, point("l1", "own_decision", *rungs), framework=CLAIMING))
    assert d.reply(heard("structure_headline", "own_decision"), 20).phrase == "l2"


def test_three_answers_without_a_new_layer_are_told_as_such() -> None:
    """G-X12."""
    d, e = director(), director()
    last = [d.reply(heard(), 20 * n) for n in range(1, 8)]
    ended = next(choice for choice in last if choice.move == "move_on")
    assert ended.reason.startswith("no new layer in ")
    layers = [e.reply(heard(f"layer_{n}"), 20 * n) for n in range(1, 8)]
    assert next(choice for choice in layers if choice.move == "move_on").reason == "the last question is through"


def hard(pack: RoundPack) -> RoundPack:
    first, *rest = pack.sections
    return replace(pack, sections=(replace(first, hard=True), *rest))


def test_a_hard_section_ends_with_the_first_turn_after_its_budget() -> None:
    budget = content().round.sections[0].budget
    soft, firm = director(), director(hard(content().round))
    late = [d.reply(heard(), budget + 1) for d in (soft, firm)]
    assert [each.section.id if each.section else "" for each in late] == ["", "second"]
    assert late[1].reason == "the section's time is up"
    claimed = director(replace(hard(content().round), framework=CLAIMING))
    claimed.reply(heard("structure_headline"), budget - 100)
    assert claimed.reply(heard(), budget + 1).section is not None, "even a claim does not hold it up"


def test_no_question_is_begun_that_there_is_no_time_for() -> None:
    pack = content().round
    d = director(pack)
    for n in range(4):
        d.reply(heard(), 30 * n + 30)
    late = d.reply(heard(), pack.sections[0].budget - 10)
    assert late.section is not None
    assert late.section.id == "second"
    e = director(pack)
    for n in range(4):
        e.reply(heard(), 30 * n + 30)
    last = e.reply(heard(), 45 * 50 - 10)
    assert last.section is not None
    assert last.section.kind == "reverse"


def test_the_order_of_questions_is_the_session_s_own_where_the_pack_allows_it() -> None:
    pack = content().round
    free = replace(pack, sections=(replace(pack.sections[0], order="any"), *pack.sections[1:]))
    orders = {tuple(q.id for q in questions_of(free, free.sections[0], seed)) for seed in range(20)}
    assert len(orders) > 5
    assert all(sorted(order) == ["q1", "q2", "q3", "q4"] for order in orders)
    assert {tuple(q.id for q in questions_of(pack, pack.sections[0], seed)) for seed in range(20)} == {("q1", "q2", "q3", "q4")}
    for seed in range(4):
        made = Director(free, content().endings, "en", seed)
        assert made.open().question == questions_of(free, free.sections[0], seed)[0].id


def test_a_raised_severity_asks_more_and_objects_more() -> None:
    """A loop raises it after a weak round."""
    persona = replace(PERSONA, pushback_share=0.25, followups=(2, 4))
    attacks = tuple(Pushback(kind, kind, (), line(kind)) for kind in ("cost", "premise", "option", "date"))
    pack = with_points(*(point(f"p{n}", f"signal_{n}") for n in range(8)), pushbacks=attacks)

    def first_question(raised: int, own: int = 2) -> list[str]:
        d = director(replace(pack, persona=hardened(replace(persona, severity=own), raised)))
        moves = [d.reply(heard(), 20 * n) for n in range(1, 12)]
        return [each.move for each in moves if each.question == "q1"]

    asked = {raised: first_question(raised) for raised in (0, 1, 2)}
    assert [len(asked[n]) for n in (0, 1, 2)] == [4, 5, 6]
    assert [asked[n].count("pushback") for n in (0, 1, 2)] == [1, 1, 3], "a quarter, three eighths and half of them"
    assert first_question(0, own=3) == asked[1]
    assert demands_of(replace(persona, severity=1)).least == 2


# --- facts and the candidate's questions ------------------------------------------------------------------------------------


def test_a_bounding_question_is_answered_once_and_is_no_follow_up() -> None:
    fact = Answer("size", {"en": ("how many",), "zh": ("多少",)}, line("q1.fact.size"))
    pack = content().round
    d = director(replace(pack, questions=(replace(pack.questions[0], facts=(fact,)), *pack.questions[1:])))
    asks = heard("clarifying_question", text="How many customers are there?")
    told = d.reply(asks, 30)
    assert (told.move, told.phrase) == ("answer", "q1.fact.size")
    assert not d.following_up
    assert d.reply(asks, 60).move == "followup"
    e = director(replace(pack, questions=(replace(pack.questions[0], facts=(fact,)), *pack.questions[1:])))
    call = heard("clarifying_question", "recommendation", text="How many? Whatever, I'd build it.")
    assert e.reply(call, 30).move != "answer"
    assert e.reply(heard("clarifying_question", text="I know how many there are. Which region?"), 60).move != "answer"
    e.undo()
    assert e.reply(asks, 60).move == "answer"


def asking(pack: RoundPack) -> Director:
    d = director(pack)
    d.reply(heard(), 45 * 50 + 1)
    return d


def test_a_generic_question_is_challenged_once() -> None:
    d = asking(replace(content().round, generic=line("generic")))
    first = d.reply(heard("generic_question", text="what is the culture like"), 45 * 50 + 30)
    assert (first.move, first.target) == ("pushback", "generic_question")
    assert d.reply(heard("generic_question", text="what is the culture like"), 45 * 50 + 60).move == "answer"


def test_answers_do_not_end_because_nothing_is_left_to_ask_for_more_with() -> None:
    answers = tuple(Answer(f"a{n}", {"en": (f"word{n}",), "zh": ()}, line(f"a{n}")) for n in range(6))
    d = asking(replace(content().round, answers=answers))
    replies = [d.reply(heard(text=f"word{n}"), 45 * 50 + n + 2) for n in range(6)]
    assert [each.move for each in replies] == ["answer"] * 6
    assert [("more asked" in each.text) for each in replies] == [True] * 3 + [False] * 3


def test_an_encouragement_is_never_given_in_the_same_words_again() -> None:
    d = director(content(replace(PERSONA, prompt=line("prompt"), prompt_after=20.0)).round)
    said = [d.prompt() for _ in range(4)]
    assert len({choice.text for choice in said[:3] if choice is not None}) == 3
    assert said[3] is None


def test_all_that_may_be_said_is_known_before() -> None:
    pack = replace(
        content(replace(PERSONA, prompt=line("prompt"), prompt_after=20.0)).round,
        interjections=(interjection("cut", "rescope"),),
        challenges=(challenge("any", "bluff"),),
        generic=line("generic"),
    )
    known = " ".join(known_lines(pack, "en", 1))
    assert all(f"{name} asked" in known for name in ("prompt", "cut", "any", "generic", "deeper", "closing"))


def test_a_question_that_there_is_an_answer_to_is_answered_and_not_rebuffed() -> None:
    d = asking(replace(content().round, generic=line("generic")))
    assert d.reply(heard("generic_question", text="how large is the team"), 45 * 50 + 30).text.startswith("team asked")


def test_only_a_question_for_the_candidate_s_own_calls_theirs_a_generic_one() -> None:
    pack = replace(content().round, general=(challenge("any-generic", "generic_question"),))
    assert director(pack).reply(heard("generic_question"), 60).target != "generic_question"
    asks = replace(pack.questions[0], kind=ASKING)
    asking_first = replace(pack, questions=(asks, *pack.questions[1:]))
    assert director(asking_first).reply(heard("generic_question"), 60).target == "generic_question"


def test_what_fits_any_round_waits_for_the_first_thing_that_the_question_itself_misses() -> None:
    general = (point("any-metric", "metric"),)
    assert (
        director(with_points(point("ours", "product_call"), general=general)).reply(heard("number"), 60).target
        == "product_call"
    )
    said = director(with_points(point("ours", "product_call"), general=general, deeper=()))
    assert said.reply(heard("number", "product_call"), 60).target == "metric"


# --- what was not caught, and what tells nothing -------------------------------------------------------------------------


NOTHING = Heard("asdf qwer zxcv", frozenset())


def test_what_was_not_caught_is_said_in_other_words_and_costs_no_follow_up() -> None:
    d, other = director(), director()
    opened = "q1 asked"
    again = d.reply(heard(text="Sorry, I didn't catch that. Could you repeat the question please?"), 30)
    assert (again.move, again.text.startswith(opened)) == ("answer", True)
    followup = d.reply(heard("metric"), 60)
    assert followup == other.reply(heard("metric"), 60)
    once_more = d.reply(heard(text="不好意思，没听清，能再说一遍吗？"), 90)
    assert once_more.phrase == followup.phrase
    assert once_more.text != followup.text


def test_a_line_without_other_words_is_said_as_it_was() -> None:
    d = director()
    said = [d.reply(heard(text="Say that again?"), 30 + n).text for n in range(4)]
    assert len(set(said[:2])) == 2
    assert said[2] == said[1]


def test_who_tells_nothing_is_asked_the_question_once_more_and_then_what_leans_on_nothing() -> None:
    alone = replace(point("any-begin", "boundary_reasoning"), alone=True)
    d = director(replace(content().round, general=(point("any-metric", "metric"), alone)))
    first, second, third = (d.reply(NOTHING, 30 * n) for n in (1, 2, 3))
    assert (first.phrase, first.question, first.move) == ("q1", "q1", "followup")
    assert second.target == "boundary_reasoning"
    assert (third.move, third.reason) == ("move_on", "nothing was told")


def test_who_heard_every_wording_and_tells_nothing_is_asked_only_what_leans_on_nothing() -> None:
    alone = replace(point("any-begin", "boundary_reasoning"), alone=True)
    d = director(replace(content().round, general=(alone,)))
    for n in range(3):
        d.reply(heard(text="Say that again?"), 10 + n)
    assert [d.reply(NOTHING, 30 * n).target for n in (1, 2)] == ["boundary_reasoning", ""]


def test_who_then_tells_something_is_followed_up() -> None:
    d = director()
    d.reply(NOTHING, 30)
    assert d.reply(heard("metric"), 60).target == "own_decision"


def test_who_bounds_a_problem_that_has_no_facts_may_assume_what_they_like() -> None:
    d = director(replace(content().round, assume=line("assume")))
    asks = heard("clarifying_question", text="How many tenants are there?")
    assert d.reply(asks, 30).phrase == "assume"
    assert d.reply(asks, 60).move == "followup"
    said = director(replace(content().round, assume=line("assume")))
    assert said.reply(heard("clarifying_question", "assumption"), 30).phrase != "assume"
