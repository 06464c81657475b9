"""The application: routes, the live socket, and the guard in front of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp

from voiceprep import __version__
from voiceprep.errors import VoiceprepError
from voiceprep.live.plan import Result
from voiceprep.store.peaks import pairs_of
from voiceprep.store.recovery import recover
from voiceprep.store.track import RATES
from voiceprep.web import archive_view, catalogue, drills, library, loops, own_pace, own_voice, page, recordings
from voiceprep.web.errors import answer_errors
from voiceprep.web.idle import Idle, StoppedError
from voiceprep.web.line import Line
from voiceprep.web.live import Live
from voiceprep.web.protocol import Hello
from voiceprep.web.security import Guard
from voiceprep.web.services import Served, Services
from voiceprep.web.socket import Conversation
from voiceprep.web.wishes import planned

logger = logging.getLogger(__name__)

router = APIRouter(prefix="/api", tags=["live"])

SHAPED = 50
"""Sessions, the newest, whose recordings get their shapes ahead: a minute or two of work for hours of sound each."""


@router.get("/live")
def running(served: Served) -> dict[str, Any] | None:
    """The session that runs now."""
    live = served.studio.live
    if live is None or live.session is None:
        return None
    connected = live.line is not None and live.line.open
    return {"session": live.session.id, "round": live.terms.round, "drill": live.terms.drill, "connected": connected}


@router.get("/ready")
def ready(served: Served) -> dict[str, Any]:
    """How far the server is with loading what a session needs."""
    return served.readiness.document()


@router.post("/live/end")
async def end_running(served: Served) -> dict[str, bool]:
    """End the session that runs, whoever holds it. It is kept."""
    live = served.studio.live
    if live is not None:
        live.end("user")
    return {"ended": live is not None}


def create_app(services: Services) -> ASGIApp:
    """The application for one start of the server."""
    idle = Idle()
    return Guard(idle.around(api_of(services, idle)), services.gate)


def api_of(services: Services, idle: Idle | None = None) -> FastAPI:
    """The application without its guard: never to be served like this."""
    idle = idle or Idle()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(recover, services.places.recordings)
        await run_in_threadpool(recordings.sweep, services)
        spare = asyncio.create_task(run_in_threadpool(_ahead, services, idle))
        yield
        idle.stop()
        await spare
        await services.analyses.close()
        await services.studio.close()
        await run_in_threadpool(services.trash.empty)

    app = FastAPI(
        title="voiceprep",
        version=__version__,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.services = services
    ours = (catalogue, drills, loops, library, recordings, own_pace, own_voice, page)
    for each in (router, *(module.router for module in ours)):
        app.include_router(each)
    page.serve_files(app)
    answer_errors(app)
    services.studio.after(_read_new(services))

    @app.websocket("/ws/session")
    async def session(socket: WebSocket) -> None:
        def enter(line: Line, hello: Hello) -> Live:
            return services.studio.enter(line, hello, partial(planned, services, hello))

        await Conversation(socket, services.gate, services.studio, enter).hold()

    return app


def _ahead(services: Services, idle: Idle) -> None:
    """While nobody waits: read the rounds and the newest session, and take the shapes of recordings that have none yet."""

    def between() -> None:
        idle.wait(lambda: services.studio.taken)

    try:
        between()
        catalogue.warm()
        for number, session in enumerate(services.archive.list()[:SHAPED]):
            if not number:
                _read(services, session.id)
            _shapes(services, session.id, between)
    except StoppedError:
        pass
    except Exception:  # nobody waits for it, and the server's end must not fail for it
        logger.exception("a defect while things were made ready ahead")


def _read(services: Services, session: str) -> None:
    with suppress(VoiceprepError):
        archive_view.opened(services.archive, session)


def _read_new(services: Services) -> Callable[[Result], Awaitable[None]]:
    """Have a new session read before anybody looks at it: most are looked at as soon as they are over."""

    async def after(result: Result) -> None:
        await run_in_threadpool(_read, services, result.session)

    return after


def _shapes(services: Services, session: str, between: Callable[[], None]) -> None:
    for name in RATES:
        with suppress(VoiceprepError):  # no sound, or deleted already
            pairs_of(services.archive.find(session), name, between)
