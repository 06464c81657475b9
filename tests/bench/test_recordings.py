"""Anyone's recordings: what is audible, and what is wrong with a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from bench.recordings import audible, recorded
from bench.stt import Item
from bench.voice_to_voice import folder_casts, run
from tests.bench.sounds import plain_take
from voiceprep.audio.base import RATE, Samples
from voiceprep.errors import BadInputError, UsageError

CLIP = plain_take(1.0, ("sentence", 0.6), 0.8, ("hesitation", 2.5), 1.2)
PADDED = np.concatenate([np.zeros(RATE // 2, np.float32), CLIP.samples, np.zeros(3 * RATE, np.float32)])


def test_ends_and_pauses_of_a_silent_room_are_exact() -> None:
    (made,) = recorded([Item("a.wav", "en", "words", PADDED)])
    shift = RATE // 2
    assert [(s.start - shift, s.end - shift) for s in made.sounds] == [(s.start, s.end) for s in CLIP.sounds]
    assert [(p.kind, p.end - p.start) for p in made.pauses] == [(p.kind, p.end - p.start) for p in CLIP.pauses]


@pytest.mark.parametrize("noise", [0.002, 0.01])
def test_in_noise_they_are_known_to_a_frame(noise: float) -> None:
    luck = np.random.default_rng(1)
    noisy: Samples = (PADDED + noise * luck.standard_normal(len(PADDED))).astype(np.float32)
    (made,) = recorded([Item("a.wav", "en", "words", noisy)])
    assert made.end == pytest.approx(CLIP.end + RATE // 2, abs=RATE // 100)
    assert [p.kind for p in made.pauses] == ["sentence", "hesitation"]


def test_a_click_is_no_speech_and_silence_has_no_answer() -> None:
    click = np.zeros(RATE, np.float32)
    click[5000:5100] = 0.5
    assert audible(click) == []
    assert audible(np.zeros(RATE, np.float32)) == audible(np.zeros(0, np.float32)) == []


def folder(path: Path, *rows: str, head: str = "file\tlanguage\ttranscript") -> Path:
    (path / "manifest.tsv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    soundfile.write(path / "a.wav", PADDED, RATE, subtype="PCM_16")
    soundfile.write(path / "quiet.wav", np.zeros(RATE), RATE, subtype="PCM_16")
    return path


def test_each_language_of_a_folder_has_its_own_sessions(tmp_path: Path) -> None:
    casts = folder_casts(folder(tmp_path, "a.wav\ten\thello", "a.wav\tzh\t你好", "quiet.wav\tzh\t你好"), None)
    assert [(cast.language, [made.id for made in cast.order]) for cast in casts] == [("en", ["a.wav"]), ("zh", ["a.wav"])]


def test_a_manifest_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"manifest\.tsv") as told:
        run(audio=tmp_path)
    assert told.value.code == "bad-manifest"


def test_a_manifest_without_its_columns_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="columns") as told:
        run(audio=folder(tmp_path, "a.wav\ten", head="name\tlang"))
    assert told.value.code == "bad-manifest"


@pytest.mark.parametrize("row", ["quiet.wav\ten\thello", "a.wav\tfr\tbonjour", "gone.wav\ten\thello"])
def test_a_folder_in_which_nothing_is_heard_is_told(tmp_path: Path, row: str) -> None:
    with pytest.raises(BadInputError, match="no recording") as told:
        run(audio=folder(tmp_path, row))
    assert told.value.code == "bad-manifest"


def test_a_language_that_the_folder_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="in zh"):
        run(audio=folder(tmp_path, "a.wav\ten\thello"), lang="zh")


@pytest.mark.parametrize("option", [{"lang": "fr"}, {"part": "all"}, {"pace": "slow"}])
def test_an_option_that_means_nothing_is_refused(option: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        run(**option)  # type: ignore[arg-type]  # as the command line hands them over


@pytest.mark.models
def test_a_folder_is_measured_with_real_models(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    first, last = spoken("We had one cluster, and I decided who goes first."), spoken("That's my answer.")
    clip = np.concatenate([first, np.zeros(2 * RATE, np.float32), last, np.zeros(RATE, np.float32)])
    folder(tmp_path, "b.wav\ten\twe had one cluster and i decided who goes first that's my answer")
    soundfile.write(tmp_path / "b.wav", clip, RATE, subtype="PCM_16")
    told = run(audio=tmp_path, pace="fast")
    assert told["response_gap"]["n"] == 1
    assert told["false_cut_ins"] == {"count": 0, "pauses": 1}
    assert 0 < told["response_gap"]["p50"] < 100
    steps = sum(seconds for seconds in told["breakdown"].values())
    assert steps == pytest.approx(told["response_gap"]["p50"], abs=0.01)
    assert (told["languages"], told["part"], told["pace"]) == (["en"], None, "fast")
