"""The store against a hub on this machine, through the real huggingface_hub client."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.model_hub import COMMIT, ModelHub
from voiceprep.errors import MissingError
from voiceprep.speech.models import ASSETS, Asset, AssetFile, Store, find_model
from voiceprep.speech.models.sources import Hub

REPOSITORY = "Systran/faster-whisper-small"
WEIGHTS = bytes(range(256)) * 100_000
CONTENT = {"model.bin": WEIGHTS, "config.json": b"{}", "tokenizer.json": b"[]", "README.md": b"not needed"}


@pytest.fixture
def hub() -> Iterator[ModelHub]:
    with ModelHub(REPOSITORY, CONTENT).running() as running:
        yield running


@pytest.fixture
def said() -> list[tuple[str, float | None]]:
    return []


def store(tmp_path: Path, address: str, said: list[tuple[str, float | None]]) -> Store:
    return Store(tmp_path / "models", None, lambda *what: said.append(what), (Hub(address),), cache=tmp_path / "cache")


def test_any_size_comes_with_its_sums(hub: ModelHub, tmp_path: Path, said: list[tuple[str, float | None]]) -> None:
    folder = store(tmp_path, hub.address, said).get("small")
    assert {path.name for path in folder.iterdir()} == {"model.bin", "config.json", "tokenizer.json", "SHA256SUMS"}
    assert f"{hashlib.sha256(WEIGHTS).hexdigest()}  model.bin\n" in (folder / "SHA256SUMS").read_text()
    shares = [fraction for text, fraction in said if fraction is not None and text == "small: model.bin from the hub"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert find_model("small", models=tmp_path / "models") == folder


def test_later_damage_shows_without_the_hub(hub: ModelHub, tmp_path: Path, said: list[tuple[str, float | None]]) -> None:
    folder = store(tmp_path, hub.address, said).get("small")
    (folder / "model.bin").write_bytes(WEIGHTS[::-1])
    assert find_model("small", models=tmp_path / "models") is None
    store(tmp_path, hub.address, said).get("small")
    assert (folder / "model.bin").read_bytes() == WEIGHTS
    assert (folder / "model.bin.damaged-1").exists()


def test_an_interrupted_download_goes_on(hub: ModelHub, tmp_path: Path, said: list[tuple[str, float | None]]) -> None:
    def press_ctrl_c(_text: str, fraction: float | None) -> None:
        if (fraction or 0) > 0.5:
            raise KeyboardInterrupt

    models = tmp_path / "models"
    with pytest.raises(KeyboardInterrupt):
        Store(models, None, press_ctrl_c, (Hub(hub.address),), cache=tmp_path / "cache").get("small")
    assert not (models / "small" / "model.bin").exists()
    assert find_model("small", models=models) is None
    store(tmp_path, hub.address, said).get("small")
    assert hub.ranges[0] == ""
    start = int(hub.ranges[1].removeprefix("bytes=").removesuffix("-"))
    assert 0 < start < len(WEIGHTS)
    assert (models / "small" / "model.bin").read_bytes() == WEIGHTS


def test_a_hub_with_other_weights_is_not_asked_for_them(
    hub: ModelHub, tmp_path: Path, said: list[tuple[str, float | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = Asset("toy", "A toy", 3, (AssetFile("model.bin", 3, hashlib.sha256(b"abc").hexdigest()),), REPOSITORY)
    monkeypatch.setitem(ASSETS, "toy", asset)
    with pytest.raises(MissingError, match=r"the hub: its model\.bin is another one"):
        store(tmp_path, hub.address, said).get("toy")
    assert not hub.ranges


def test_a_repository_without_a_recogniser_is_refused(
    hub: ModelHub, tmp_path: Path, said: list[tuple[str, float | None]]
) -> None:
    del hub.content["model.bin"]
    with pytest.raises(MissingError, match=r"no whole recogniser: model\.bin is missing"):
        store(tmp_path, hub.address, said).get("small")
    assert find_model("small", models=tmp_path / "models") is None


def test_a_hub_that_is_not_there_is_one_line(tmp_path: Path, said: list[tuple[str, float | None]]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(MissingError, match="the hub: ConnectError") as caught:
            store(tmp_path, address, said).get("small")
    assert "\n" not in caught.value.message


def test_what_another_program_fetched_is_used_where_it_lies(tmp_path: Path, said: list[tuple[str, float | None]]) -> None:
    repository = tmp_path / "cache" / f"models--{REPOSITORY.replace('/', '--')}"
    snapshot = repository / "snapshots" / COMMIT
    blob = repository / "blobs" / hashlib.sha256(WEIGHTS).hexdigest()
    for folder in (snapshot, blob.parent, repository / "refs"):
        folder.mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    blob.write_bytes(WEIGHTS)
    (snapshot / "model.bin").symlink_to(blob)
    for name in ("config.json", "tokenizer.json"):
        (snapshot / name).write_bytes(CONTENT[name])
    here = store(tmp_path, "", said)
    assert here.find("small") == snapshot
    blob.write_bytes(WEIGHTS[:-1])
    assert here.find("small") is None
