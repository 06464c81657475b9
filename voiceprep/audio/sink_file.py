"""The interviewer's side as a WAV file."""

from __future__ import annotations

import asyncio
from os import PathLike
from pathlib import Path

import soundfile  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.audio.samples import to_pcm16
from voiceprep.errors import UsageError, VoiceprepError


class FileSink:
    """Writes 24 kHz mono PCM16. The WAV appears under its name once it is closed.

    What was there under that name is kept beside it as ``NAME.old.wav``. Raises UsageError, code ``cannot-write``, when the
    file cannot be made, and from `write` VoiceprepError of the same code.
    """

    latency = 0.0

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.name = self.path.name
        self._part = self.path.with_name(f"{self.path.name}.part")
        try:
            # Tried here first, since libsndfile calls every failure a "System error".
            if self.path.exists():
                self.path.open("r+b").close()
            self._part.open("wb").close()
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{path} cannot be written: {getattr(error, 'strerror', None) or error}",
                code="cannot-write",
                hint="Choose a file in a folder you may write to",
            ) from error
        self._wav = soundfile.SoundFile(self._part, "w", VOICE_RATE, 1, "PCM_16", format="WAV")

    def write(self, samples: Samples) -> None:
        if self._wav.closed:
            return
        try:
            self._wav.write(to_pcm16(samples))
        except (OSError, soundfile.SoundFileError) as error:
            raise VoiceprepError(
                f"{self.path} cannot be written any more: {error}", code="cannot-write", hint="Is the disk full?"
            ) from error

    def drop(self) -> int:
        """What is written stands in the file: it has sounded."""
        return 0

    async def close(self) -> None:
        if self._wav.closed:
            return
        self._wav.close()
        await asyncio.to_thread(self._appear)

    def _appear(self) -> None:
        if self.path.exists():
            self.path.replace(self.path.with_suffix(f".old{self.path.suffix}"))
        self._part.replace(self.path)
