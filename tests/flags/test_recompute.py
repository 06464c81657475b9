"""Live and from the log: the same flags, with the whole conductor, on paper and on kept sessions."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bench.pacing_scene import spoken
from bench.pacing_truth import NEUTRAL
from tests.fakes.content import content as small_round
from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content
from voiceprep.content.loader import round_ids
from voiceprep.core.events import FlagRaised, Interrupted, InterruptionDue
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.units import MediaClock
from voiceprep.flags import rules_of
from voiceprep.flags.recompute import recompute
from voiceprep.live.assembly import assemble, replay
from voiceprep.review.pacing import recomputed
from voiceprep.store.codec import as_logged
from voiceprep.store.log import read

DATA = Path(__file__).parents[1] / "data"
RULES = Policy(captions=False, all_rules=True)


@cache
def content() -> Content:
    return load_content("gpu-technical")


def talk(table: Table, start: float, text: str) -> float:
    """Marked text on the time line; where it ends."""
    voiced, _ = spoken(text, start, "en")
    parts = [part for part in text.split("|") if part.split()]
    for part, (begin, end) in zip(parts, voiced, strict=True):
        table.say(begin, end, part)
    return voiced[-1][1]


ANSWERS = (
    "Before I design anything, is this mostly training or mostly inference? Assuming training, my recommendation is quotas.",
    "um I decided it, um, with the um vision lead and um the um others um there, um and um we measured um ten percent um less.",
    "So, it was a long story with people from everywhere. | They came and they went. | And then they came back again. | Well.",
    "You're right, then let's drop the quotas. I take that back. Whatever you prefer.",
    "I'm very comfortable with it, it's basically all handled under the hood. " + NEUTRAL["en"] * 12,
)


def interview(offset: float, decode: float) -> Table:
    table = Table(content(), policy=RULES, offset=offset, decode=decode)
    table.start()
    now = 14.0
    for number in range(14):
        now = talk(table, now, ANSWERS[number % len(ANSWERS)]) + 14.0
        if number % 4 == 3:
            now += 40.0
    table.stop(now + offset)
    table.run()
    return table


@pytest.mark.parametrize(("offset", "decode"), [(0.0, 0.5), (11.5, 4.0)])
def test_a_whole_interview(offset: float, decode: float) -> None:
    table = interview(offset, decode)
    live = of_kind(table.log, FlagRaised)
    assert {flag.rule for flag in live} >= {"long_pause", "bluffing"}
    clock = MediaClock()
    assert list(recompute(table.log, rules_of(content(), RULES, "en", clock), clock)) == live
    # A session decides from facts as the log keeps them.
    logged = replay([as_logged(event) for event in table.log], assemble(content(), RULES, "en", 1))
    clock = MediaClock()
    assert list(recompute(logged, rules_of(content(), RULES, "en", clock), clock)) == of_kind(logged, FlagRaised)
    assert replay(table.log, assemble(content(), RULES, "en", 1)) == table.log


def test_rules_change_nothing_but_flags() -> None:
    """The same turns and moves with and without the rules."""
    table = interview(0.0, 0.5)
    without = replay(table.log, assemble(content(), replace(RULES, all_rules=False), "en", 1))
    assert [event for event in table.log if not isinstance(event, FlagRaised)] == [
        event for event in without if not isinstance(event, FlagRaised)
    ]


def test_the_flag_and_the_interviewer_count_a_bluff_from_the_same_place() -> None:
    """The interviewer breaks in two and a half minutes after the first sentence that bluffs: with two levels behind it."""
    clocks = tuple(one for one in content().round.interjections if one.target == "bluff")
    table = Table(replace(content(), round=replace(content().round, interjections=clocks)), policy=RULES)
    table.start()
    talk(table, 14.0, "I'm very comfortable with it, it's basically all handled under the hood. " + NEUTRAL["en"] * 25)
    table.stop(400.0)
    table.run()
    due = next(one for one in of_kind(table.log, InterruptionDue) if "bluff" in one.interjection)
    flags = [flag for flag in of_kind(table.log, FlagRaised) if flag.rule == "bluffing"]
    assert [flag.level for flag in flags] == ["notice", "warning"]
    assert of_kind(table.log, Interrupted)
    for flag, minutes in zip(flags, (1, 2), strict=True):
        assert flag.start == pytest.approx(due.at - 150.0, abs=0.01)
        assert flag.end == pytest.approx(flag.start + 60.0 * minutes)


@pytest.mark.parametrize("folder", ["session-schema-1", "session-schema-2", "session-schema-3", "session-schema-4"])
def test_sessions_of_older_versions(folder: str) -> None:
    found = read(DATA / folder / "events.jsonl")
    live = of_kind(list(found.events), FlagRaised)
    assert live
    round_ = found.header.round
    again = recomputed(found.header, found.events, load_content(round_) if round_ in round_ids() else small_round())
    logged = [as_logged(flag) for flag in again]
    # Written by hand where there was no version that could: their advice was never in a file.
    assert [(flag.rule, flag.level, flag.start, flag.end) for flag in logged] == [
        (flag.rule, flag.level, flag.start, flag.end) for flag in live
    ]
