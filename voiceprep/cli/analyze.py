"""`voiceprep analyze`: any recording, without a live session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voiceprep.cli.output import Progress, console, messages, print_json, progress
from voiceprep.config import Places, Settings, load, places
from voiceprep.errors import UsageError, VoiceprepError

if TYPE_CHECKING:  # heavy: imported where they are used, so that a usage error is answered at once
    from voiceprep.audio.base import Samples
    from voiceprep.core.pack import Content
    from voiceprep.review.analysis import Analysis
    from voiceprep.review.recording import Recording, Who
    from voiceprep.speech.speakers.encoder import SpeakerEncoder
    from voiceprep.speech.stt.base import Recogniser
    from voiceprep.store.folder import SessionFolder


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
        found, session = asyncio.run(_analyze(audio, settings, places(), content, question, who, save, advance))
    scores = _scores(found.analysis, round_id, question) if round_id else None
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


def _scores(analysis: Analysis, round_id: str, question: str) -> dict[str, Any]:
    """The score of what was said, as one answer to the question; without one it is held to be a round, as `review` does."""
    from voiceprep.review.scoring import Scorer
    from voiceprep.review.verdict import too_little

    doubts = () if analysis.quality.trusted else analysis.quality.reasons
    spoken = sum(span.duration for span in analysis.speech)
    little = not question and too_little(spoken, len(analysis.words))
    return Scorer().words(round_id, question, "", analysis.language, analysis.words, doubts, little=little)


def _both(found: Recording) -> dict[str, Any]:
    """What `analyze --json` says of a second person, who has no scores and no flags."""
    theirs, separated = found.interviewer, found.separated
    if theirs is None or separated is None:
        return {}
    from voiceprep.review.analysis_document import document

    told = document(theirs, 0.0)
    return {"speakers": separated.document(), "interviewer": {key: told[key] for key in ("text", "words", "speech", "quality")}}


async def _analyze(
    audio: Path,
    settings: Settings,
    where: Places,
    content: Content | None,
    question: str,
    who: Who,
    save: bool,
    advance: Progress,
) -> tuple[Recording, str]:
    """The analysis, and the id of the session it was kept as, or ""."""
    from voiceprep.audio.files import probe
    from voiceprep.content import load_rubrics
    from voiceprep.content.own_pacing import own_file, own_thresholds
    from voiceprep.intake.kept import keep_own_pacing
    from voiceprep.review.kept_words import KeptWords
    from voiceprep.review.recording import analyze_recording, separate
    from voiceprep.speech.stt.opening import open_recogniser

    own = own_file(settings, where)
    pacing = own_thresholds(content.pacing if content else load_rubrics().pacing, own)
    probe(audio)  # a bad file is refused before a model is loaded, and before a session folder is made
    advance(0.0, "looking for speakers")
    separated = await separate(audio, who, lambda: _encoder(settings, where, advance))
    opened = await open_recogniser(settings, where, lambda what, share: advance(share or 0.0, what), live=False)
    recogniser = KeptWords.of(opened, audio, where.cache) if opened is not None else None
    try:
        if recogniser is not None and recogniser.known:
            messages().print(f"Going on with {recogniser.known} stretches of an earlier run.", markup=False)
        with _session(where, settings, content, recogniser, save) as folder:
            if folder is not None:
                keep_own_pacing(own, folder.path)
            found = await analyze_recording(
                audio,
                recogniser=recogniser,
                language=settings["language"],
                separated=separated,
                content=content,
                pacing=pacing,
                question=question,
                progress=advance,
                on_event=folder.log.append if folder else None,
                on_samples=folder.candidate.write if folder else None,
                on_interviewer=_track(folder) if folder else None,
            )
        if recogniser is not None:
            recogniser.forget()
        return found, folder.header.id if folder else ""
    finally:
        if recogniser is not None:
            await recogniser.close()


def _encoder(settings: Settings, where: Places, advance: Progress) -> SpeakerEncoder:
    from voiceprep.config import user_path
    from voiceprep.speech.models import get_model
    from voiceprep.speech.speakers.encoder import SpeakerEncoder

    given = settings["model_folder"]
    folder = get_model(
        "speaker",
        models=where.models,
        folder=user_path(given) if given else None,
        progress=lambda what, share: advance(share or 0.0, what),
    )
    return SpeakerEncoder(folder)


def _track(folder: SessionFolder) -> Callable[[Samples], None]:
    """Writes the interviewer's sound to its track, at the rate that this has."""
    from voiceprep.audio.base import RATE
    from voiceprep.audio.resample import Resampler

    resampler = Resampler(RATE, folder.interviewer.rate)
    return lambda samples: folder.interviewer.write(resampler.feed(samples))


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
