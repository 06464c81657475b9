"""Where flags stand, how often a drill is named, and in whose language doubts are told."""

from __future__ import annotations

from pathlib import Path

from tests.fakes import committee_room as room
from tests.fakes.interview import hold, keep
from tests.review.scenes import HEAD, content
from voiceprep.content.review import load_review
from voiceprep.core.events import FlagRaised, Level
from voiceprep.core.text import has_hanzi
from voiceprep.core.timeline import fold, gravest
from voiceprep.core.units import At, Media
from voiceprep.review.material import gather
from voiceprep.review.page import made_of
from voiceprep.review.verdict import LEAST_SPEECH, LEAST_WORDS, too_little


def flag(level: Level, end: float, rule: str = "speaking_rate") -> FlagRaised:
    return FlagRaised(at=At(end), rule=rule, level=level, start=Media(0), end=Media(end), advice="a")


def test_of_two_levels_at_one_place_the_graver_is_shown() -> None:
    notice, warning, later, other = flag("notice", 43), flag("warning", 43), flag("notice", 50), flag("notice", 43, "fillers")
    assert gravest([notice, warning, later, other]) == (warning, later, other)
    assert gravest([warning, notice]) == (warning,)
    assert fold([notice, warning]).flags == (warning,)


def test_flags_stand_at_their_crossing_and_a_drill_is_named_once(tmp_path: Path) -> None:
    log = hold(room.small_content(), room.leaves_after(room.vague, 30))
    review = made_of(gather(tmp_path / keep(tmp_path, HEAD, log), None, content))
    ends = {(each.rule, each.end) for each in review.flags}
    marked = [each for each in review.annotations if each.kind == "flag"]
    assert {(each.name, each.anchor.start) for each in marked} == ends
    assert all((each.name, each.start) in ends for each in review.moments if each.kind == "alarm")
    named = [each.drills[0] for each in review.advice if each.drills]
    assert len(named) == len(set(named))


def test_a_doubt_is_told_in_the_review_s_language_and_counts_in_good_grammar(tmp_path: Path) -> None:
    log = hold(room.small_content(), room.leaves_after(room.vague, 1))
    folder = tmp_path / keep(tmp_path, HEAD, log)
    for tongue, wanted in (("zh", True), ("en", False)):
        found = gather(folder, tongue, content).findings  # type: ignore[arg-type]  # both are tongues
        assert found is not None
        (doubt,) = found.doubts
        assert has_hanzi(doubt) is wanted
        assert "1 answers" not in doubt
    assert load_review().count("followups", 1, "en") == "1 follow-up"


def test_a_round_needs_speech_and_words() -> None:
    assert too_little(13.0, 30)
    assert too_little(LEAST_SPEECH - 1, LEAST_WORDS)
    assert too_little(LEAST_SPEECH, LEAST_WORDS - 1)
    assert not too_little(LEAST_SPEECH, LEAST_WORDS)
