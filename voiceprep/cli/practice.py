"""`voiceprep practice ROUND`: one spoken round in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.core.text import mmss

if TYPE_CHECKING:  # heavy: numpy and the sound libraries come with them, and `--help` needs none
    from voiceprep.config import Places, Settings
    from voiceprep.core.interviewer.loop import Seat
    from voiceprep.live.plan import Plan, Result

KEYS = "Enter: my answer is finished    n: mark this place    p: pause    q: end the session"


# --- the options ----------------------------------------------------------------------------------------------------------

RoundId = Annotated[str, typer.Argument(metavar="ROUND", help="A round's id; `voiceprep rounds` lists them.")]
Mic = Annotated[
    str | None,
    typer.Option(metavar="NAME|FILE", help="The microphone, by a part of its name, or an audio file that speaks for you."),
]
Speaker = Annotated[
    str | None,
    typer.Option(metavar="NAME|none|FILE", help="Where the interviewer sounds: a device, none, or a .wav file."),
]
Lang = Annotated[str | None, typer.Option(metavar="en|zh|mixed", help="Language of the session.")]
Stt = Annotated[
    str | None,
    typer.Option(metavar="MODEL|off", help="A faster-whisper model by size or folder, or off: no words, all the rest."),
]
Llm = Annotated[
    str | None,
    typer.Option(metavar="URL#MODEL|off", help="A language model to word the follow-ups; off, unless set: none is needed."),
]
Mode = Annotated[
    str | None, typer.Option(metavar="coach|exam", help="coach shows pacing flags live, exam keeps them for the review.")
]
Voice = Annotated[str | None, typer.Option(metavar="ENGINE", help="auto, hibari, kokoro, espeak, pyttsx3 or none.")]
Device = Annotated[str | None, typer.Option(metavar="auto|cpu|cuda", help="Where the recogniser runs.")]
Headphones = Annotated[
    bool, typer.Option("--headphones", help="You wear headphones: the interviewer can be interrupted by voice.")
]
Duplex = Annotated[
    str | None,
    typer.Option(
        metavar="auto|full|cancel|half", help="What if the microphone hears the interviewer: nothing, take it out, or wait."
    ),
]
Lens = Annotated[
    str | None,
    typer.Option(metavar="COMPANY", help="See the round through a company's eyes: anyscale, databricks, snowflake."),
]
Severity = Annotated[
    int, typer.Option(min=0, max=2, help="How much harder than usual the interviewer is: as after so many weak rounds.")
]
Cv = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Your CV: what it claims is asked about. The file stays here; a language model elsewhere is sent what the "
        "interviewer quotes from it.",
    ),
]
Jd = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The job description: it decides which claims matter, and what is missing."),
]
KeepFiles = Annotated[
    bool, typer.Option("--keep-files", help="Keep copies of both files with the session, not only what was read from them.")
]
Pace = Annotated[
    str, typer.Option(metavar="live|fast", help="How a FILE is played: as if spoken now, or as fast as the machine can.")
]
Demo = Annotated[bool, typer.Option("--demo", help="Let a demonstration candidate speak.")]
DemoIfNoMicrophone = Annotated[bool, typer.Option("--demo-if-no-microphone", help="... but only where there is no microphone.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the round's last session, where it broke off, held as it was.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document at the end, nothing else.")]


AS_IT_WAS = frozenset({"lang", "mode", "lens", "severity", "cv", "jd", "keep_files", "demo", "demo_if_no_microphone"})
"""What a round that goes on has from the session that broke off."""


# --- the command -----------------------------------------------------------------------------------------------------------


def practice(
    context: typer.Context,
    round_id: RoundId,
    mic: Mic = None,
    speaker: Speaker = None,
    lang: Lang = None,
    stt: Stt = None,
    llm: Llm = None,
    mode: Mode = None,
    voice: Voice = None,
    device: Device = None,
    headphones: Headphones = False,
    duplex: Duplex = None,
    lens: Lens = None,
    severity: Severity = 0,
    cv: Cv = None,
    jd: Jd = None,
    keep_files: KeepFiles = False,
    resume: Resume = False,
    pace: Pace = "live",
    demo: Demo = False,
    demo_if_no_microphone: DemoIfNoMicrophone = False,
    json: AsJson = False,
) -> None:
    """Hold one spoken interview round, here in the terminal.

    The interviewer asks, you answer aloud and may think as long as you like. What you say is shown as you say it; pacing
    flags appear while they can still help. The session is kept in your recordings folder.

    Example: voiceprep practice gpu-hm-screen --lang zh --headphones
    """
    from voiceprep import config
    from voiceprep.agent.server import from_argument, server_of
    from voiceprep.errors import UsageError

    if pace not in {"live", "fast"}:
        raise UsageError(f"--pace {pace} is neither live nor fast", code="bad-setting")
    if resume and (beside := [option for name, option in _given(context) if name in AS_IT_WAS]):
        raise UsageError(
            f"--resume goes on with the round as it was held, without {', '.join(beside)}",
            code="bad-setting",
            hint="Leave that away, or begin the round anew without --resume",
        )
    settings = config.load().with_arguments(
        microphone=mic,
        speaker=speaker,
        language=lang,
        stt=stt,
        mode=mode,
        voice=voice,
        device=device,
        duplex="full" if headphones else duplex,
        cv=cv,
        jd=jd,
        **from_argument(llm),
    )
    server_of(settings)  # a bad address is told before anything else is done
    try:
        held = _held_as(context.obj, severity, lens, keep_files)
        asked = Asked(round_id, held, pace, demo, demo_if_no_microphone, resume, json)
        asyncio.run(_practise(asked, settings, config.places()))
    except asyncio.CancelledError:  # a polite kill while things were still being prepared
        raise KeyboardInterrupt from None


def _given(context: typer.Context) -> list[tuple[str, str]]:
    """The options that stand on the command line, by name and as they are written."""
    sources = [(one, context.get_parameter_source(one.name or "")) for one in context.command.params]
    return [(one.name or "", one.opts[0]) for one, source in sources if source is not None and source.name == "COMMANDLINE"]


@dataclass(frozen=True, slots=True)
class HeldAs:
    """How a round is held that is not held as its file says. `voiceprep loop` hands one over as the command's object."""

    seat: Seat | None = None
    severity: int = 0
    lens: str = ""
    keep_files: bool = False


