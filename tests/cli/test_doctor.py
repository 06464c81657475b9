"""The doctor: one bad thing never hides the others, and only what every session needs makes it fail."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from importlib import metadata
from pathlib import Path

import pytest

from voiceprep.audio import portaudio
from voiceprep.cli import doctor as command
from voiceprep.config import Places, Settings, load
from voiceprep.errors import BadInputError, MissingError
from voiceprep.live import doctor
from voiceprep.live.doctor import Check, run_checks
from voiceprep.store import reserve

NAMES = [
    "python",
    "packages",
    "model",
    "recogniser",
    "sound library",
    "microphone",
    "speaker",
    "echo",
    "voices",
    "recordings folder",
    "disk",
    "rounds",
    "language model",
]


@pytest.fixture
def where(tmp_path: Path) -> Places:
    return Places(home=tmp_path / "home", recordings=tmp_path / "home" / "recordings")


@pytest.fixture
def settings() -> Settings:
    return load({})


def named(name: str, checks: list[Check]) -> Check:
    return next(check for check in checks if check.name == name)


def raises(error: Exception) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def test_everything_is_looked_at_and_what_is_wrong_says_how_to_mend_it(settings: Settings, where: Places) -> None:
    checks = run_checks(settings, where)
    assert [check.name for check in checks] == NAMES
    assert all(check.detail for check in checks)
    assert all(check.fix for check in checks if not check.ok)
    assert named("python", checks).ok
    assert named("packages", checks).ok
    assert named("recordings folder", checks).ok


def test_a_package_counts_as_missing_only_where_it_is_asked_for(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["numpy>=2", "not-here; python_version < '3'", "nor-this; extra == 'dev'"]
    monkeypatch.setattr(metadata, "requires", lambda _: asked)
    assert named("packages", run_checks(settings, where)).detail == "all 1 are installed"
    asked.append("lacking[all]>=1")
    check = named("packages", run_checks(settings, where))
    assert (check.ok, check.needed, check.detail) == (False, True, "missing: lacking")


def test_a_missing_model_is_needed_and_names_the_command(settings: Settings, where: Places) -> None:
    check = named("model", run_checks(settings, where))
    assert not check.ok
    assert check.needed
    assert "voiceprep models get base" in check.fix


def test_without_a_recogniser_no_model_is_needed(settings: Settings, where: Places) -> None:
    checks = run_checks(settings.with_arguments(stt="off"), where)
    assert named("model", checks).ok
    assert named("recogniser", checks).ok


def test_an_unknown_model_is_told(settings: Settings, where: Places) -> None:
    check = named("model", run_checks(settings.with_arguments(stt="bse"), where))
    assert "no model 'bse'" in check.detail
    assert "base" in check.fix


def test_a_check_that_breaks_hides_no_other(settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_python", "_model", "_microphone"):
        monkeypatch.setattr(doctor, name, raises(RuntimeError("a driver went mad")))
    checks = run_checks(settings, where)
    assert [check.name for check in checks] == NAMES
    broken = [check for check in checks if "a driver went mad" in check.detail]
    assert [(check.name, check.ok, check.needed) for check in broken] == [
        ("python", False, True),
        ("model", False, True),
        ("microphone", False, False),
    ]


def test_no_sound_library_is_told_and_a_session_still_possible(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = MissingError("PortAudio is not installed", code="no-portaudio", hint="install it")
    monkeypatch.setattr(portaudio, "load", raises(lacking))
    checks = run_checks(settings, where)
    for name in ("sound library", "microphone", "speaker"):
        assert not named(name, checks).ok
        assert not named(name, checks).needed
    assert named("sound library", checks).fix == "install it"


def test_a_recording_as_the_set_microphone_needs_no_device(settings: Settings, where: Places, tmp_path: Path) -> None:
    (tmp_path / "me.wav").write_bytes(b"")
    with_file = settings.with_arguments(microphone=str(tmp_path / "me.wav"))
    assert named("microphone", run_checks(with_file, where)).ok


def test_recordings_that_cannot_be_written_are_needed(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check = named("recordings folder", run_checks(settings, Places(tmp_path, tmp_path / "file" / "recordings")))
    assert (check.ok, check.needed) == (False, True)
    assert "VOICEPREP_RECORDINGS" in check.fix


@pytest.mark.parametrize(
    ("free", "ok", "needed"), [(5e9, True, False), (1e9, False, False), (1e8, False, False), (3e7, False, True)]
)
def test_little_room_warns_and_none_stops(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch, free: float, ok: bool, needed: bool
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**10, 0, int(free)))
    check = named("disk", run_checks(settings, where))
    assert (check.ok, check.needed) == (ok, needed)
    with pytest.raises(MissingError) if needed else nullcontext():  # "needed" is what a session then says as well
        reserve.check(where.recordings)


def test_one_broken_round_does_not_keep_the_others_from_being_held(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    from voiceprep import content

    def only_good(name: str) -> None:
        if name == "broken":
            raise BadInputError("bad", code="bad-pack")

    monkeypatch.setattr(content, "check_all", lambda: [content.Problem("broken.toml", "title", 3, "is missing")])
    monkeypatch.setattr(content, "load_content", only_good)
    for there, needed in ((["broken", "good"], False), (["broken"], True)):
        monkeypatch.setattr(content, "round_ids", lambda there=there: there)
        check = named("rounds", run_checks(settings, where))
        assert (check.ok, check.needed) == (False, needed)
        assert "broken.toml:3: title: is missing" in check.detail


@pytest.mark.parametrize(("voice", "ok"), [("auto", False), ("none", True)])
def test_a_language_without_a_voice_is_told_unless_silence_is_wanted(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch, voice: str, ok: bool
) -> None:
    from voiceprep.speech.tts import choose
    from voiceprep.speech.tts.silent import SilentVoice
    from voiceprep.speech.tts.voice_set import VoiceSet

    async def nobody(*_: object) -> VoiceSet:
        return VoiceSet({"zh": SilentVoice()}, "Chinese: none")

    monkeypatch.setattr(choose, "choose", nobody)
    check = named("voices", run_checks(settings.with_arguments(voice=voice), where))
    assert (check.ok, check.needed, check.detail) == (ok, False, "Chinese: none")


@pytest.mark.parametrize(("wanted", "ok"), [("auto", True), ("cuda", False)])
def test_a_device_that_was_asked_for_and_cannot_be_used_is_told(
    settings: Settings, where: Places, monkeypatch: pytest.MonkeyPatch, wanted: str, ok: bool
) -> None:
    from voiceprep.speech.stt import probe

    monkeypatch.setattr(doctor, "_model_folder", lambda *_: Path())
    monkeypatch.setattr(probe, "probe_cuda", lambda _: probe.CudaProbe(1, "libcudnn_ops.so.9 is missing"))
    check = named("recogniser", run_checks(settings.with_arguments(device=wanted), where))
    assert (check.ok, check.needed) == (ok, False)
    assert "libcudnn_ops.so.9 is missing" in check.detail


GOOD = Check("python", ok=True, detail="3.11", needed=True)
MUTE = Check("microphone", ok=False, detail="there is [none]", fix="plug one in")
LACKING = Check("model", ok=False, detail="base is not here", fix="voiceprep models get base", needed=True)


def test_the_json_has_the_fields_of_the_contract(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "run_checks", lambda _: [GOOD, MUTE])
    command.doctor(as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert [{key: check[key] for key in ("name", "ok", "detail", "fix")} for check in document["checks"]] == [
        {"name": "python", "ok": True, "detail": "3.11", "fix": ""},
        {"name": "microphone", "ok": False, "detail": "there is [none]", "fix": "plug one in"},
    ]


def test_the_table_shows_ticks_and_mends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "run_checks", lambda _: [GOOD, MUTE])
    command.doctor(as_json=False)
    text = capsys.readouterr().out
    assert "✓" in text
    assert "there is [none]" in text
    assert "→ plug one in" in text


def test_what_every_session_needs_ends_with_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "run_checks", lambda _: [GOOD, MUTE, LACKING])
    with pytest.raises(MissingError, match="no session is possible yet: model") as caught:
        command.doctor(as_json=True)
    assert caught.value.exit_code == 3
    assert caught.value.hint == "voiceprep models get base"
    assert len(json.loads(capsys.readouterr().out)["checks"]) == 3
