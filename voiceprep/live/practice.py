"""Opens the edges for a practice round and holds it: from settings to a finished session folder."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from voiceprep import __version__
from voiceprep.agent.server import server_of
from voiceprep.audio.base import Sink, Source
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.devices import open_sink, open_source
from voiceprep.audio.duplex import Duplex, choose_duplex
from voiceprep.audio.echo import EchoedSink, HalfDuplex
from voiceprep.audio.recent import Recent
from voiceprep.config import Places, Settings
from voiceprep.content import load_content
from voiceprep.content.drill_content import TakePlan, drill_content, drill_fingerprint
from voiceprep.content.fingerprint import content_fingerprint
from voiceprep.content.lenses import held_as
from voiceprep.content.own_pacing import own_file, with_own_pacing
from voiceprep.content.single import asking_only
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.events import Language, SessionStarted
from voiceprep.core.interviewer.loop import Seat
from voiceprep.core.pack import Content, Persona, tongue_of
from voiceprep.core.policy import GRACE, Policy
from voiceprep.core.units import At
from voiceprep.intake.given import Given
from voiceprep.intake.kept import fingerprint, keep_own_pacing
from voiceprep.intake.probing import with_intake
from voiceprep.live.ahead import at_once, no_secret, render_ahead, sounds_of
from voiceprep.live.assembly import assemble
from voiceprep.live.candidate import CandidateSource, load_script, render, tongue_in
from voiceprep.live.clock import AudioClock, WallClock
from voiceprep.live.inbox import Inbox
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.overheard import Overheard
from voiceprep.live.parts import Parts
from voiceprep.live.player import Player
from voiceprep.live.session import Session, Watcher
from voiceprep.live.stopping import stopping
from voiceprep.live.tone import Tone
from voiceprep.live.trouble import Trouble
from voiceprep.review.page import keep_review
from voiceprep.review.session_scores import keep_scores
from voiceprep.speech.endpoint.prosody import Prosody
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.tts.base import Utterance, VoiceStyle
from voiceprep.speech.tts.cache import Keeps
from voiceprep.speech.tts.choose import choose
from voiceprep.speech.tts.ear.lexicon import lexicon
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.probe import LIVE_FACTOR
from voiceprep.speech.tts.voice_set import VoiceSet
from voiceprep.speech.vad.silero import SileroActivity
from voiceprep.store import reserve
from voiceprep.store.baseline import baseline_of
from voiceprep.store.broken_off import taken_up, where_stopped
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header

if TYPE_CHECKING:  # it brings the client library, which a session without a language model does not need
    from voiceprep.agent.interviewer import ModelInterviewer

Pace = Literal["live", "fast"]
Progress = Callable[[str], None]
"""Told, in a short sentence, what is being prepared."""


@dataclass(frozen=True, slots=True)
class Result:
    """A session that is over."""

    session: str
    folder: Path
    ended: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the user asked for."""

    round: str
    pace: Pace = "live"
    demo: bool = False
    """Let the demonstration candidate of the round speak instead of a microphone."""
    seat: Seat | None = None
    """Which round of which loop this is, if it is one."""
    severity: int = 0
    """How many steps harder than usual the interviewer is, 0..2."""
    lens: str = ""
    """Id of the company's lens that the round is seen through, or ""."""
    keep_files: bool = False
    """Keep a copy of the CV and the job description with the session."""
    browser: bool = False
    """The candidate speaks into a page."""
    question: str = ""
    """Ask this question of the round alone, and what follows from it."""
    resumes: str = ""
    """Id of the session whose round goes on in this one, or ""."""
    take: TakePlan | None = None
    """The take of a drill that is held in place of a round (`round` is "")."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a server brings along, in place of what the settings name.

    Attributes:
        sink: the interviewer sounds there.
        recogniser: stays open afterwards, for the next session.
        engines: of the voices, by name: those that are there are used, and all stay open as well. None: nothing is shared.
        listens_to_signals: whether Ctrl-C and a polite kill are the session's; a server has them itself.
        saved: told as soon as all that was recorded is safe: scores and review of a long session take seconds more.
    """

    sink: Sink | None = None
    recogniser: Recogniser | None = None
    engines: dict[str, Engine] | None = None
    listens_to_signals: bool = True
    saved: Callable[[Result], None] = lambda _: None