def _held_as(given: object, severity: int, lens: str | None, keep_files: bool) -> HeldAs:
    """What the options say, over what the loop says. A loop's severity was earned: an option only adds to it."""
    loop = given if isinstance(given, HeldAs) else HeldAs()
    return HeldAs(loop.seat, max(severity, loop.severity), loop.lens if lens is None else lens, keep_files or loop.keep_files)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for besides the settings."""

    round: str
    held: HeldAs
    pace: Any
    demo: bool
    demo_if_no_microphone: bool
    resume: bool
    as_json: bool


async def _practise(asked: Asked, settings: Settings, places: Places) -> None:
    from voiceprep.audio.devices import check_source
    from voiceprep.content import load_content
    from voiceprep.content.lenses import held_as
    from voiceprep.errors import MissingError
    from voiceprep.live.plan import Plan

    end_politely()
    held, pace, as_json = asked.held, asked.pace, asked.as_json
    held_as(load_content(asked.round), held.severity, held.lens)  # before anything is said of devices: it may not exist
    check_source(settings["microphone"])  # and so may what was to speak
    tell = messages()
    recover_sessions(places)
    plan = Plan(asked.round, pace, asked.demo, held.seat, held.severity, held.lens, held.keep_files)
    if asked.resume:
        plan, settings = _going_on(asked, settings, places)
    may_demo = asked.demo_if_no_microphone and not settings["microphone"]
    demo = asked.demo or (may_demo and _no_microphone(tell))
    settings = quiet_where_nothing_sounds(settings, pace, tell)
    if not (demo or as_json) and sys.stdin.isatty() and sys.stdout.isatty():
        await _offer_sound_check(settings)
    if demo and not as_json:
        from voiceprep.live.candidate import script_for

        tell.print(
            f"The demonstration candidate reads {script_for(asked.round, settings['language']).name}", style="dim", markup=False
        )
    try:
        result = await _run(replace(plan, demo=demo), settings, places, as_json)
    except MissingError as error:
        if error.code == "no-microphone":
            error.hint = "Connect one, or: --mic FILE lets a recording speak, --demo a demonstration candidate"
        raise
    if as_json:
        print_json({"session": result.session, "folder": str(result.folder), "ended": result.ended})
    else:
        _summary(result)


def _going_on(asked: Asked, settings: Settings, places: Places) -> tuple[Plan, Settings]:
    """The round's last session, where it broke off: held as it was, in its language. Raises UsageError."""
    from voiceprep.live.going_on import broken_off, plan_to_go_on

    plan, header = plan_to_go_on(places.recordings, broken_off(places.recordings, asked.round))
    return replace(plan, pace=asked.pace), settings.with_arguments(language=header.language, mode=header.mode)


