"""A recogniser that remembers what it has written down already, so that an analysis that broke off goes on where it stopped.

What it remembers lies in the cache, in a file of its own for each recording and model, private like a session; it is removed
when the analysis is complete. An analysis is the same computation each time, so a stretch of sound is known by its samples.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from contextlib import suppress
from pathlib import Path

from voiceprep.audio.base import Samples
from voiceprep.core.events import Language, Word
from voiceprep.errors import VoiceprepError
from voiceprep.files import parse_json
from voiceprep.speech.stt.base import Recogniser, RecogniserInfo, Transcript
from voiceprep.store import codec, disk
from voiceprep.store.retention import ANALYSES

OLD = 30 * 24 * 3600.0
"""Seconds after which what was left of an analysis is not waited for any more."""
CHUNK = 1 << 20
PASSING = frozenset({"recogniser-timeout", "recogniser-crashed"})
"""What a busy machine does to a stretch once, and most likely not a second time: by then the recogniser was started anew."""


class KeptWords:
    """A `Recogniser` around another one. What cannot be kept, for want of space or rights, is decoded again next time."""

    def __init__(self, recogniser: Recogniser, file: Path) -> None:
        self._recogniser = recogniser
        self._file = file
        self._kept = _read(file)
        self._appender: disk.Appender | None = None

    @classmethod
    def of(cls, recogniser: Recogniser, audio: Path, cache: Path) -> KeptWords:
        """For this audio file, with what an earlier run over the same bytes has left. Raises OSError."""
        folder = cache / ANALYSES
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
            _sweep(folder)
        info = recogniser.info
        model = re.sub(r"[^A-Za-z0-9.]+", "-", f"{info.model}-{info.device}-{info.compute_type}")[-60:]
        return cls(recogniser, folder / f"{file_sum(audio)[:40]}-{model}.jsonl")

    @property
    def info(self) -> RecogniserInfo:
        return self._recogniser.info

    @property
    def known(self) -> int:
        """How many stretches an earlier run has left."""
        return len(self._kept)

    async def start(self) -> None:
        await self._recogniser.start()

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        return await self._recogniser.hypothesize(samples, language, known)

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        return await self._recogniser.draft(samples, language)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        """As the recogniser does, which is asked twice where it broke down; what it refuses is not remembered.

        Else an analysis would lack a stretch that the same analysis has when it is run, or gone on with, an hour later.
        """
        key = hashlib.sha256(f"{language}:".encode() + samples.tobytes()).hexdigest()
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = await self._decode(samples, language)
            self._keep(key, found)
        return found

    async def _decode(self, samples: Samples, language: Language) -> Transcript:
        try:
            return await self._recogniser.transcribe(samples, language)
        except VoiceprepError as error:
            if error.code not in PASSING:
                raise
        return await self._recogniser.transcribe(samples, language)

    async def close(self) -> None:
        """Release the recogniser; what was written down is kept for the next run."""
        self._release()
        await self._recogniser.close()

    def forget(self) -> None:
        """The analysis is complete: remove what was kept for it."""
        self._release()
        self._kept.clear()
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _keep(self, key: str, found: Transcript) -> None:
        document = {"key": key} | codec.adapter(Transcript).dump_python(found)
        with suppress(OSError, VoiceprepError):
            if self._appender is None:
                self._appender = disk.Appender(self._file)
                self._appender.append(b"\n")  # a line that the last run did not come to the end of stays alone
            self._appender.append(f"{json.dumps(document, ensure_ascii=False)}\n".encode("utf-8", errors="replace"))

    def _release(self) -> None:
        if self._appender is not None:
            self._appender.close()
            self._appender = None


def file_sum(path: Path) -> str:
    """The sha256 of a file, read piece by piece. Raises OSError."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            found.update(data)
    return found.hexdigest()


def _read(file: Path) -> dict[str, Transcript]:
    """What an earlier run has left; a torn or foreign line is as if it were not there."""
    kept: dict[str, Transcript] = {}
    with suppress(OSError):
        for line in file.read_bytes().splitlines():
            with suppress(ValueError, KeyError, TypeError):
                document = parse_json(line)
                words = tuple(Word(**word) for word in document["words"])
                kept[document["key"]] = Transcript(words, document["trusted"], tuple(document["reasons"]))
    return kept


def _sweep(folder: Path) -> None:
    for file in folder.glob("*.jsonl"):
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > OLD:
                file.unlink()
