"""REST: the sessions of the archive, to look at, to listen to, to write beside, to take away."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response

from voiceprep.core.annotation import Anchor, WordIndex
from voiceprep.core.text import says_something
from voiceprep.core.units import Media
from voiceprep.errors import UsageError
from voiceprep.exporters import EXPORTERS
from voiceprep.exporters.gathering import subject_of
from voiceprep.live.going_on import broke_off
from voiceprep.review.kept_review import kept_review
from voiceprep.store import track
from voiceprep.store.annotations import check_place
from voiceprep.store.drills import header_in
from voiceprep.store.peaks import pairs_of
from voiceprep.store.track import TrackName
from voiceprep.web import archive_view, peaks
from voiceprep.web.archive_view import Opened, SpokenWord
from voiceprep.web.services import AnId, Served

router = APIRouter(prefix="/api", tags=["sessions"])

LONGEST: float = 86_400.0
Place = Annotated[float, Field(ge=0.0, le=LONGEST, allow_inf_nan=False)]
From = Annotated[float, Query(alias="from", ge=0.0, le=LONGEST)]
To = Annotated[float | None, Query(alias="to", ge=0.0, le=LONGEST)]


class Command(BaseModel):
    """What a page may ask: nothing that is not in here."""

    model_config = ConfigDict(extra="forbid")


class Add(Command):
    """A new annotation on a stretch of the recording; on a moment, where `start` = `end`."""

    do: Literal["add"]
    kind: Literal["note", "star", "label", "reading"]
    start: Place
    end: Place
    text: str = Field(default="", max_length=4_000)
    name: str = Field(default="", max_length=100)


class Edit(Command):
    """Another text, another place, or both."""

    do: Literal["edit"]
    id: str = Field(max_length=100)
    text: str | None = Field(default=None, max_length=4_000)
    start: Place | None = None
    end: Place | None = None


class Remove(Command):
    do: Literal["remove"]
    id: str = Field(max_length=100)


class Correction(Command):
    """The word at `start` that reads `was` should read `text`."""

    start: Place
    was: str = Field(max_length=200)
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]

    @field_validator("text")
    @classmethod
    def _is_seen(cls, text: str) -> str:
        if not says_something(text):
            raise ValueError("nothing can be seen of it")
        return text


class Transcript(BaseModel):
    """Words that begin in a stretch, media seconds. `total`: of the whole session."""

    start: float
    end: float
    total: int
    words: list[SpokenWord]


@router.get("/sessions")
def sessions(served: Served) -> dict[str, Any]:
    """Newest first. `demonstration`: nobody but the demonstration's candidate spoke. `goes_on`: it broke off and can go on."""
    found = served.archive.list()
    headers = [header_in(served.archive.recordings / each.id) for each in found]
    gone_on = {header.resumes for header in headers if header is not None}
    told = [
        asdict(each)
        | {
            "demonstration": header is not None and header.demonstration,
            "goes_on": header is not None and broke_off(header, each.ended) and each.id not in gone_on,
        }
        for each, header in zip(found, headers, strict=True)
    ]
    return {"sessions": told}


@router.get("/sessions/{session}")
def session_view(session: AnId, served: Served, lang: Literal["en", "zh"] | None = None) -> dict[str, Any]:
    """One session without its words. `lang`: in which advice is told; else as it was told in the session."""
    return archive_view.overview(_opened(served, session), lang)


@router.get("/sessions/{session}/review")
def review(session: AnId, served: Served, lang: Literal["en", "zh"] | None = None) -> dict[str, Any]:
    """What happened, what mattered, what to practise next; all annotations, the machine's too. Its words: see transcript."""
    document = kept_review(served.archive.find(session), lang)
    del document["words"]
    return document


@router.get("/sessions/{session}/transcript")
def transcript(session: AnId, served: Served, start: From = 0.0, end: To = None) -> Transcript:
    """The words of a stretch."""
    found = _opened(served, session)
    last = found.timeline.duration if end is None else end
    return Transcript(
        start=start, end=last, total=len(found.timeline.words), words=archive_view.words(found, start, max(start, last))
    )


@router.patch("/sessions/{session}/words")
def correct_word(session: AnId, correction: Correction, served: Served) -> dict[str, Any]:
    """What a word should read. The log keeps what was recognised; `annotations/undo` takes the correction back."""
    found = _opened(served, session)
    archive_view.correct(found, correction.start, correction.was, correction.text)
    return _annotated(found)


@router.get("/sessions/{session}/peaks")
def waveform(
    session: AnId,
    served: Served,
    start: From = 0.0,
    end: To = None,
    name: Annotated[TrackName, Query(alias="track")] = "candidate",
    points: Annotated[int, Query(ge=1, le=peaks.MOST_POINTS)] = 1_000,
) -> dict[str, Any]:
    """The shape of a stretch of sound."""
    cut = peaks.cut(pairs_of(served.archive.find(session), name), start, end, points)
    return {"track": name, "from": cut.start, "to": cut.end, "duration": cut.duration, "min": cut.low, "max": cut.high}


