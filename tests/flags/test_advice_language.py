"""What a coach says while a session runs is said in the session's language, and so it stands on the screen."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from rich.console import Console

from tests.fakes.table import Table, of_kind
from voiceprep.cli.scene import Card
from voiceprep.cli.screen import PlainScreen
from voiceprep.content import load_content, load_rubrics
from voiceprep.core.events import FlagRaised, Language
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.text import is_hanzi

ROUND = "gpu-technical"


@pytest.mark.parametrize(("language", "tongue"), [("en", "en"), ("zh", "zh"), ("mixed", tongue_of("mixed"))])
def test_the_flags_of_a_long_silence_are_told_in_it(language: Language, tongue: Tongue) -> None:
    content = load_content(ROUND)
    table = Table(content, language=language, policy=Policy(captions=False, recogniser=False, all_rules=True))
    table.start()
    table.say(20.0, 24.0)
    table.say(24.0 + 50.0, 80.0)
    table.stop(90.0)
    table.run()
    flags = [flag for flag in of_kind(table.log, FlagRaised) if flag.rule == "long_pause" and flag.start > 20.0]
    assert flags
    told = {threshold.level: threshold.advice[tongue] for threshold in content.pacing["long_pause"].thresholds}
    assert [flag.advice for flag in flags] == [told[flag.level] for flag in flags]

    out = io.StringIO()
    card = Card.of(content.round, language, coach=True)
    screen = PlainScreen(card, Console(file=out, width=200))
    for event in table.log:
        screen.show(event)
    for flag in flags:
        assert flag.advice in out.getvalue()


def test_every_line_of_advice_is_there_in_both() -> None:
    for name, rule in load_rubrics().pacing.items():
        for threshold in rule.thresholds:
            assert not any(map(is_hanzi, threshold.advice["en"])), name
            assert any(map(is_hanzi, threshold.advice["zh"])), name
        assert all(mild.value != worse.value for mild, worse in pairwise(rule.thresholds)), name