def end_politely() -> None:
    """Until the session itself listens to them, these signals cancel what is being prepared."""
    task = asyncio.current_task()
    assert task is not None
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), task.cancel)


async def _run(plan: Plan, settings: Settings, places: Places, as_json: bool) -> Result:
    from voiceprep.cli.stage import preparing, watching
    from voiceprep.live.plan import Brought
    from voiceprep.live.practice import practise

    progress = preparing()
    with contextlib.ExitStack() as stack:

        def saved(result: Result) -> None:
            stack.close()  # the terminal as it was: nothing moves on it any more
            progress(f"session {result.session} is saved; its review is being written")

        watch = watching(stack, settings, KEYS, lambda session: {"n": lambda: session.note("")}, quiet=as_json)
        return await practise(plan, settings, places, watch, progress, brought=Brought(saved=saved))


def recover_sessions(places: Places) -> None:
    """Finish what a crash left behind, delete what the user wants to be rid of by now, and say so."""
    from voiceprep.config import load
    from voiceprep.review.results import keep_results
    from voiceprep.store.recovery import recover

    for found in recover(places.recordings):
        said = (
            f"session {found.id} was interrupted; {mmss(found.seconds)} of it are kept"
            if found.outcome == "recovered"
            else f"session {found.id} cannot be read and was left as it is: {found.message}"
        )
        messages().print(f"… {said}", style="dim", markup=False)
        if found.outcome == "recovered":
            keep_results(places.recordings / found.id)
            _offer_to_go_on(places, found.id)
    expire_sessions(places, load()["keep_days"])


def _offer_to_go_on(places: Places, session: str) -> None:
    """Say how the round of a session that was interrupted goes on, if it can, and the command would take up this one."""
    from voiceprep.errors import VoiceprepError
    from voiceprep.live.going_on import broken_off, plan_to_go_on

    with contextlib.suppress(VoiceprepError):
        plan, _ = plan_to_go_on(places.recordings, session)
        if broken_off(places.recordings, plan.round) == session:
            messages().print(f"… go on with it: voiceprep practice {plan.round} --resume", style="dim", markup=False)


def expire_sessions(places: Places, days: int) -> None:
    """Delete the sessions that are older than the user keeps them, and say which."""
    from voiceprep.store.retention import expire

    for gone in expire(places, days):
        said = f"deleted session {gone.id}: it was older than {days} days (keep_days), and had no star"
        messages().print(f"… {said}", style="dim", markup=False)


