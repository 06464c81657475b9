"""Values the store's tests share."""

from __future__ import annotations

from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import numpy as np
from hypothesis import strategies as st

from voiceprep.audio.base import Samples
from voiceprep.core.events import KINDS, Event
from voiceprep.core.units import At, Media
from voiceprep.store.header import Header

HEADER = Header(
    version="0.1.0",
    started="2026-11-30T09:05:12Z",
    round="gpu-hm-screen",
    persona="hiring-manager",
    language="en",
    mode="coach",
    source="microphone",
    clock="wall",
    models={"stt": "base cpu int8", "voice": "hibari"},
    policy={"pacing.long_pause.notice": 10.0, "floor.blind": False, "floor.mode": "graded"},
    seed=7,
    content="ab" * 32,
)

TEXT = st.text(max_size=12)
NUMBERS = st.floats(0, 1e6).map(lambda number: round(number, 6))


def events() -> st.SearchStrategy[Event]:
    """Any event of any kind, its numbers as precise as the log keeps them."""
    for number_type in (At, Media):
        st.register_type_strategy(number_type, NUMBERS)
    return st.sampled_from(sorted(KINDS)).flatmap(lambda name: _built(KINDS[name]))


def _built(kind: type[Event]) -> st.SearchStrategy[Event]:
    return st.builds(kind, **{name: _value(hint) for name, hint in get_type_hints(kind).items()})


def _value(hint: Any) -> st.SearchStrategy[Any]:
    if hint is float:
        return NUMBERS
    if hint is str:
        return TEXT
    if hasattr(hint, "__dataclass_fields__"):
        return st.builds(hint, **{name: _value(field) for name, field in get_type_hints(hint).items()})
    if isinstance(hint, UnionType):
        return st.one_of(*map(_value, get_args(hint)))
    if getattr(hint, "__origin__", None) is tuple:
        return st.lists(_value(hint.__args__[0]), max_size=3).map(tuple)
    return st.from_type(hint)


def tone(samples: int, rate: int = 16_000) -> Samples:
    return (0.5 * np.sin(2 * np.pi * 440 * np.arange(samples) / rate)).astype(np.float32)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
