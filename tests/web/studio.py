"""A real server with a real session behind its socket and fakes for the models; and a page that speaks to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tests.fakes.content import content
from tests.fakes.edges import ToneVoice
from tests.fakes.room import Room
from voiceprep import config
from voiceprep.audio.base import RATE, VOICE_RATE, Samples, Source
from voiceprep.config import Places, Settings
from voiceprep.live.plan import Progress, Result
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.store.archive import Archive
from voiceprep.web.app import create_app
from voiceprep.web.line import Line
from voiceprep.web.live import Live, Patience
from voiceprep.web.practice import Watch, Wish
from voiceprep.web.protocol import DOWN, SUBPROTOCOL, UP, VERSION, Frame, pack, unpack
from voiceprep.web.security import Gate
from voiceprep.web.services import Services
from voiceprep.web.serving import Address, uvicorn_config
from voiceprep.web.studio import Studio
from voiceprep.web.trash import Trash

SOON = 120.0
"""Seconds after which a test that waits for a message has failed."""


class BriefVoice(ToneVoice):
    """Every sentence is a tone of a third of a second, unless told otherwise."""

    seconds = 0.3

    async def render(self, text: str, language: str, style: VoiceStyle) -> Utterance:
        await super().render(text, language, style)
        return Utterance(np.full(round(VOICE_RATE * self.seconds), 0.3, np.float32), "tone")


class FakeHolds:
    """Holds real sessions, real folders and clocks, with fakes in place of models."""

    def __init__(self, recordings: Path) -> None:
        self.recordings = recordings
        self.voice = BriefVoice()
        self.gate = asyncio.Event()
        """Cleared: a session stays in preparation."""
        self.gate.set()
        self.wishes: list[Wish] = []
        self.content = content()
        self.device: Source | None = None
        """What stands for a microphone of this machine."""

    async def __call__(self, wish: Wish, watch: Watch, progress: Progress) -> Result:
        self.wishes.append(wish)
        progress("tuning the fake voice")
        await self.gate.wait()
        source = wish.source or self.device
        assert source is not None
        made = self.content
        room = Room(
            self.recordings,
            source,
            voice=self.voice,
            sink=wish.sink,
            made=made,
            heard_by="browser",
            mode=wish.settings["mode"],
            live_pace=True,
        )
        ended = await room.hold(watch(made, room.session))
        return Result(room.folder.header.id, room.folder.path, ended)


class House:
    """A server that runs: its services, its address, its token."""

    def __init__(self, services: Services, holds: Any, address: Address) -> None:
        self.services, self.holds, self.address = services, holds, address

    @property
    def token(self) -> str:
        return self.services.gate.token

    @property
    def archive(self) -> Archive:
        return self.services.archive

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.address.port}"

    @asynccontextmanager
    async def socket(self, name: str = "127.0.0.1", **how: Any) -> AsyncIterator[ClientConnection]:
        """A socket as a browser opens it, which knows this server by `name`."""
        url = f"ws://{name}:{self.address.port}/ws/session"
        given: dict[str, Any] = {
            "origin": Origin(self.origin),
            "subprotocols": [Subprotocol(SUBPROTOCOL)],
            "max_size": 2**22,
            "max_queue": None,
            "ping_interval": None,
            "host": "127.0.0.1",
        }
        async with connect(url, **(given | how)) as connection:
            yield connection

    @asynccontextmanager
    async def page(self, tab: str = "tab-1", **hello: Any) -> AsyncIterator[Page]:
        """A page that has said hello."""
        async with self.socket() as connection:
            page = Page(connection)
            wish = hello or {"round": "gpu-hm-screen"}
            await page.say("hello", version=VERSION, token=self.token, tab=tab, **wish)
            yield page


async def noticed(live: Live) -> None:
    """Until the session knows that its page is gone."""
    if live.line is None:
        return
    gone, left = asyncio.Event(), live.left

    def leaving(line: Line | None) -> None:
        left(line)
        gone.set()

    live.left = leaving  # type: ignore[method-assign]
    async with asyncio.timeout(SOON):
        await gone.wait()


async def recogniser(_: Settings) -> Recogniser | None:
    """What the sound check's minute is heard with: a test that wants to be heard puts another here."""
    return None