async def _offer_sound_check(settings: Settings) -> None:
    """Once for each microphone. A device that does not work is told of when the session opens it."""
    from voiceprep.audio.devices import is_file
    from voiceprep.cli.sound_check import offer
    from voiceprep.errors import VoiceprepError

    if not is_file(settings["microphone"]):
        with contextlib.suppress(VoiceprepError):
            await offer(settings["microphone"], settings["speaker"])


def _no_microphone(tell: Any) -> bool:
    from voiceprep.audio.devices import has_microphone

    there, reason = has_microphone()
    if not there:
        tell.print(f"No microphone here ({reason}): a demonstration candidate speaks instead, in real time.")
    return not there


def quiet_where_nothing_sounds(settings: Settings, pace: Literal["live", "fast"], tell: Any) -> Settings:
    """Without a named speaker: nothing is played at fast pace, nor where no device can play it."""
    from voiceprep.audio.devices import has_speaker

    if settings["speaker"]:
        return settings
    if pace == "fast":
        return settings.with_arguments(speaker="none")
    there, reason = has_speaker()
    if there:
        return settings
    tell.print(f"[dim]… no speaker here ({reason}): the interviewer's voice is rendered and recorded, not heard[/]")
    return settings.with_arguments(speaker="none")


def _summary(result: Result) -> None:
    """Where the session lies and how it went."""
    from collections import Counter

    from voiceprep.agent.budget import use_of
    from voiceprep.core.timeline import fold
    from voiceprep.intake.backing import backings_of
    from voiceprep.store.archive import Archive

    header, events = Archive(result.folder.parent).read(result.session)
    timeline = fold(events)
    mine = [turn for turn in timeline.turns if turn.speaker == "candidate"]
    asked = sum(bool(u.heard) for u in timeline.utterances)
    flags = Counter(f"{flag.rule.replace('_', ' ')} ({flag.level})" for flag in timeline.flags)
    out = console()
    out.print()
    out.print(f"Session [bold]{result.session}[/] ended: {result.ended}")
    turns = "1 turn" if len(mine) == 1 else f"{len(mine)} turns"
    out.print(f"  {mmss(timeline.elapsed)} in all, {mmss(timeline.duration)} of it recorded")
    out.print(f"  you spoke {mmss(timeline.spoken)} in {turns}")
    out.print(f"  the interviewer spoke {'once' if asked == 1 else f'{asked} times'}")
    if not timeline.words and header.models.get("stt") != "off":
        out.print("  no words were heard: check the microphone (`voiceprep doctor`), or that it is not muted", style="yellow")
    out.print(f"  flags: {', '.join(f'{name} x{n}' if n > 1 else name for name, n in flags.items()) or 'none'}")
    unbacked = [each for each in backings_of(result.folder, header, events) if each.verdict == "not-backed"]
    for each in unbacked:
        out.print(f'  not backed up here: "{each.claim.text}"', style="yellow", markup=False)
    if (use := use_of(events)) is not None:
        out.print(f"  the language model worded {use.worded} of {use.asked} lines: {use.tokens} tokens{use.price}")
    for failure in timeline.failures[:3]:
        out.print(f"  trouble: {failure.message}", style="yellow", markup=False)
    out.print(f"  kept in {Path(result.folder)}", soft_wrap=True)
    out.print(f"  [dim]voiceprep replay {result.session}[/]", soft_wrap=True)
    out.print(f"  [dim]voiceprep review {result.session}[/]", soft_wrap=True)
    out.print(f"  [dim]voiceprep export {result.session} --to markdown[/]", soft_wrap=True)
    _first_page(result.folder)


def _first_page(folder: Path) -> None:
    """What to read first of the review. A session is no less kept where none can be made."""
    from voiceprep.cli.review import show
    from voiceprep.errors import VoiceprepError
    from voiceprep.review.page import review_of

    with contextlib.suppress(VoiceprepError):
        show(review_of(folder), brief=True)
