"""REST: a recording that is sent in is analysed, as `analyze --save` does, and becomes a session; who is who in it is swapped.

One at a time, in a thread with an event loop of its own: pages are served meanwhile, and no session begins.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from voiceprep.audio.files import probe
from voiceprep.content import load_content, round_ids
from voiceprep.core.events import Language
from voiceprep.core.pack import Content
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, UsageError, VoiceprepError
from voiceprep.review import kept_recording
from voiceprep.review.recording import Progress, Recording, Speakers, Who
from voiceprep.review.results import keep_scored
from voiceprep.store import disk, reserve
from voiceprep.web.analyses import Work
from voiceprep.web.protocol import ID
from voiceprep.web.security import LARGEST_RECORDING
from voiceprep.web.services import AnId, Served, Services

router = APIRouter(prefix="/api", tags=["recordings"])

UPLOADS = "uploads"
"""Where in the cache a recording lies until it is analysed; what a server that was killed left there goes at the next start."""
LONGEST: Seconds = 4 * 3600.0
OptionalId = Annotated[str, Query(pattern=rf"^({ID})?$", max_length=200)]


@router.get("/recordings")
def standing(served: Served) -> dict[str, Any]:
    """How far the analysis is that runs, or how the last one ended; what may be sent in."""
    return served.analyses.document() | {"limits": {"bytes": LARGEST_RECORDING, "seconds": LONGEST}}


@router.post("/recordings", status_code=202)
async def send_in(
    served: Served,
    request: Request,
    lang: Annotated[Language | None, Query()] = None,
    round_id: Annotated[OptionalId, Query(alias="round")] = "",
    question: OptionalId = "",
    speakers: Annotated[Speakers, Query()] = "auto",
) -> dict[str, Any]:
    """An audio file of any kind, refused if it is none. Its analysis has begun when this is answered: `GET /api/recordings`."""
    content = await run_in_threadpool(_content, round_id, question)
    with ExitStack() as stack:
        _take_machine(served, stack)
        with served.analyses.receiving():
            path = await _received(request, served)
            stack.callback(path.unlink, missing_ok=True)
            await served.analyses.arriving(run_in_threadpool(_check, path))  # its form is still there to say it in
        wanted = kept_recording.Wanted(content=content, question=question, who=Who(speakers), save=True, only_whole=True)
        _begin(served, partial(_analysed, served, path, wanted, lang), stack)
    return served.analyses.document()


@router.delete("/recordings")
async def cancel(served: Served) -> dict[str, Any]:
    """Break it off, be it on its way or analysed. Nothing is kept but the words it had got to, for the next time with it."""
    served.analyses.cancel()
    return served.analyses.document()


@router.post("/sessions/{session}/swap", status_code=202)
async def swap(session: AnId, served: Served) -> dict[str, Any]:
    """Have the other one of two people in a recording be the candidate: a new session in the place of this one.

    This one goes into the trash when that is there: `restore` undoes it.
    """
    await run_in_threadpool(kept_recording.swappable, served.archive, session)
    loop = asyncio.get_running_loop()
    name = (await run_in_threadpool(served.archive.find, session)).name  # `latest` will be another one when that is undone
    with ExitStack() as stack:
        _take_machine(served, stack)
        _begin(served, partial(_swapped, served, name, loop), stack, of=name)
    return served.analyses.document()


def sweep(served: Services) -> None:
    """Remove what a server that was killed has left of recordings."""
    for path in (served.places.cache / UPLOADS).glob("*"):
        path.unlink(missing_ok=True)


def _take_machine(served: Services, stack: ExitStack) -> None:
    """No session begins until the stack is closed. Raises UsageError (`analysing`, `busy`)."""
    taken = UsageError("a recording is being analysed", code="analysing", hint="Wait for it, or cancel it among your sessions")
    stack.enter_context(served.studio.given_to(taken))


def _begin(served: Services, work: Work, stack: ExitStack, of: str = "") -> None:
    """Give the stack, and all that it holds, to the analysis."""
    served.analyses.begin(work, stack.pop_all(), of)


def _content(round_id: str, question: str) -> Content | None:
    """Raises UsageError (`unknown-round`, `unknown-question`)."""
    if round_id and round_id not in round_ids():
        raise UsageError("there is no such round", code="unknown-round")
    content = load_content(round_id) if round_id else None
    known = [each.id for each in content.round.questions] if content else []
    if question and question not in known:
        raise UsageError("there is no such question in this round", code="unknown-question")
    return content


async def _received(request: Request, served: Services) -> Path:
    """The body as a private file in the cache. Raises MissingError (`disk-full`) or BadInputError (`broken-off`)."""
    folder = served.places.cache / UPLOADS
    path = folder / secrets.token_hex(16)
    told = request.headers.get("content-length", "")
    size, got = int(told) if told.isdigit() else 0, 0
    try:
        with disk.writing(folder):
            await run_in_threadpool(_make_room, folder, size)
            descriptor = disk.open_private(path, os.O_WRONLY | os.O_EXCL)
            try:
                pieces = request.stream()
                while (piece := await served.analyses.arriving(anext(pieces, None))) is not None:
                    await run_in_threadpool(disk.append_whole, descriptor, piece)
                    got += len(piece)
                    served.analyses.arrived(got / max(size, got, 1))
            finally:
                os.close(descriptor)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, ClientDisconnect):
            raise BadInputError("the recording did not arrive whole", code="broken-off", hint="Send it again") from error
        raise
    return path


def _make_room(folder: Path, size: int) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
    reserve.check(folder, size)


def _analysed(served: Services, path: Path, wanted: kept_recording.Wanted, lang: Language | None, advance: Progress) -> str:
    """The new session's id. Work for a thread."""
    try:
        settings = served.settings().with_arguments(language=lang)
        made = asyncio.run(kept_recording.take_in(path, settings, served.places, wanted, advance))
        with _only_whole(served, made[1]):
            return _kept(served, made, wanted)
    except BadInputError as error:  # its name here says nothing to who sent it
        raise _unnamed(error, path) from error


