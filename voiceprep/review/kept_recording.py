"""Any recording from file to findings, and to a session that replays where it is to be kept. For the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from voiceprep import __version__
from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.files import probe
from voiceprep.audio.resample import Resampler
from voiceprep.config import Places, Settings, user_path
from voiceprep.content import load_rubrics
from voiceprep.content.own_pacing import own_file, own_thresholds
from voiceprep.core.events import Event, QuestionAsked
from voiceprep.core.pack import Content
from voiceprep.core.timeline import fold
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.intake.kept import keep_own_pacing
from voiceprep.review.analysis import Analysis
from voiceprep.review.exchange import held
from voiceprep.review.kept_words import KeptWords
from voiceprep.review.listening import policy_for
from voiceprep.review.recording import Progress, Recording, Who, analyze_recording, analyze_tracks, separate
from voiceprep.review.scoring import Scorer
from voiceprep.review.verdict import too_little
from voiceprep.speech import models
from voiceprep.speech.speakers.apart import Vectors
from voiceprep.speech.speakers.encoder import SpeakerEncoder
from voiceprep.speech.stt import opening
from voiceprep.speech.stt.base import Recogniser
from voiceprep.store import annotations as noted
from voiceprep.store import own_voice, provisional, track
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be made of a recording.

    Attributes:
        content: the round whose thresholds and questions apply; None: the common ones.
        question: id of the question of that round that it answers, or "".
        who: how many people speak, and which of them is the candidate.
        save: keep it as a session.
        only_whole: leave no session of an analysis that broke off: who asked still has the recording.
        known: told how many stretches an earlier run over the same recording has left.
    """

    content: Content | None = None
    question: str = ""
    who: Who = field(default_factory=Who)
    save: bool = False
    only_whole: bool = False
    known: Callable[[int], None] = lambda _: None


async def take_in(audio: Path, settings: Settings, where: Places, wanted: Wanted, advance: Progress) -> tuple[Recording, str]:
    """The findings, and the id of the session they were kept as, or "".

    Raises BadInputError for the file, MissingError for a model or a disk that is full, and what `advance` raises.
    """
    own = own_file(settings, where)
    pacing = own_thresholds(wanted.content.pacing if wanted.content else load_rubrics().pacing, own)
    probe(audio)  # a bad file is refused before a model is loaded, and before a session folder is made
    advance(0.0, "looking for speakers")
    separated = await separate(
        audio, wanted.who, lambda: speaker_encoder(settings, where, advance), own_voice_of(where), advance
    )
    opened = await opening.open_recogniser(settings, where, lambda what, share: advance(share or 0.0, what), live=False)
    recogniser = KeptWords.of(opened, audio, where.cache) if opened is not None else None
    try:
        if recogniser is not None and recogniser.known:
            wanted.known(recogniser.known)
        with _session(where, _header(settings, wanted.content, recogniser), wanted) as folder:
            if folder is not None:
                keep_own_pacing(own, folder.path)
            found = await analyze_recording(
                audio,
                recogniser=recogniser,
                language=settings["language"],
                separated=separated,
                content=wanted.content,
                pacing=pacing,
                question=wanted.question,
                progress=advance,
                **_kept_in(folder),
            )
        if recogniser is not None:
            recogniser.forget()
        return found, folder.header.id if folder else ""
    finally:
        if recogniser is not None:
            await recogniser.close()


async def swap(
    archive: Archive, session: str, settings: Settings, where: Places, content: Content | None, advance: Progress
) -> tuple[Recording, str]:
    """A recording of two people once more, the other one being the candidate: the findings, and the id of a new session.

    The session that it is made from stays as it is. What the user noted comes along. Raises UsageError (`not-two-people`)
    for a session that is none of two people, or that an interviewer of ours held.
    """
    folder = archive.find(session)
    mine, theirs = swappable(archive, session)
    own = own_file(settings, where)
    pacing = own_thresholds(content.pacing if content else load_rubrics().pacing, own)
    before, events = archive.read(session)
    recogniser = await opening.open_recogniser(settings, where, lambda what, share: advance(share or 0.0, what), live=False)
    try:
        made = replace(_header(settings, content, recogniser), started=before.started, language=before.language)
        notes = [file for name in (noted.NAME, noted.FOLD) if (file := folder / name).is_file() and not file.is_symlink()]
        with _session(where, made, Wanted(content=content, save=True, only_whole=True), notes) as kept:
            assert kept is not None  # it is to be saved
            keep_own_pacing(own, kept.path)
            found = await analyze_tracks(
                mine=theirs,
                theirs=mine,
                recogniser=recogniser,
                language=before.language,
                content=content,
                pacing=pacing,
                question=question_of(events),
                progress=advance,
                **_kept_in(kept),
            )
        return found, kept.header.id
    finally:
        if recogniser is not None:
            await recogniser.close()


