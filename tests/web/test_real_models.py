"""A spoken answer over the socket with the real recogniser, the real voice and a real round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.web.studio import open_house
from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.config import Places
from voiceprep.core.events import FlagRaised
from voiceprep.web.studio import Practice


@pytest.mark.models
@pytest.mark.timeout(600)
async def test_a_round_is_spoken_heard_and_answered(tmp_path: Path, said: Samples) -> None:
    practice = Practice(Places(home=config.places().home, recordings=tmp_path / "recordings"))
    silence = np.zeros(2 * RATE, np.float32)
    try:
        async with open_house(tmp_path, holds=practice) as house:
            async with house.page(round="gpu-hm-screen", lang="en", headphones=True) as page:
                await page.welcomed()
                opening = await page.until("speaking_started")
                await page.speak(np.concatenate([said, silence]))  # as fast as the socket takes it, over the opening
                await page.until("turn_started", speaker="candidate")
                await page.say("hand_over")
                reply = await page.until("speaking_started")
                assert reply["of"] != opening["of"]
                words = [
                    word["text"] for message in page.told if message["kind"] == "words_committed" for word in message["words"]
                ]
                assert {"scheduler", "cluster"} <= {word.strip(".,").lower() for word in words}
                numbers = {message["of"]: message["number"] for message in page.told if message["kind"] == "utterance"}
                while not any(frame.number == numbers[reply["of"]] for frame in page.heard):
                    await page.receive()
                await page.say("end")
                session = (await page.until("saved"))["session"]
            header, events = house.archive.read(session)
            assert header.source == "browser"
            assert header.models["stt"].startswith("base")
            assert not [event for event in events if isinstance(event, FlagRaised) and event.level == "fail"]
    finally:
        await practice.close()


@pytest.fixture
def said(spoken: Callable[[str], Samples]) -> Samples:
    """Rendered outside of the test's own loop."""
    return spoken("I led the migration of our scheduler to the new cluster, and that is my answer.")
