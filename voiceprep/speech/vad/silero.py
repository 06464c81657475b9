"""Voice activity by the Silero network (version 6, carried by faster-whisper), with edges measured on the sound itself."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.errors import MissingError
from voiceprep.speech.vad.base import Activity
from voiceprep.speech.vad.levels import Levels

_FRAME = BLOCK / RATE
_CONTEXT = 64
"""Samples of the previous frame that the network wants to see again."""
_STATE = 128
_FORGET = 62
"""Frames of silence, 2 s, after which the network's state is begun anew."""
_ONSET = 0.2
"""Seconds after a start where speech is quiet because it is only rising: no place to split it."""

_DIES = 0.03
"""Seconds in which a dry voice falls silent."""
_TAIL = 2.0
"""At least so many dB of a room that rings are taken for the voice: what is found is late by the time they take to fall."""
_FADES = 0.06
"""Seconds for which a voice goes on under the ringing of the room that has just become louder than it."""


@dataclass(frozen=True, slots=True)
class ActivityPolicy:
    """When sound counts as speech. Probabilities 0..1, times in seconds."""

    speech: float = 0.5
    """A frame this probable begins speech, and ends a silence inside it."""
    silence: float = 0.35
    """A frame less probable than this begins a silence. Between the two, what was before goes on."""
    min_speech: float = 0.16
    """Shorter sounds are clicks and coughs, and are never mentioned."""
    suspected: float = 0.06
    """A sound this long may become speech: an interviewer falls silent for it, and goes on when it was nothing."""
    max_dropout: float = 0.1
    """A silence this long inside a sound that is not yet speech ends it."""
    lull: float = 0.15
    """A silence this long may become a pause: what was said up to here is worth decoding now."""
    hangover: float = 0.3
    """A silence inside speech must last this long to be a pause: plosives and breaths do not chop words."""