def swappable(archive: Archive, session: str) -> tuple[Path, Path]:
    """The candidate's and the interviewer's track of a recording of two people. Raises UsageError (`not-two-people`)."""
    folder = archive.find(session)
    tracks = track.audio(folder, "candidate"), track.audio(folder, "interviewer")
    header, events = archive.read(session)
    told = fold(events)
    if header.source != "file" or held(told) or not told.utterances or tracks[0] is None or tracks[1] is None:
        raise UsageError("this is no recording of two people", code="not-two-people", hint="Who is who is only asked of those")
    return tracks[0], tracks[1]


def question_of(events: Sequence[Event]) -> str:
    """Id of the question of its round that a recording answers, as its log has it; "" where none was named."""
    return next((event.question for event in events if isinstance(event, QuestionAsked)), "")


def scores(analysis: Analysis, round_id: str, question: str) -> dict[str, Any]:
    """The score of what was said, as one answer to the question; without one it is held to be a round, as `review` does."""
    doubts = () if analysis.quality.trusted else analysis.quality.reasons
    spoken = sum(span.duration for span in analysis.speech)
    little = not question and too_little(spoken, len(analysis.words))
    return Scorer().words(round_id, question, "", analysis.language, analysis.words, doubts, little=little)


def own_voice_of(where: Places) -> Vectors | None:
    """How the user sounds, where they had it kept."""
    kept = own_voice.load(where.home)
    return np.asarray(kept, np.float32) if kept is not None else None


def speaker_encoder(settings: Settings, where: Places, advance: Progress) -> SpeakerEncoder:
    """The network that voices are told apart by, fetched where it is not here. Raises MissingError, BadInputError."""
    given = settings["model_folder"]
    folder = models.get_model(
        "speaker",
        models=where.models,
        folder=user_path(given) if given else None,
        progress=lambda what, share: advance(share or 0.0, what),
    )
    return SpeakerEncoder(folder)


def _kept_in(folder: SessionFolder | None) -> dict[str, Any]:
    """Where events and sound of an analysis go: into this folder, or nowhere."""
    if folder is None:
        return {}
    resampler = Resampler(RATE, folder.interviewer.rate)

    def theirs(samples: Samples) -> None:
        folder.interviewer.write(resampler.feed(samples))

    return {"on_event": folder.log.append, "on_samples": folder.candidate.write, "on_interviewer": theirs}


@contextmanager
def _session(where: Places, header: Header, wanted: Wanted, files: Sequence[Path] = ()) -> Iterator[SessionFolder | None]:
    """A session folder to keep the analysis in, with a copy of these files; closed at the end whatever happens.

    None where it is not wanted.
    """
    if not wanted.save:
        yield None
        return
    folder = SessionFolder.create(where.recordings, header)
    ended = "failed"
    try:
        for file in files:
            folder.keep(file.name, file.read_bytes())
        if wanted.only_whole:
            provisional.mark(folder.path)
        yield folder
        ended = "audio-ended"
        provisional.whole(folder.path)
    except VoiceprepError as error:
        ended = error.code
        raise
    except KeyboardInterrupt:
        ended = "interrupted"
        raise
    finally:
        folder.close(ended)
        if wanted.only_whole and ended != "audio-ended":
            Archive(where.recordings).delete(folder.header.id)


def _header(settings: Settings, content: Content | None, recogniser: Recogniser | None) -> Header:
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
