"""Takes held against their drills: what people say, and every measure at its bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.drill_takes import Written, drills, written
from voiceprep.core.drills.judge import judge
from voiceprep.core.drills.measures import (
    Consistent,
    Count,
    Differs,
    Fillers,
    Gap,
    Heard,
    Hush,
    Kept,
    Layers,
    Length,
    Measure,
    Onset,
    Order,
    Parts,
    Rate,
    Reading,
    Steady,
    Unflagged,
    Unheard,
    Yielded,
)
from voiceprep.core.drills.pack import Criterion, Drill, Part, Prompt, Shown, Step
from voiceprep.core.drills.take import CriterionResult, DrillResult, Floor, FloorEnd, Raised, Take
from voiceprep.core.events import Word
from voiceprep.core.pack import Cue, Detector, Line, Tongue
from voiceprep.core.units import Media, Span

MISSED = {"not_met", "not_heard"}


@cache
def judged(id: str) -> DrillResult:  # noqa: A002  (a take's own name; a take itself is too long to be a key)
    one = next(one for one in SEEN if one.id == id)
    return judge(one.drill, one.take)


SEEN = [one for name in ("seen.en", "seen.zh") for one in written(name)]


@pytest.mark.parametrize("one", SEEN, ids=lambda one: one.id)
def test_a_take_is_judged_as_a_careful_listener_judges_it(one: Written) -> None:
    result = judged(one.id)
    missed = {found.id for found in result.criteria if found.outcome in MISSED}
    assert result.passed is (not one.fails)
    assert set(one.fails) <= missed
    assert bool(result.next_time) or not missed


def test_takes_that_were_written_before_the_cues_were_tuned_are_passed_and_failed_rightly() -> None:
    """They are unseen no more (docs/drills.md has the figures of the first sight): this keeps what was reached."""
    late = [one for name in ("unseen.en", "unseen.zh") for one in written(name)]
    wrong = [one.id for one in late if judge(one.drill, one.take).passed is not (not one.fails)]
    assert len(late) == 50
    assert len(wrong) <= 1, wrong


def test_every_drill_has_a_good_and_a_bad_take_in_both_languages() -> None:
    for language in ("en", "zh"):
        judged = {(one.drill.id, bool(one.fails)) for one in SEEN if one.take.language == language}
        assert judged == {(drill, bad) for drill in drills() for bad in (False, True)}


@pytest.mark.parametrize("one", SEEN, ids=lambda one: one.id)
def test_every_quote_is_what_was_said_there(one: Written) -> None:
    words = [word for floor in one.take.floors for word in floor.words]
    for found in judged(one.id).criteria:
        for evidence in found.evidence:
            assert evidence.start <= evidence.end
            said = "".join(word.text for word in words if evidence.start <= word.start and word.end <= evidence.end)
            assert not evidence.quote or re.sub(r"\s", "", evidence.quote) in said


# --- one measure at a time ----------------------------------------------------------------------------------------------

BOTH: Mapping[Tongue, str] = {"en": "x", "zh": "x"}
LINE = Line("line", {"en": ("Say it.",), "zh": ("说吧。",)})


def cue(name: str, pattern: str) -> Detector:
    return Detector(id=name, kind="signal", cues={"en": (Cue(re.compile(pattern)),), "zh": (Cue(re.compile(pattern)),)})


DETECTORS = (cue("red", "red"), cue("blue", "blue"), cue("green", "green"), cue("asks", r"\?$"), cue("bad", "bad"))


def drill_of(
    measure: Measure, *, steps: tuple[str, ...] = (), parts: tuple[Part, ...] = (), targets: tuple[str, ...] = ()
) -> Drill:
    aims = (*targets, *("" for _ in steps))
    prompt = Prompt(
        id="p",
        line=LINE,
        steps=tuple(Step(id=name, line=LINE, target=aim) for name, aim in zip(steps, aims, strict=False)),
        shows=(Shown(at=5.0, sign="nod"),),
        meant="off-track",
    )
    return Drill(
        id="d",
        title=BOTH,
        goal=BOTH,
        rounds=("r",),
        requirements=("A-F4",),
        source="here",
        persona="someone",
        budget=60.0,
        limit=90.0,
        prompts=(prompt,),
        criteria=(
            Criterion(id="c", asked=BOTH, measure=measure, passed={"en": "good", "zh": "好"}, failed={"en": "bad", "zh": "坏"}),
        ),
        parts=parts,
        detectors=DETECTORS,
    )


def floor(
    text: str, start: float = 2.0, *, step: str = "prompt", asked: float = 0.0, each: float = 1.0, reason: FloorEnd = "yielded"
) -> Floor:
    """One word every `each` seconds."""
    words = tuple(
        Word(word, Media(start + n * each), Media(start + (n + 1) * each), 0.9) for n, word in enumerate(text.split())
    )
    speech = (Span(Media(start), words[-1].end),) if words else ()
    end = words[-1].end if words else Media(start)
    return Floor(
        step=step,
        question="?",
        asked=Media(asked),
        start=Media(start) if words else None,
        end=end,
        words=words,
        speech=speech,
        reason=reason,
    )


def take(
    *floors: Floor, prior: str | None = None, fillers: tuple[Span, ...] | None = (), flags: tuple[Raised, ...] = ()
) -> Take:
    return Take(prompt="p", language="en", floors=floors, fillers=fillers, prior=prior, flags=flags)


def found(
    measure: Measure, given: Take, *, steps: tuple[str, ...] = (), parts: tuple[Part, ...] = (), targets: tuple[str, ...] = ()
) -> CriterionResult:
    return judge(drill_of(measure, steps=steps, parts=parts, targets=targets), given).criteria[0]


TEN = "one two three four five six seven eight nine ten."


@pytest.mark.parametrize(("high", "outcome"), [(9.9, "not_met"), (10.0, "met"), (10.1, "met")])
def test_the_length_of_an_answer_counts_from_its_first_to_its_last_speech(high: float, outcome: str) -> None:
    result = found(Length(of=("prompt",), high=high), take(replace(floor(TEN), end=Media(30.0))))
    assert (result.outcome, result.measured) == (outcome, 10.0)


@pytest.mark.parametrize(("low", "high", "outcome"), [(2.0, 10.0, "met"), (2.1, None, "not_met"), (None, 1.9, "not_met")])
def test_thinking_time_is_between_the_line_and_the_first_word(low: float | None, high: float | None, outcome: str) -> None:
    assert found(Onset(of=("prompt",), low=low, high=high), take(floor(TEN))).outcome == outcome


def test_a_silence_that_is_longer_than_the_bound_is_too_long_although_no_answer_came() -> None:
    silent = replace(floor("", 50.0, step="next", asked=12.0), end=Media(70.0))
    assert found(Onset(of=("next",), high=45.0), take(floor(TEN), silent), steps=("next",)).measured == 58.0


@pytest.mark.parametrize(("by", "outcome"), [(4.9, "not_met"), (5.0, "met")])
def test_what_is_heard_has_the_time_of_its_clause(by: float, outcome: str) -> None:
    text = "one two three four five. red it is. and more of it."
    result = found(Heard(groups=(("red",),), by=by), take(floor(text)))
    assert (result.outcome, result.measured) == (outcome, 5.0)


def test_what_was_never_heard_is_not_called_a_fault() -> None:
    result = found(Heard(groups=(("red", "blue"), ("green",))), take(floor("only green here.")))
    assert (result.outcome, result.missing, result.advice) == ("not_heard", ("red|blue",), "bad")


def test_each_floor_must_show_it_where_that_is_asked() -> None:
    floors = (floor("red one."), floor("nothing.", 12.0, step="next", asked=10.0))
    assert (
        found(Heard(groups=(("red",),), of=("prompt", "next"), each=True), take(*floors), steps=("next",)).outcome
        == "not_heard"
    )
    assert found(Heard(groups=(("red",),), of=("prompt", "next")), take(*floors), steps=("next",)).outcome == "met"


def test_a_fault_that_the_same_floor_makes_good_is_none() -> None:
    assert found(Unheard(ids=("bad",)), take(floor("that was bad. red it is."))).outcome == "not_met"
    assert found(Unheard(ids=("bad",), unless=("red",)), take(floor("that was bad. red it is."))).outcome == "met"
    assert found(Unheard(ids=("bad",)), take(floor("all is well."))).outcome == "met"


def test_questions_are_counted_once_each_and_only_the_good_ones() -> None:
    asked = take(floor("who is it? what is red? who is it? where is bad? fine."))
    assert found(Count(ids=("asks",), low=3), asked).measured == 3.0
    assert found(Count(ids=("asks",), but=("bad",), low=3), asked).outcome == "not_met"
    assert found(Count(ids=("asks",), low=3, by=4.0), asked).measured == 2.0


@pytest.mark.parametrize(
    ("text", "outcome"), [("red first. blue then.", "met"), ("blue first. red then.", "not_met"), ("red.", "not_heard")]
)
def test_the_order_of_things(text: str, outcome: str) -> None:
    assert found(Order(groups=(("red",), ("blue",))), take(floor(text))).outcome == outcome


def parts_of(*opens: str) -> tuple[Part, ...]:
    first = Part(id="first", title=BOTH, budget=10.0)
    return (first, *(Part(id=name, title=BOTH, budget=10.0, opens=(name,)) for name in opens))


def test_parts_begin_where_their_words_are_heard() -> None:
    text = f"{TEN} red begins now. {TEN} blue begins now."
    drill = drill_of(Parts(slack=1.25), parts=parts_of("red", "blue"))
    result = judge(drill, take(floor(text)))
    assert [(part.id, part.start, part.seconds) for part in result.parts] == [
        ("first", 2.0, 10.0),
        ("red", 12.0, 13.0),
        ("blue", 25.0, 3.0),
    ]
    assert (result.criteria[0].outcome, result.criteria[0].measured) == ("not_met", 1.3)


def test_a_part_that_is_never_reached_is_missing() -> None:
    result = found(Parts(), take(floor(f"{TEN} blue.")), parts=parts_of("red", "blue"))
    assert (result.outcome, result.missing) == ("not_heard", ("red",))


def test_parts_that_begin_with_steps_need_no_words() -> None:
    steps = (Part(id="a", title=BOTH, budget=20.0), Part(id="b", title=BOTH, budget=20.0, step="next"))
    given = replace(take(floor(TEN), floor(TEN, 14.0, step="next", asked=13.0)), recognised=False)
    assert found(Parts(), given, steps=("next",), parts=steps).outcome == "met"


STEPS = ("s1", "s2", "s3")


def replies(*texts: str) -> Take:
    floors = [floor("start.")]
    for number, (name, text) in enumerate(zip(STEPS, texts, strict=True)):
        floors.append(floor(text, 22.0 + 20 * number, step=name, asked=20.0 + 20 * number))
    return take(*floors)


LAYERS = Layers(ids=("red", "blue", "green"), of=STEPS, least=3)


@pytest.mark.parametrize(
    ("texts", "survived"),
    [
        (("red.", "blue.", "green."), 3.0),
        (("red.", "red again.", "green."), 1.0),
        (("nothing.", "blue.", "green."), 0.0),
        (("red. blue.", "blue.", "green."), 1.0),
    ],
)
def test_rounds_survived_are_counted_until_one_brings_nothing_new(texts: tuple[str, ...], survived: float) -> None:
    assert found(LAYERS, replies(*texts), steps=STEPS).measured == survived


def test_a_reply_to_what_its_step_goes_after_is_a_layer_although_it_was_touched_before() -> None:
    told = replies("red and blue.", "blue is how we settle it.", "green.")
    assert found(LAYERS, told, steps=STEPS, targets=("red", "blue", "green")).measured == 3.0


def test_the_same_answer_again_is_no_layer() -> None:
    same = "blue is what we would use for all of it here and there too."
    assert found(LAYERS, replies(same, same, "green."), steps=STEPS, targets=("blue", "blue", "green")).measured == 1.0


def test_against_the_last_take() -> None:
    first = take(floor("my red reason is this one and no other."))
    again = replace(first, prior="my red reason is this one and no other.")
    afresh = replace(first, prior="a red thing made me want this work.")
    other = replace(first, prior="blue skies and blue seas.")
    assert found(Differs(most=0.7), first).why == "earlier-take"
    assert found(Differs(most=0.7), again).outcome == "not_met"
    assert found(Differs(most=0.7), afresh).outcome == "met"
    assert found(Consistent(ids=("red", "blue"), least=0.5), afresh).outcome == "met"
    assert found(Consistent(ids=("red", "blue"), least=0.5), other).missing == ("blue",)


def test_what_needs_an_earlier_take_does_not_count_in_the_first() -> None:
    drill = drill_of(Differs(most=0.7))
    first = replace(drill, criteria=(*drill.criteria, replace(drill.criteria[0], id="l", measure=Length(high=60.0))))
    assert judge(first, take(floor(TEN))).passed is True
    assert judge(drill, take(floor(TEN))).passed is None


def pausing(*sounds: tuple[float, float]) -> Floor:
    return replace(
        floor("word."), asked=Media(0.0), start=Media(sounds[0][0]), speech=tuple(Span(Media(a), Media(b)) for a, b in sounds)
    )


@pytest.mark.parametrize(("start", "outcome"), [(9.9, "not_met"), (10.0, "met")])
def test_a_silence_is_held_before_the_first_word(start: float, outcome: str) -> None:
    assert found(Hush(low=10.0), take(pausing((start, start + 5)))).outcome == outcome


def test_a_filler_breaks_the_silence_where_the_voice_detector_let_it_pass() -> None:
    held = take(pausing((12.0, 17.0)))
    assert found(Hush(low=10.0), held).measured == 12.0
    assert found(Hush(low=10.0), replace(held, fillers=(Span(Media(6.0), Media(6.3)),))).measured == 6.0


def test_the_silence_after_the_last_word_is_nobody_s() -> None:
    trailing = replace(pausing((2.0, 5.0), (7.0, 9.0)), end=Media(60.0))
    assert found(Hush(low=10.0), take(trailing)).measured == 2.0


def test_fillers_a_minute() -> None:
    minute = replace(floor(TEN), end=Media(62.0))
    five = tuple(Span(Media(3.0 + n), Media(3.2 + n)) for n in range(5))
    assert found(Fillers(high=5.0), take(minute, fillers=five)).outcome == "met"
    assert found(Fillers(high=4.0), take(minute, fillers=five)).outcome == "not_met"
    assert found(Fillers(high=4.0), take(minute, fillers=None)).why == "fillers"


def test_the_rate_leaves_long_pauses_out() -> None:
    told = floor(TEN, each=0.5)
    halves = (Span(Media(2.0), Media(4.5)), Span(Media(10.0), Media(12.5)))
    broken = replace(told, speech=halves)
    assert found(Rate(between={"en": (110, 165), "zh": (180, 300)}), take(broken)).measured == 120.0


def test_no_telling_may_be_faster_than_the_first() -> None:
    slow, fast = floor(TEN), floor(TEN, 22.0, step="next", asked=20.0, each=0.8)
    assert found(Steady(of=("prompt", "next"), most=0.15), take(slow, fast), steps=("next",)).measured == 0.25
    assert found(Steady(of=("prompt", "next"), most=0.15), take(slow), steps=("next",)).why == "floor"


def test_the_core_of_the_long_telling_is_in_the_short_one() -> None:
    long, short = floor("red and blue."), floor("blue.", 22.0, step="next", asked=20.0)
    measure = Kept(ids=("red", "blue", "green"), of=("prompt", "next"), least=0.6)
    result = found(measure, take(long, short), steps=("next",))
    assert (result.outcome, result.measured, result.missing) == ("not_heard", 0.5, ("red",))


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("yielded", "met"),
        ("key", "met"),
        ("limit", "not_met"),
        ("interrupted", "not_met"),
        ("audio-ended", "not_measured"),  # nobody can tell whether it was handed over
        ("", "not_measured"),
    ],
)
def test_who_ended_the_answer(reason: FloorEnd, outcome: str) -> None:
    assert found(Yielded(of=("prompt",)), take(floor(TEN, reason=reason))).outcome == outcome


@pytest.mark.parametrize(("text", "longest"), [(f"{TEN} red. {TEN}", 11.0), (f"red. {TEN} blue.", 11.0), (TEN, 10.0)])
def test_the_longest_stretch_without_any_of_it(text: str, longest: float) -> None:
    assert found(Gap(ids=("red", "blue"), high=90.0), take(floor(text))).measured == longest


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("blue i guess.", "met"), ("red it was.", "not_met"), ("red. no, blue.", "not_met"), ("hm.", "not_heard")],
)
def test_signals_are_read_as_they_were_meant(text: str, outcome: str) -> None:
    assert found(Reading(on_track=("red",), off_track=("blue",)), take(floor(text))).outcome == outcome


@pytest.mark.parametrize(
    ("measure", "whole", "broken"),
    [
        (Length(high=30.0), "met", "not_measured"),
        (Length(high=5.0), "not_met", "not_met"),
        (Length(low=30.0), "not_met", "not_measured"),
        (Length(low=5.0), "met", "met"),
        (Unflagged(rules=("monologue",), level="warning"), "met", "not_measured"),
        (Unheard(ids=("bad",)), "met", "not_measured"),
        (Count(ids=("asks",), high=2), "met", "not_measured"),
        (Gap(ids=("red",), high=90.0), "met", "not_measured"),
        (Hush(high=3.0), "met", "not_measured"),
        (Heard(groups=(("red",),)), "met", "met"),
    ],
)
def test_a_take_that_broke_off_is_not_credited_with_what_never_came(measure: Measure, whole: str, broken: str) -> None:
    said = f"red. {TEN}"
    assert found(measure, take(floor(said, 1.0))).outcome == whole
    result = found(measure, take(floor(said, 1.0, reason="")))
    assert (result.outcome, result.why) == (broken, "ending" if broken == "not_measured" else "")


def test_a_flag_counts_from_its_level_on() -> None:
    flag = Raised(rule="monologue", level="warning", span=Span(Media(0.0), Media(9.0)))
    assert found(Unflagged(rules=("monologue",), level="warning"), take(floor(TEN), flags=(flag,))).outcome == "not_met"
    assert found(Unflagged(rules=("monologue",), level="fail"), take(floor(TEN), flags=(flag,))).outcome == "met"


# --- what is not there --------------------------------------------------------------------------------------------------

WORDS = (Heard(groups=(("red",),)), Unheard(ids=("bad",)), Count(ids=("asks",), low=1), Gap(ids=("red",), high=9.0))
CLOCK = (Length(high=60.0), Onset(of=("prompt",), high=10.0), Hush(low=1.0), Yielded(of=("prompt",)))


@pytest.mark.parametrize("measure", WORDS, ids=lambda one: type(one).__name__)
def test_words_are_not_measured_without_any_to_trust(measure: Measure) -> None:
    assert found(measure, replace(take(floor("red.")), recognised=False)).why == "words"
    assert found(measure, replace(take(floor("red.")), trusted=False)).why == "trusted-words"


@pytest.mark.parametrize("measure", CLOCK, ids=lambda one: type(one).__name__)
def test_the_clock_needs_no_recogniser(measure: Measure) -> None:
    assert found(measure, replace(take(floor(TEN)), recognised=False)).outcome == "met"


@pytest.mark.parametrize("drill", drills().values(), ids=lambda drill: drill.id)
def test_who_says_nothing_passes_no_drill_and_is_told_nothing_about_it(drill: Drill) -> None:
    silent = replace(floor("", 20.0), end=Media(60.0))
    result = judge(drill, Take(prompt=drill.prompts[0].id, language="en", floors=(silent,)))
    assert result.passed is False
    assert {one.outcome for one in result.criteria} == {"not_measured"}
    assert not judge(drill, Take(prompt="", language="zh", floors=())).passed


@pytest.mark.parametrize("drill", drills().values(), ids=lambda drill: drill.id)
def test_a_take_that_broke_off_after_its_first_answer_is_not_passed_where_more_was_to_come(drill: Drill) -> None:
    broken = Take(prompt=drill.prompts[0].id, language="en", floors=(floor(TEN),))
    assert judge(drill, broken).passed is not True


@given(
    st.lists(st.tuples(st.sampled_from(["red", "blue.", "bad", "is?", "嗯", "", "…"]), st.floats(0.05, 3.0)), max_size=12),
    st.booleans(),
)
def test_any_take_is_judged_and_the_same_way_each_time(said: list[tuple[str, float]], flat: bool) -> None:
    now = 1.0
    words = []
    for text, seconds in said:
        words.append(Word(text, Media(now), Media(now if flat else now + seconds), 0.5))
        now += seconds
    speech = (Span(Media(1.0), Media(now)),) if said else ()
    one = Floor(
        step="prompt", question="", asked=Media(0.0), start=Media(1.0), end=Media(now), words=tuple(words), speech=speech
    )
    for measure in (*WORDS, *CLOCK, Fillers(high=1.0), Order(groups=(("red",), ("blue",))), Differs(most=0.5), Parts()):
        given_take = take(one, prior="red")
        assert found(measure, given_take, parts=parts_of("red")) == found(measure, given_take, parts=parts_of("red"))