def _check(path: Path) -> None:
    """Raises BadInputError for what is no recording, or too long a one."""
    try:
        seconds = probe(path).duration
    except BadInputError as error:
        raise _unnamed(error, path) from error
    if seconds > LONGEST:
        told = f"the recording is longer than {LONGEST / 3600:.0f} hours"
        raise BadInputError(told, code="too-long", hint="Cut it into pieces")


def _unnamed(error: BadInputError, path: Path) -> BadInputError:
    """The same error, about "the recording"."""
    return BadInputError(error.message.replace(str(path), "the recording"), code=error.code, hint=error.hint)


def _swapped(served: Services, session: str, loop: asyncio.AbstractEventLoop, advance: Progress) -> str:
    header, events = served.archive.read(session)
    content = load_content(header.round) if header.round in round_ids() else None
    settings = served.settings().with_arguments(language=header.language, mode=header.mode)
    made = asyncio.run(kept_recording.swap(served.archive, session, settings, served.places, content, advance))
    wanted = kept_recording.Wanted(content=content, question=kept_recording.question_of(events))
    with _only_whole(served, made[1]):
        new = _kept(served, made, wanted)
        served.trash.throw(session, loop)
    return new


@contextmanager
def _only_whole(served: Services, session: str) -> Iterator[None]:
    """What fails here leaves no new session: who is told that it failed will do it again."""
    try:
        yield
    except Exception:
        with suppress(VoiceprepError):
            served.archive.delete(session)
        raise


def _kept(served: Services, made: tuple[Recording, str], wanted: kept_recording.Wanted) -> str:
    """Scores and review beside the session: it is looked at next."""
    found, session = made
    round_id = wanted.content.round.id if wanted.content else ""
    scores = kept_recording.scores(found.analysis, round_id, wanted.question) if round_id else None
    keep_scored(served.places.recordings / session, scores)
    return session
