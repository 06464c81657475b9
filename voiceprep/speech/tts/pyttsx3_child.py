"""Runs alone: says one text with pyttsx3, into a file. Reads a request as JSON, writes the word `done`.

pyttsx3 loses files, hangs in threads and takes many seconds to stop when one process uses it twice: so it is used once.
"""

from __future__ import annotations

import json
import os
import sys
import threading

NO_SUCH_LANGUAGE = 4
"""Exit code."""


def main() -> int:
    request = json.loads(sys.stdin.buffer.read())
    answer = os.dup(1)
    # The driver prints on stdout, which is ours.
    os.dup2(2, 1)
    import pyttsx3  # type: ignore[import-untyped]  # it ships no types

    engine = pyttsx3.init()
    if sys.platform == "linux":
        engine.setProperty("voice", request["espeak_voice"])
    else:
        fitting = [voice.id for voice in engine.getProperty("voices") if _speaks(voice, request["language"])]
        if not fitting:
            return NO_SUCH_LANGUAGE
        engine.setProperty("voice", fitting[request["choice"] % len(fitting)])
    engine.setProperty("rate", int(request["rate"]))
    finished = threading.Event()
    engine.connect("finished-utterance", lambda **_: finished.set())
    engine.save_to_file(request["text"], request["path"])
    engine.runAndWait()
    if sys.platform == "linux":
        # This driver's loop ends while espeak-ng's thread still speaks: anything longer than a few words would be lost.
        finished.wait()
    os.write(answer, b"done")
    # Its drivers crash when Python takes them apart.
    os._exit(0)


def _speaks(voice: object, language: str) -> bool:
    tags = [str(tag).lower() for tag in getattr(voice, "languages", None) or []]
    names = f"{getattr(voice, 'id', '')} {getattr(voice, 'name', '')}".lower()
    words = {"en": ("english", "en-us", "en_us", "en-gb"), "zh": ("chinese", "zh-cn", "zh_cn", "mandarin")}[language]
    return any(tag.lstrip("\x05b'").startswith(language) for tag in tags) or any(word in names for word in words)


if __name__ == "__main__":
    sys.exit(main())
