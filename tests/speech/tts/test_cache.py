"""Rendered lines are kept, found again, and never trusted blindly."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.voice import ToneVoice
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.cache import RenderCache, RenderRequest, render_ahead


def files(folder: Path, pattern: str = "*.flac") -> list[Path]:
    return list(folder.rglob(pattern))


STYLE = VoiceStyle("low-calm")
FAILED = VoiceprepError("it broke", code="voice-failed")


async def test_a_line_is_rendered_once_and_sounds_the_same_ever_after(tmp_path: Path) -> None:
    voice = ToneVoice()
    cache = RenderCache(tmp_path, voice)
    assert not cache.has("Go on.", "en", STYLE)
    fresh = await cache.render("Go on.", "en", STYLE)
    kept = await cache.render("Go on.", "en", STYLE)
    assert np.array_equal(fresh.samples, kept.samples)
    assert kept.engine == "tone"
    assert voice.rendered == ["Go on."]
    assert cache.has("Go on.", "en", STYLE)
    assert not files(tmp_path, "*.part")


async def test_whatever_changes_the_sound_changes_the_key(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path, ToneVoice())
    paths = {
        cache.path("Go on.", "en", STYLE),
        cache.path("Go on?", "en", STYLE),
        cache.path("Go on.", "zh", STYLE),
        cache.path("Go on.", "en", VoiceStyle("low-calm", 1.1)),
        cache.path("Go on.", "en", VoiceStyle("bright-warm")),
        RenderCache(tmp_path, ToneVoice("other")).path("Go on.", "en", STYLE),
        RenderCache(tmp_path, ToneVoice(version="2")).path("Go on.", "en", STYLE),
    }
    assert len(paths) == 7


@pytest.mark.parametrize("damage", [b"", b"fLaC", b"not flac at all" * 99])
async def test_a_damaged_file_is_rendered_again(tmp_path: Path, damage: bytes) -> None:
    voice = ToneVoice()
    cache = RenderCache(tmp_path, voice)
    fresh = await cache.render("Go on.", "en", STYLE)
    cache.path("Go on.", "en", STYLE).write_bytes(damage)
    again = await cache.render("Go on.", "en", STYLE)
    assert np.array_equal(fresh.samples, again.samples)
    assert len(voice.rendered) == 2
    assert await cache.recall("Go on.", "en", STYLE) is not None


async def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path, ToneVoice())
    for n, text in enumerate(("one", "two", "three")):
        await cache.render(text, "en", STYLE)
        os.utime(cache.path(text, "en", STYLE), (1000 + n, 1000 + n))
    await cache.render("one", "en", STYLE)
    size = sum(path.stat().st_size for path in files(tmp_path))
    small = RenderCache(tmp_path, ToneVoice(), limit=int(size * 1.25))
    await small.render("four", "en", STYLE)
    assert [text for text in ("one", "two", "three", "four") if small.has(text, "en", STYLE)] == ["one", "three", "four"]


async def test_a_folder_that_cannot_be_written_is_only_slow(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = RenderCache(tmp_path / "file", ToneVoice())
    assert (await cache.render("Go on.", "en", STYLE)).samples.size
    assert not cache.has("Go on.", "en", STYLE)


async def test_what_speaks_of_the_candidate_is_remembered_but_never_lies_on_the_disk(tmp_path: Path) -> None:
    voice = ToneVoice()
    cache = RenderCache(tmp_path, voice, keeps=lambda text: text == "Go on.")
    lines = [RenderRequest(text, "en", STYLE) for text in ("Go on.", "You wrote that you led it.")]
    assert await render_ahead(cache, lines) == 2
    assert files(tmp_path) == [cache.path("Go on.", "en", STYLE)]
    fresh = await cache.recall("You wrote that you led it.", "en", STYLE)
    again = await cache.render("You wrote that you led it.", "en", STYLE)
    assert fresh is not None
    assert np.array_equal(fresh.samples, again.samples)
    assert len(voice.rendered) == 2
    assert not RenderCache(tmp_path, voice).has("You wrote that you led it.", "en", STYLE)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
async def test_kept_lines_are_nobody_else_s_to_read(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path / "lines", ToneVoice())
    await cache.render("Go on.", "en", STYLE)
    path = cache.path("Go on.", "en", STYLE)
    modes = [entry.stat().st_mode & 0o777 for entry in (path, path.parent, tmp_path / "lines")]
    assert modes == [0o600, 0o700, 0o700]


async def test_delete_all(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path, ToneVoice())
    await cache.render("one", "en", STYLE)
    await cache.render("two", "en", STYLE)
    assert cache.delete_all() == 2
    assert not files(tmp_path)
    assert cache.delete_all() == 0


async def test_an_empty_line_leaves_no_file(tmp_path: Path) -> None:
    cache = RenderCache(tmp_path, ToneVoice())
    assert not (await cache.render("", "en", STYLE)).samples.size
    assert not files(tmp_path)


async def test_rendering_ahead_says_how_far_it_is_and_does_nothing_twice(tmp_path: Path) -> None:
    voice = ToneVoice()
    cache = RenderCache(tmp_path, voice)
    lines = [RenderRequest(text, "en", STYLE) for text in ("one", "two", "one", "three")]
    progress: list[tuple[int, int]] = []
    assert await render_ahead(cache, lines, lambda done, of: progress.append((done, of))) == 3
    assert progress == [(1, 3), (2, 3), (3, 3)]
    assert await render_ahead(cache, lines) == 3
    assert voice.rendered == ["one", "two", "three"]


async def test_rendering_ahead_can_be_cancelled(tmp_path: Path) -> None:
    voice = ToneVoice(gate=asyncio.Event())
    work = asyncio.create_task(render_ahead(RenderCache(tmp_path, voice), [RenderRequest("one", "en", STYLE)]))
    await voice.asked.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert not files(tmp_path, "*.*")


async def test_rendering_ahead_leaves_a_bad_line_out_and_gives_a_bad_voice_up(tmp_path: Path) -> None:
    lines = [RenderRequest(str(n), "en", STYLE) for n in range(6)]
    once = ToneVoice(errors=(FAILED,))
    assert await render_ahead(RenderCache(tmp_path / "a", once), lines) == 5
    broken = ToneVoice(errors=(FAILED,) * 6)
    assert await render_ahead(RenderCache(tmp_path / "b", broken), lines) == 0
    assert len(broken._errors) == 3
