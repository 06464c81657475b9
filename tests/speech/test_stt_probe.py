"""Where the recogniser runs, and what the reason says. The failures are as ctranslate2 tells them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from voiceprep.speech.stt import probe
from voiceprep.speech.stt.probe import Choice, CudaProbe, choose_device, loader_environment, probe_cuda, read_probe

MODEL = Path("model")


@pytest.mark.parametrize(
    ("wanted", "found", "device", "says"),
    [
        ("auto", CudaProbe(1), "cuda", "succeeded"),
        ("cuda", CudaProbe(2), "cuda", "succeeded"),
        ("auto", CudaProbe(0), "cpu", "no CUDA device was found"),
        ("cuda", CudaProbe(0), "cpu", "although the settings ask"),
        ("auto", CudaProbe(1, "libcudnn_ops.so.9 is missing"), "cpu", "libcudnn_ops.so.9 is missing"),
    ],
)
def test_the_choice_and_its_reason(wanted: probe.Device, found: CudaProbe, device: str, says: str) -> None:
    choice = choose_device(wanted, MODEL, probe=lambda _: found)
    assert choice.device == device
    assert choice.compute_type == ("float16" if device == "cuda" else "int8")
    assert says in choice.reason


def test_the_cpu_is_taken_at_its_word() -> None:
    def never(_: Path) -> CudaProbe:
        raise AssertionError("nothing is probed")

    assert choose_device("cpu", MODEL, probe=never) == Choice("cpu", "int8", "the CPU is used because the settings say so")


@pytest.mark.parametrize(
    ("status", "out", "errors", "found"),
    [
        (0, 'noise\n{"devices": 1, "failure": ""}\n', "", CudaProbe(1)),
        (0, '{"devices": 0, "failure": ""}', "warning", CudaProbe(0)),
        (
            0,
            '{"devices": 1, "failure": "Library libcublas.so.12 is not found or cannot be loaded"}',
            "",
            CudaProbe(1, "libcublas.so.12 is missing"),
        ),
        (
            -6,
            "",
            "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9}\nInvalid handle. Cannot load symbol\n",
            CudaProbe(1, "libcudnn_ops.so.9.1.0 is missing"),
        ),
        (-11, "", "", CudaProbe(1, "the trial process ended with status -11")),
        (
            1,
            "",
            "RuntimeError: CUDA driver version is insufficient\n",
            CudaProbe(1, "RuntimeError: CUDA driver version is insufficient"),
        ),
    ],
)
def test_what_the_childs_end_means(status: int, out: str, errors: str, found: CudaProbe) -> None:
    assert read_probe(status, out, errors) == found


def test_a_child_that_aborts_is_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aborting = tmp_path / "python"
    aborting.write_text("#!/bin/sh\necho 'Could not load library libcudnn_ops.so.9' >&2\nkill -ABRT $$\n", encoding="utf-8")
    aborting.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(aborting))
    assert probe_cuda(MODEL) == CudaProbe(1, "libcudnn_ops.so.9 is missing")


def test_a_file_here_that_is_named_like_a_library_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ctranslate2.py").write_text("import pathlib; pathlib.Path('ran').touch()", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    probe_cuda(MODEL)
    assert not (tmp_path / "ran").exists()


@pytest.mark.models
def test_the_real_probe_answers_on_this_machine() -> None:
    found = probe_cuda(MODEL)
    assert found.devices >= 0
    assert bool(found.failure) == (found.devices > 0)  # where there is a device, a model that does not exist must fail


def test_libraries_of_pips_wheels_are_put_on_the_loaders_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = "bin" if sys.platform == "win32" else "lib"
    for name in ("cudnn", "cublas"):
        (tmp_path / "nvidia" / name / inside).mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    (value,) = loader_environment({"LD_LIBRARY_PATH": "/before", "PATH": "/before"}).values()
    folders = value.split(os.pathsep)
    assert [Path(folder).parent.name for folder in folders[:-1]] == ["cublas", "cudnn"]
    assert folders[-1] == "/before"


def test_without_wheels_the_environment_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert loader_environment({}) == {}