def services(home: Path, port: int, holds: Callable[..., Awaitable[Result]], patience: Patience) -> Services:
    places = Places(home=home, recordings=home / "recordings")
    places.recordings.mkdir(parents=True, exist_ok=True)
    address = Address(port=port)
    archive = Archive(places.recordings)
    studio = Studio(holds, lambda: config.load({"VOICEPREP_HOME": str(home)}), patience)

    async def hears(wanted: Settings) -> Recogniser | None:
        return await recogniser(wanted)  # looked up when it is asked for: a test may have put another there

    return Services(Gate(address.origins), places, lambda: config.load({}), archive, Trash(archive), studio, hears)


@asynccontextmanager
async def open_house(home: Path, patience: Patience | None = None, holds: Any = None) -> AsyncIterator[House]:
    """A server on a port of its own, until the block ends; then it is stopped in good order."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    holds = holds or FakeHolds(home / "recordings")
    made = services(home, port, holds, patience or Patience())
    server = uvicorn.Server(uvicorn_config(create_app(made), Address(port=port)))
    started = asyncio.Event()

    async def startup(sockets: list[socket.socket] | None = None) -> None:
        await uvicorn.Server.startup(server, sockets)
        started.set()

    server.startup = startup  # type: ignore[method-assign]
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    with quiet_signals(server):
        running = asyncio.create_task(server.serve([sock]))
        await asyncio.wait({asyncio.create_task(started.wait()), running}, return_when=asyncio.FIRST_COMPLETED)
        try:
            yield House(made, holds, Address(port=port))
        finally:
            server.should_exit = True
            await running
            sock.close()


@contextlib.contextmanager
def quiet_signals(server: uvicorn.Server) -> Any:
    """The signals stay pytest's."""
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    yield


class Page:
    """What the page does, without a page. `heard` are binary messages, `told` all others, in order."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.told: list[dict[str, Any]] = []
        self.heard: list[Frame] = []
        self.position = 0
        self.sequence = 0

    async def say(self, kind: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"kind": kind} | fields))

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of this kind with these values."""
        async with asyncio.timeout(SOON):
            while True:
                message = await self.receive()
                if message is not None and message["kind"] == kind and fields.items() <= message.items():
                    return message

    async def receive(self) -> dict[str, Any] | None:
        """One message; None for sound."""
        data = await self.connection.recv()
        if isinstance(data, bytes):
            self.heard.append(unpack(data, DOWN))
            return None
        message: dict[str, Any] = json.loads(data)
        self.told.append(message)
        return message

    async def welcomed(self) -> dict[str, Any]:
        welcome = await self.until("welcome")
        self.position = welcome["position"]
        return welcome

    async def speak(self, sound: Samples, at: int | None = None, frame: int = 1_600) -> None:
        """Send sound from the page's position (or from `at`) on, as fast as the socket takes it."""
        position = self.position if at is None else at
        pcm = pcm_of(sound)
        for start in range(0, len(pcm), frame * 2):
            piece = pcm[start : start + frame * 2]
            await self.connection.send(pack(Frame(self.sequence, position + start // 2, piece), UP))
            self.sequence += 1
        self.position = max(self.position, position + len(sound))

    async def closed(self) -> int | None:
        """The code with which the server closes the socket; None where the network swallowed it."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd is not None else None

    async def kept(self, position: int) -> None:
        """Until all before this is on the disk, but for what does not fill a block yet."""
        while (await self.until("ack"))["position"] < position - 512 * 9:
            pass


def tone(seconds: float, *, loud: bool = True, hertz: float = 220.0) -> Samples:
    """Speech, as the fakes take it; or silence."""
    t = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * hertz * t) * loud).astype(np.float32)


def pcm_of(sound: Samples) -> bytes:
    return (np.clip(np.rint(sound * 32_768), -32_768, 32_767)).astype("<i2").tobytes()
