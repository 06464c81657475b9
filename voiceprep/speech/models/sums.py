"""Is a file what it should be? sha256, remembered, so that a model is read once and not at every start."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from voiceprep.files import parse_json
from voiceprep.speech.models.assets import Asset, AssetFile

SUMS = "SHA256SUMS"
"""Beside a model's files: their sums, in the format of sha256sum."""


class Sums:
    """sha256 of files, kept in `path` with each file's size and time of change: the same two again, the same sum again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def sha256(self, file: Path) -> str:
        """The file's sum in hexadecimal. Raises OSError when it cannot be read."""
        file = file.resolve()
        now = file.stat()
        known = self._load()
        match known.get(str(file)):
            case [now.st_size, now.st_mtime_ns, str(found)]:
                return found
        with file.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        here = {path: entry for path, entry in known.items() if Path(path).exists()}
        self._save(here | {str(file): [now.st_size, now.st_mtime_ns, found]})
        return found

    def _load(self) -> dict[str, list[object]]:
        try:
            stored = parse_json(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stored if isinstance(stored, dict) else {}

    def _save(self, known: Mapping[str, list[object]]) -> None:
        # Only a saving of time: where it cannot be written the file is read again at the next start.
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            new.write_text(json.dumps(known, indent=1), encoding="utf-8")
            new.replace(self._path)


def write_sums(folder: Path, files: Iterable[AssetFile]) -> None:
    """Keep the sums of a model's files beside them."""
    text = "".join(f"{file.sha256}  {file.path}\n" for file in files)
    new = folder / f"{SUMS}.new"
    new.write_text(text, encoding="utf-8")
    new.replace(folder / SUMS)


def read_sums(folder: Path) -> tuple[AssetFile, ...]:
    """The files that should be in this folder, by the sums kept in it; none when it keeps no sums."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    pairs = [line.split(maxsplit=1) for line in lines if line.strip()]
    return tuple(AssetFile(pair[1], 0, pair[0]) for pair in pairs if len(pair) == 2)  # noqa: PLR2004  (sum and name)


def trouble_with(file: AssetFile, path: Path, sums: Sums) -> str:
    """Why the file at `path` is not this one, in a few words; "" when it is."""
    try:
        size = path.stat().st_size
        if file.size and size != file.size:
            return f"{file.path} has {size:,} bytes instead of {file.size:,}"
        if file.sha256 and (found := sums.sha256(path)) != file.sha256:
            return f"{file.path} is corrupt: sha256 {found[:12]}... instead of {file.sha256[:12]}..."
    except FileNotFoundError:
        return f"{file.path} is missing"
    except OSError as error:
        return f"{file.path} cannot be read: {error.strerror}"
    return ""


def trouble_in(asset: Asset, folder: Path, sums: Sums) -> str:
    """Why this folder does not hold the model; "" when it does.

    A recogniser whose sums nobody has told (a folder of the user's own) is only checked for being complete.
    """
    expected = asset.files or read_sums(folder) or _from_cache(folder)
    for file in expected:
        if trouble := trouble_with(file, folder / file.path, sums):
            return trouble
    return "" if asset.files else incomplete(folder)


def incomplete(folder: Path) -> str:
    """What a folder lacks to be a recogniser's; "" when nothing."""
    if not folder.is_dir():
        return "there is no such folder"
    for name in ("model.bin", "config.json"):
        if not (folder / name).is_file():
            return f"{name} is missing"
    if not any(folder.glob("tokenizer.json")) and not any(folder.glob("vocabulary.*")):
        return "tokenizer.json is missing"
    return ""


def _from_cache(folder: Path) -> tuple[AssetFile, ...]:
    """The hub's cache names the content of each large file by its sha256, so its sums are known without the hub."""
    weights = folder / "model.bin"
    target = weights.resolve().name if weights.is_symlink() else ""
    is_sum = len(target) == hashlib.sha256().digest_size * 2 and set(target) <= set("0123456789abcdef")
    return (AssetFile("model.bin", 0, target),) if is_sum else ()
