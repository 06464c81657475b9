"""The WebRTC audio processing, from the `livekit` wheel. It is used for its arithmetic alone: nothing connects anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.samples import from_pcm16, to_pcm16
from voiceprep.errors import MissingError

FRAME = RATE // 100
"""Samples of the 10 ms that it takes at a time."""

INSIDE = 128
"""Samples by which its output trails its input (measured; a test holds it to this)."""


class EchoRemover:
    """Takes frames of the speaker's sound and of the microphone's in turn, and returns the microphone without the speaker.

    It finds the delay between the two itself, from nothing to nearly half a second. Deterministic. Raises MissingError (code
    ``no-echo-canceller``) when the wheel is not there or does not start.
    """

    def __init__(self) -> None:
        try:
            from livekit.rtc.apm import AudioProcessingModule
            from livekit.rtc.audio_frame import AudioFrame

            self._frame: Any = AudioFrame
            # Neither noise suppression nor gain control: the recogniser hears best what was said as it was said.
            self._module: Any = AudioProcessingModule(echo_cancellation=True, high_pass_filter=True)
        except Exception as error:  # whatever a native library does on a machine that it was not made for
            raise MissingError(
                f"echo cancellation does not start here: {error}", code="no-echo-canceller", hint="pip install livekit"
            ) from error

    def process(self, reference: Samples, heard: Samples) -> Samples:
        """One frame of each, shape (FRAME,), at RATE."""
        self._module.process_reverse_stream(self._packed(reference))
        frame = self._packed(heard)
        self._module.process_stream(frame)
        cleaned: Samples = from_pcm16(bytes(frame.data))
        return np.ascontiguousarray(cleaned)

    def _packed(self, samples: Samples) -> Any:
        return self._frame(to_pcm16(samples).tobytes(), RATE, 1, FRAME)
