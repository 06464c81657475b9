"""The settings file: what cannot be used is refused by name, never with a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceprep import config
from voiceprep.errors import UsageError


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("language = 'en", id="not-toml"),
        pytest.param("language = " + "[" * 5000 + "]" * 5000, id="nested-deep"),
        pytest.param("languag = 'en'", id="unknown"),
        pytest.param("language = 3", id="wrong-type"),
        pytest.param("language = 'fr'", id="no-such-choice"),
    ],
)
def test_a_settings_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        config.load({"VOICEPREP_HOME": str(tmp_path)})
    assert refused.value.code == "bad-setting"
    assert "language" in refused.value.message or "config.toml" in refused.value.message


@pytest.mark.parametrize("value", ["nan", "inf", "true", "'soon'"])
@pytest.mark.parametrize("name", ["llm_budget_money", "keep_days"])
def test_what_is_no_number_is_none(tmp_path: Path, name: str, value: str) -> None:
    (tmp_path / "config.toml").write_text(f"{name} = {value}", encoding="utf-8")
    with pytest.raises(UsageError, match=name) as refused:
        config.load({"VOICEPREP_HOME": str(tmp_path)})
    assert refused.value.code == "bad-setting"


def test_a_budget_from_the_environment_is_finite() -> None:
    with pytest.raises(UsageError, match="llm_budget_money"):
        config.load({"VOICEPREP_LLM_BUDGET_MONEY": "nan"})