class SileroActivity:
    """Silero behind the `VoiceActivity` seam. One thread, about 0.2 ms a block; the same samples give the same activities.

    The network knows *that* someone speaks, but reports soft word ends up to 0.4 s late. So each edge is looked for in the
    level around the network's own: the last (first) place that is 6 dB above the silence next to it.

    Raises:
        MissingError: the network is not on this machine (code ``vad-missing``).
    """

    def __init__(self, policy: ActivityPolicy | None = None) -> None:
        self._policy = policy or ActivityPolicy()
        self._network = _Network()
        self._levels = Levels(seconds=2.5)
        self._frames = 0
        self._sound_since: float | None = None  # a sound that may be, or is, speech
        self._silent_since: float | None = None  # inside that sound
        self._speaking = False
        self._start = 0.0
        self._last_stop = 0.0
        self._next_quiet = 0.0
        self._idle = 0
        """Frames without a hint of sound."""
        self._told = False
        """Of this sound that it is suspected, or of this silence that it is a lull."""

    def feed(self, samples: Samples) -> list[Activity]:
        """Take exactly BLOCK samples at RATE, the next ones, and return what they revealed."""
        if samples.shape != (BLOCK,):
            raise ValueError(f"voice activity takes blocks of {BLOCK} samples, not {samples.shape}")
        # one NaN from a broken driver would stay in the network's state for ever
        block = np.nan_to_num(samples.astype(np.float32, copy=False), posinf=1.0, neginf=-1.0)
        self._levels.append(block)
        if self._idle >= _FORGET:
            self._network.forget()
            self._idle = 0
        probability = self._network.probability(block)
        start, now = self._frames * _FRAME, (self._frames + 1) * _FRAME
        self._frames += 1
        self._follow(probability, start)
        self._idle = self._idle + 1 if self._sound_since is None else 0
        found = self._started(now) or self._stopped(now) or self._suspected(now) or self._lulled(now) or self._quiet(now)
        return [found] if found else []

    def flush(self) -> list[Activity]:
        """The stream ended: close an open region at the last sample."""
        speaking, end = self._speaking, self._frames * _FRAME
        if speaking and self._silent_since is not None:
            end = self._true_stop(self._silent_since, end)
        self._speaking, self._sound_since, self._silent_since = False, None, None
        return [Activity("stopped", end)] if speaking else []

    def _follow(self, probability: float, start: float) -> None:
        """Hysteresis: what a frame that begins at `start` says about the sound and the silence inside it."""
        if probability >= self._policy.speech:
            self._silent_since = None
            if self._sound_since is None:
                self._sound_since, self._told = start, False
        elif probability < self._policy.silence and self._sound_since is not None and self._silent_since is None:
            self._silent_since, self._told = start, self._told and not self._speaking

    def _suspected(self, now: float) -> Activity | None:
        if self._speaking or self._told or self._sound_since is None or self._silent_since is not None:
            return None
        if now - self._sound_since < self._policy.suspected - _FRAME / 2:
            return None
        self._told = True
        return Activity("suspected", self._sound_since, self._levels.loudest(self._sound_since, now))

    def _lulled(self, now: float) -> Activity | None:
        if not self._speaking or self._told or self._silent_since is None:
            return None
        if now - self._silent_since < self._policy.lull - _FRAME / 2:
            return None
        self._told = True
        return Activity("lulled", self._true_stop(self._silent_since, now))

    def _started(self, now: float) -> Activity | None:
        if self._speaking or self._sound_since is None:
            return None
        if self._silent_since is not None:
            if now - self._silent_since > self._policy.max_dropout:
                self._sound_since = self._silent_since = None
            return None
        if now - self._sound_since < self._policy.min_speech - _FRAME / 2:
            return None
        self._speaking = True
        self._start = self._true_start(self._sound_since, now)
        self._next_quiet = self._start + 1.0
        return Activity("started", self._start, self._levels.loudest(self._sound_since, now))

    def _stopped(self, now: float) -> Activity | None:
        if not self._speaking or self._silent_since is None or now - self._silent_since < self._policy.hangover - _FRAME / 2:
            return None
        self._last_stop = self._true_stop(self._silent_since, now)
        self._speaking, self._sound_since, self._silent_since = False, None, None
        return Activity("stopped", self._last_stop)

    def _quiet(self, now: float) -> Activity | None:
        # within a silence nobody knows yet whether speech is unbroken: the place is named when it resumes
        if not self._speaking or self._silent_since is not None or now < self._next_quiet:
            return None
        media, level = self._levels.quietest(max(now - 1.0, self._start + _ONSET), now)
        self._next_quiet = now + 1.0
        return Activity("quiet", media, level)

    def _true_start(self, heard: float, now: float) -> float:
        earliest = max(self._last_stop, heard - 0.25)
        room = (max(self._last_stop, heard - 0.75), heard - 0.25)
        found = self._levels.rise(earliest, heard + _FRAME, room, (heard, now))
        return max(heard if found is None else found, self._last_stop)

    def _true_stop(self, heard: float, now: float) -> float:
        found = self._levels.fall(heard - 0.5, heard, (heard + 0.05, now), (heard - 1.0, heard))
        if found is None:  # with no contrast in level, the network's median lateness is all that is known
            return max(heard - 2 * _FRAME, self._start)
        ringing = self._levels.ringing(found + _DIES, now)
        if ringing:  # the network takes the first tenth of a second of it for the voice, and no level tells where that ended
            held = self._levels.held(found - 2 * _FADES, found, ringing)
            found = min(found - _TAIL / ringing, held + _FADES)
        return max(found, self._start)


class _Network:
    """The recurrent network: one probability of speech per frame, with the state that it carries along."""

    def __init__(self) -> None:
        import onnxruntime  # type: ignore[import-untyped]  # it has no types

        path = files("faster_whisper") / "assets" / "silero_vad_v6.onnx"
        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own classes for a missing and for a broken file
            raise MissingError(
                f"the voice activity network at {path} cannot be loaded", code="vad-missing", hint="run: make setup"
            ) from error
        self._context = np.zeros(_CONTEXT, dtype=np.float32)
        self._h: Any
        self._c: Any
        self.forget()

    def forget(self) -> None:
        """Begin anew. In half a minute of silence the state drifts to where it misses half a second of the next word."""
        self._h = np.zeros((1, 1, _STATE), dtype=np.float32)
        self._c = np.zeros((1, 1, _STATE), dtype=np.float32)

    def probability(self, block: Samples) -> float:
        frame = np.concatenate((self._context, block))[np.newaxis]
        found, self._h, self._c = self._session.run(None, {"input": frame, "h": self._h, "c": self._c})
        self._context = block[-_CONTEXT:].copy()
        return float(np.asarray(found).ravel()[0])