@router.get("/sessions/{session}/audio/{name}", response_class=FileResponse)
def audio(session: AnId, name: TrackName, served: Served) -> Response:
    """A recording, in whole or in the ranges that are asked for."""
    path = track.audio(served.archive.find(session), name)
    if path is None:
        raise UsageError(f"there is no recording of the {name} in this session", code="no-such-audio")
    return FileResponse(path, media_type="audio/flac", headers={"cache-control": "private, no-cache"})


@router.get("/sessions/{session}/annotations")
def remarks(session: AnId, served: Served) -> dict[str, Any]:
    """All that stands, by place."""
    return _annotated(_opened(served, session))


@router.post("/sessions/{session}/annotations")
def annotate(
    session: AnId, command: Annotated[Add | Edit | Remove, Field(discriminator="do")], served: Served
) -> dict[str, Any]:
    """Add, edit or remove one; all that then stands."""
    found = _opened(served, session)
    kept = archive_view.notebook(found)
    match command:
        case Add():
            kept.add(command.kind, _anchor(found, command.start, command.end), command.text, command.name)
        case Edit():
            kept.edit(command.id, text=command.text, anchor=_moved(found, command))
        case Remove():
            kept.remove(command.id)
    return _annotated(found)


@router.post("/sessions/{session}/annotations/{step}")
def step_back(session: AnId, step: Literal["undo", "redo"], served: Served) -> dict[str, Any]:
    """One change back, or on again."""
    found = _opened(served, session)
    kept = archive_view.notebook(found)
    kept.undo() if step == "undo" else kept.redo()
    return _annotated(found)


@router.get("/sessions/{session}/export")
def formats(session: AnId, served: Served) -> dict[str, Any]:
    """What it can be written as."""
    served.archive.find(session)
    return {"formats": [{"name": name, "suffix": exporter.SUFFIX} for name, exporter in EXPORTERS.items()]}


@router.get("/sessions/{session}/export/{form}", response_class=Response)
def export(session: AnId, form: AnId, served: Served) -> Response:
    """The session as a file to keep."""
    exporter = EXPORTERS.get(form)
    if exporter is None:
        raise UsageError(f"there is no format {form!r}", code="unknown-format", hint=f"There are: {', '.join(EXPORTERS)}")
    subject = subject_of(served.archive, session)
    whole = exporter.render(subject)
    name = f"{served.archive.find(session).name}{exporter.SUFFIX}"
    # Never shown by the browser under our own origin: what was said may look like a page.
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(whole, media_type="application/octet-stream", headers=headers)


@router.delete("/sessions/{session}")
async def throw_away(session: AnId, served: Served) -> dict[str, str]:
    """Into the trash, from which it can be brought back for ten minutes."""
    loop = asyncio.get_running_loop()
    return {"deleted": await run_in_threadpool(served.trash.throw, session, loop)}


@router.get("/trash")
def trash(served: Served) -> dict[str, tuple[str, ...]]:
    """Ids of the sessions that can still be brought back, the last deleted first."""
    return {"sessions": served.trash.waiting}


@router.post("/trash/{session}/restore")
async def bring_back(session: AnId, served: Served) -> dict[str, str]:
    """Back among the sessions."""
    return {"restored": served.trash.restore(session)}


def _opened(served: Served, session: str) -> Opened:
    return archive_view.opened(served.archive, session)


def _moved(found: Opened, command: Edit) -> Anchor | None:
    """The other place of an edit, or None: it stays. Whichever end is not given stays where it was."""
    start, end = command.start, command.end
    if start is None and end is None:
        if command.text is None:
            raise UsageError("say what to change: a text or another place", code="bad-annotation")
        return None
    standing = archive_view.notebook(found).history().annotations
    old = next((each.anchor for each in standing if each.id == command.id), None)
    if old is None:
        return None  # the edit itself tells that there is no such annotation
    return _anchor(found, old.start if start is None else start, old.end if end is None else end)


def _anchor(found: Opened, start: float, end: float) -> Anchor:
    """Raises UsageError (`outside-recording`), as the command line does."""
    # The page's player goes by the file, which may be a block longer than the log knows; and it was told whole milliseconds.
    check_place(start, end, max(found.timeline.duration, track.seconds(found.folder, "candidate")) + 0.001)
    return WordIndex(found.timeline.words).anchor(Media(start), Media(end))


def _annotated(found: Opened) -> dict[str, Any]:
    history = archive_view.notebook(found).history()
    return {
        "annotations": [asdict(each) for each in history.annotations],
        "can_undo": history.undoes is not None,
        "can_redo": history.redoes is not None,
    }
