"""The server is killed in the middle of a session over the socket: what was told as kept is there, and the rest is said."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path

import numpy as np
import soundfile  # type: ignore[import-untyped]
from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from tests.web.mortal import Mortal
from tests.web.studio import Page, pcm_of, tone
from voiceprep.audio.base import RATE
from voiceprep.store import log
from voiceprep.store.archive import Archive
from voiceprep.web.protocol import SUBPROTOCOL, VERSION

LOST_AT_MOST = 1.0
"""Seconds of what had been said when the server was killed."""


def socket_to(server: Mortal) -> connect:
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/session",
        origin=Origin(server.origin),
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        max_size=2**22,
        max_queue=None,
        ping_interval=None,
    )


async def test_a_killed_server_loses_less_than_a_second_of_a_session(tmp_path: Path) -> None:
    said = np.concatenate([tone(1.5), tone(1.0, hertz=330.0), tone(1.5, hertz=550.0)])
    with Mortal(tmp_path) as server:
        token = await asyncio.to_thread(server.token)
        async with socket_to(server) as connection:
            page = Page(connection)
            await page.say("hello", version=VERSION, token=token, tab="t", round="gpu-hm-screen")
            session = (await page.welcomed())["session"]
            await page.speak(said)
            await page.kept(len(said))
            acked = [told["position"] for told in page.told if told["kind"] == "ack"][-1]
            server.kill()
            await page.closed()
        await asyncio.to_thread(server.start)
        anew = await asyncio.to_thread(server.token)
        assert anew != token
        async with socket_to(server) as connection:  # the page of before is not let in
            page = Page(connection)
            await page.say("hello", version=VERSION, token=token, tab="t", session=session, acked=acked)
            assert await page.closed() == 4003
        async with socket_to(server) as connection:  # loaded again, it is told that the session is over
            page = Page(connection)
            await page.say("hello", version=VERSION, token=anew, tab="t", session=session, acked=acked)
            assert (await page.until("refused"))["code"] == "session-over"
        asked = urllib.request.Request(f"{server.origin}/api/sessions/{session}", headers={"X-Voiceprep-Token": anew})
        with await asyncio.to_thread(urllib.request.urlopen, asked, timeout=60) as answer:
            overview = json.load(answer)
    assert overview["ended"] == "interrupted"
    folder = Archive(tmp_path / "recordings").find(session)
    sound, rate = soundfile.read(folder / "candidate.flac", dtype="int16")
    assert rate == RATE
    assert len(said) - len(sound) <= LOST_AT_MOST * RATE
    assert len(sound) >= acked  # what was told as kept is kept
    assert sound.tobytes() == pcm_of(said)[: 2 * len(sound)]
    assert log.read(folder / log.NAME).complete
