"""`voiceprep sound-check`: ten seconds of your voice, judged and played back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json

if TYPE_CHECKING:  # heavy, and `--help` needs none
    from rich.text import Text

    from voiceprep.audio.base import Samples
    from voiceprep.audio.level import Measured
    from voiceprep.config import Places
    from voiceprep.live.sound_check import Verdict

LONGEST = 120.0
QUIETEST = -60.0
"""dBFS at the left end of the level meter."""
FORGOTTEN = {"own_pace": "the sound check's minutes are forgotten", "own_voice": "how your voice sounds is forgotten"}
NOTHING_KEPT = {"own_pace": "no minute of a sound check was kept", "own_voice": "nothing was kept of your voice"}
METER = 40
"""Characters."""


def sound_check(
    mic: Annotated[str | None, typer.Option(metavar="NAME|FILE", help="The microphone, or an audio file to judge.")] = None,
    speaker: Annotated[
        str | None, typer.Option(metavar="NAME|none|FILE", help="Where it is played back: a device, none, or a .wav file.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long to listen.", min=1.0, max=LONGEST)] = 10.0,
    own_pace: Annotated[
        bool, typer.Option("--own-pace", help="Talk for a minute: pace flags compare you with it from the first session on.")
    ] = False,
    forget_pace: Annotated[bool, typer.Option("--forget-pace", help="Delete what is kept of such minutes.")] = False,
    own_voice: Annotated[
        bool, typer.Option("--own-voice", help="Keep how you sound: in recordings of two people you are known by it.")
    ] = False,
    forget_voice: Annotated[bool, typer.Option("--forget-voice", help="Delete what is kept of your voice.")] = False,
    lang: Annotated[str | None, typer.Option(metavar="en|zh|mixed", help="What you speak in that minute.")] = None,
    stt: Annotated[str | None, typer.Option(metavar="MODEL", help="The recogniser that counts your words.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Speak for ten seconds: is your microphone loud enough, clean, not clipping? You hear yourself as others do.

    Example: voiceprep sound-check --mic headset
    """
    from voiceprep import config
    from voiceprep.audio.devices import is_file
    from voiceprep.cli import own_pace as minute
    from voiceprep.cli import own_voice as voice
    from voiceprep.errors import UsageError

    settings = config.load().with_arguments(microphone=mic, speaker=speaker, language=lang, stt=stt)
    if (own_pace or own_voice) and (forget_pace or forget_voice or (own_pace and own_voice)):
        raise UsageError(
            "--own-pace and --own-voice listen to you, --forget-pace and --forget-voice delete what was kept: give one of them",
            code="bad-setting",
            hint="To begin anew: first the --forget-..., then the --own-...",
        )
    if forget_pace or forget_voice:
        _forget(config.places(), pace=forget_pace, voice=forget_voice, as_json=as_json)
        return
    if own_voice:
        asyncio.run(voice.listen_and_keep(settings, config.places(), as_json=as_json))
        return
    if own_pace:
        asyncio.run(minute.listen_for_a_minute(settings, config.places(), as_json=as_json))
        return
    # A document is asked for by programs, which are spared the sound unless they name a place for it.
    wanted = settings["speaker"] if speaker is not None or not as_json else "none"
    measured, verdicts = asyncio.run(check(settings["microphone"], wanted, seconds))
    if as_json:
        print_json(_document(measured, verdicts))
    else:
        _show(verdicts)
        if all(verdict.ok for verdict in verdicts) and not is_file(settings["microphone"]):
            asyncio.run(minute.offer(settings, config.places()))


def _forget(places: Places, *, pace: bool, voice: bool, as_json: bool) -> None:
    """Remove what is kept of the minutes, of the voice, or of both, and say what there was."""
    from voiceprep.store import own_pace, own_voice

    there: dict[str, bool] = {}
    if pace:
        there["own_pace"] = own_pace.forget(places.recordings)
    if voice:
        there["own_voice"] = own_voice.forget(places.home)
    if as_json:
        print_json({"forgotten": there})
        return
    for what, was in there.items():
        console().print(FORGOTTEN[what] if was else NOTHING_KEPT[what])


async def listened(mic: str, seconds: float, invitation: str) -> tuple[Samples, bool]:
    """What the microphone, or a file in its place, hears; and whether somebody was there to read the invitation.

    Raises what opening the device or reading the file raises.
    """
    from voiceprep.audio.devices import open_source
    from voiceprep.live.sound_check import listen

    tell = messages()
    source = open_source(mic, "fast", lambda _code, message: tell.print(f"! {message}", style="yellow", markup=False))
    try:
        if not source.on_demand:
            tell.print(f"{invitation} ({source.name}).", markup=False)
        with meter(seconds) as on_level:
            return await listen(source, seconds, on_level), not source.on_demand
    finally:
        await source.close()


