"""A voice as a vector, by the network of Resemblyzer (Apache-2.0): three LSTM layers over mel bands, here in numpy.

The package itself needs PyTorch, which is larger than all of voiceprep; its weights are 17 MB, and the arithmetic is short.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import RATE, Samples
from voiceprep.speech.speakers.weights import Array, load_arrays

WINDOW = int(1.6 * RATE)
"""Samples of one stretch that becomes a vector."""
SIZE = 256
"""Numbers of a vector; it has length 1."""
FILE = "pretrained.pt"

_FFT, _HOP, _BANDS = 400, 160, 40
_LEVEL = 10 ** (-30 / 20)
"""The network was trained on speech no softer than this."""
_BATCH = 64


class SpeakerEncoder:
    """Turns stretches of one voice into vectors; those of one speaker lie close together.

    About 12 ms of processor time a stretch. Raises BadInputError (`bad-model`).
    """

    def __init__(self, folder: Path) -> None:
        state = load_arrays(folder / FILE)
        self._layers = [
            (
                state[f"lstm.weight_ih_l{n}"].T.copy(),
                state[f"lstm.weight_hh_l{n}"].T.copy(),
                state[f"lstm.bias_ih_l{n}"] + state[f"lstm.bias_hh_l{n}"],
            )
            for n in range(3)
        ]
        self._weight, self._bias = state["linear.weight"].T.copy(), state["linear.bias"]
        self._mel = mel_bands()
        self._hann = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_FFT) / _FFT)).astype(np.float32)

    def vectors(self, stretches: npt.NDArray[np.float32]) -> Array:
        """Vectors of shape ``(n, SIZE)`` of `stretches`, shape ``(n, WINDOW)``, at RATE."""
        # The products are small: several threads would wait for each other longer than they work.
        with threadpool_limits(1, user_api="blas"):
            parts = [self._run(self._bands(stretches[at : at + _BATCH])) for at in range(0, len(stretches), _BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, SIZE), np.float32)

    def _bands(self, stretches: npt.NDArray[np.float32]) -> Array:
        """Power in mel bands, shape ``(n, frames, 40)``: not its logarithm, which is what this network was trained with."""
        level = np.sqrt(np.mean(np.square(stretches), axis=1, keepdims=True))
        loud = stretches * np.maximum(1.0, _LEVEL / np.maximum(level, 1e-6))
        padded = np.pad(loud, ((0, 0), (_FFT // 2, _FFT // 2)))
        frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT, axis=1)[:, ::_HOP][:, : WINDOW // _HOP]
        power = np.abs(np.fft.rfft(frames * self._hann, axis=2)) ** 2
        bands: Array = (power @ self._mel).astype(np.float32)
        return bands

    def _run(self, bands: Array) -> Array:
        sequence = bands
        for into, again, bias in self._layers:
            given = sequence @ into + bias
            hidden = cell = np.zeros((len(bands), again.shape[0]), np.float32)
            out = np.empty((*given.shape[:2], again.shape[0]), np.float32)
            for step in range(given.shape[1]):
                gate_in, forget, new, gate_out = np.split(given[:, step] + hidden @ again, 4, axis=1)
                cell = _sigmoid(forget) * cell + _sigmoid(gate_in) * np.tanh(new)
                hidden = _sigmoid(gate_out) * np.tanh(cell)
                out[:, step] = hidden
            sequence = out
        raw = np.maximum(sequence[:, -1] @ self._weight + self._bias, 0.0)
        vectors: Array = (raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)).astype(np.float32)
        return vectors


def stretch(samples: Samples) -> Samples:
    """Exactly WINDOW samples: a shorter one is repeated, a longer one cut."""
    return np.resize(samples, WINDOW) if len(samples) else np.zeros(WINDOW, np.float32)


def _sigmoid(values: Array) -> Array:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values), dtype=np.float32)


def mel_bands() -> Array:
    """Slaney's mel filters, each of area one: shape ``(201, 40)``, from 0 to 8000 Hz."""
    edges = _hertz(np.linspace(0.0, _mels(RATE / 2), _BANDS + 2))
    bins = np.fft.rfftfreq(_FFT, 1 / RATE)
    rise = (bins[:, None] - edges[None, :-2]) / np.diff(edges)[None, :-1]
    fall = (edges[None, 2:] - bins[:, None]) / np.diff(edges)[None, 1:]
    area = 2.0 / (edges[2:] - edges[:-2])
    return (np.maximum(0.0, np.minimum(rise, fall)) * area).astype(np.float32)


_KNEE, _LINEAR, _STEP = 1000.0, 15.0, float(np.log(6.4)) / 27.0
"""Up to 1 kHz the scale is linear, 15 mels; above, 27 mels are a factor of 6.4."""


def _mels(hertz: float) -> float:
    return hertz * _LINEAR / _KNEE if hertz < _KNEE else _LINEAR + float(np.log(hertz / _KNEE)) / _STEP


def _hertz(mels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(mels < _LINEAR, mels * _KNEE / _LINEAR, _KNEE * np.exp(_STEP * (mels - _LINEAR)))
