"""Who may speak to the server: one guard before everything else, for requests and for the socket alike.

A page elsewhere can make a browser send requests to this machine (with its cookies), and can make a name of its own point to
127.0.0.1. So the Host must be ours, an Origin must be ours wherever there is one and must be there where something changes, and
whoever calls must know a token that only our page was given.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-voiceprep-token"  # noqa: S105 - a header's name
SAFE = frozenset({"GET", "HEAD"})
LARGEST_BODY = 4 * 1024 * 1024
"""Bytes of a request: a sound check's minute is one of them."""
RECORDINGS = "/api/recordings"
LARGEST_RECORDING = 2 * 1024**3
"""Bytes of a recording that is sent in: three hours of a studio's WAV."""
SOUND = frozenset({"/api/sound-check", "/api/own-pace", "/api/own-voice", RECORDINGS})
"""What takes sound and no document."""
PIECE_WITHIN = 10.0
"""Seconds for the next piece of a request's body."""
BODY_WITHIN = 60.0
"""Seconds for the whole of it: who sends a byte at a time holds a connection no longer than this."""
RECORDING_WITHIN = 3600.0
"""... of a recording, which may come from another machine: the largest one at 5 Mbit/s."""

HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "cache-control": "no-store",
}


def policy(nonce: str = "") -> str:
    """The content security policy. `nonce` admits the style elements that a library of ours makes, on one page."""
    style = f"style-src 'self' 'nonce-{nonce}'" if nonce else "style-src 'self'"
    return (
        f"default-src 'none'; script-src 'self'; {style}; img-src 'self' data:; font-src 'self'; media-src 'self' blob:; "
        "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@dataclass(frozen=True, slots=True)
class Gate:
    """What is let in.

    Attributes:
        origins: what a browser calls this server: ``http://127.0.0.1:8765``. Their hosts are the only ones answered to.
        token: of this start.
        password: asked for as HTTP Basic, or "" on loopback, where whoever may connect is at this machine.
        cookie: the name of the reading cookie. Cookies know no ports, so it carries ours.
    """

    origins: frozenset[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    password: str = field(default="", repr=False)
    cookie: str = "voiceprep"

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(origin.partition("://")[2] for origin in self.origins)

    def knows(self, token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(token.encode(), self.token.encode())


class Guard:
    """Refuses what `Gate` does not let in, bounds what a request may send, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is None:
                await self._app(scope, receive, send)
            else:  # before it was accepted: the browser sees a failed handshake
                await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
            return
        answer = _with_headers(send)
        if refusal is not None:
            await refusal(scope, receive, answer)
        else:
            await self._app(scope, _bounded(receive, scope["path"]), answer)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """Why this is not let in, as an answer; None: it is."""
        gate, method = self._gate, scope.get("method", "GET")
        if headers.get("host", "") not in gate.hosts:
            return refused(403, "wrong-host", "this server does not go by that name")
        origin = headers.get("origin")
        changes = method not in SAFE
        if (origin is None and (changes or scope["type"] == "websocket")) or (
            origin is not None and origin not in gate.origins
        ):
            return refused(403, "wrong-origin", "another page may not use this server")
        if gate.password and not _gave(headers, gate.password):
            answer = refused(401, "no-password", "a password is needed")
            answer.headers["www-authenticate"] = 'Basic realm="voiceprep", charset="UTF-8"'
            return answer
        if not scope["path"].startswith("/api/"):
            return None if not changes else refused(405, "no-such-method", "this is only for reading")
        return self._token_refusal(headers, changes=changes) or _body_refusal(scope, headers, changes=changes)

    def _token_refusal(self, headers: Mapping[str, str], *, changes: bool) -> Response | None:
        given = headers.get(TOKEN_HEADER) or ("" if changes else _cookie(headers, self._gate.cookie))
        if self._gate.knows(given):
            return None
        return refused(401, "no-token", "the page is from an earlier start of the server", "Load it again")


def _body_refusal(scope: Scope, headers: Mapping[str, str], *, changes: bool) -> Response | None:
    """A body of a type that a plain form can send is no body of our page."""
    if not changes:
        return None
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > _limits(scope["path"])[0]:
        return refused(413, "too-large", "that is more than a request may hold")
    if length in {"", "0"} and "transfer-encoding" not in headers:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = "application/octet-stream" if scope["path"] in SOUND else "application/json"
    return None if kind == wanted else refused(415, "wrong-type", f"the body must be {wanted}")


def refused(status: int, code: str, message: str, hint: str = "") -> Response:
    """An error as every call answers it."""
    return JSONResponse({"code": code, "message": message, "hint": hint}, status)


def _headers(scope: Scope) -> dict[str, str]:
    """The request's headers. One that is given twice is given as neither: nobody honest sends two hosts."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        found[name] = "" if name in found and name in {"host", "origin", TOKEN_HEADER} else value.decode("latin-1")
    return found


def _cookie(headers: Mapping[str, str], name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


def _gave(headers: Mapping[str, str], password: str) -> bool:
    """Whether the password came along; the name before it does not matter."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    try:
        _, _, said = base64.b64decode(given, validate=True).partition(b":")
    except (ValueError, binascii.Error):
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(said, password.encode())


def _limits(path: str) -> tuple[int, float]:
    """How many bytes a request there may send, and in how many seconds."""
    return (LARGEST_RECORDING, RECORDING_WITHIN) if path == RECORDINGS else (LARGEST_BODY, BODY_WITHIN)


def _bounded(receive: Receive, path: str) -> Receive:
    """The request, cut off when its body is larger than it may be, whatever its header said."""
    taken, whole = 0, False
    largest, within = _limits(path)
    late = asyncio.get_running_loop().time() + within

    async def bounded() -> Message:
        nonlocal taken, whole
        left = min(PIECE_WITHIN, late - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(None if whole else left):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        taken += len(message.get("body", b""))
        return message if taken <= largest else {"type": "http.disconnect"}

    return bounded


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            more = dict(HEADERS) | {"content-security-policy": policy()}
            added = [(name.encode(), value.encode()) for name, value in more.items() if name.encode() not in there]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending
