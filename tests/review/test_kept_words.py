"""An analysis that broke off goes on: what was written down is not decoded twice, and gives the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.review.test_analysis import Echo, Loudness, recording
from voiceprep.audio.base import Samples
from voiceprep.core.events import Language
from voiceprep.errors import VoiceprepError
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.review.analysis_document import document
from voiceprep.review.kept_words import KeptWords
from voiceprep.speech.stt.base import Transcript


class Killed(BaseException):
    """What nobody catches, and no loop takes for its own end."""


class Dies(Echo):
    """Is killed while it works on stretch number `at`."""

    at = 3

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        if len(self.given) == self.at - 1:
            raise Killed
        return await super().transcribe(samples, language)


def long_recording(tmp_path: Path) -> Path:
    """Six answers of different lengths: no two stretches are the same sound."""
    return recording(tmp_path, *(part for n in range(6) for part in (3.0, 9.0 + 0.512 * n)), 1.0)


async def run(path: Path, recogniser: KeptWords) -> Analysis:
    return await analyze(path, recogniser=recogniser, language="en", activity=Loudness())


async def test_the_next_run_goes_on_from_what_is_finished(tmp_path: Path) -> None:
    path, cache = long_recording(tmp_path), tmp_path / "cache"
    killed = KeptWords.of(Dies(), path, cache)
    with pytest.raises(Killed):
        await run(path, killed)
    await killed.close()

    fresh, whole = Echo(), Echo()
    resumed = KeptWords.of(fresh, path, cache)
    assert resumed.known == 2
    again = await run(path, resumed)
    straight = await analyze(path, recogniser=whole, language="en", activity=Loudness())
    assert len(fresh.given) == len(whole.given) - 2
    assert document(again, 0.0) == document(straight, 0.0)
    resumed.forget()
    await resumed.close()
    assert list(cache.rglob("*.jsonl")) == []


async def test_a_torn_line_is_decoded_again(tmp_path: Path) -> None:
    path, cache = long_recording(tmp_path), tmp_path / "cache"
    first = KeptWords.of(Echo(), path, cache)
    await run(path, first)
    await first.close()
    (file,) = cache.rglob("*.jsonl")
    assert file.stat().st_mode & 0o777 == 0o600
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + b"[]\n{}\n" + lines[-1][:20])
    resumed = KeptWords.of(Echo(), path, cache)
    kept = [line for line in lines if line.strip()]
    assert resumed.known == len(kept) - 1
    assert all(json.loads(line)["words"] for line in kept)
    await run(path, resumed)
    await resumed.close()
    assert KeptWords.of(Echo(), path, cache).known == len(kept), "what is written after a torn line can be read"


class BreaksDown(Echo):
    """Fails so often on its third stretch, as on a machine that is busy for a while."""

    code = "recogniser-timeout"
    times = 1

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        if len(self.given) == 2 and self.times:
            self.times -= 1
            raise VoiceprepError("the recogniser did not answer", code=self.code)
        return await super().transcribe(samples, language)


@pytest.mark.parametrize("code", ["recogniser-timeout", "recogniser-crashed"])
async def test_a_stretch_at_which_the_recogniser_broke_down_once_is_not_lacking(tmp_path: Path, code: str) -> None:
    path, busy = long_recording(tmp_path), BreaksDown()
    busy.code = code
    found = await run(path, KeptWords.of(busy, path, tmp_path / "cache"))
    assert document(found, 0.0) == document(await analyze(path, recogniser=Echo(), language="en", activity=Loudness()), 0.0)


@pytest.mark.parametrize(("code", "times", "lacking"), [("recogniser-timeout", 2, 1), ("recogniser-closed", 1, 1)])
async def test_what_fails_for_good_is_told_and_not_remembered(tmp_path: Path, code: str, times: int, lacking: int) -> None:
    path, broken = long_recording(tmp_path), BreaksDown()
    broken.code, broken.times = code, times
    kept = KeptWords.of(broken, path, tmp_path / "cache")
    found = await run(path, kept)
    await kept.close()
    assert sum("could not be transcribed" in reason for reason in found.quality.reasons) == lacking
    assert KeptWords.of(Echo(), path, tmp_path / "cache").known == 6 - lacking


async def test_another_file_or_model_shares_nothing(tmp_path: Path) -> None:
    path, cache = long_recording(tmp_path), tmp_path / "cache"
    first = KeptWords.of(Echo(), path, cache)
    await run(path, first)
    await first.close()
    other = recording(tmp_path, 1.0, 5.0)
    assert KeptWords.of(Echo(), other, cache).known == 0


async def test_a_cache_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    path, blocked = long_recording(tmp_path), tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    kept = KeptWords.of(Echo(), path, blocked)
    assert (await run(path, kept)).words
    await kept.close()
