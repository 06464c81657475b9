"""Where the recogniser runs: on CUDA only after a child process has really loaded the model there and decoded with it.

A missing cuDNN or cuBLAS does not raise, it aborts the process. So the attempt is made in one that may die:
``python -P -m voiceprep.speech.stt.probe MODEL`` prints one JSON line.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

Device = Literal["cpu", "cuda"]

_TIMEOUT = 120
"""Seconds: a large model on a cold disk takes its time."""
_LIBRARY = re.compile(r"\b(lib[\w.+-]+\.so[.\d]*|[\w-]+64_\d+\.dll)\b")


class Choice(NamedTuple):
    """Device, compute type, and why in a sentence."""

    device: Device
    compute_type: Literal["int8", "float16"]
    reason: str


@dataclass(frozen=True, slots=True)
class CudaProbe:
    """What the child found: how many CUDA devices, and why the first cannot be used (empty: it can)."""

    devices: int
    failure: str = ""


def choose_device(
    wanted: Literal["auto", "cpu", "cuda"], model: Path, *, probe: Callable[[Path], CudaProbe] | None = None
) -> Choice:
    """CUDA with float16 where it works, else the CPU with int8. Blocks for a second or more unless `wanted` is cpu.

    Args:
        wanted: the setting `device`. ``cuda`` that cannot be used also falls back, and the reason says so.
        model: folder of the model.
        probe: the attempt; by default `probe_cuda`.
    """
    if wanted == "cpu":
        return Choice("cpu", "int8", "the CPU is used because the settings say so")
    found = (probe or probe_cuda)(model)
    if found.failure:
        return Choice("cpu", "int8", f"the CPU is used because CUDA does not work here: {found.failure}")
    if not found.devices:
        why = ", although the settings ask for one" if wanted == "cuda" else ""
        return Choice("cpu", "int8", f"the CPU is used because no CUDA device was found{why}")
    return Choice("cuda", "float16", "CUDA is used: a trial decode on the first device succeeded")


def probe_cuda(model: Path) -> CudaProbe:
    """Count the CUDA devices and try the first, in a child process."""
    # -P: nothing in the folder we happen to be in is imported, whatever it is named.
    command = [sys.executable, "-P", "-m", "voiceprep.speech.stt.probe", str(model)]
    environment = {**os.environ, **loader_environment()}
    try:
        done = subprocess.run(  # noqa: S603 - our own module, run by our own interpreter
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return CudaProbe(1, f"the trial decode did not end within {_TIMEOUT} s")
    return read_probe(done.returncode, done.stdout, done.stderr)


def read_probe(status: int, out: str, errors: str) -> CudaProbe:
    """What the child's end means: its exit status, stdout and stderr."""
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if status == 0 and lines:
        told = json.loads(lines[-1])
        return CudaProbe(int(told["devices"]), _named(str(told["failure"])))
    last = errors.strip().splitlines()[-1].strip() if errors.strip() else f"the trial process ended with status {status}"
    library = _LIBRARY.search(errors)
    return CudaProbe(1, f"{library[1]} is missing" if library else last[:200])


def loader_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variable that lets the loader find the libraries of pip's nvidia-* wheels; empty when none are installed."""
    environment = os.environ if environment is None else environment
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(root) for root in (spec.submodule_search_locations or [])] if spec else []
    inside, variable = ("bin", "PATH") if sys.platform == "win32" else ("lib", "LD_LIBRARY_PATH")
    folders = [str(folder) for root in roots for folder in sorted(root.glob(f"*/{inside}"))]
    if not folders:
        return {}
    before = environment.get(variable)
    return {variable: os.pathsep.join([*folders, *([before] if before else [])])}


def _named(failure: str) -> str:
    library = _LIBRARY.search(failure)
    return f"{library[1]} is missing" if library else failure[:200]


def _try_cuda(model: Path) -> CudaProbe:
    import ctranslate2  # type: ignore[import-untyped]  # it has no types

    devices = ctranslate2.get_cuda_device_count()
    if not devices:
        return CudaProbe(0)
    import numpy as np
    from faster_whisper import WhisperModel  # type: ignore[import-untyped]  # it has no types

    try:
        whisper = WhisperModel(str(model), device="cuda", compute_type="float16")
        noise = np.random.default_rng(0).standard_normal(16_000).astype(np.float32) * 0.01
        list(whisper.transcribe(noise, language="en", beam_size=1, temperature=0)[0])
    except Exception as error:  # noqa: BLE001 - any failure means the same: not on this device
        return CudaProbe(devices, str(error) or type(error).__name__)
    return CudaProbe(devices)


if __name__ == "__main__":
    _found = _try_cuda(Path(sys.argv[1]))
    sys.stdout.write(json.dumps({"devices": _found.devices, "failure": _found.failure}) + "\n")