NOTHING = Brought()


async def practise(
    plan: Plan,
    settings: Settings,
    places: Places,
    watch: Callable[[Content, Session], Watcher],
    progress: Progress,
    source: Source | None = None,
    brought: Brought = NOTHING,
) -> Result:
    """Hold one round, or one take of a drill.

    Whatever is wrong with files, packs, devices or models is raised before the session begins.

    `source` is listened to in place of the microphone that the settings name.
    """
    content = with_own_pacing(_content(plan), own_file(settings, places))
    keeps = no_secret(content.round, tongue_of(settings["language"]))
    given = await asyncio.to_thread(_given, plan, settings, places)
    if given is not None:
        content = with_intake(content, given.intake, settings["language"])
        progress(given.told(settings["language"]))
    if plan.resumes:
        content = taken_up(content, await asyncio.to_thread(where_stopped, places.recordings, plan.resumes))
    lexicon()  # a bad pronunciation file is told now, not with the first line
    trouble = Trouble(progress)
    if few := reserve.check(places.recordings):
        trouble.missing("disk-short", few)
    async with contextlib.AsyncExitStack() as stack:
        if source is None and not plan.demo:  # what the user gave comes first: a bad file is told before a model is loaded
            source = open_source(settings["microphone"], plan.pace, trouble)
        if source is not None:
            stack.push_async_callback(source.close)
        sink = brought.sink or open_sink(settings["speaker"], trouble)
        stack.push_async_callback(sink.close)
        progress("choosing the interviewer's voice")
        fixed = source is not None and source.on_demand
        voices = await _choose_voices(plan, settings, places, keeps, fixed=fixed, made=brought.engines)
        stack.push_async_callback(voices.close if brought.engines is None else voices.rest)
        source = source or await _candidate(plan, settings, places, progress)
        echo = choose_duplex(settings["duplex"], source, sink)
        if echo.control is not None:
            sink = EchoedSink(sink, echo.control)
        progress(f"echo: {echo.reason}")
        recogniser = brought.recogniser or await open_recogniser(settings, places, lambda what, _share: progress(what))
        if recogniser is not None and recogniser is not brought.recogniser:
            stack.push_async_callback(recogniser.close)
        model = await _open_model(settings, places, content, progress, trouble)
        if model is not None:
            stack.push_async_callback(model.close)
        opened = _Opened(content, given, source, sink, echo, voices, recogniser, model)
        return await _hold(plan, settings, places, opened, watch, trouble, brought)


def _content(plan: Plan) -> Content:
    if plan.take is not None:
        return drill_content(plan.take)
    content = held_as(load_content(plan.round), plan.severity, plan.lens)
    return asking_only(content, plan.question) if plan.question else content


def _given(plan: Plan, settings: Settings, places: Places) -> Given | None:
    """What the round asks about of a CV: one that goes on asks about the same. The lines of a drill are fixed."""
    if plan.take is not None:
        return None
    if plan.resumes:
        return Given.kept(places.recordings / plan.resumes)
    return Given.read(settings["cv"], settings["jd"], keep=plan.keep_files)


async def _open_model(
    settings: Settings, places: Places, content: Content, progress: Progress, trouble: Trouble
) -> ModelInterviewer | None:
    if server_of(settings) is None or isinstance(content, DrillContent):
        return None
    from voiceprep.agent.opening import open_interviewer

    tongue = tongue_of(settings["language"])
    return await open_interviewer(settings, places, content.round, tongue, progress, trouble.missing)


async def _choose_voices(
    plan: Plan, settings: Settings, places: Places, keeps: Keeps, *, fixed: bool, made: dict[str, Engine] | None
) -> VoiceSet:
    """`fixed`: the session must sound the same each time, so no line may depend on what was rendered before."""
    spoken = (tongue_of(settings["language"]),)
    slowest = PATIENT if plan.demo else LIVE_FACTOR
    return await choose(settings, places, languages=spoken, live_only=fixed, slowest=slowest, keeps=keeps, made=made)


