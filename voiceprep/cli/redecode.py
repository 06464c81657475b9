"""`voiceprep redecode`: an old session through another recogniser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import Progress, messages, print_json, progress
from voiceprep.cli.sessions import AsJson, Id, open_archive
from voiceprep.config import Places, Settings, load, places
from voiceprep.errors import UsageError


def redecode(
    session: Id,
    model: Annotated[
        str | None, typer.Option("--model", "--stt", help="Recogniser: small, medium, ...", metavar="NAME")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--lang", help="If it was set wrong: en, zh or mixed.", metavar="LANG")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Go back to the transcript before.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a session down again with another model. The old transcript is kept, and --undo brings it back.

    Turns, silences and flags stay as they were; replay, review and exports show the newest words. Annotations stay in place.
    Stopped half-way, the same command goes on.
    """
    folder = open_archive().find(session)
    if undo:
        if model or language:
            raise UsageError("--undo decodes nothing", code="bad-arguments", hint="Leave --model and --lang away")
        document = _undo(folder)
    else:
        settings = load().with_arguments(stt=model, language=language)
        with progress("Getting ready") as advance:
            document = asyncio.run(_redecode(folder, settings, places(), advance, language is not None))
    if as_json:
        print_json(document)
    else:
        messages().print(_told(document), markup=False, soft_wrap=True)


def _undo(folder: Path) -> dict[str, Any]:
    from voiceprep.store import transcripts
    from voiceprep.store.folder import take
    from voiceprep.store.locks import free

    lock = take(folder)
    try:
        now = transcripts.undo(folder)
    finally:
        free(lock)
    _review_again(folder)
    return {"session": folder.name, "transcript": now.name if now else None}


async def _redecode(folder: Path, settings: Settings, where: Places, advance: Progress, spoken: bool) -> dict[str, Any]:
    from voiceprep.review.kept_words import KeptWords
    from voiceprep.review.redecoding import change, decode_again
    from voiceprep.speech.stt.opening import open_recogniser
    from voiceprep.store import log, track, transcripts
    from voiceprep.store.folder import take
    from voiceprep.store.locks import free

    if settings["stt"] == "off":
        raise UsageError("nothing can be decoded with the recogniser off", code="bad-setting", hint="Name one with --model")
    lock = take(folder)
    try:
        before, raw = transcripts.read_session(folder), log.read(folder / log.NAME)
        audio = track.audio(folder, "candidate")
        opened = await open_recogniser(settings, where, lambda what, share: advance(share or 0.0, what), live=False)
        assert opened is not None
        recogniser = KeptWords.of(opened, audio or folder / log.NAME, where.cache)
        try:
            language = settings["language"] if spoken else raw.header.language
            made = await decode_again(folder, raw.events, recogniser, language, advance)
            kept = transcripts.add(folder, made)
            recogniser.forget()
        finally:
            await recogniser.close()
    finally:
        free(lock)
    _review_again(folder)
    found = change(before[1], transcripts.read_session(folder)[1])
    return {
        "session": folder.name,
        "transcript": kept.name,
        "model": made.model,
        "before": {"model": before[0].models.get("stt", "off"), "words": found.before},
        "after": {"model": made.model, "words": found.after},
        "changed": round(found.share, 4),
    }


def _review_again(folder: Path) -> None:
    """Scores, a drill's result and the review are made of the words: they follow them."""
    from voiceprep.review.results import keep_results

    keep_results(folder)


def _told(document: dict[str, Any]) -> str:
    if "changed" not in document:
        return f"Back to {document['transcript'] or 'the first transcript'}; what was undone is kept beside it."
    before, after = document["before"], document["after"]
    return (
        f"Written down again by {after['model']}: {after['words']} words, before {before['words']} by {before['model']}; "
        f"{100 * document['changed']:.0f} % of them differ. Back with: voiceprep redecode {document['session']} --undo"
    )
