"""Opens the edges for a practice round and holds it: from settings to a finished session folder."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from voiceprep.agent.server import server_of
from voiceprep.audio.base import Source
from voiceprep.audio.devices import open_sink, open_source
from voiceprep.audio.duplex import choose_duplex
from voiceprep.audio.echo import EchoedSink
from voiceprep.audio.recent import Recent
from voiceprep.config import Places, Settings
from voiceprep.content import load_content
from voiceprep.content.drill_content import drill_content
from voiceprep.content.lenses import held_as
from voiceprep.content.own_pacing import own_file, with_own_pacing
from voiceprep.content.single import asking_only
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.events import Language, SessionStarted
from voiceprep.core.pack import Content, Persona, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.units import At
from voiceprep.intake.given import Given
from voiceprep.intake.kept import keep_own_pacing
from voiceprep.intake.probing import with_intake
from voiceprep.live.ahead import at_once, no_secret, render_ahead, sounds_of
from voiceprep.live.assembly import assemble
from voiceprep.live.candidate import CandidateSource, load_script, render, tongue_in
from voiceprep.live.clock import AudioClock, WallClock
from voiceprep.live.inbox import Inbox
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.live.opened import Opened, header_of, listens, policy_of, rings
from voiceprep.live.overheard import Overheard
from voiceprep.live.parts import Parts
from voiceprep.live.plan import NOTHING, Brought, Plan, Progress, Result
from voiceprep.live.player import Player
from voiceprep.live.session import Session, Watcher
from voiceprep.live.stopping import stopping
from voiceprep.live.tone import Tone
from voiceprep.live.trouble import Trouble
from voiceprep.review.page import keep_review
from voiceprep.review.session_scores import keep_scores
from voiceprep.speech.endpoint.prosody import Prosody
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.tts.base import Utterance
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

if TYPE_CHECKING:  # it brings the client library, which a session without a language model does not need
    from voiceprep.agent.interviewer import ModelInterviewer

PATIENT = 1.5
"""Seconds of work for a second of speech that a demonstration waits for: some seconds before a reply."""


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
        opened = Opened(content, given, source, sink, echo, voices, recogniser, model)
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


async def _hold(
    plan: Plan,
    settings: Settings,
    places: Places,
    opened: Opened,
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
    policy = policy_of(plan, settings, opened, own_rate)
    await voices.warm(opened.style)
    sounds = await sounds_of(voices, at_once(content, policy, tongue, seed), tongue, opened.style)
    header = header_of(plan, settings, opened, policy, seed)
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


def _parts(
    plan: Plan,
    settings: Settings,
    opened: Opened,
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
        partial(listens, opened.echo),
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
        tone=Tone() if rings(settings, opened.echo) else None,
    )


def _start(round_id: str, persona: Persona, language: Language, mode: Any) -> Callable[[At], SessionStarted]:
    return lambda at: SessionStarted(at=at, round=round_id, persona=persona.id, language=language, mode=mode)
