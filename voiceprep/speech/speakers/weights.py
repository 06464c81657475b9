"""Reads the arrays out of a file that PyTorch saved before 2020, without PyTorch, and without running what is in it."""

from __future__ import annotations

import io
import pickle
import struct
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voiceprep.errors import BadInputError

Array = npt.NDArray[np.float32]

HEADER = 3
"""Pickles before the one that counts: a magic number, a version, the sizes of types."""


def load_arrays(path: Path) -> dict[str, Array]:
    """The float arrays of the state under `model_state`, by name.

    Raises BadInputError (`bad-model`) for a file of another kind. Only the four names that such a file needs are known to the
    reader: one that asks for anything else is refused, not run.
    """
    try:
        with path.open("rb") as file:
            for _ in range(HEADER):
                _Reader(file).load()
            state = _Reader(file).load()["model_state"]
            keys: list[str] = _Reader(file).load()
            stored = {key: _storage(file) for key in keys}
        return {
            name: stored[tensor.key][tensor.offset :][: tensor.size].reshape(tensor.shape) for name, tensor in state.items()
        }
    except (pickle.UnpicklingError, KeyError, ValueError, EOFError, AttributeError, struct.error, OSError, TypeError) as error:
        raise BadInputError(
            f"{path} is not the model it should be", code="bad-model", hint="Run: voiceprep models get speaker"
        ) from error


def _storage(file: Any) -> Array:
    (count,) = struct.unpack("<q", file.read(8))
    return np.frombuffer(file.read(4 * count), dtype="<f4")


class _Tensor:
    """A view of a storage."""

    def __init__(self, storage: str, offset: int, shape: tuple[int, ...], *_: object) -> None:
        self.key, self.offset, self.shape = storage, offset, shape

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))


class _Reader(pickle.Unpickler):  # the names below are all it can make
    def __init__(self, file: io.BufferedReader) -> None:
        super().__init__(file)

    def find_class(self, module: str, name: str) -> Any:
        known: dict[tuple[str, str], Any] = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): _Tensor,
            ("torch", "FloatStorage"): object(),
            ("torch", "LongStorage"): object(),
        }
        if (module, name) not in known:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in such a file")
        return known[module, name]

    def persistent_load(self, pid: Any) -> str:
        return str(pid[2])
