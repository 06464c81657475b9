"""`voiceprep analyze`: any recording, without a live session."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json, progress
from voiceprep.config import load, places
from voiceprep.errors import UsageError

if TYPE_CHECKING:  # heavy: imported where they are used, so that a usage error is answered at once
    from voiceprep.core.pack import Content
    from voiceprep.review.recording import Recording, Who


def analyze(
    audio: Annotated[
        Path, typer.Argument(help="An audio file of any kind (or a video with sound).", metavar="AUDIO", readable=False)
    ],
    round_id: Annotated[str, typer.Option("--round", help="The round it answers: its thresholds apply.", metavar="ID")] = "",
    question: Annotated[
        str, typer.Option(help="The question of that round it answers: rules that need to know it apply.", metavar="ID")
    ] = "",
    language: Annotated[str | None, typer.Option("--lang", help="What is spoken: en, zh or mixed.", metavar="LANG")] = None,
    stt: Annotated[
        str | None, typer.Option(help="Recogniser: tiny, base, small, ..., a folder, or off.", metavar="NAME")
    ] = None,
    speakers: Annotated[
        str, typer.Option(help="How many people speak: 1, 2, or auto: two where each has a channel.", metavar="N")
    ] = "auto",
    candidate: Annotated[str, typer.Option("--candidate", help="Your channel of the two: left or right.", metavar="SIDE")] = "",
    swap: Annotated[bool, typer.Option("--swap", help="You are the other one of the two.")] = False,
    save: Annotated[bool, typer.Option("--save", help="Keep it as a session that replay and export can read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Look at any recording: words, pauses, speech rates, fillers, pacing flags.

    The whole recording counts as one answer, unless there are two people in it: then the interviewer's lines are written down
    beside it. Its times are those that a practice session on the same file has. Stopped half-way, the same command goes on.
    """
    who = _who(speakers, candidate, swap)
    settings = load().with_arguments(language=language, stt=stt)
    content = _content(round_id, question)
    began = time.perf_counter()
    with progress("Getting ready") as advance:
        from voiceprep.review import kept_recording

        wanted = kept_recording.Wanted(content=content, question=question, who=who, save=save, known=_known)
        found, session = asyncio.run(kept_recording.take_in(audio, settings, places(), wanted, advance))
    scores = kept_recording.scores(found.analysis, round_id, question) if round_id else None
    if session:
        from voiceprep.review.results import keep_scored

        keep_scored(places().recordings / session, scores)
    if as_json:
        from voiceprep.review.analysis_document import document

        extra: dict[str, Any] = {"question": question or None, "round": round_id or None}
        extra |= _both(found) | ({"session": session} if session else {})
        extra["scores"] = scores
        print_json(document(found.analysis, time.perf_counter() - began) | extra)
        return
    from voiceprep.cli.report import report

    console().print(report(audio.name, found.analysis, found.interviewer, scores))
    if found.separated is not None:
        messages().print(f"\n{found.separated.note[0].upper()}{found.separated.note[1:]}.", markup=False)
        messages().print("If you are the other one, add --swap.", markup=False)
    if session:
        messages().print(f"\nKept as session {session}. Next: voiceprep replay {session}", markup=False)


def _known(stretches: int) -> None:
    messages().print(f"Going on with {stretches} stretches of an earlier run.", markup=False)


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


def _who(speakers: str, candidate: str, swap: bool) -> Who:
    """Who is to be heard, of what the user said. Raises UsageError (`bad-speakers`)."""
    from voiceprep.review.recording import Who

    if speakers not in {"auto", "1", "2"} or candidate not in {"", "left", "right"}:
        raise UsageError(
            "--speakers is 1, 2 or auto, and --candidate is left or right", code="bad-speakers", hint="see: analyze --help"
        )
    if speakers == "1" and (candidate or swap):
        raise UsageError("with one speaker there is nobody to choose from", code="bad-speakers", hint="Leave --speakers away")
    return Who(speakers, candidate or None, swap)  # type: ignore[arg-type]  # checked above


def _both(found: Recording) -> dict[str, Any]:
    """What `analyze --json` says of a second person, who has no scores and no flags."""
    theirs, separated = found.interviewer, found.separated
    if theirs is None or separated is None:
        return {}
    from voiceprep.review.analysis_document import document

    told = document(theirs, 0.0)
    return {"speakers": separated.document(), "interviewer": {key: told[key] for key in ("text", "words", "speech", "quality")}}