async def _candidate(plan: Plan, settings: Settings, places: Places, progress: Progress) -> Source:
    """The demonstration candidate, rendered with the best voices however slow they are: nobody waits for an answer yet."""
    script = load_script(plan.round, settings["language"])
    spoken = sorted({tongue_in(piece) for answer in script.answers for piece in answer if isinstance(piece, str)})
    voices = await choose(settings, places, languages=spoken, slowest=inf)
    try:
        answers = await render(script, voices, lambda done, of: progress(f"rendering the candidate, {done} of {of} sentences"))
    finally:
        await voices.close()
    return CandidateSource(answers, plan.pace)


@dataclass(frozen=True, slots=True)
class _Opened:
    """All that a session is held with, open and working."""

    content: Content
    given: Given | None
    source: Source
    sink: Sink
    echo: Duplex
    voices: VoiceSet
    recogniser: Recogniser | None
    model: ModelInterviewer | None

    @property
    def style(self) -> VoiceStyle:
        persona = self.content.round.persona
        return VoiceStyle(persona.voice, persona.pace)


async def _hold(
    plan: Plan,
    settings: Settings,
    places: Places,
    opened: _Opened,
    watch: Callable[[Content, Session], Watcher],
    trouble: Trouble,
    brought: Brought,
) -> Result:
    content, voices, model = opened.content, opened.voices, opened.model
    tongue = tongue_of(settings["language"])
    # A recording gives the same session each time; a person gets other phrasings each time.
    seed = 1 if opened.source.on_demand else secrets.randbelow(2**31)
    # A recording is judged alike whenever it is played, whatever was recorded before.
    own_rate = 0.0 if opened.source.on_demand else await asyncio.to_thread(_own_rate, places, settings["language"])
    policy = _policy(plan, settings, opened, own_rate)
    await voices.warm(opened.style)
    sounds = await sounds_of(voices, at_once(content, policy, tongue, seed), tongue, opened.style)
    header = _header(plan, settings, opened, policy, seed)
    folder = await asyncio.to_thread(SessionFolder.create, places.recordings, header)
    parts = _parts(plan, settings, opened, policy, seed, folder, sounds)
    trouble.opened(parts.inbox)
    session = Session(parts, _start(header.round, content.round.persona, settings["language"], settings["mode"]))
    ended = "failed"
    ahead = [asyncio.create_task(render_ahead(voices, content, tongue, opened.style, seed))]
    watcher = watch(content, session)
    if model is not None:
        ahead.append(asyncio.create_task(model.warm()))
        watcher = Overheard(watcher, model.conversation)
    try:
        if opened.given is not None:
            await asyncio.to_thread(opened.given.keep, folder)
        await asyncio.to_thread(keep_own_pacing, own_file(settings, places), folder.path)
        with stopping(session) if brought.listens_to_signals else contextlib.nullcontext():
            ended = await session.run(watcher)
    finally:
        for task in ahead:
            task.cancel()
        await asyncio.to_thread(folder.close, ended)
    result = Result(folder.header.id, folder.path, ended)
    brought.saved(result)
    if plan.take is None:  # a drill has a judge of its own
        await asyncio.to_thread(keep_scores, folder.path, content)
    await asyncio.to_thread(keep_review, folder.path)
    return result


def _own_rate(places: Places, language: Language) -> float:
    """The speaker's own pace in earlier sessions; 0 while it is not known."""
    own = baseline_of(places.recordings, language)
    return round(own.rate, 1) if own is not None else 0.0


def _policy(plan: Plan, settings: Settings, opened: _Opened, own_rate: float) -> Policy:
    content = opened.content
    # A drill that holds still for so long does so whether or not anybody knows what was said.
    patience = content.drill.patience if isinstance(content, DrillContent) else None
    return Policy(
        unheard_patience=patience or Policy().unheard_patience,
        recogniser=opened.recogniser is not None,
        captions=opened.recogniser is not None and plan.pace == "live",
        reword=opened.model is not None,
        backchannels=_makes_sounds(settings, opened.echo),
        all_rules=True,
        grace=GRACE,
        own_rate=own_rate,
    )


