"""The weights of the last words are read strictly, and the shipped ones are those that the data give."""

from __future__ import annotations

import pytest

from bench.text_endings import run
from tests.content.conftest import Copy
from voiceprep.content import load_rubrics

ENDINGS = "rubrics/endings.toml"

BROKEN = {
    "unknown kind": ('kind = "thinking"', 'kind = "pondering"', "last_words.cues.thinking.kind", ""),
    "unknown view": ('on = "marks"', 'on = "mark"', "last_words.cues.stop.on", ""),
    "unknown key": ("[last_words.tags]", "[last_words.tugs]", "last_words.tugs", "is not a known key"),
    "a weight too large": ("odds_limit = 4.0", "odds_limit = 40.0", "last_words.odds_limit", ""),
    "no number in a list": ("(?P<n>a couple of", "(?:a couple of", "last_words.listing.announce.en", "no group named n"),
    "bad pattern": ('zh = ["^announced$"]', 'zh = ["^announced($"]', "last_words.cues.list_announced.zh[0]", "not a regular"),
}


@pytest.mark.parametrize(("old", "new", "key", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_place_and_reason(files: Copy, old: str, new: str, key: str, reason: str) -> None:
    files.change(ENDINGS, old, new)
    found = [problem for problem in files.problems() if problem.file == ENDINGS]
    assert any(problem.key == key and reason in problem.reason for problem in found), [str(problem) for problem in found]


def test_every_cue_was_given_a_weight() -> None:
    endings = load_rubrics().endings
    assert endings.base_odds != 0
    assert all(cue.odds != 0 or cue.round != 0 for cue in endings.cues)


def test_unseen_answers_are_told_from_pauses_and_the_odds_can_be_believed() -> None:
    measured = run()
    for row in measured["rows"]:
        assert row["end_vs_sentence"] > 0.65  # lists of closing phrases reach 0.54 to 0.56,
        assert row["end_vs_broken"] > 0.78  # ... and with hanging words 0.67 to 0.77
        assert row["log_loss"] < 0.62  # 0.693 is said by a coin
    assert all(abs(part["said"] - part["found"]) < 0.5 for part in measured["reliability"])
