"""Two voices told apart: the arithmetic alone, and the real network on real voices."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from voiceprep.audio import files
from voiceprep.audio.base import RATE, Samples
from voiceprep.config import places
from voiceprep.errors import BadInputError
from voiceprep.speech.models import find_model
from voiceprep.speech.speakers.apart import Apart, followed, tell_apart, two_centres
from voiceprep.speech.speakers.encoder import SIZE, WINDOW, SpeakerEncoder, mel_bands, stretch
from voiceprep.speech.speakers.weights import load_arrays
from voiceprep.speech.vad.silero import SileroActivity

CASES = Path(__file__).parents[2] / "../shared/cases/audio"
MODEL = find_model("speaker", models=places().models)
needs_model = pytest.mark.skipif(MODEL is None, reason="the voice encoder is not here (voiceprep models get speaker)")
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the recordings of ../shared/cases/audio are not here")


def test_two_groups_are_found_and_always_the_same() -> None:
    noise = np.random.default_rng(3)
    ways = np.eye(SIZE, dtype=np.float32)[:2]
    vectors = np.repeat(ways, 40, axis=0) + noise.normal(0, 0.05, (80, SIZE)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    centres = two_centres(vectors)
    labels = np.argmax(vectors @ centres.T, axis=1)
    assert len(set(labels[:40])) == len(set(labels[40:])) == 1
    assert labels[0] != labels[40]
    np.testing.assert_array_equal(centres, two_centres(vectors))


def test_one_odd_stretch_is_no_change_of_speaker() -> None:
    likeness = np.array([[0.8, 0.6]] * 5 + [[0.68, 0.7]] + [[0.8, 0.6]] * 5, np.float32)
    assert set(followed(likeness, [False] * 11)) == {0}
    turn = np.array([[0.8, 0.5]] * 5 + [[0.5, 0.8]] * 5, np.float32)
    assert list(followed(turn, [False] * 10)) == [0] * 5 + [1] * 5


def test_mel_bands_have_area_one() -> None:
    bands = mel_bands()
    assert bands.shape == (201, 40)
    assert (bands >= 0).all()
    np.testing.assert_allclose(bands[:, 25:].sum(axis=0) * 40, 1.0, rtol=0.05)  # bins are 40 Hz apart


def test_a_short_stretch_is_repeated() -> None:
    assert len(stretch(np.ones(100, np.float32))) == WINDOW
    assert not stretch(np.empty(0, np.float32)).any()


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("run",)


@pytest.mark.parametrize("data", [b"", b"no pickle", pickle.dumps(Evil()), pickle.dumps({"a": 1})])
def test_a_file_that_is_no_model_is_refused_and_never_run(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.pt").write_bytes(data)
    with pytest.raises(BadInputError) as caught:
        load_arrays(tmp_path / "x.pt")
    assert caught.value.code == "bad-model"
    assert capsys.readouterr().out == ""


def alternating(first: Samples, second: Samples, seconds: float = 4.0) -> tuple[Samples, list[tuple[int, float, float]]]:
    """Pieces of both in turn, half a second apart, and whose each was."""
    size, gap = round(seconds * RATE), np.zeros(RATE // 2, np.float32)
    sound: list[Samples] = []
    truth: list[tuple[int, float, float]] = []
    at = 0.0
    for start in range(0, min(len(first), len(second)) - size, size):
        for who, voice in enumerate((first, second)):
            truth.append((who, at, at + seconds))
            sound += [voice[start : start + size], gap]
            at += seconds + 0.5
    return np.concatenate(sound), truth


def wrong(found: Apart, truth: list[tuple[int, float, float]]) -> float:
    """The share of what was found to be somebody's speech that is the other one's."""
    mixed = np.zeros((2, 2))
    for label, spans in enumerate((found.first, found.second)):
        for span in spans:
            for who, start, end in truth:
                mixed[label, who] += max(0.0, min(span.end, end) - max(span.start, start))
    return float(1 - max(np.trace(mixed), np.trace(mixed[::-1])) / mixed.sum())


@pytest.mark.models
@needs_model
@needs_cases
def test_a_man_and_a_woman_in_two_languages() -> None:
    assert MODEL is not None
    voices = [files.read(CASES / name) for name in ("en_kolja_demo_52s.wav", "zh_autumn_53s.wav")]
    man, woman = (np.asarray(voice * (0.06 / np.sqrt(np.mean(voice**2))), np.float32) for voice in voices)
    sound, truth = alternating(man, woman)
    found = tell_apart(iter(np.array_split(sound, 40)), SileroActivity(), SpeakerEncoder(MODEL))
    assert wrong(found, truth) < 0.05
    assert found.contrast > 0.3
    spans = sorted([*found.first, *found.second], key=lambda span: span.start)
    assert all(a.end <= b.start + 1e-6 for a, b in pairwise(spans))


@pytest.mark.models
@needs_model
@needs_cases
def test_one_voice_is_not_said_to_be_two() -> None:
    assert MODEL is not None
    voice = files.read(CASES / "en_kolja_demo_52s.wav")
    found = tell_apart(iter(np.array_split(voice, 40)), SileroActivity(), SpeakerEncoder(MODEL))
    assert found.contrast < 0.12
