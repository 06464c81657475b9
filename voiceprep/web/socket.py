"""The live socket: hello in time, nothing too large, nothing too fast, and what is said goes to the session."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from voiceprep.audio.base import RATE
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, VoiceprepError
from voiceprep.web import protocol
from voiceprep.web.line import Line
from voiceprep.web.live import Live, cancelled
from voiceprep.web.protocol import ClientMessage, Hello, Refused, Warned
from voiceprep.web.security import Gate
from voiceprep.web.studio import Studio

HELLO_WITHIN: Seconds = 5.0

Enter = Callable[[Line, Hello], Live]
"""Opens the session that a hello asks for. Raises VoiceprepError."""


class Allowance:
    """How much may come: `rate` a second, and at most `most` at once."""

    def __init__(self, rate: float, most: float, read: Callable[[], Seconds] = time.monotonic) -> None:
        self._rate, self._most, self._read = rate, most, read
        self._left, self._looked = most, read()

    def take(self, amount: float) -> bool:
        """Whether so much is still allowed."""
        now = self._read()
        self._left = min(self._most, self._left + (now - self._looked) * self._rate)
        self._looked = now
        self._left -= amount
        return self._left >= 0


class Closed(Exception):  # noqa: N818 - no error: how a conversation ends
    """The socket is to be closed with this code."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class Conversation:
    """One socket from its hello to its end."""

    def __init__(self, socket: WebSocket, gate: Gate, studio: Studio, enter: Enter) -> None:
        self._socket = socket
        self._gate = gate
        self._studio = studio
        self._enter = enter
        self._sound = Allowance(4 * RATE, 90 * RATE)
        self._texts = Allowance(40, 200)

    async def hold(self) -> None:
        """Until either side closes. A page that misbehaves loses its socket, not the session."""
        if protocol.SUBPROTOCOL not in self._socket.scope.get("subprotocols", []):
            await self._socket.close(1002)
            return
        try:
            await self._socket.accept(protocol.SUBPROTOCOL)
            hello = await self._hello()
        except Closed as closed:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it may be gone by now
                await self._socket.close(closed.code)
            return
        except (WebSocketDisconnect, TimeoutError):
            return
        line = Line(self._socket, hello.tab)
        sending = asyncio.create_task(line.run())
        try:
            await self._converse(line, hello, sending)
        finally:
            await cancelled(sending)

    async def _hello(self) -> Hello:
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                said = await self._next()
        except TimeoutError:
            raise Closed(protocol.CLOSE_LATE) from None
        except BadInputError:
            raise Closed(protocol.CLOSE_BAD) from None
        if not isinstance(said, Hello) or not self._gate.knows(said.token):
            raise Closed(protocol.CLOSE_BAD)
        return said

    async def _converse(self, line: Line, hello: Hello, sending: asyncio.Task[None]) -> None:
        try:
            if hello.version != protocol.VERSION:
                raise BadInputError(
                    "page and server are of different versions", code="wrong-version", hint="Load the page again"
                )
            live = self._enter(line, hello)
        except VoiceprepError as error:
            running = self._studio.live
            held = running.session.id if running is not None and running.session is not None else ""
            line.say(Refused(code=error.code, message=error.message, hint=error.hint, session=held))
            line.close(protocol.CLOSE_REFUSED)
            await asyncio.wait({sending})
            return
        reading = asyncio.create_task(self._read(line, live))
        try:
            await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancelled(reading)
            self._studio.left(live, line)

    async def _read(self, line: Line, live: Live) -> None:
        try:
            while True:
                said = await self._next()  # a page that is not there any more is found out by the server's pings
                if line.open:  # one that was taken over has no say any more
                    self._do(said, line, live)
        except BadInputError as error:
            line.say(Warned(code=error.code, message=error.message))
            line.close(protocol.CLOSE_BAD)
        except Closed as closed:
            line.close(closed.code)
        except WebSocketDisconnect:
            return
        await asyncio.sleep(0.2)  # what is queued for the page goes out before the socket closes

    async def _next(self) -> ClientMessage | protocol.Frame:
        """The next message, checked. Raises BadInputError, Closed, WebSocketDisconnect."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        data, text = message.get("bytes"), message.get("text")
        if data is not None:
            if not self._sound.take(len(data) / 2):
                raise Closed(protocol.CLOSE_TOO_MUCH)
            return protocol.unpack(data)
        if text is None or len(text) > protocol.LONGEST_TEXT or not self._texts.take(1):
            raise Closed(protocol.CLOSE_TOO_MUCH)
        return protocol.understood(text)

    def _do(self, said: ClientMessage | protocol.Frame, line: Line, live: Live) -> None:
        match said:
            case protocol.Frame():
                live.hear(said)
            case protocol.Heard(position=position, latency=latency):
                if live.sink is not None:
                    live.sink.heard(position, latency)
            case protocol.HandOver():
                if live.session is not None:
                    live.session.hand_over()
            case protocol.Note(text=text):
                if live.session is not None:
                    live.session.note(text)
            case protocol.Mute(on=on):
                live.mute(on=on)
            case protocol.Talk(on=on):
                live.talk(on=on)
            case protocol.Pause():
                live.pause()
            case protocol.Resume():
                live.resume()
            case protocol.End(later=later):
                live.end("paused" if later else "user")
            case protocol.Ping(sent=sent):
                line.say(protocol.Pong(sent=sent))
            case protocol.Hello():
                line.say(Warned(code="out-of-place", message="not now"))
