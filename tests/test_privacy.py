"""Nothing leaves the machine, not even by a library of ours."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

USE = """
import numpy as np
from voiceprep.audio.base import BLOCK
from voiceprep.speech.vad.silero import SileroActivity
SileroActivity().feed(np.zeros(BLOCK, dtype=np.float32))
"""


def test_case_124_no_library_collects_anything_to_report(tmp_path: Path) -> None:
    """onnxruntime queues what it would send in the user's cache folder, unless it is told not to."""
    kept = {name: value for name, value in os.environ.items() if "TELEMETRY" not in name and name != "DO_NOT_TRACK"}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", USE], env=kept | home, cwd=ROOT, check=True, timeout=120)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_libraries_are_told_not_to_report() -> None:
    told = "import voiceprep, os; print(os.environ['ORT_DISABLE_TELEMETRY'], os.environ['HF_HUB_DISABLE_TELEMETRY'])"
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["1", "1"]
