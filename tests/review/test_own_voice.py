"""In a recording of two people on one channel, the candidate is known by the voice of their sound check, where it was kept."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.speech.test_speakers import CASES, MODEL, alternating, needs_cases, needs_model
from voiceprep.audio import files
from voiceprep.audio.base import RATE
from voiceprep.cli import own_voice as command
from voiceprep.cli import sound_check
from voiceprep.config import Places, load
from voiceprep.core.units import Media, Span
from voiceprep.errors import UsageError
from voiceprep.review import kept_recording
from voiceprep.review.recording import Who, separate
from voiceprep.review.separation import own_voices
from voiceprep.speech.speakers import apart
from voiceprep.speech.speakers.apart import Apart, Stretch, Vectors
from voiceprep.speech.speakers.encoder import SIZE, SpeakerEncoder
from voiceprep.store import own_voice

SHORT, LONG = Span(Media(0.0), Media(5.0)), Span(Media(6.0), Media(30.0))


def way(*parts: float) -> Vectors:
    """A vector of length 1 whose first numbers are in this proportion."""
    vector = np.zeros(SIZE, np.float32)
    vector[: len(parts)] = parts
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


TWO = Apart((SHORT,), (LONG,), 0.4, np.stack((way(1.0, 0.3), way(0.3, 1.0))))


def test_who_sounds_like_the_user_is_the_candidate_however_little_they_speak() -> None:
    found = own_voices(TWO, own=way(1.0, 0.2))
    assert (found.candidate, found.known) == (0, True)
    assert "known by the voice of your sound check" in found.note
    assert found.document()["known_voice"] is True


@pytest.mark.parametrize("own", [None, way(0.0, 0.0, 1.0), way(1.0, 1.0), way(0.5, 0.1, 1.0)])
def test_else_it_is_the_one_who_speaks_more(own: Vectors | None) -> None:
    """Nobody is known; a stranger to both; as like the one as the other; not like enough."""
    found = own_voices(TWO, own=own)
    assert (found.candidate, found.known) == (1, False)
    assert "taken to be the one" in found.note


def test_the_user_has_the_last_word() -> None:
    found = own_voices(TWO, own=way(1.0, 0.2), swap=True)
    assert (found.candidate, found.known) == (1, False)


def test_a_voice_is_kept_for_its_owner_alone_and_forgotten(tmp_path: Path) -> None:
    voice = tuple(map(float, way(3.0, 4.0)))
    own_voice.keep(tmp_path / "home", voice)
    kept = own_voice.load(tmp_path / "home")
    assert kept == pytest.approx(voice, abs=1e-5)
    (file,) = (tmp_path / "home").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert own_voice.forget(tmp_path / "home")
    assert own_voice.load(tmp_path / "home") is None
    assert not own_voice.forget(tmp_path / "home")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"schema": 1, "voice": 3}',
        '{"schema": 1, "voice": [1.0]}',
        json.dumps({"schema": 1, "voice": [9.0] * SIZE}),
    ],
)
def test_what_is_no_voice_is_nobody_s(tmp_path: Path, content: str) -> None:
    (tmp_path / own_voice.NAME).write_text(content)
    assert own_voice.load(tmp_path) is None


def test_it_is_kept_or_forgotten_not_both() -> None:
    with pytest.raises(UsageError, match="own-voice"):
        sound_check.sound_check(own_voice=True, forget_voice=True)


def groups(likeness: float, few: int) -> tuple[list[Stretch], Vectors]:
    """Stretches of 0.4 s: 30 of one voice, then `few` of another that is so much like it."""
    other = way(likeness, (1.0 - likeness**2) ** 0.5)
    vectors = np.stack([way(1.0)] * 30 + [other] * few)
    return [Stretch(0.4 * n, 0.4 * n + 0.4, n == 30) for n in range(30 + few)], vectors


@pytest.mark.parametrize(("likeness", "few", "several"), [(0.6, 10, True), (0.92, 10, False), (0.6, 3, False)])
def test_a_sample_of_two_people_is_nobody_s_voice(
    monkeypatch: pytest.MonkeyPatch, likeness: float, few: int, *, several: bool
) -> None:
    """Two people; one whose voice differs as one's own does; one beside whom somebody said a word."""
    monkeypatch.setattr(apart, "_heard", lambda *_: groups(likeness, few))
    found = apart.voice_of([], None, None)  # type: ignore[arg-type]  # what they would hear is given
    assert found.several is several
    assert found.seconds == pytest.approx(0.4 * (30 + few))


@pytest.mark.models
@needs_model
@needs_cases
def test_two_voices_in_a_sound_check_are_said_and_nothing_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert MODEL is not None
    man, woman = (files.read(CASES / name) for name in ("en_kolja_demo_52s.wav", "zh_autumn_53s.wav"))
    soundfile.write(tmp_path / "both.wav", alternating(man, woman)[0][: 15 * RATE], RATE)
    where = Places(home=tmp_path / "home", recordings=tmp_path / "recordings")
    settings = load().with_arguments(microphone=str(tmp_path / "both.wav"), model_folder=str(MODEL.parent))
    asyncio.run(command.listen_and_keep(settings, where))
    assert "more than one voice" in " ".join(capsys.readouterr().out.split())
    assert own_voice.load(where.home) is None
    asyncio.run(command.listen_and_keep(settings, where, as_json=True))
    assert json.loads(capsys.readouterr().out)["own_voice"]["several_voices"] is True


@pytest.mark.models
@needs_model
@needs_cases
def test_the_sound_check_knows_the_one_who_speaks_less(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert MODEL is not None
    man, woman = (files.read(CASES / name) for name in ("en_kolja_demo_52s.wav", "zh_autumn_53s.wav"))
    check, both = tmp_path / "check.wav", tmp_path / "both.wav"
    soundfile.write(check, man[-10 * RATE :], RATE)
    soundfile.write(both, np.concatenate((alternating(man, woman)[0][: 25 * RATE], woman[-15 * RATE :])), RATE)
    where = Places(home=tmp_path / "home", recordings=tmp_path / "recordings")
    settings = load().with_arguments(microphone=str(check), model_folder=str(MODEL.parent))
    asyncio.run(command.listen_and_keep(settings, where))
    assert "your voice is kept" in capsys.readouterr().out
    encoder = SpeakerEncoder(MODEL)
    alone = asyncio.run(separate(both, Who("2"), lambda: encoder))
    known = asyncio.run(separate(both, Who("2"), lambda: encoder, kept_recording.own_voice_of(where)))
    assert alone is not None
    assert known is not None
    assert known.known
    assert known.candidate != alone.candidate
    assert known.seconds[known.candidate] < known.seconds[1 - known.candidate]
