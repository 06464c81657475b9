"""The program's edges: help, exit codes, errors, odd terminals, a reader that leaves."""

from __future__ import annotations

import ast
import json
import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from voiceprep.cli import main
from voiceprep.cli.logs import keep_logs
from voiceprep.cli.output import print_json
from voiceprep.core.text import mmss
from voiceprep.errors import BadInputError, MissingError, UsageError, VoiceprepError

REPO = Path(__file__).parents[2]
Run = Callable[[Callable[[], None]], int]


def voiceprep(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", "from voiceprep.cli.main import run; run()", *arguments],
        capture_output=True,
        check=False,
        cwd=REPO,
        env=os.environ | environment,
        timeout=60,
    )


@pytest.fixture
def doctor_that(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the program with a `doctor` of the test's making."""

    def run(does: Callable[[], None]) -> int:
        module = ModuleType("stand_in_doctor")
        module.doctor = does  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "stand_in_doctor", module)
        monkeypatch.setitem(main.BY_NAME, "doctor", replace(main.BY_NAME["doctor"], target="stand_in_doctor:doctor"))
        monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
        monkeypatch.setattr(sys, "argv", ["voiceprep", "doctor"])
        with pytest.raises(SystemExit) as end:
            main.run()
        assert isinstance(end.value.code, int)
        return end.value.code

    return run


