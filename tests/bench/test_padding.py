"""What padding does to scores: nothing, as far as it is about nothing."""

from __future__ import annotations

from bench.padding import ANSWERS, padded, run
from bench.scores import answers_of
from voiceprep.content import load_rubrics
from voiceprep.content.scoring import load_scoring
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.score_evidence import by_words, topics_of, weigh

EVERY = 25


def test_no_level_rises() -> None:
    measured = run(every=EVERY)
    assert measured["tries"] >= 100
    assert measured["raised"] == 0, measured["examples"]


def test_talk_that_shows_nothing_or_is_of_other_things_leaves_every_signal_as_it_was_and_can_only_add_faults() -> None:
    detectors, matter = load_rubrics().detectors, load_scoring().matter
    signals = {one.id for one in detectors if one.kind == "signal"}
    tried = dict.fromkeys(("shows nothing", "of other things"), 0)
    for answer in answers_of(ANSWERS)[::EVERY]:
        asked = Asked(answer["question"] or "", answer["prior"] or "")
        before = weigh(answer["text"], detectors, answer["lang"], asked, matter)
        for kind, where, text in padded(answer):
            pad = text.replace(answer["text"], "")
            if not where or topics_of(pad, matter) & topics_of(answer["text"], matter):
                continue
            named = any(by_words([pad], asked, matter))
            if named and weigh(pad, detectors, answer["lang"], asked, matter).used:
                continue
            tried["shows nothing" if named else "of other things"] += 1
            after = weigh(text, detectors, answer["lang"], asked, matter)
            assert {name: after.likely.get(name) for name in signals} == {name: before.likely.get(name) for name in signals}, (
                answer["id"],
                kind,
                where,
            )
            assert all(after.likely[name] >= likely for name, likely in before.likely.items() if name not in signals)
    assert min(tried.values()) > 5, tried
