"""What went wrong as an answer: `{"code", "message", "hint"}` and a status. No answer holds what somebody sent."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from voiceprep.errors import MissingError, UsageError, VoiceprepError
from voiceprep.web.security import refused
from voiceprep.web.services import services

logger = logging.getLogger(__name__)

_ABSENT = ("unknown-", "no-such-", "session-over")
_TAKEN = frozenset({"session-live", "busy", "analysing", "other-tab", "annotations-busy", "nothing-to-undo", "nothing-to-redo"})


def status_of(error: VoiceprepError) -> int:
    """The HTTP status for an error of ours."""
    if error.code in _TAKEN:
        return 409
    if isinstance(error, MissingError):
        return 503
    if isinstance(error, UsageError) and error.code.startswith(_ABSENT):
        return 404
    return 400 if error.exit_code in {2, 4} else 500


def told(error: VoiceprepError) -> Response:
    """An error of ours as an answer."""
    return refused(status_of(error), error.code, error.message, error.hint)


def _gone(request: Request) -> UsageError | None:
    """That the session is not there any more: deleted while this was being answered, it looks like a damaged one."""
    session = request.path_params.get("session")
    if session is None or not request.url.path.startswith("/api/sessions/"):
        return None
    try:
        services(request).archive.find(session)
    except UsageError as error:
        return error
    return None


def _plainly(sentence: object) -> str:
    """As part of another sentence; a pattern in it keeps its capitals."""
    text = str(sentence)
    return text[:1].lower() + text[1:]


def answer_errors(app: FastAPI) -> None:
    """Have the app answer every error in the one shape."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, VoiceprepError)
        gone = await run_in_threadpool(_gone, request)
        return told(gone or error)

    async def unfit(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return refused(422, "bad-value", f"{place}: {_plainly(first['msg'])}")

    async def plain(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "no-such-thing", 405: "no-such-method"}.get(error.status_code, "refused")
        return refused(error.status_code, code, _plainly(error.detail))

    async def defect(request: Request, error: Exception) -> Response:
        if gone := await run_in_threadpool(_gone, request):
            return told(gone)
        logger.error("a defect in an answer", exc_info=error)
        return refused(500, "defect", "something went wrong inside voiceprep", "The log file has the details")

    app.add_exception_handler(VoiceprepError, ours)
    app.add_exception_handler(RequestValidationError, unfit)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, defect)