def test_the_help_names_every_command_and_imports_none() -> None:
    script = (
        "import sys\nfrom voiceprep.cli.main import app, COMMANDS\n"
        "try:\n    app(['--help'], prog_name='voiceprep')\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = {'numpy', 'av', 'onnxruntime', 'faster_whisper', 'pydantic', 'sounddevice', 'soundfile'}\n"
        "commands = {entry.target.split(':')[0] for entry in COMMANDS}\n"
        "print(sorted((heavy | commands) & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPO, timeout=60)
    *text, imported = done.stdout.splitlines()
    assert imported == "[]"
    for entry in main.COMMANDS:
        assert any(f" {entry.name} " in line and entry.summary[:20] in line for line in text), entry.name


@pytest.mark.parametrize("entry", main.COMMANDS, ids=lambda entry: entry.name)
def test_every_command_that_is_listed_has_its_function(entry: main.Entry) -> None:
    module, attribute = entry.target.split(":")
    tree = ast.parse((REPO / Path(*module.split(".")).with_suffix(".py")).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    names |= {name.id for name in ast.walk(tree) if isinstance(name, ast.Name)}
    assert attribute in names


def test_without_a_command_the_help_is_printed() -> None:
    done = voiceprep()
    assert done.returncode == 0
    assert b"Usage: voiceprep" in done.stdout


def test_version() -> None:
    done = voiceprep("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, b"voiceprep")


@pytest.mark.parametrize("arguments", [("nonsense",), ("--nonsense",), ("analyze",), ("analyze", "--nonsense", "x")])
def test_wrong_usage_is_2_with_nothing_on_stdout(arguments: tuple[str, ...]) -> None:
    done = voiceprep(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("practice",), ("rounds", "show"), ("loop", "start")])
def test_what_is_left_away_is_told_with_where_to_find_one(arguments: tuple[str, ...]) -> None:
    said = " ".join(voiceprep(*arguments).stderr.decode().replace("│", " ").split())
    assert f"voiceprep {arguments[0] if arguments[0] == 'loop' else 'rounds'}" in said.partition("Missing argument")[2]


def test_a_typing_error_is_answered_with_the_nearest_command() -> None:
    assert b"analyze" in voiceprep("analyse").stderr


@pytest.mark.parametrize(
    ("kind", "code"),
    [(VoiceprepError, 1), (UsageError, 2), (MissingError, 3), (BadInputError, 4)],
    ids=str,
)
def test_an_error_ends_with_its_code_and_two_lines(
    doctor_that: Run, capsys: pytest.CaptureFixture[str], kind: type[VoiceprepError], code: int
) -> None:
    def fails() -> None:
        raise kind("model base is not here", code="no-model", hint="voiceprep models get base")

    assert doctor_that(fails) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["voiceprep: model base is not here.", "  voiceprep models get base"]


def test_a_defect_is_one_line_and_its_stack_goes_to_a_log_without_what_was_said(
    doctor_that: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def breaks() -> None:
        try:
            int("I was fired for that outage")
        except ValueError as error:
            raise TypeError("bad operand") from error

    assert doctor_that(breaks) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "TypeError" in err
    (log,) = (tmp_path / "logs").iterdir()
    assert str(log) in err
    text = log.read_text(encoding="utf-8")
    assert "breaks" in json.loads(text)["where"][-1]
    assert "TypeError: bad operand" in text
    assert "because of ValueError" in json.loads(text)["where"]
    assert "invalid literal" not in text
    assert log.stat().st_mode & 0o077 == 0


def test_a_defect_where_no_log_can_be_written_is_still_one_line(
    doctor_that: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "logs").write_text("in the way")

    def breaks() -> None:
        raise KeyError("x")

    assert doctor_that(breaks) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_ctrl_c_is_130_and_a_clean_line(doctor_that: Run, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert doctor_that(interrupted) == 130
    assert capsys.readouterr().err.split() == ["Stopped."]


def test_a_reader_that_leaves_early_is_no_error_message() -> None:
    script = (
        "import sys, types\nfrom voiceprep.cli import main\n"
        "module = types.ModuleType('m')\n"
        "def doctor():\n    for n in range(200_000):\n        print('line', n)\n"
        "module.doctor = doctor\nsys.modules['m'] = module\n"
        "main.BY_NAME['doctor'] = main.Entry('doctor', 'm:doctor', '', '')\n"
        "sys.argv = ['voiceprep', 'doctor']\nmain.run()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=REPO)
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.readline() == b"line 0\n"
    child.stdout.close()
    complaint = child.stderr.read()
    child.stderr.close()
    child.wait(timeout=60)
    assert complaint == b""


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "gbk"}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}],
    ids=["cp1252", "gbk", "C"],
)
def test_case_104_chinese_and_music_signs_are_printed_as_utf8_whatever_the_locale(environment: dict[str, str]) -> None:
    # In ASCII, so that the interpreter's own reading of its command line plays no part.
    script = (
        "from voiceprep.cli.output import speak_utf8, print_json, console\nspeak_utf8()\n"
        f"print_json({{'text': {'秋天 ♪'!a}}})\nconsole().print({'银杏树'!a})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, cwd=REPO, env=os.environ | environment, timeout=60
    )
    assert done.stdout.decode("utf-8") == '{"text": "秋天 ♪"}\n银杏树\n'


def test_json_is_finite() -> None:
    with pytest.raises(ValueError, match="JSON"):
        print_json({"rate": float("inf")})


@pytest.mark.parametrize(("seconds", "text"), [(-1.0, "0:00"), (59.99, "0:59"), (750, "12:30"), (3723, "1:02:03")])
def test_times_for_people(seconds: float, text: str) -> None:
    assert mmss(seconds) == text


def test_a_home_that_nobody_has_is_wrong_usage() -> None:
    done = voiceprep("sessions", VOICEPREP_HOME="~nosuchuserhere/x")
    assert done.returncode == 2
    assert b"names no user" in done.stderr
    assert b"Traceback" not in done.stderr


def test_what_is_logged_stays_off_the_terminal_and_quotes_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    logger, root = logging.getLogger("voiceprep.live.interpreter"), logging.getLogger("voiceprep")
    keep_logs()
    said = "TOPSECRET"
    try:
        int(said)
    except ValueError:
        logger.exception("a defect while carrying out %s", "t1")
    logged = next((tmp_path / "logs").glob("*.log")).read_text("utf-8")
    assert "a defect while carrying out t1" in logged
    assert "ValueError" in logged
    assert "TOPSECRET" not in logged
    assert capsys.readouterr().err == ""
    for handler in root.handlers:
        handler.close()
    root.handlers, root.propagate = [], True


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_said() -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "voiceprep", "rounds"], stdout=full, stderr=subprocess.PIPE, cwd=REPO, check=False
        )
    assert done.returncode == 3
    assert b"the output cannot be written: No space left on device" in done.stderr
    assert b"went wrong inside" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes streams by the shell")
@pytest.mark.parametrize(("command", "code"), [("rounds 1>&-", 0), ("score --round gpu-final - <&-", 0), ("rounds 2>&-", 0)])
def test_a_closed_stream_is_no_defect(command: str, code: int) -> None:
    shell = f"{shlex.quote(sys.executable)} -m voiceprep {command}"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, cwd=REPO, check=False)
    assert (done.returncode, b"went wrong inside" in done.stderr) == (code, False)
