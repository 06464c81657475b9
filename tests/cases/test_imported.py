"""Cases of recordings that come from elsewhere: their times, their length, one broken among many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from voiceprep.audio.base import RATE
from voiceprep.audio.files import probe, read
from voiceprep.errors import BadInputError
from voiceprep.store.archive import Archive

AUDIO = Path(__file__).parents[2] / "../shared/cases/audio"
needs_audio = pytest.mark.skipif(not AUDIO.is_dir(), reason="the collected audio, ../shared/cases/audio, is not here")


@needs_audio
@pytest.mark.parametrize(
    ("name", "original"),
    [("derived/libri_browser_like.webm", "en_libri_1995.wav"), ("derived/aishell0724.ogg", "zh_aishell_0724.wav")],
)
def test_case_109_and_110_a_file_without_a_length_has_one_and_every_place_in_it(name: str, original: str) -> None:
    """A browser's webm says no length. A place in what is read is the same place in the sound it was made of."""
    found, source = read(AUDIO / name), read(AUDIO / original)
    assert probe(AUDIO / name).duration == pytest.approx(len(found) / RATE, abs=0.1)
    width, step = round(0.02 * RATE), range(0, min(len(found), len(source)) - 320, 320)
    loud = [np.array([np.abs(sound[n : n + width]).mean() for n in step]) for sound in (found, source)]
    lags = range(-15, 16)
    best = max(lags, key=lambda lag: float(np.corrcoef(np.roll(loud[0], lag)[20:-20], loud[1][20:-20])[0, 1]))
    assert abs(best) * 0.02 < 0.3


@needs_audio
def test_case_038_one_broken_file_is_one_plain_message_and_the_list_still_opens(tmp_path: Path) -> None:
    for bad in [*sorted((AUDIO / "malformed").glob("*null.wav")), AUDIO / "derived/zero_bytes.wav"]:
        with pytest.raises(BadInputError) as refused:
            probe(bad)
        assert bad.name in refused.value.message
    spoiled = tmp_path / "2026-11-30T09-05-12-x"
    spoiled.mkdir()
    (spoiled / "events.jsonl").write_bytes(b"\xff\0{")
    assert Archive(tmp_path).list() == ()
