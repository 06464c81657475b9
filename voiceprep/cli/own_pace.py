"""The minute at one's own pace: `voiceprep sound-check --own-pace`, and its offer after a sound check."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from voiceprep.cli.output import console, messages, print_json

if TYPE_CHECKING:  # heavy, and `--help` needs none
    from voiceprep.config import Places, Settings
    from voiceprep.live.own_pace import OwnPace

TOLD = {
    "too-little": "too little speech was heard to know your pace by: talk for most of the minute",
    "not-trusted": "what was said could not be made out well enough: come closer to the microphone, and try again",
}
"""Why nothing was kept."""


async def listen_for_a_minute(settings: Settings, places: Places, *, as_json: bool = False) -> None:
    """Listen, measure, keep the figures, tell them. Raises what opening the microphone or the recogniser raises."""
    from voiceprep.cli.sound_check import listened
    from voiceprep.errors import UsageError
    from voiceprep.live.own_pace import MINUTE, own_pace
    from voiceprep.speech.stt.opening import open_recogniser

    tell = messages()
    recogniser = await open_recogniser(settings, places, lambda what, _: tell.print(f"… {what}", style="dim"), live=False)
    if recogniser is None:
        raise UsageError("your pace is counted in words, and stt is off", code="bad-setting", hint="Add --stt base")
    try:
        said_first = f"Now talk for {MINUTE:.0f} seconds, at your own pace: tell a colleague what you did last week"
        sound, _ = await listened(settings["microphone"], MINUTE, said_first)
        found = await own_pace(sound, settings["language"], recogniser)
    finally:
        await recogniser.close()
    await asyncio.to_thread(_keep, found, places)
    if as_json:
        print_json({"own_pace": document(found)})
    else:
        console().print(said(found), markup=False)


def _keep(found: OwnPace, places: Places) -> None:
    from voiceprep.store.own_pace import Minute, keep

    if found.sample is not None:
        keep(places.recordings, Minute(datetime.now(UTC).isoformat(timespec="seconds"), found.sample))


def document(found: OwnPace) -> dict[str, Any]:
    """What the minute showed, as JSON: `{"kept", "reason", "seconds", "language", "unit", "rate", "pause", "fillers"}`."""
    from voiceprep.core.listening.rates import UNITS

    told: dict[str, Any] = {"kept": found.sample is not None, "reason": found.reason, "seconds": round(found.seconds, 3)}
    if found.sample is None:
        return told
    figures = {name: round(value, 3) if isinstance(value, float) else value for name, value in asdict(found.sample).items()}
    return told | figures | {"unit": UNITS[found.sample.language]}


def said(found: OwnPace) -> str:
    """The same in a sentence."""
    from voiceprep.core.listening.rates import UNITS

    sample = found.sample
    if sample is None:
        return f"! {TOLD[found.reason]}"
    return (
        f"✓ your own pace: {sample.rate:.0f} {UNITS[sample.language]} over {sample.seconds:.0f} s; "
        "how fast you speak is held against it from your first session on (forget it: voiceprep sound-check --forget-pace)"
    )


async def offer(settings: Settings, places: Places) -> None:
    """After a sound check at a terminal, where nothing is known of this speaker yet. Any key but one skips it."""
    import click

    from voiceprep.store.baseline import baseline_of

    asked = sys.stdin.isatty() and sys.stdout.isatty() and settings["stt"] != "off"
    if not asked or await asyncio.to_thread(baseline_of, places.recordings, settings["language"]) is not None:
        return
    messages().print("m: a minute at your own pace, which flags then compare you with    any other key: skip", markup=False)
    if (await asyncio.to_thread(click.getchar)).lower() == "m":
        await listen_for_a_minute(settings, places)
