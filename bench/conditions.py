"""Where a candidate sits: a fan, people talking in the background, a room. Seeded, so each run hears the same.

A noise is a bed that goes on under an answer, its pauses and the interviewer's reply; a room is heard in the answer alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]  # ships no types

from bench.truth import Take, under
from voiceprep.audio.base import RATE, Samples
from voiceprep.config import CHECKOUT

BED_SECONDS = 20
SNR: dict[str, float] = {"fan": 20.0, "babble": 18.0}
"""How far a bed lies below the speech, in dB."""
ORDER = ("clean", "fan", "clean", "room", "clean", "babble")
"""Conditions by turns: half of the answers are clean."""
MEASURED_ROOM = CHECKOUT / ".." / "shared" / "cases" / "audio" / "rir1.wav"
DECAY = 0.4
"""Seconds in which a made-up room falls by 60 dB."""


def fan(seed: int = 1) -> Samples:
    """Air and a motor: noise that falls by 6 dB an octave over 200 Hz, and a hum. Root mean square 1."""
    luck = np.random.default_rng([seed, 1])
    count = BED_SECONDS * RATE
    spectrum = np.fft.rfft(luck.standard_normal(count))
    spectrum /= np.maximum(np.fft.rfftfreq(count, 1 / RATE), 200.0)
    air = np.fft.irfft(spectrum, count)
    hum = np.sin(2 * np.pi * 100 * np.arange(count) / RATE)
    return _unit(air / np.std(air) + 0.3 * hum)


def babble(takes: list[Take], seed: int = 1, voices: int = 6) -> Samples:
    """Talk that nobody can follow: several answers at once, backwards, without their pauses. Root mean square 1."""
    luck = np.random.default_rng([seed, 2])
    count = BED_SECONDS * RATE
    mix = np.zeros(count)
    for number in luck.permutation(len(takes))[:voices]:
        made = takes[int(number)]
        talk = np.concatenate([made.samples[s.start : s.end] for s in made.sounds])[::-1]
        mix += np.roll(np.resize(talk, count), int(luck.integers(count)))
    return _unit(mix)


def room_response(path: Path = MEASURED_ROOM) -> Samples:
    """An impulse response at RATE whose first sample is the direct sound: a measured one where it is, else made up."""
    if path.is_file():
        measured, rate = soundfile.read(path, dtype="float32")
        if rate == RATE and measured.ndim == 1:
            direct: Samples = measured[int(np.argmax(np.abs(measured))) :]
            return direct
    luck = np.random.default_rng(3)
    place = np.arange(round(DECAY * RATE)) / RATE
    tail = luck.standard_normal(len(place)) * 10 ** (-3 * place / DECAY) * 0.05
    tail[0] = 1.0
    return tail.astype(np.float32)


def in_condition(made: Take, condition: str, response: Samples) -> Take:
    """The answer as it is heard there. Beds are laid under it while it is spoken, at `gain`."""
    return in_room(made, response) if condition == "room" else under(made, made.samples, condition)


def in_room(made: Take, response: Samples) -> Take:
    """The answer with the room's reverberation, as loud as before. The end stays where the mouth closed."""
    count = len(made.samples) + len(response) - 1
    size = 1 << (count - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(made.samples, size) * np.fft.rfft(response, size), size)[: len(made.samples)]
    wet *= loudness(made) / max(loudness(under(made, wet.astype(np.float32), "room")), 1e-9)
    return under(made, np.clip(wet, -1, 1).astype(np.float32), "room")


def loudness(made: Take) -> float:
    """Root mean square of what is said, silences left out."""
    spoken = np.concatenate([made.samples[s.start : s.end] for s in made.sounds])
    return float(np.sqrt(np.mean(np.square(spoken, dtype=np.float64))))


def gain(made: Take) -> float:
    """By how much a bed of this take's condition is multiplied; 0 without one."""
    if made.condition not in SNR:
        return 0.0
    return loudness(made) * 10 ** (-SNR[made.condition] / 20)


def _unit(samples: npt.NDArray[np.float64]) -> Samples:
    scaled: Samples = (samples / np.sqrt(np.mean(np.square(samples)))).astype(np.float32)
    return scaled