async def check(mic: str, speaker: str, seconds: float) -> tuple[Measured, list[Verdict]]:
    """Listen, judge, play back. Raises what opening the devices or reading the file raises."""
    from voiceprep.live.sound_check import judge

    sound, live = await listened(mic, seconds, f"Speak now as you would in the interview, for {seconds:.0f} seconds")
    measured, verdicts = await asyncio.to_thread(judge, sound)
    if not measured.zeros and speaker != "none":
        verdicts += await _play_back(mic, speaker, sound, measured, live=live)
    return measured, verdicts


async def _play_back(mic: str, speaker: str, sound: Samples, measured: Measured, *, live: bool) -> list[Verdict]:
    """What was heard, once more; a microphone that hears it too is told. Without a speaker it is left out."""
    from voiceprep.audio.devices import has_speaker, open_sink, open_source
    from voiceprep.live.sound_check import judge_speaker, play, play_and_listen

    if not speaker and not (there := has_speaker())[0]:
        messages().print(f"No speaker to play it back: {there[1]}.", style="dim", markup=False)
        return []
    sink = open_sink(speaker)
    try:
        if not live:
            await play(sink, sound)
            return []
        messages().print("This is how you sound. Please be quiet meanwhile.")
        source = open_source(mic, "live", lambda _code, _message: None)
        try:
            meanwhile = await play_and_listen(sink, source, sound)
        finally:
            await source.close()
    finally:
        await sink.close()
    return [judge_speaker(measured.noise, meanwhile)]


@contextlib.contextmanager
def meter(seconds: float) -> Iterator[Callable[[float, float], None]]:
    """A live level meter on stderr; nothing where stderr is not a terminal."""
    from rich.live import Live

    target = messages()
    if not target.is_terminal:
        yield lambda _level, _at: None
        return
    with Live(console=target, transient=True, auto_refresh=False) as live:
        yield lambda level, at: live.update(_bar(level, seconds - at), refresh=True)


def _bar(level: float, left: float) -> Text:
    from rich.text import Text

    filled = round(METER * min(1.0, max(0.0, 1 - level / QUIETEST)))
    style = "red" if level > -3 else "green" if level > -45 else "yellow"  # noqa: PLR2004  (about to clip; loud enough)
    return Text.assemble(
        ("━" * filled, style), ("━" * (METER - filled), "bar.back"), f" {level:5.0f} dBFS  {max(0.0, left):2.0f} s"
    )


def _show(verdicts: list[Verdict]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for verdict in verdicts:
        table.add_row("[green]✓[/]" if verdict.ok else "[yellow]![/]", verdict.name, escape(verdict.detail))
        if not verdict.ok:
            table.add_row("", "", f"[bold]→ {escape(verdict.fix)}[/]")
    console().print(table)


def _document(measured: Measured, verdicts: list[Verdict]) -> dict[str, Any]:
    return {
        "level_dbfs": round(measured.level, 1),
        "peak_dbfs": round(measured.peak, 1),
        "noise_dbfs": round(measured.noise, 1),
        "clipped_share": round(measured.clipped_share, 6),
        "zeros": measured.zeros,
        "voiced_seconds": measured.voiced,
        "verdict": [asdict(verdict) for verdict in verdicts],
    }


OFFER: float = 8.0
"""Seconds that the offer waits for a key."""


async def offer(mic: str, speaker: str) -> None:
    """Before a first session with a microphone: a sound check, for whoever presses its key. Nobody has to press anything.

    Raises what opening the devices raises.
    """
    from voiceprep.audio import devices
    from voiceprep.cli.keys import keys
    from voiceprep.config import places
    from voiceprep.live.sound_check import Checked

    name, known = devices.find("input", mic).name, Checked(places())
    if name in known:
        return
    pressed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def answer(wanted: bool) -> Callable[[], None]:
        return lambda: None if pressed.done() else pressed.set_result(wanted)

    with keys({"c": answer(True), "s": answer(False), "\n": answer(False), " ": answer(False)}) as listening:
        if not listening:
            return
        messages().print(
            f"New microphone: {name}. c: check it, ten seconds    s: skip    (skipped by itself in {OFFER:.0f} s)", markup=False
        )
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OFFER):
                await pressed
    known.add(name)
    if pressed.done() and not pressed.cancelled() and pressed.result():
        _, verdicts = await check(mic, speaker, 10.0)
        _show(verdicts)
