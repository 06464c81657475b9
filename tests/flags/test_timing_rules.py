"""Thresholds at, just below and just above: on paper, so exact."""

import pytest

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import FlagRaised, SectionChanged
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, MediaClock
from voiceprep.flags.section_overrun import SectionOverrun


def flags(t: Table, rule: str) -> list[tuple[str, float, float]]:
    return [(e.level, e.start, e.end) for e in of_kind(t.log, FlagRaised) if e.rule == rule]


@pytest.fixture(params=[True, False], ids=["with words", "stt off"])
def table(request: pytest.FixtureRequest) -> Table:
    t = Table(content(), policy=Policy(recogniser=request.param, captions=False))
    t.start()
    return t


class TestLongPause:
    def test_notice_and_warning_of_a_46_second_silence(self, table: Table) -> None:
        table.say(4, 10, "it was the first")
        table.say(56, 70, "great sorrow")
        table.stop(71)
        table.run()
        inside = [f for f in flags(table, "long_pause") if f[1] == 10]
        assert inside == [("notice", 10, 20), ("warning", 10, 55)]

    def test_every_level_is_raised_within_a_quarter_second_of_its_threshold(self, table: Table) -> None:
        table.stop(130)
        table.run()
        start = 3.0
        for flag, due in zip(of_kind(table.log, FlagRaised), (10, 45, 120), strict=True):
            assert flag.start == pytest.approx(start, abs=0.1)
            assert 0 <= flag.at - (flag.start + due) <= 0.25

    @pytest.mark.parametrize(("silence", "count"), [(9.95, 0), (10.4, 1)])
    def test_the_threshold_is_exact(self, table: Table, silence: float, count: int) -> None:
        table.say(4, 10, "it was the first")
        table.say(10 + silence, 30, "great sorrow")
        table.stop(31)
        table.run()
        assert len([f for f in flags(table, "long_pause") if f[1] == 10]) == count


class TestMonologue:
    def test_all_levels_of_a_long_answer_with_pauses(self, table: Table) -> None:
        start, now = 4.0, 4.0
        while now < start + 750:
            table.say(now, now + 28, "it was the first great sorrow of his life")
            now += 29.5
        table.stop(now)
        table.run()
        assert flags(table, "monologue") == [("notice", 4, 124), ("warning", 4, 304), ("fail", 4, 724)]

    def test_an_interviewer_s_turn_starts_it_anew(self) -> None:
        t = Table(content())
        t.start()
        t.say(4, 90, "the gpu queue i decided and measured it that's my answer")
        t.say(100, 190, "the gpu queue again that's my answer")
        t.stop(195)
        t.run()
        assert flags(t, "monologue") == []


def test_sections_and_round_run_over() -> None:
    t = Table(content(minutes=10))
    t.start()
    t.say(4, 900, "")
    t.stop(901)
    t.run()
    assert [level for level, _, _ in flags(t, "section_overrun")] == ["notice", "warning", "fail"]
    assert [float(e.at) for e in of_kind(t.log, FlagRaised) if e.rule == "section_overrun"] == [300, 375, 450]
    assert [float(e.at) for e in of_kind(t.log, FlagRaised) if e.rule == "round_overrun"] == [300, 600, 900]


def test_a_section_that_goes_on_has_used_some_of_its_time() -> None:
    """320 s were used in the session before, where the first threshold was crossed; the next section has all of its time."""
    rule = SectionOverrun(content().pacing["section_overrun"], "en", MediaClock(), spent=320.0)
    rule.handle(SectionChanged(at=At(2.0), section="first", budget=300.0))
    assert rule.deadline == 2.0 + 375.0 - 320.0
    (raised,) = of_kind(rule.wake(At(57.0)), FlagRaised)
    assert (raised.level, raised.evidence) == ("warning", "375 s")
    rule.handle(SectionChanged(at=At(60.0), section="second", budget=300.0))
    assert rule.deadline == 360.0


def test_a_section_that_was_left_by_mistake_goes_on() -> None:
    """The line that opened the next section was taken back: the clock of the first one has not stopped."""
    pacing = content().pacing["section_overrun"]
    rule = SectionOverrun(pacing, "en", MediaClock())
    for at, section in ((0.0, "first"), (290.0, "second"), (291.0, "first")):
        rule.handle(SectionChanged(at=At(at), section=section, budget=300.0))
    assert rule.deadline == pytest.approx(300.0 * pacing.thresholds[0].value)
