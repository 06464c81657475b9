"""Every pacing rule just below, at and just above each threshold, on paper: so exact. The bench prints the same as figures."""

from collections import defaultdict
from dataclasses import replace
from functools import cache

import pytest

from bench.pacing import WITHIN, WORD_RULES, Tally, judge, labelled, misses, texts
from bench.pacing_scene import Line, Scene, play, spoken
from bench.pacing_truth import Case, cases, opening
from tests.fakes.table import of_kind
from voiceprep.content import load_content
from voiceprep.core.events import Event, FlagRaised, Language, WordsCommitted
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.units import Media, MediaClock
from voiceprep.flags import rules_of
from voiceprep.flags.recompute import recompute


@cache
def content() -> Content:
    return load_content("gpu-technical")


@cache
def played(language: Language) -> list[tuple[Case, list[Event], list[FlagRaised]]]:
    return [(case, *play(case.scene, content())) for case in cases(content(), language)]


@pytest.mark.parametrize("language", ["en", "zh", "mixed"])
def test_every_crossing_is_flagged_at_its_place_and_none_below(language: Language) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for case, log, flags in played(language):
        judge(case, log, flags, tallies)
    assert list(misses(tallies)) == []
    for rule, tally in tallies.items():
        assert tally.must, rule
        assert tally.late <= WITHIN, rule
        assert tally.edge <= 0.01, rule


def test_every_rule_of_the_table_has_cases() -> None:
    judged = {case.rule for language in ("en", "mixed") for case in cases(content(), language)}
    assert judged == {rule.name for rule in content().pacing.values()}


def test_the_judge_tells_a_missing_flag_a_false_one_and_a_wrong_edge() -> None:
    """The bench can fail."""
    case = next(one for one in cases(content(), "en") if one.rule == "monologue" and one.place == "above")
    log, flags = play(case.scene, content())
    for made, missed, false, edge in (
        ([], 1, 0, 0.0),
        ([*flags, replace(flags[0], level="fail")], 0, 1, 0.0),
        ([replace(flags[0], end=Media(flags[0].end + 0.5))], 0, 0, 0.5),
    ):
        tallies: dict[str, Tally] = defaultdict(Tally)
        judge(case, log, made, tallies)
        tally = tallies["monologue"]
        assert (tally.must - tally.fired, tally.false, round(tally.edge, 2)) == (missed, false, edge)


@pytest.mark.parametrize("part", ["dev", "held"])
def test_labelled_answers_are_judged_as_their_author_meant_them(part: str) -> None:
    assert len(texts(part)) >= 30
    rows = labelled(content(), part)
    hits = sum(row["recall"] * row["positive"] for row in rows)
    assert {row["rule"] for row in rows} == set(WORD_RULES)
    assert hits / sum(row["positive"] for row in rows) >= 0.85
    assert min(row["precision"] for row in rows) >= 0.85


@pytest.mark.parametrize("language", ["en", "zh", "mixed"])
def test_the_log_alone_gives_the_same_flags(language: Language) -> None:
    """Live and recomputed, flag by flag: place, moment, advice and evidence."""
    for case, log, flags in played(language):
        clock = MediaClock()
        policy = Policy(captions=False, drafts=False, all_rules=True, own_rate=case.scene.own_rate)
        assert recompute(log, rules_of(content(), policy, language, clock), clock) == tuple(flags)


def test_a_flag_that_needs_words_waits_for_words_of_record() -> None:
    case = next(one for one in cases(content(), "en") if one.rule == "late_headline" and one.place == "above")
    log, flags = play(case.scene, content())
    committed = [event.at for event in of_kind(log, WordsCommitted)]
    for flag in flags:
        assert any(at <= flag.at for at in committed)
        assert flag.at > flag.end
        assert "from words of record" in flag.evidence


@pytest.mark.parametrize("rule", [*WORD_RULES, "fillers", "speaking_rate", "pace_jump"])
def test_nothing_is_concluded_from_words_that_are_not_trusted(rule: str) -> None:
    for case in cases(content(), "en"):
        if case.rule == rule and case.must and case.place == "above":
            scene = replace(case.scene, trusted=False)
            assert [flag for flag in play(scene, content())[1] if flag.rule == rule] == []
            unsure = tuple(replace(word, confidence=0.4) for word in case.scene.words)
            assert [flag for flag in play(replace(case.scene, words=unsure), content())[1] if flag.rule == rule] == []


def test_each_flag_speaks_the_session_s_language() -> None:
    said: dict[Language, str] = {"en": "Ten seconds", "zh": "停了十秒", "mixed": "Ten seconds"}
    for language, word in said.items():
        scene = Scene((opening(content(), language),), ((20.0, 22.0),), (), 25.0, language)
        (flag,) = (one for one in play(scene, content())[1] if one.rule == "long_pause")
        assert word in flag.advice


def test_who_asks_and_is_answered_is_still_bounding() -> None:
    """Questions count over all turns until the interviewer moves on: facts told in between change nothing."""
    ask = opening(content(), "en", "design-scheduler")
    first = spoken("How many clusters do we have? Who pays for the cards? What kinds of jobs are there?", 4.0, "en")
    told = Line(first[0][-1][1] + 1, first[0][-1][1] + 3, "answer", text="Two clusters.")
    then = spoken(
        "How long does the longest job run? Which regions are they in? Do they have quotas today?", told.end + 1, "en"
    )
    scene = Scene((ask, told), (*first[0], *then[0]), (*first[1], *then[1]), then[0][-1][1] + 8)
    flags = [flag for flag in play(scene, content())[1] if flag.rule == "over_clarifying"]
    assert [(flag.level, flag.start) for flag in flags] == [("warning", 4.0)]
    moved = Scene((ask, Line(told.start, told.end, "followup")), scene.voiced, scene.words, scene.end)
    assert [flag for flag in play(moved, content())[1] if flag.rule == "over_clarifying"] == []


def test_own_pace_moves_the_mildest_bound_and_no_other() -> None:
    def flags(pace: float, own: float) -> list[str]:
        voiced, words = spoken("go " * int(pace * 1.5), 4.0, "en", pace)
        scene = Scene((opening(content(), "en"),), voiced, words, voiced[-1][1] + 8, own_rate=own)
        return [flag.level for flag in play(scene, content())[1] if flag.rule == "speaking_rate"]

    assert flags(170.0, 0.0) == ["notice"]
    assert flags(170.0, 165.0) == []
    assert flags(185.0, 165.0) == ["notice"]
    assert flags(200.0, 200.0) == ["notice", "warning"]
    assert flags(105.0, 0.0) == ["notice"]
    assert flags(105.0, 110.0) == []


def test_old_logs_keep_the_rules_that_they_had() -> None:
    case = next(one for one in cases(content(), "en") if one.rule == "late_headline" and one.place == "above")
    log, _ = play(case.scene, content())
    clock = MediaClock()
    assert any(flag.rule == "late_headline" for flag in of_kind(log, FlagRaised))
    old = recompute(log, rules_of(content(), Policy(), "en", clock), clock)
    assert {flag.rule for flag in old} <= {"monologue", "long_pause", "section_overrun", "round_overrun"}
