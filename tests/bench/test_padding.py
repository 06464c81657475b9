"""What padding does to scores: nothing, as far as it is about nothing."""

from __future__ import annotations

from bench.padding import ANSWERS, padded, run
from bench.scores import answers_of
from voiceprep.content import load_rubrics
from voiceprep.content.scoring import load_scoring
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.score_evidence import by_words, weigh

EVERY = 25


def test_no_level_rises() -> None:
    measured = run(every=EVERY)
    assert measured["tries"] >= 100
    assert measured["raised"] == 0, measured["examples"]


def test_talk_without_a_word_of_the_matter_leaves_every_signal_as_it_was_and_can_only_add_faults() -> None:
    detectors, matter = load_rubrics().detectors, load_scoring().matter
    signals = {one.id for one in detectors if one.kind == "signal"}
    tried = 0
    for answer in answers_of(ANSWERS)[::EVERY]:
        asked = Asked(answer["question"] or "", answer["prior"] or "")
        before = weigh(answer["text"], detectors, answer["lang"], asked, matter)
        for kind, where, text in padded(answer):
            pad = text.replace(answer["text"], "")
            if where and not any(by_words([pad], asked, matter)):
                after = weigh(text, detectors, answer["lang"], asked, matter)
                assert {name: after.likely.get(name) for name in signals} == {
                    name: before.likely.get(name) for name in signals
                }, (answer["id"], kind, where)
                assert all(after.likely[name] >= likely for name, likely in before.likely.items() if name not in signals)
                tried += 1
    assert tried > 20
