"""Where the server listens, by which names it goes, and how it runs: uvicorn, with everything off that is not needed."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from voiceprep.config import Places, Settings
from voiceprep.errors import UsageError
from voiceprep.store.archive import Archive
from voiceprep.store.retention import forget_words
from voiceprep.web import archive_view
from voiceprep.web.app import create_app
from voiceprep.web.live import cancelled
from voiceprep.web.practice import Practice
from voiceprep.web.protocol import LONGEST_FRAME
from voiceprep.web.security import Gate
from voiceprep.web.services import Services
from voiceprep.web.studio import Studio
from voiceprep.web.trash import Trash

PORT = 8765
LOOKED_AT = 50
"""Ports after a taken one among which a free one is looked for, to be suggested."""
PATIENCE = 30
"""Seconds for a session to be written to the disk when the server is stopped."""
REQUEST_WITHIN = 10.0
"""Seconds from a connection to the end of its first request's header."""
SHORTEST_PASSWORD = 12
IN_FRONT = (
    "Beyond this machine, browsers give no microphone without https. Either give --certificate and --key, with a password "
    "in VOICEPREP_PASSWORD; or leave --host alone and put a proxy with TLS and a password in front, or reach this machine by "
    "`ssh -L 8765:127.0.0.1:8765 THIS-MACHINE`"
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen.

    Attributes:
        names: what browsers call this machine, besides `host`.
        certificate, key: PEM files for https; needed beyond loopback.
        password: needed beyond loopback.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    password: str = ""

    @property
    def loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"

    @property
    def origins(self) -> frozenset[str]:
        """What browsers call this server."""
        hosts = {self.host, *self.names}
        if self.loopback:
            hosts |= {"127.0.0.1", "localhost", "::1"}
        elif ipaddress_or_none(self.host) in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound to
            hosts = {*self.names, socket.gethostname(), "localhost", "127.0.0.1"}
        return frozenset(f"{self.scheme}://{_in_url(host)}{self._port_part}" for host in hosts)

    @property
    def url(self) -> str:
        """What to open."""
        named = [*self.names, socket.gethostname()] if not self.loopback else [self.host]
        host = self.host if ipaddress_or_none(self.host) not in {"0.0.0.0", "::"} else named[0]  # noqa: S104 - compared
        return f"{self.scheme}://{_in_url(host)}{self._port_part}/"

    @property
    def _port_part(self) -> str:
        """Browsers leave the usual port out of Host and Origin."""
        return "" if self.port == {"http": 80, "https": 443}[self.scheme] else f":{self.port}"

    def check(self) -> None:
        """Raises UsageError (`not-closed`, `bad-certificate`) for an address that would be open to others."""
        if bool(self.certificate) != bool(self.key):
            raise UsageError("--certificate and --key belong together", code="bad-certificate")
        for path in (self.certificate, self.key):
            if path is not None and not os.access(path, os.R_OK):
                raise UsageError(f"{path} cannot be read", code="bad-certificate")
        if self.loopback:
            return
        if self.certificate is None or not self.password:
            raise UsageError(f"--host {self.host} would open this server to others", code="not-closed", hint=IN_FRONT)
        if len(self.password) < SHORTEST_PASSWORD:
            raise UsageError(
                f"the password in VOICEPREP_PASSWORD is shorter than {SHORTEST_PASSWORD} characters", code="not-closed"
            )


def ipaddress_or_none(host: str) -> str | None:
    """The address in its usual spelling, or None for a name."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def listen(address: Address) -> socket.socket:
    """The socket, on which connections wait from now on.

    Raises UsageError (`port-taken`) with the next free port, or (`bad-host`).
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return _bound(family, address.host, address.port)
    except OSError as error:
        free = _free_after(family, address.host, address.port)
        if free is None:
            raise UsageError(
                f"cannot listen on {address.host}, port {address.port}: {error.strerror or error}", code="bad-host"
            ) from error
        raise UsageError(
            f"port {address.port} cannot be used: {(error.strerror or str(error)).lower()}",
            code="port-taken",
            hint=f"Is voiceprep running already? Else: voiceprep serve --port {free}",
        ) from error


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()
    except BaseException:
        made.close()
        raise
    return made


def _free_after(family: socket.AddressFamily, host: str, port: int) -> int | None:
    for candidate in range(port + 1, min(port + LOOKED_AT, 65_536)):
        try:
            _bound(family, host, candidate).close()
        except OSError:
            continue
        return candidate
    return None


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Prompt(H11Protocol):
    """Speaks HTTP with whoever has something to ask; a connection whose first request does not come is closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        self._late = self.loop.call_later(REQUEST_WITHIN, self._too_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._late.cancel()
        super().handle_websocket_upgrade(event)

    def _too_late(self) -> None:
        asked: object = self.cycle  # uvicorn's own annotation forgets that there is none at first
        if asked is None:
            self.transport.close()


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is ready to run."""

    uvicorn: uvicorn.Server
    services: Services
    practice: Practice

    async def run(self, sockets: list[socket.socket]) -> None:
        """Until it is told to stop. A session that runs then is ended and kept."""
        warming = asyncio.create_task(self.practice.warm(self.services.settings()))
        try:
            await self.uvicorn.serve(sockets)
        finally:
            await cancelled(warming)
            await self.practice.close()


def make_server(address: Address, places: Places, settings: Callable[[], Settings]) -> Server:
    """The server for this address. Raises as `Address.check`, or MissingError."""
    address.check()
    archive, practice = Archive(places.recordings), Practice(places)
    gate = Gate(address.origins, password=address.password, cookie=f"voiceprep-{address.port}")

    def removed() -> None:
        archive_view.forget()
        forget_words(places.cache)

    trash, studio = Trash(archive, removed=removed), Studio(practice, settings)
    services = Services(gate, places, settings, archive, trash, studio, practice.recogniser, practice.readiness)
    config = uvicorn_config(create_app(services), address)
    try:
        config.load()
    except OSError as error:
        raise UsageError(f"the certificate cannot be used: {error.strerror or error}", code="bad-certificate") from error
    return Server(uvicorn.Server(config), services, practice)


def uvicorn_config(app: ASGIApp, address: Address) -> uvicorn.Config:
    """How the application is run: nothing is logged of who asks for what, and nobody may take long or much."""
    return uvicorn.Config(
        app,
        log_config=None,  # neither addresses nor paths are anybody's business; trouble goes to our own log
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        http=Prompt,
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        ws_max_queue=64,
        ws_ping_interval=10.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=PATIENCE,
        limit_concurrency=64,
        h11_max_incomplete_event_size=32 * 1024,
        ssl_certfile=str(address.certificate) if address.certificate else None,
        ssl_keyfile=str(address.key) if address.key else None,
    )
