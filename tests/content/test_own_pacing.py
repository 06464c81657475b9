"""The user's own thresholds: strict, and each complaint says which file, which key and why."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from voiceprep.config import Places, load
from voiceprep.content import load_content
from voiceprep.content.fields import Strict
from voiceprep.content.own_pacing import own_file, with_own_pacing
from voiceprep.core.policy import Policy
from voiceprep.core.units import MediaClock
from voiceprep.errors import BadInputError
from voiceprep.flags import rules_of


def written(folder: Path, text: str) -> Path:
    path = folder / "pacing.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_number_is_moved_and_all_others_stay(tmp_path: Path) -> None:
    shipped = load_content("gpu-hm-screen")
    own = with_own_pacing(shipped, written(tmp_path, "[monologue]\nnotice = 90\n"))
    assert [threshold.value for threshold in own.pacing["monologue"].thresholds] == [90, 300, 720]
    assert own.pacing["monologue"].thresholds[0].advice == shipped.pacing["monologue"].thresholds[0].advice
    assert {name for name in own.pacing if own.pacing[name] != shipped.pacing[name]} == {"monologue"}


def test_every_rule_can_be_switched_off(tmp_path: Path) -> None:
    content = load_content("gpu-technical")
    off = with_own_pacing(content, written(tmp_path, "".join(f"[{name}]\noff = true\n" for name in content.pacing)))
    assert not any(rule.thresholds for rule in off.pacing.values())
    for language in ("en", "zh", "mixed"):
        machines = rules_of(off, Policy(all_rules=True), language, MediaClock())
        assert all(machine.deadline is None for machine in machines)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[monolog]\nnotice = 90\n", "monolog: is no pacing rule; those are: bluffing"),
        ("[monologue]\nfailure = 90\n", "monologue.failure: is not a known key"),
        ("[fillers]\nfail = 20\n", "fillers.fail: is no level of this rule, which has: notice, warning"),
        ("[monologue]\nnotice = 400\n", "monologue: must go from the mildest to the worst, and is notice 400, warning 300"),
        ("[talk_share_low]\nnotice = -1\n", "talk_share_low: is not above 0"),
        ("[monologue]\nnotice = 'soon'\n", "monologue.notice: "),
        ("[monologue]\n", "monologue: changes nothing"),
        ("[monologue\n", "is not TOML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, reason: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInputError) as caught:
        with_own_pacing(load_content("gpu-hm-screen"), path)
    assert reason in caught.value.message
    assert str(path) in caught.value.message
    assert caught.value.code == "bad-pacing"
    assert str(path) in (caught.value.hint or "")


def test_where_the_file_is_looked_for(tmp_path: Path) -> None:
    places = Places(home=tmp_path, recordings=tmp_path / "recordings")
    environment = {"VOICEPREP_HOME": str(tmp_path)}
    assert own_file(load(environment), places) is None
    path = written(tmp_path, "")
    assert own_file(load(environment), places) == path
    named = tmp_path / "mine.toml"
    with pytest.raises(BadInputError, match="is not there"):
        own_file(load(environment | {"VOICEPREP_PACING_FILE": str(named)}), places)
    named.write_text("")
    assert own_file(load(environment | {"VOICEPREP_PACING_FILE": str(named)}), places) == named


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "true", "'90'", "1" + "0" * 400])
@pytest.mark.parametrize("level", ["notice", "fail"])
def test_what_is_no_number_is_none(tmp_path: Path, level: str, value: str) -> None:
    path = written(tmp_path, f"[monologue]\n{level} = {value}\n")
    with pytest.raises(BadInputError, match=rf"monologue\.{level}: input should be a (valid|finite) number") as caught:
        with_own_pacing(load_content("gpu-hm-screen"), path)
    assert caught.value.code == "bad-pacing"


@pytest.mark.parametrize(("value", "number"), [("90", 90.0), ("90.5", 90.5)])
def test_a_whole_number_is_a_number(tmp_path: Path, value: str, number: float) -> None:
    own = with_own_pacing(load_content("gpu-hm-screen"), written(tmp_path, f"[monologue]\nnotice = {value}\n"))
    assert own.pacing["monologue"].thresholds[0].value == number


def test_a_folder_in_its_place_is_called_one(tmp_path: Path) -> None:
    places = Places(home=tmp_path, recordings=tmp_path / "recordings")
    (tmp_path / "mine").mkdir()
    environment = {"VOICEPREP_HOME": str(tmp_path), "VOICEPREP_PACING_FILE": str(tmp_path / "mine")}
    with pytest.raises(BadInputError, match="mine, which the setting pacing_file names, is a folder"):
        own_file(load(environment), places)
    (tmp_path / "pacing.toml").mkdir()
    with pytest.raises(BadInputError, match=r"pacing\.toml, where your thresholds would be, is a folder"):
        own_file(load({"VOICEPREP_HOME": str(tmp_path)}), places)


def test_a_name_that_cannot_be_is_bad_input(tmp_path: Path) -> None:
    places = Places(home=tmp_path, recordings=tmp_path / "recordings")
    with pytest.raises(BadInputError, match="cannot be read"):
        own_file(load({"VOICEPREP_HOME": str(tmp_path), "VOICEPREP_PACING_FILE": "x" * 5_000}), places)


def test_numbers_of_every_file_of_content_are_finite() -> None:
    """All shapes come from one, so its strictness is theirs."""
    shapes = list(every_shape(Strict))
    assert len(shapes) > 20
    for shape in shapes:
        assert shape.model_config.get("allow_inf_nan") is False, shape
        assert shape.model_config.get("strict") is True, shape
        for name, field in shape.model_fields.items():
            assert not any(getattr(each, "strict", None) is False for each in field.metadata), (shape, name)


def every_shape(shape: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in shape.__subclasses__():
        yield each
        yield from every_shape(each)
