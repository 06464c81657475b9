"""`voiceprep analyze`: the command; what it finds is tested in tests/review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types
from typer.testing import CliRunner, Result

from tests.review.test_analysis import Echo, Loudness, recording
from voiceprep.cli.main import app
from voiceprep.config import load
from voiceprep.errors import BadInputError, MissingError, UsageError, VoiceprepError
from voiceprep.store.archive import Archive

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases" / "audio"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the recordings of ../shared/cases/audio are not here")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recogniser and a detector of the test's making; everything else is real."""

    async def open_recogniser(*_: object, live: bool) -> Echo:
        return Echo()

    monkeypatch.setattr("voiceprep.speech.stt.opening.open_recogniser", open_recogniser)
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)


def analyze(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["analyze", *map(str, arguments)])


def failure(*arguments: str | Path) -> VoiceprepError:
    result = analyze(*arguments)
    assert isinstance(result.exception, VoiceprepError), result.exception
    assert result.stdout == ""
    return result.exception


def answer(tmp_path: Path) -> Path:
    return recording(tmp_path, 1.0, 5.0, 46.0, 5.0, 2.0)


@pytest.mark.usefixtures("scripted")
def test_json_is_one_document_and_nothing_else(tmp_path: Path) -> None:
    result = analyze(answer(tmp_path), "--json", "--lang", "en")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["schema"] == 1
    assert [flag["level"] for flag in found["flags"]] == ["notice", "warning"]
    assert found["timing"]["wall"] > 0


@pytest.mark.usefixtures("scripted")
def test_the_report_names_flags_pauses_and_words(tmp_path: Path) -> None:
    result = analyze(answer(tmp_path))
    assert result.exit_code == 0
    for piece in (
        "answer.wav",
        "a long silence",
        "46.",
        "inside the answer",
        "words a minute",
        "recognisers leave most",
        "word word",
    ):
        assert piece in result.stdout, piece


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("round_id", ["", "gpu-technical"])
@pytest.mark.parametrize("how", ["named", "at home"])
def test_the_user_s_own_thresholds_hold(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, round_id: str, how: str
) -> None:
    options: list[str | Path] = [
        answer(tmp_path),
        "--stt",
        "off",
        "--save",
        "--json",
        *(["--round", round_id] if round_id else []),
    ]

    def pauses() -> list[tuple[str, float]]:
        flags = json.loads(analyze(*options).stdout)["flags"]
        return [(flag["level"], round(flag["end"] - flag["start"])) for flag in flags if flag["rule"] == "long_pause"]

    usual = pauses()
    assert usual
    home.mkdir(exist_ok=True)
    own = home / "pacing.toml" if how == "at home" else tmp_path / "mine.toml"
    own.write_text("[long_pause]\nnotice = 3\nwarning = 20\nfail = 40\n", encoding="utf-8")
    if how == "named":
        monkeypatch.setenv("VOICEPREP_PACING_FILE", str(own))
    mine = pauses()
    assert mine != usual
    assert mine == [("notice", 3), ("warning", 20), ("fail", 40)]
    latest = Archive(home / "recordings").find("latest")
    assert (latest / "pacing.toml").read_bytes() == own.read_bytes()  # what its flags can be recomputed by
    own.write_text("[long_pause]\noff = true\n", encoding="utf-8")
    assert pauses() == []


@pytest.mark.parametrize("round_id", ["", "gpu-technical"])
def test_own_thresholds_that_cannot_be_used_are_refused(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, round_id: str
) -> None:
    options: list[str | Path] = [answer(tmp_path), "--stt", "off", "--save", *(["--round", round_id] if round_id else [])]
    monkeypatch.setenv("VOICEPREP_PACING_FILE", str(tmp_path / "none.toml"))
    missing = failure(*options)
    assert (missing.exit_code, missing.code) == (4, "no-such-file")
    (tmp_path / "none.toml").write_text("[long_pause]\nnotice = nan\n", encoding="utf-8")
    bad = failure(*options)
    assert (bad.exit_code, bad.code) == (4, "bad-pacing")
    assert not (home / "recordings").exists()


@pytest.mark.usefixtures("scripted")
def test_the_report_of_silence(tmp_path: Path) -> None:
    result = analyze(recording(tmp_path, 3.0))
    assert result.exit_code == 0
    assert "no speech was heard" in result.stdout
    assert "not measured" in result.stdout


@pytest.mark.usefixtures("scripted")
def test_chinese_is_wrapped_and_never_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def open_recogniser(*_: object, live: bool) -> Echo:
        return Echo(text="我们")

    monkeypatch.setattr("voiceprep.speech.stt.opening.open_recogniser", open_recogniser)
    monkeypatch.setenv("COLUMNS", "60")
    result = analyze(recording(tmp_path, 1.0, 50.0, 12.0, 2.0), "--lang", "zh")
    assert result.exit_code == 0
    assert "…" not in result.stdout
    assert result.stdout.count("我们") >= 90


