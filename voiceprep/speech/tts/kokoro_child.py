"""Runs alone: loads Kokoro once and says one text after another. See `child.Servant` for what goes in and out.

In a process of its own because one line keeps the processor busy for seconds: it can be killed, and made to give way.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np

from voiceprep.audio.base import Samples
from voiceprep.speech.tts.kokoro_phonemes import IDS, Phonemes

STYLES = (510, 256)
"""A voice file: one style for each number of phonemes."""


class Kokoro:
    """The model, its voices and its phonemes. `folder` holds kokoro.onnx and voices/."""

    def __init__(self, folder: Path, threads: int) -> None:
        import onnxruntime  # type: ignore[import-untyped]  # it ships no types

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        path = str(folder / "kokoro.onnx")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self._folder = folder
        self._phonemes = Phonemes()
        self._styles: dict[str, Samples] = {}

    def say(self, request: dict[str, Any]) -> Samples:
        voice = request["voice"]
        if voice not in self._styles:
            self._styles[voice] = np.fromfile(self._folder / "voices" / f"{voice}.bin", np.float32).reshape(STYLES)
        spoken = [np.zeros(0, np.float32)]
        for piece in self._phonemes(request["text"], request["language"], british=voice.startswith("b")):
            ids = [IDS[symbol] for symbol in piece]
            feed = {
                "tokens": np.array([[0, *ids, 0]], np.int64),
                "style": self._styles[voice][len(ids) - 1][None],
                "speed": np.array([request["speed"]], np.float32),
            }
            spoken.append(self._session.run(None, feed)[0].ravel().astype(np.float32))
        return np.concatenate(spoken)


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until their end. The first line is settings: folder, threads, nice."""
    settings = json.loads(requests.readline())
    if settings["nice"] and hasattr(os, "nice"):
        os.nice(settings["nice"])
    kokoro: Kokoro | None = None
    for line in requests:
        try:
            kokoro = kokoro or Kokoro(Path(settings["folder"]), settings["threads"])
            samples = kokoro.say(json.loads(line))
            answers.write(json.dumps({"samples": samples.size}).encode() + b"\n" + samples.tobytes())
        except Exception as error:  # noqa: BLE001  (whatever goes wrong is an answer, and the next request may go well)
            answers.write(json.dumps({"error": type(error).__name__}).encode() + b"\n")
        answers.flush()


def main() -> None:
    # Libraries print on stdout; what they print must not get among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
