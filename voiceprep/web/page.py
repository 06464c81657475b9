"""The page itself: one HTML file that is given this start's token, and files that are served as they are."""

from __future__ import annotations

import secrets
from html import escape
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from voiceprep.config import CHECKOUT
from voiceprep.errors import MissingError
from voiceprep.web.security import Gate, policy
from voiceprep.web.services import Served

STATIC = Path(str(files("voiceprep.web"))) / "static"
WAVESURFER = "wavesurfer.js"
TOKEN_PLACE = '<meta name="voiceprep-token" content="">'  # noqa: S105 - where it goes

router = APIRouter(include_in_schema=False)


def vendored() -> Path | None:
    """Where wavesurfer's modules lie: in the wheel, or where the setup has installed them; None: nowhere."""
    places = (STATIC.parent / "vendor" / "wavesurfer", CHECKOUT / "node_modules" / WAVESURFER / "dist")
    return next((place for place in places if (place / "wavesurfer.esm.js").is_file()), None)


def page(gate: Gate, nonce: str) -> str:
    """The HTML with what only our page may know. Raises MissingError (``no-page``)."""
    try:
        text = (STATIC / "index.html").read_text(encoding="utf-8")
    except OSError as error:
        raise MissingError("the page is not installed", code="no-page", hint="run: make setup") from error
    if TOKEN_PLACE not in text:
        raise MissingError("the page has no place for its token", code="no-page", hint="run: make setup")
    told = (
        f'<meta name="voiceprep-token" content="{escape(gate.token)}">\n<meta name="voiceprep-nonce" content="{escape(nonce)}">'
    )
    return text.replace(TOKEN_PLACE, told, 1)


@router.get("/")
def index(served: Served) -> Response:
    """The page, with a cookie that is good for reading: `<audio src>` cannot send a header."""
    gate, nonce = served.gate, secrets.token_urlsafe(16)
    answer = HTMLResponse(page(gate, nonce), headers={"content-security-policy": policy(nonce)})
    secure = all(origin.startswith("https://") for origin in gate.origins)
    answer.set_cookie(gate.cookie, gate.token, path="/api", httponly=True, samesite="strict", secure=secure)
    return answer


@router.get("/favicon.ico")
def favicon() -> Response:
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def serve_files(app: FastAPI) -> None:
    """The page's own files, and those of the library it draws waveforms with."""
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False))
    vendor = vendored()
    if vendor is not None:
        app.mount("/vendor/wavesurfer", StaticFiles(directory=vendor, follow_symlink=False))