@pytest.mark.usefixtures("scripted")
def test_saved_it_is_a_session_with_its_sound_and_its_log(tmp_path: Path, home: Path) -> None:
    result = analyze(answer(tmp_path), "--save", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    archive = Archive(home / "recordings")
    (session,) = archive.list()
    assert session.id == found["session"]
    assert session.ended == "audio-ended"
    header, events = archive.read("latest")
    assert (header.source, header.language) == ("file", "en")
    kinds = {type(event).__name__ for event in events}
    assert {"SessionStarted", "VoiceStarted", "VoiceStopped", "WordsCommitted", "FlagRaised", "SessionEnded"} <= kinds
    assert soundfile.info(home / "recordings" / session.id / "candidate.flac").frames == 59 * 16_000


@pytest.mark.usefixtures("scripted")
def test_without_save_nothing_is_written(tmp_path: Path, home: Path) -> None:
    analyze(answer(tmp_path))
    assert not (home / "recordings").exists()


def test_stt_off_finds_pauses_without_any_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    found = json.loads(analyze(answer(tmp_path), "--stt", "off", "--json").stdout)
    assert found["words"] == []
    assert found["model"] == {"stt": "off"}
    assert len(found["pauses"]) == 3


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["{missing}"], BadInputError),
        (["{answer}", "--lang", "fr"], UsageError),
        (["{answer}", "--round", "no-such-round"], UsageError),
        (["{answer}", "--round", "gpu-hm-screen", "--question", "no-such-question"], UsageError),
        (["{answer}", "--question", "q"], UsageError),
        (["{answer}", "--stt", "/no/such/folder"], (UsageError, BadInputError, MissingError)),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_done(
    tmp_path: Path, home: Path, arguments: list[str], kind: type[VoiceprepError]
) -> None:
    names = {"{missing}": str(tmp_path / "nowhere.wav"), "{answer}": str(answer(tmp_path))}
    error = failure(*(names.get(argument, argument) for argument in arguments), "--save")
    assert isinstance(error, kind)
    assert not (home / "recordings").exists()


@pytest.mark.usefixtures("scripted")
def test_a_round_gives_its_own_thresholds(tmp_path: Path) -> None:
    result = analyze(answer(tmp_path), "--round", "gpu-hm-screen", "--json")
    assert result.exit_code == 0, result.exception
    assert json.loads(result.stdout)["round"] == "gpu-hm-screen"


def test_a_disk_that_refuses_is_an_error_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    monkeypatch.setenv("VOICEPREP_RECORDINGS", str(blocked))
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    assert isinstance(failure(answer(tmp_path), "--stt", "off", "--save"), MissingError)


@pytest.mark.models
@needs_cases
@pytest.mark.parametrize(
    ("name", "language", "piece"),
    [("en_libri_1995.wav", "en", "great sorrow"), ("zh_aishell_0724.wav", "zh", "广州")],
)
def test_real_speech(name: str, language: str, piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICEPREP_HOME")
    if not _base_is_here():
        pytest.skip("the recogniser base is not on this machine (make setup brings it)")
    found = json.loads(analyze(CASES / name, "--lang", language, "--json").stdout)
    assert piece in found["text"]
    assert found["quality"]["trusted"]
    duration = found["audio"]["duration"]
    regions = [(region["start"], region["end"]) for region in found["speech"]]
    for word in found["words"]:
        assert 0 <= word["start"] <= word["end"] <= duration
        assert any(start - 0.001 <= word["start"] and word["end"] <= end + 0.001 for start, end in regions)


@pytest.mark.models
@needs_cases
@pytest.mark.parametrize("name", ["noise_33s.wav", "malformed/empty_1s_digital_silence.wav"])
def test_real_noise_and_silence_give_no_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICEPREP_HOME")
    if not _base_is_here():
        pytest.skip("the recogniser base is not on this machine (make setup brings it)")
    found = json.loads(analyze(CASES / name, "--json").stdout)
    assert (found["text"], found["words"]) == ("", [])


@pytest.mark.models
@needs_cases
def test_real_silence_of_46_s_is_flagged_at_its_place() -> None:
    found: dict[str, Any] = json.loads(
        analyze(CASES / "derived" / "zh_then_en_46s_silence_between.mp3", "--stt", "off", "--json").stdout
    )
    pause = max(found["pauses"], key=lambda each: each["duration"])
    assert pause["kind"] == "mid_answer"
    assert pause["duration"] == pytest.approx(46.5, abs=0.8)
    warning = next(flag for flag in found["flags"] if flag["level"] == "warning")
    assert warning["rule"] == "long_pause"
    assert warning["end"] == pytest.approx(pause["start"] + 45.0, abs=0.25)


def _base_is_here() -> bool:
    from voiceprep.config import places
    from voiceprep.speech.models import find_model

    return find_model(load()["stt"], models=places().models) is not None
