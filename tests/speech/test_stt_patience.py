"""How long the recogniser is waited for, and how much it encodes of speech that may go on. No model is needed for either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voiceprep.audio.base import RATE
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.stt.decoder import short_context
from voiceprep.speech.stt.whisper import FasterWhisper


class Asked:
    """A process of the recogniser that only notes for how long it may be at work."""

    def __init__(self) -> None:
        self.patience: list[float] = []

    async def call(self, _method: str, *_args: Any, timeout: float, **_options: Any) -> Transcript:  # noqa: ASYNC109  (its seam)
        self.patience.append(timeout)
        return Transcript(())


@pytest.mark.parametrize(("live", "expected"), [(True, [60.0, 180.0, 20.0, 20.0]), (False, [600.0, 1800.0, 200.0, 200.0])])
async def test_where_nobody_waits_words_may_take_ten_times_as_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, live: bool, expected: list[float]
) -> None:
    recogniser, asked = FasterWhisper(tmp_path, name="base", live=live), Asked()
    monkeypatch.setattr(recogniser, "_record", asked)
    monkeypatch.setattr(recogniser, "_quick", asked)
    short, long = (np.full(seconds * RATE, 0.1, np.float32) for seconds in (10, 70))
    await recogniser.transcribe(short, "en")
    await recogniser.transcribe(long, "en")
    await recogniser.hypothesize(short, "en")
    await recogniser.draft(short, "en")
    assert asked.patience == expected


def test_short_contexts_are_of_few_lengths() -> None:
    """The library keeps memory for each length that it has met."""
    spoken = range(50, 1201)  # 0.5 s to 12 s in frames of 10 ms
    contexts = [short_context(frames) for frames in spoken]
    assert {frames % 100 for frames in contexts} == {0}, "whole seconds"
    assert len(set(contexts)) == 12
    assert all(300 <= context - frames < 400 for context, frames in zip(contexts, spoken, strict=True)), "silence after it"
