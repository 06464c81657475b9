"""What a page may send: messages, frames, and a whole conversation of both, on a real session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.fuzz.door import answered, fuzz
from tests.fuzz.mutations import of_bytes, of_json
from tests.web.studio import House, open_house
from voiceprep.errors import BadInputError
from voiceprep.web import protocol
from voiceprep.web.protocol import UP, Frame, pack, understood, unpack

MESSAGES: tuple[dict[str, Any], ...] = (
    {"kind": "hello", "version": 1, "token": "t", "tab": "tab-1", "round": "gpu-hm-screen"},
    {"kind": "hello", "version": 1, "token": "t", "tab": "tab-1", "session": "2026-11-30T09-05-12-x", "acked": 1_600},
    {"kind": "heard", "position": 4_800, "latency": 0.1},
    {"kind": "note", "text": "ask about the queue"},
    {"kind": "mute", "on": True},
    {"kind": "talk", "on": False},
    {"kind": "end", "later": True},
    {"kind": "ping", "sent": 1.5},
)
WHILE_IT_RUNS = tuple(one for one in MESSAGES if one["kind"] not in {"hello", "end"})
FRAME = pack(Frame(1, 1_600, bytes(3_200)), UP)
TEXTS = of_json(*MESSAGES).map(lambda data: data.decode("utf-8", "replace"))


@given(text=TEXTS)
@fuzz(400)
def test_a_message_is_understood_or_refused(text: str) -> None:
    answered(lambda: understood(text))


@given(data=of_bytes(FRAME, FRAME[:18]))
@fuzz(400)
def test_a_frame_is_sound_or_refused(data: bytes) -> None:
    found = answered(lambda: unpack(data))
    assert isinstance(found, BadInputError) or 0 < len(found.pcm) <= 2 * protocol.FRAME_SAMPLES  # type: ignore[union-attr]


SENT = st.one_of(
    of_json(*WHILE_IT_RUNS).map(lambda data: data.decode("utf-8", "replace")),
    of_bytes(FRAME),
    st.builds(lambda number, at: pack(Frame(number, at, bytes(640)), UP), st.integers(0, 2**32 - 1), st.integers(0, 2**52)),
)


@given(conversations=st.lists(st.lists(SENT, max_size=8), min_size=4, max_size=4))
@fuzz(5, among=16)
def test_whatever_a_page_sends_the_session_goes_on_and_the_server_lives(
    tmp_path_factory: Any, conversations: list[list[str | bytes]]
) -> None:
    asyncio.run(_converse(tmp_path_factory.mktemp("home"), conversations))


async def _converse(home: Path, conversations: list[list[str | bytes]]) -> None:
    async with open_house(home) as house:
        async with house.page() as page:
            session = (await page.welcomed())["session"]
        for said in conversations:
            session = await _said(house, session, said)
        async with house.page(session=session, tab="tab-1") as page:
            await page.welcomed()
            await page.say("end")
            assert (await page.until("saved"))["session"] == session
        assert house.archive.read(session)[1][-1].reason == "user"  # type: ignore[attr-defined]


async def _said(house: House, session: str, said: list[str | bytes]) -> str:
    """One socket, and all of this through it; the session that then runs."""
    try:
        async with house.page(session=session, tab="tab-1") as page:
            await page.welcomed()
            for one in said:
                await page.connection.send(one)
            await page.say("ping", sent=1.0)
            await page.until("pong")
    except ConnectionClosed as closed:
        if closed.rcvd is None or closed.rcvd.code not in {protocol.CLOSE_BAD, protocol.CLOSE_TOO_MUCH, 1007, 1009}:
            raise
    return session
