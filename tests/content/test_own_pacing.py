"""The user's own thresholds: strict, and each complaint says which file, which key and why."""

from pathlib import Path

import pytest

from voiceprep.config import Places, load
from voiceprep.content import load_content
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
