"""`voiceprep analyze`: any recording, without a live session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voiceprep.cli.output import Progress, console, messages, print_json, progress
from voiceprep.config import Places, Settings, load, places
from voiceprep.errors import UsageError, VoiceprepError

if TYPE_CHECKING:  # heavy: imported where they are used, so that a usage error is answered at once
    from voiceprep.core.pack import Content
    from voiceprep.review.analysis import Analysis
    from voiceprep.speech.stt.base import Recogniser
    from voiceprep.store.folder import SessionFolder


def analyze(
    audio: Annotated[
        Path, typer.Argument(help="An audio file of any kind (or a video with sound).", metavar="AUDIO", readable=False)
    ],
    round_id: Annotated[str, typer.Option("--round", help="The round it answers: its thresholds apply.", metavar="ID")] = "",
    question: Annotated[str, typer.Option(help="The question of that round it answers.", metavar="ID")] = "",
    language: Annotated[str | None, typer.Option("--lang", help="What is spoken: en, zh or mixed.", metavar="LANG")] = None,
    stt: Annotated[
        str | None, typer.Option(help="Recogniser: tiny, base, small, ..., a folder, or off.", metavar="NAME")
    ] = None,
    save: Annotated[bool, typer.Option("--save", help="Keep it as a session that replay and export can read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look at any recording: words, pauses, speech rates, fillers, pacing flags.

    The whole recording counts as one answer. Its times are those that a practice session on the same file has.
    """
    settings = load().with_arguments(language=language, stt=stt)
    content = _content(round_id, question)
    began = time.perf_counter()
    with progress("Getting ready") as advance:
        analysis, session = asyncio.run(_analyze(audio, settings, places(), content, save, advance))
    if as_json:
        from voiceprep.review.analysis_document import document

        extra: dict[str, Any] = {"question": question or None, "round": round_id or None}
        print_json(document(analysis, time.perf_counter() - began) | extra | ({"session": session} if session else {}))
        return
    from voiceprep.cli.report import report

    console().print(report(audio.name, analysis))
    if session:
        messages().print(f"\nKept as session {session}. Next: voiceprep replay {session}", markup=False)


def _content(round_id: str, question: str) -> Content | None:
    """The round's pack, once it is sure that it has the question. Raises UsageError."""
    if not round_id:
        if question:
            raise UsageError("--question needs the round it belongs to", code="bad-question", hint="add --round ID")
        return None
    from voiceprep.content import load_content

    content = load_content(round_id)
    known = [each.id for each in content.round.questions]
    if question and question not in known:
        raise UsageError(
            f"round {round_id} has no question {question!r}", code="bad-question", hint=f"it has: {', '.join(known)}"
        )
    return content


async def _analyze(
    audio: Path, settings: Settings, where: Places, content: Content | None, save: bool, advance: Progress
) -> tuple[Analysis, str]:
    """The analysis, and the id of the session it was kept as, or ""."""
    from voiceprep.audio.files import probe
    from voiceprep.review.analysis import analyze as analyze_recording
    from voiceprep.speech.stt.opening import open_recogniser

    probe(audio)  # a bad file is refused before a model is loaded, and before a session folder is made
    recogniser = await open_recogniser(settings, where, lambda what, share: advance(share or 0.0, what), live=False)
    try:
        with _session(where, settings, content, recogniser, save) as folder:
            analysis = await analyze_recording(
                audio,
                recogniser=recogniser,
                language=settings["language"],
                content=content,
                progress=advance,
                on_event=folder.log.append if folder else None,
                on_samples=folder.candidate.write if folder else None,
            )
            return analysis, folder.header.id if folder else ""
    finally:
        if recogniser is not None:
            await recogniser.close()


@contextmanager
def _session(
    where: Places, settings: Settings, content: Content | None, recogniser: Recogniser | None, save: bool
) -> Iterator[SessionFolder | None]:
    """A session folder to keep the analysis in, closed at the end whatever happens; None where it is not wanted."""
    if not save:
        yield None
        return
    from voiceprep.store.folder import SessionFolder

    folder = SessionFolder.create(where.recordings, _header(settings, content, recogniser))
    ended = "failed"
    try:
        yield folder
        ended = "audio-ended"
    except VoiceprepError as error:
        ended = error.code
        raise
    except KeyboardInterrupt:
        ended = "interrupted"
        raise
    finally:
        folder.close(ended)


def _header(settings: Settings, content: Content | None, recogniser: Recogniser | None) -> Any:
    from dataclasses import asdict
    from datetime import UTC, datetime

    from voiceprep import __version__
    from voiceprep.review.listening import policy_for
    from voiceprep.store.header import Header

    info = recogniser.info if recogniser else None
    return Header(
        version=__version__,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        round=content.round.id if content else "",
        persona=content.round.persona.id if content else "",
        language=settings["language"],
        mode=settings["mode"],
        source="file",
        clock="audio",
        models={"stt": f"{info.model} {info.device} {info.compute_type}" if info else "off"},
        policy=asdict(policy_for(recogniser=recogniser is not None)),
    )
