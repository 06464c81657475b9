"""Who speaks in a demonstration: the candidate of the round, or the one that fits any."""

from pathlib import Path
from typing import get_args

import pytest

from voiceprep.content import round_ids
from voiceprep.core.events import Language
from voiceprep.errors import BadInputError
from voiceprep.live.candidate import load_script, read_script, script_for, tongue_in


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("round_id", round_ids())
def test_every_round_has_a_candidate_in_every_language(round_id: str, language: Language) -> None:
    script = load_script(round_id, language)
    spoken = {tongue_in(piece) for answer in script.answers for piece in answer if isinstance(piece, str)}
    assert spoken == ({"en", "zh"} if language == "mixed" else {language})
    assert len(script.answers) >= 3


def test_a_round_s_own_candidate_comes_first() -> None:
    assert script_for("gpu-hm-screen", "zh").name == "gpu-hm-screen.zh.toml"
    assert script_for("gpu-final", "zh").name == "any.zh.toml"


@pytest.mark.parametrize("pause", ["inf", "nan", "-1", "true", "1e9"])
def test_a_pause_that_is_none_is_refused(tmp_path: Path, pause: str) -> None:
    path = tmp_path / "script.toml"
    path.write_text(f'voice = "low"\n[[answers]]\nsay = ["Hello.", {pause}]\n', encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        read_script(path, "en")
    assert caught.value.code == "bad-script"
