"""A spoken answer over the socket with the real recogniser, the real voice and a real round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.web.studio import Page, open_house
from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.config import Places
from voiceprep.web.practice import Practice

FRAME = RATE // 10


async def microphone(page: Page, said: Samples) -> None:
    """A page's microphone: a frame every tenth of a second, of speech and then of a quiet room, for as long as it is on."""
    loop = asyncio.get_running_loop()
    start, at = loop.time(), 0
    while True:
        piece = said[at : at + FRAME]
        await page.speak(np.concatenate([piece, np.zeros(FRAME - len(piece), np.float32)]))
        at += FRAME
        await asyncio.sleep(max(0.0, start + at / RATE - loop.time()))


@pytest.mark.models
@pytest.mark.timeout(900)
async def test_a_round_is_spoken_heard_and_answered(tmp_path: Path, said: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.web.studio.SOON", 400.0)  # on a busy machine the models alone take minutes to load
    practice = Practice(Places(home=config.places().home, recordings=tmp_path / "recordings"))
    try:
        async with open_house(tmp_path, holds=practice) as house:
            async with house.page(round="gpu-hm-screen", lang="en", headphones=True) as page:
                await page.welcomed()
                opening = await page.until("speaking_finished")
                assert opening["complete"]
                talking = asyncio.create_task(microphone(page, said))
                await page.until("turn_started", speaker="candidate")
                await page.until("voice_stopped", speaker="candidate")
                await page.say("hand_over")
                reply = await page.until("speaking_started")
                assert reply["of"] != opening["of"]
                talking.cancel()
                await page.say("end")
                session = (await page.until("saved"))["session"]
            numbers = {message["of"]: message["number"] for message in page.told if message["kind"] == "utterance"}
            assert {numbers[opening["of"]], numbers[reply["of"]]} <= {frame.number for frame in page.heard}
            committed = [message for message in page.told if message["kind"] == "words_committed"]
            words = {word["text"].strip(".,").lower() for message in committed for word in message["words"]}
            assert {"scheduler", "cluster"} <= words
            header, _ = house.archive.read(session)
            assert header.source == "browser"
            assert header.models["stt"].startswith("base")
    finally:
        await practice.close()


@pytest.fixture
def said(spoken: Callable[[str], Samples]) -> Samples:
    """Rendered outside of the test's own loop."""
    return spoken("I led the migration of our scheduler to the new cluster, and that is my answer.")
