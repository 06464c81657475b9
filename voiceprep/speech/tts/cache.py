"""Rendered lines, kept: what was said once, or is known to be said, is there at once."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]  # it ships no types

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.core.pack import Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import Utterance, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.characters import character
from voiceprep.speech.tts.engine import Engine

log = logging.getLogger(__name__)

LIMIT = 500_000_000
"""Bytes of FLAC that are kept: about five hours of speech."""
GIVE_UP_AFTER = 3
"""Lines in a row that a voice may fail before it is not asked for more in the background."""
FULL_SCALE = 32_768

Keeps = Callable[[str], bool]
"""Whether a line, as it is fit for the ear, may lie on the disk."""


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A line that will be said: text already fit for the ear, its language and how."""

    text: str
    language: Tongue
    style: VoiceStyle


class RenderCache:
    """A voice that remembers. Files lie in `folder`, named by what they say, how, and by which version of which engine.

    A line is cut to 16 bits before it is returned, whether it comes from the engine or from the disk: both sound the same to
    the last bit. A file that cannot be read is rendered again; a folder that cannot be written is only slow.

    What `keeps` says no to, since it speaks of the candidate, is remembered in memory alone: it is gone with the session.
    """

    def __init__(self, folder: Path, voice: Engine, *, limit: int = LIMIT, keeps: Keeps = lambda _: True) -> None:
        self._folder = folder
        self._voice = voice
        self._limit = limit
        self._keeps = keeps
        self._in_memory: dict[Path, npt.NDArray[np.int16]] = {}

    @property
    def info(self) -> VoiceInfo:
        return self._voice.info

    @property
    def version(self) -> str:
        return self._voice.version

    def has(self, text: str, language: Tongue, style: VoiceStyle) -> bool:
        """Whether this line is remembered."""
        path = self.path(text, language, style)
        return path in self._in_memory or path.is_file()

    async def recall(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance | None:
        """The line as it is remembered; None when it is not, or its file is damaged (then it is removed)."""
        path = self.path(text, language, style)
        if path in self._in_memory:
            return Utterance(_as_float(self._in_memory[path]), self.info.engine)
        samples = await asyncio.to_thread(_read, path)
        return None if samples is None else Utterance(samples, self.info.engine)

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        """As it is remembered, else from the engine, whose errors are raised."""
        kept = await self.recall(text, language, style)
        if kept is not None:
            return kept
        fresh = await self._voice.render(text, language, style)
        if not fresh.samples.size:
            return fresh
        whole = np.clip(np.round(fresh.samples * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1).astype(np.int16)
        path = self.path(text, language, style)
        if self._keeps(text):
            await asyncio.to_thread(self._keep, path, whole)
        else:
            self._in_memory[path] = whole
        return Utterance(_as_float(whole), fresh.engine)

    def path(self, text: str, language: Tongue, style: VoiceStyle) -> Path:
        """Where this line is, or would be."""
        # The character's parameters, not only its name: a changed table must not be answered with old sounds.
        said = [self.info.engine, self.version, language, repr(character(style.character)), f"{style.pace:.3f}", text]
        digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        return self._folder / digest[:2] / f"{digest}.flac"

    def delete_all(self) -> int:
        """Remove every kept line, and say how many there were."""
        return sum(_remove(path) for path in self._folder.glob("*/*.flac"))

    async def close(self) -> None:
        await self._voice.close()

    def _keep(self, path: Path, whole: npt.NDArray[np.int16]) -> None:
        half = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.parent.mkdir(exist_ok=True, mode=0o700)
            with open(half, "wb", opener=partial(os.open, mode=0o600)) as file:
                soundfile.write(file, whole, VOICE_RATE, format="FLAC", subtype="PCM_16")
            half.replace(path)
            self._make_room()
        except (OSError, soundfile.LibsndfileError) as error:
            reason = error.strerror if isinstance(error, OSError) else type(error).__name__  # its text may name the line
            log.warning("rendered lines cannot be kept in %s: %s", self._folder, reason)
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Remove what was not used for longest, until a tenth of the room is free again."""
        files = [(path.stat(), path) for path in self._folder.glob("*/*.flac")]
        kept = sum(status.st_size for status, _ in files)
        if kept <= self._limit:
            return
        for status, path in sorted(files, key=lambda file: file[0].st_mtime_ns):
            if kept <= self._limit * 0.9:
                break
            kept -= status.st_size
            _remove(path)


async def render_ahead(
    voice: RenderCache, requests: Iterable[RenderRequest], progress: Callable[[int, int], None] | None = None
) -> int:
    """Render lines that will be needed, one after another; returns how many are there in the end.

    To be run as a task and cancelled when it is in the way. `progress` gets how many are done, and of how many. A line that
    fails is left to the live voice.
    """
    wanted = list(dict.fromkeys(requests))
    there, failed = 0, 0
    for done, line in enumerate(wanted, 1):
        try:
            if not voice.has(line.text, line.language, line.style):
                await voice.render(line.text, line.language, line.style)
            there, failed = there + 1, 0
        except VoiceprepError as error:
            failed += 1
            log.warning("a line could not be rendered ahead: %s", error.code)
            if failed == GIVE_UP_AFTER:
                break
        if progress:
            progress(done, len(wanted))
        await asyncio.sleep(0)
    return there


def _read(path: Path) -> Samples | None:
    try:
        whole, rate = soundfile.read(path, dtype="int16")
        # Its time is its last use: the least recently used goes first.
        os.utime(path)
    except FileNotFoundError:
        return None
    except (OSError, soundfile.LibsndfileError):
        if path.exists():
            log.warning("a kept line was damaged and is rendered again: %s", path.name)
            _remove(path)
        return None
    if rate != VOICE_RATE or whole.ndim != 1 or not whole.size:
        _remove(path)
        return None
    return _as_float(whole)


def _as_float(whole: npt.NDArray[np.int16]) -> Samples:
    return whole.astype(np.float32) / np.float32(FULL_SCALE)


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
