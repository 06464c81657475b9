"""The timing rules on rendered speech through the real detector: one language, one threshold, in quiet and with a fan."""

import asyncio
from collections import defaultdict

import pytest

from bench.pacing import WITHIN, Tally, judge, misses
from bench.pacing_audio import audio_cases, rendered
from bench.pacing_scene import play
from bench.truth import answers
from voiceprep.content import load_content
from voiceprep.core.events import VoiceStopped

pytestmark = pytest.mark.models


@pytest.mark.parametrize("condition", ["clean", "fan"])
def test_a_pause_of_ten_seconds_in_rendered_speech(condition: str) -> None:
    content = load_content("gpu-technical")
    texts = answers("en", "held")[:2]
    sounds = asyncio.run(rendered(texts, "en"))
    tallies: dict[str, Tally] = defaultdict(Tally)
    for case, _ in audio_cases(content, "en", texts, sounds, condition):
        if case.rule == "long_pause" and case.scene.end < 60:
            log, flags = play(case.scene, content)
            assert any(isinstance(event, VoiceStopped) for event in log)
            judge(case, log, flags, tallies)
    tally = tallies["long_pause"]
    assert tally.must
    assert list(misses(tallies)) == []
    assert tally.late <= WITHIN
    assert tally.edge <= 0.15
