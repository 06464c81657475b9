"""The setup script, run for real in a folder of its own, with stand-ins for Python, apt and sudo; and the pins."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPO = Path(__file__).parents[1]
PYTHONS = ("python3", "python3.11", "python3.12", "python3.13", "python3.14")

# Stands for the system's Python: `-m venv` makes an environment whose programs note in $LOG how they are called.
PYTHON = """#!/bin/bash
case "$*" in
"-c import sys; sys.exit"*) exit ${TOO_OLD:-0} ;;
"-c import sys; print"*) echo 3.11 ;;
"-c import ensurepip"*) exit ${NO_VENV:-0} ;;
"-m venv"*)
    echo "venv" >>"$LOG"
    rm -rf .venv; mkdir -p .venv/bin
    for name in python voiceprep; do
        printf '#!/bin/bash\\necho "%s $*" >>"$LOG"\\n[[ "$*" != *"$BROKEN"* ]]\\n' $name >.venv/bin/$name
        chmod +x .venv/bin/$name
    done
    echo "#!$(pwd -P)/.venv/bin/python" >.venv/bin/pip ;;
esac
"""


class Machine:
    """A folder with a copy of what setup reads, and the commands it finds there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.commands = folder / "bin"
        self.log = folder / "log"
        (self.folder / "tools").mkdir(parents=True)
        self.commands.mkdir()
        for name in ("pyproject.toml", "constraints.txt", "tools/setup.sh"):
            shutil.copy(REPO / name, self.folder / name)
        for name in PYTHONS:
            self.command(name, PYTHON)
        self.command("id", "#!/bin/bash\necho 1000\n")
        self.command("sudo", "#!/bin/bash\nexit 1\n")
        self.command("dpkg-query", '#!/bin/bash\necho "install ok installed"\n')
        self.command("apt-get", '#!/bin/bash\necho "apt-get $*" >>"$LOG"\n')

    def command(self, name: str, text: str) -> None:
        (self.commands / name).write_text(text)
        (self.commands / name).chmod(0o755)

    def setup(self, *arguments: str, **environment: str) -> tuple[int, str, list[str]]:
        """Run it. Returns its exit code, what it said, and what was called."""
        self.log.write_text("")
        done = subprocess.run(
            ["bash", str(self.folder / "tools" / "setup.sh"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={"PATH": f"{self.commands}:{os.defpath}", "LOG": str(self.log), "BROKEN": "nothing is", **environment},
            timeout=60,
        )
        return done.returncode, done.stderr, self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def pip_calls(calls: list[str]) -> list[str]:
    return [call for call in calls if call.startswith("python -m pip install")]


def test_the_first_run_installs_and_the_second_only_looks(machine: Machine) -> None:
    code, said, calls = machine.setup()
    assert code == 0, said
    assert "venv" in calls
    assert pip_calls(calls)
    assert "-c constraints.txt" in pip_calls(calls)[0]
    assert [call for call in calls if "models get" in call] == ["voiceprep models get base", "voiceprep models get kokoro"]
    code, said, calls = machine.setup()
    assert code == 0
    assert "venv" not in calls
    assert not pip_calls(calls)


def test_other_pins_are_installed_into_the_same_environment(machine: Machine) -> None:
    machine.setup()
    (machine.folder / "constraints.txt").write_text("numpy==9.9\n")
    _, _, calls = machine.setup()
    assert pip_calls(calls)
    assert "venv" not in calls


def test_a_checkout_that_was_moved_gets_a_new_environment(machine: Machine, tmp_path: Path) -> None:
    machine.setup()
    machine.folder = machine.folder.rename(tmp_path / "elsewhere")
    code, _, calls = machine.setup()
    assert code == 0
    assert "venv" in calls


def test_a_failed_installation_is_a_failure_and_is_tried_again(machine: Machine) -> None:
    code, said, _ = machine.setup(BROKEN="pip install")
    assert code == 1
    assert "pip could not install the packages" in said
    code, _, calls = machine.setup()
    assert code == 0
    assert pip_calls(calls)


def test_a_model_that_cannot_be_had_does_not_stop_the_rest(machine: Machine) -> None:
    code, said, calls = machine.setup(BROKEN="get base")
    assert code == 0
    assert "a model is missing" in said
    assert "voiceprep models get kokoro" in calls


def test_without_a_python_it_ends_with_3_and_the_line_to_run(machine: Machine) -> None:
    code, said, calls = machine.setup(TOO_OLD="1")
    assert code == 3
    assert "sudo apt-get install -y python3 python3-venv" in said
    assert not calls


def test_without_the_right_to_install_it_prints_the_line(machine: Machine) -> None:
    machine.command("dpkg-query", "#!/bin/bash\nexit 1\n")
    code, said, calls = machine.setup(NO_VENV="1")
    assert code == 3, "no environment can be made without it"
    assert "sudo apt-get install -y python3.11-venv" in said
    code, said, calls = machine.setup()
    assert code == 0, "sound is not worth stopping for"
    assert "sudo apt-get install -y libportaudio2" in said
    assert not [call for call in calls if call.startswith("apt-get")]


@pytest.mark.parametrize("who", ["root", "sudo without a password"])
def test_with_the_right_to_install_it_installs(machine: Machine, who: str) -> None:
    machine.command("dpkg-query", "#!/bin/bash\nexit 1\n")
    if who == "root":
        machine.command("id", "#!/bin/bash\necho 0\n")
    else:
        machine.command("sudo", '#!/bin/bash\n[ "$1" = -n ] || exit 1\nshift\n"$@"\n')
    code, _, calls = machine.setup(NO_VENV="1")
    assert code == 0
    installed = [call for call in calls if call.startswith("apt-get install")]
    assert [call.split()[-1] for call in installed] == ["python3.11-venv", "libportaudio2"]


def test_the_tests_sound_card_leaves_a_desktops_sound_server_alone(machine: Machine) -> None:
    machine.command("dpkg-query", "#!/bin/bash\nexit 1\n")
    machine.command("id", "#!/bin/bash\necho 0\n")
    machine.command("pipewire", "#!/bin/bash\n")
    _, _, calls = machine.setup("--tests")
    assert not [call for call in calls if "pulseaudio" in call]


# --- the pins ------------------------------------------------------------------------------------------------------------


def pins() -> dict[str, str]:
    lines = [line for line in (REPO / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+-]+", line) for line in lines), "exact versions, no addresses"
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def test_every_package_we_name_is_pinned_within_its_bounds() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    pinned = pins()
    for requirement in map(Requirement, named):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is not pinned: make constraints"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} is pinned to {version}"


def test_the_setup_files_name_no_address() -> None:
    for name in ("Makefile", "constraints.txt", "tools/setup.sh", "tools/pin.sh", ".ci/run"):
        assert "://" not in (REPO / name).read_text(), name


@pytest.mark.parametrize(
    ("target", "in_order"),
    [
        ("practice", ["tools/setup.sh", 'tools/practice.sh "anyscale-system-design" "zh"']),
        ("test", ["tools/setup.sh --tests", "ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"]),
    ],
)
def test_the_two_commands_set_up_first(target: str, in_order: list[str]) -> None:
    done = subprocess.run(
        ["make", "--dry-run", target, "ROUND=anyscale-system-design", "TALK=zh"],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPO,
        timeout=60,
    )
    places = [done.stdout.find(step) for step in in_order]
    assert -1 not in places, done.stdout
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("environment", "terminal", "then"),
    [
        ({"DISPLAY": ":0"}, True, "serve --open"),
        ({"DISPLAY": ":0", "TERMINAL": "1"}, True, "practice gpu-final --lang zh --demo-if-no-microphone"),
        ({"DISPLAY": ":0"}, False, "practice gpu-final --lang zh --demo-if-no-microphone"),
        ({}, True, "practice gpu-final --lang zh --demo-if-no-microphone"),
    ],
)
def test_practice_opens_the_page_where_somebody_can_see_it(
    tmp_path: Path, environment: dict[str, str], terminal: bool, then: str
) -> None:
    program, log = tmp_path / ".venv" / "bin" / "voiceprep", tmp_path / "log"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/bash\necho "$*" >>"{log}"\n')
    program.chmod(0o755)
    (tmp_path / "tools").mkdir()
    script = shutil.copy(REPO / "tools" / "practice.sh", tmp_path / "tools")
    ours, theirs = os.openpty()
    try:
        subprocess.run(
            [script, "gpu-final", "zh"],
            env={"PATH": os.environ["PATH"], **environment},
            stdout=theirs if terminal else subprocess.DEVNULL,
            check=True,
            timeout=60,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert log.read_text().splitlines() == ["doctor", then]
