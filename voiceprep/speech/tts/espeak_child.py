"""Runs alone: says one text with libespeak-ng. Reads a request as JSON, writes 16-bit samples at 22,050 Hz.

Nothing heavy is imported here, so that the first sound comes within a tenth of a second. In a process of its own because
the library keeps its state in globals and, on some text, its own process is the only one it should be able to take down.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

import espeakng_loader  # type: ignore[import-untyped]  # it ships no types

RETRIEVAL = 1
DO_NOT_EXIT = 1 << 15
UTF8 = 1
END_PAUSE = 0x1000
RATE, PITCH = 1, 3
SYNTH_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
CANNOT_START, NO_SUCH_VOICE = 3, 4
"""Exit codes."""


def main() -> int:
    request = json.loads(sys.stdin.buffer.read())
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    if library.espeak_Initialize(RETRIEVAL, 200, espeakng_loader.get_data_path().encode(), DO_NOT_EXIT) <= 0:
        return CANNOT_START
    out = os.fdopen(os.dup(1), "wb")

    def take(samples: object, count: int, _: int) -> int:
        if samples and count > 0:
            out.write(ctypes.string_at(samples, 2 * count))  # type: ignore[arg-type]  # a pointer to shorts
        return 0

    callback = SYNTH_CALLBACK(take)
    library.espeak_SetSynthCallback(callback)
    if library.espeak_SetVoiceByName(request["voice"].encode()) != 0:
        return NO_SUCH_VOICE
    library.espeak_SetParameter(RATE, int(request["rate"]), 0)
    text = request["text"].encode()
    library.espeak_Synth(text, len(text) + 1, 0, 1, 0, UTF8 | END_PAUSE, None, None)
    library.espeak_Synchronize()
    out.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
