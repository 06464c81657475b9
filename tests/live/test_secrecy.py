"""What a session says of the candidate leaves with the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.intake import files
from voiceprep.content import load_content
from voiceprep.core.interviewer.phrases import all_phrasings, known_lines
from voiceprep.core.pack import Tongue
from voiceprep.intake.intake import take_in
from voiceprep.intake.probing import with_intake
from voiceprep.live.ahead import no_secret
from voiceprep.live.interpreter import sentences
from voiceprep.speech.tts.ear import for_ear


@pytest.mark.parametrize(("tongue", "cv", "word"), [("en", files.CV, "quota policy"), ("zh", files.CV_ZH, "多租户")])
def test_no_line_about_a_cv_stays_in_the_cache_of_lines(tmp_path: Path, tongue: Tongue, cv: str, word: str) -> None:
    (tmp_path / "cv.txt").write_text(cv, encoding="utf-8")
    shipped = load_content("gpu-hm-screen")
    content = with_intake(shipped, take_in(tmp_path / "cv.txt", None), tongue)
    keeps = no_secret(shipped.round, tongue)
    heard = {for_ear(piece, tongue) for line in all_phrasings(content.round, tongue) for piece in sentences(line)}
    assert any(word in text for text in heard)
    assert not any(word in text for text in heard if keeps(text))


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_every_line_of_the_round_may_stay_whatever_the_seed(tongue: Tongue) -> None:
    pack = load_content("anyscale-system-design").round
    keeps = no_secret(pack, tongue)
    for seed in range(3):
        assert all(keeps(for_ear(piece, tongue)) for line in known_lines(pack, tongue, seed) for piece in sentences(line))