def _header(plan: Plan, settings: Settings, opened: _Opened, policy: Policy, seed: int) -> Header:
    pack, given, on_demand = opened.content.round, opened.given, opened.source.on_demand
    header = Header(
        version=__version__,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        round=pack.id,
        persona=pack.persona.id,
        language=settings["language"],
        mode=settings["mode"],
        source="demo" if plan.demo else "file" if on_demand else "browser" if plan.browser else "microphone",
        clock="audio" if on_demand else "wall",
        models=_models(opened.recogniser, opened.voices, opened.model) | {"echo": opened.echo.reason},
        policy=asdict(policy),
        seed=seed,
        content=drill_fingerprint(pack) if plan.take else content_fingerprint(pack, plan.lens, intake=given is not None),
        intake=fingerprint(given.intake) if given is not None else "",
        loop=plan.seat.loop if plan.seat else "",
        loop_run=plan.seat.run if plan.seat else "",
        loop_round=plan.seat.number if plan.seat else 0,
        severity=plan.severity,
        lens=plan.lens,
        question=plan.question,
        resumes=plan.resumes,
    )
    return _of_take(header, plan.take) if plan.take is not None else header


def _of_take(header: Header, take: TakePlan) -> Header:
    """A take belongs to no round: only its content has the shape of one."""
    return replace(
        header,
        round="",
        drill=take.drill,
        drill_prompt=take.prompt,
        drill_brief=take.brief,
        resumes=take.resumes,
        drill_step=take.step,
        drill_used=take.used,
    )


def _parts(
    plan: Plan,
    settings: Settings,
    opened: _Opened,
    policy: Policy,
    seed: int,
    folder: SessionFolder,
    sounds: dict[str, Utterance],
) -> Parts:
    language: Language = settings["language"]
    clock = AudioClock() if opened.source.on_demand else WallClock()
    inbox, player, recent = Inbox(clock), Player(), Recent()
    edges = Edges(
        opened.recogniser,
        opened.voices,
        player,
        opened.sink,
        recent,
        language,
        opened.style,
        opened.model,
        sounds,
        partial(_listens, opened.echo),
    )
    return Parts(
        conductor=assemble(opened.content, policy, language, seed),
        clock=clock,
        inbox=inbox,
        source=opened.source,
        sink=opened.sink,
        activity=SileroActivity(),
        interpreter=Interpreter(edges, inbox.put),
        player=player,
        recent=recent,
        folder=folder,
        echo=opened.echo.control,
        prosody=Prosody() if opened.recogniser is not None else None,
        live_pace=plan.pace == "live",
        tone=Tone() if _rings(settings, opened.echo) else None,
    )


def _rings(settings: Settings, echo: Duplex) -> bool:
    """Whether flags are heard: in an exam nobody helps, and without headphones the microphone would record the tone."""
    return settings["flag_tone"] == "on" and settings["mode"] == "coach" and echo.control is None


PATIENT = 1.5
"""Seconds of work for a second of speech that a demonstration waits for: some seconds before a reply."""


def _makes_sounds(settings: Settings, echo: Duplex) -> bool:
    """Whether sounds of listening are made at all: nobody helps in an exam, and in half duplex they would make us deaf."""
    return settings["backchannels"] == "on" and settings["mode"] != "exam" and not isinstance(echo.control, HalfDuplex)


def _listens(echo: Duplex) -> bool:
    """Whether the candidate is heard over the interviewer: a canceller has to show first that it works in this room."""
    return echo.control is None or (isinstance(echo.control, Cancelling) and echo.control.converged)


def _start(round_id: str, persona: Persona, language: Language, mode: Any) -> Callable[[At], SessionStarted]:
    return lambda at: SessionStarted(at=at, round=round_id, persona=persona.id, language=language, mode=mode)


def _models(recogniser: Recogniser | None, voices: VoiceSet, model: ModelInterviewer | None) -> dict[str, str]:
    info = recogniser.info if recogniser is not None else None
    return {
        "stt": f"{info.model} {info.device} {info.compute_type}" if info else "off",
        "voice": voices.reason,
        **({"llm": model.client.server.name} if model is not None else {}),
    }
